/* Functions of one entry. A growing function takes ends to ends, a falling one turns them round; what is neither has
 * a rule of its own. A piecewise constant or linear one that has the same value at both ends has it in between, so the
 * entry is fixed: that is how dead units are seen. */
#include "onnx/evaluate.h"

#include <math.h>
#include <string.h>

typedef struct {
    double alpha, beta; /* attributes, where the function has them */
} parameters;

static double f_relu(double x)
{
    return x > 0 ? x : 0;
}

static double f_sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

static double f_neg(double x)
{
    return -x;
}

static double f_not(double x)
{
    return x == 0;
}

static double f_sign(double x)
{
    return (x > 0) - (x < 0);
}

static double f_softplus(double x)
{
    return x > 30 ? x : log1p(exp(x));
}

static double f_softsign(double x)
{
    return isinf(x) ? copysign(1, x) : x / (1 + fabs(x));
}

static double f_leaky_relu(double x, parameters p)
{
    return x >= 0 ? x : p.alpha * x;
}

static double f_elu(double x, parameters p)
{
    return x >= 0 ? x : p.alpha * expm1(x);
}

static double f_selu(double x, parameters p)
{
    return x >= 0 ? p.beta * x : p.beta * p.alpha * expm1(x);
}

static double f_hard_sigmoid(double x, parameters p)
{
    return fmax(0, fmin(1, ll_dot_times(p.alpha, x) + p.beta));
}

static double f_reciprocal(double x)
{
    return 1 / x;
}

typedef enum { GROWING, FALLING, ABSOLUTE, POLE, WAVE } course;

typedef struct {
    const char *name;
    double (*plain)(double x);
    double (*with)(double x, parameters p); /* where it has parameters, in place of plain */
    course course;
    int is_stepped; /* equal at both ends: constant in between, exactly */
    double ulps;    /* rounding of a runtime */
    double alpha, beta;
    const char *beta_name;
} function;

static const function functions[] = {
    {"Relu", f_relu, NULL, GROWING, 1, 0, 0, 0, ""},
    {"Sigmoid", f_sigmoid, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Tanh", tanh, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Exp", exp, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Log", log, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Sqrt", sqrt, NULL, GROWING, 0, 2, 0, 0, ""},
    {"Neg", f_neg, NULL, FALLING, 0, 0, 0, 0, ""},
    {"Not", f_not, NULL, FALLING, 1, 0, 0, 0, ""},
    {"Floor", floor, NULL, GROWING, 1, 0, 0, 0, ""},
    {"Ceil", ceil, NULL, GROWING, 1, 0, 0, 0, ""},
    {"Round", rint, NULL, GROWING, 1, 0, 0, 0, ""},
    {"Sign", f_sign, NULL, GROWING, 1, 0, 0, 0, ""},
    {"Erf", erf, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Softplus", f_softplus, NULL, GROWING, 0, 8, 0, 0, ""},
    {"Softsign", f_softsign, NULL, GROWING, 0, 4, 0, 0, ""},
    {"LeakyRelu", NULL, f_leaky_relu, GROWING, 0, 1, 0.01, 0, ""},
    {"Elu", NULL, f_elu, GROWING, 0, 8, 1, 0, ""},
    {"Selu", NULL, f_selu, GROWING, 0, 8, 1.67326319217681884765625, 1.05070102214813232421875, "gamma"},
    {"HardSigmoid", NULL, f_hard_sigmoid, GROWING, 1, 2, 0.2, 0.5, "beta"},
    {"Abs", fabs, NULL, ABSOLUTE, 0, 0, 0, 0, ""},
    {"Reciprocal", f_reciprocal, NULL, POLE, 0, 1, 0, 0, ""},
    {"Sin", sin, NULL, WAVE, 0, 4, 0, 0, ""},
    {"Cos", cos, NULL, WAVE, 0, 4, 0, 0, ""},
};

static const function *find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

static double value(const function *f, double x, parameters p)
{
    return f->with != NULL ? f->with(x, p) : f->plain(x);
}

/* Where ends do not tell: the interval of the values, at least. */
static void spread(const function *f, double *low, double *high)
{
    double a = *low, b = *high;
    if (f->course == ABSOLUTE) {
        *low = a <= 0 && b >= 0 ? 0 : fmin(fabs(a), fabs(b));
        *high = fmax(fabs(a), fabs(b));
    } else if (f->course == POLE && (a > 0 || b < 0)) {
        *low = 1 / b;
        *high = 1 / a;
    } else {
        *low = f->course == WAVE ? -1 : -INFINITY;
        *high = f->course == WAVE ? 1 : INFINITY;
    }
}

static void image(const function *f, parameters p, double *low, double *high)
{
    double a = *low, b = *high;
    if (a == b) {
        *low = *high = value(f, a, p);
    } else if (f->course == GROWING || f->course == FALLING) {
        *low = value(f, f->course == GROWING ? a : b, p);
        *high = value(f, f->course == GROWING ? b : a, p);
        if (isnan(*low)) /* a logarithm or root of negative numbers: some inputs give NaN */
            *high = *low;
    } else
        spread(f, low, high);
}

/* A leak of negative slope: the function falls on the left. */
static int is_monotone(const function *f, parameters p)
{
    return f->with == NULL || (p.alpha >= 0 && p.beta >= 0);
}

ll_status ll_operator_unary(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    const function *f = find(operation->node->op_type);
    parameters p = {ll_onnx_attribute_float(operation->node, "alpha", f->alpha),
                    ll_onnx_attribute_float(operation->node, f->beta_name, f->beta)};
    if (!is_monotone(f, p))
        return ll_fail(error, LL_DOMAIN, "a negative slope is not evaluated here");
    ll_status status = ll_operation_output(operation, x->type, x->dims, x->rank, error);
    ll_tensor *out = &operation->out[0];
    for (long i = 0; status == LL_OK && i < x->count; i++) {
        double low = x->low[i], high = x->high[i];
        image(f, p, &low, &high);
        ll_store_rounded(operation->evaluation, out, i, low, high, x->fixed[i] || (f->is_stepped && low == high),
                         f->ulps);
    }
    return status;
}

/* ------------------------------------------------------------------ relatives */

static ll_status clip_end(const ll_operation *operation, double *out, const char *attribute, long input,
                          double otherwise, ll_error *error)
{
    const ll_tensor *given = input < operation->inputs ? operation->in[input] : NULL;
    *out = ll_onnx_attribute_float(operation->node, attribute, otherwise);
    if (!given)
        return LL_OK;
    if (given->count != 1 || given->low[0] != given->high[0])
        return ll_fail(error, LL_DOMAIN, "a bound that depends on the input");
    *out = given->low[0];
    return LL_OK;
}

ll_status ll_operator_clip(ll_operation *operation, ll_error *error)
{
    double least = -INFINITY, most = INFINITY;
    const ll_tensor *x = operation->in[0];
    ll_status status = clip_end(operation, &least, "min", 1, -INFINITY, error);
    if (status == LL_OK)
        status = clip_end(operation, &most, "max", 2, INFINITY, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, x->dims, x->rank, error);
    for (long i = 0; status == LL_OK && i < x->count; i++) {
        double low = fmin(fmax(x->low[i], least), most), high = fmin(fmax(x->high[i], least), most);
        ll_tensor_set(&operation->out[0], i, low, high, x->fixed[i] || low == high);
    }
    return status;
}

static double cast_number(double x, int type)
{
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
        return ll_tensor_round(x, type);
    case ONNX__TENSOR_PROTO__DATA_TYPE__BOOL:
        return x != 0;
    default:
        return trunc(x);
    }
}

static int is_castable(int type)
{
    return ll_tensor_is_integer(type) || type == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE ||
           type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT || type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16 ||
           type == ONNX__TENSOR_PROTO__DATA_TYPE__BOOL;
}

ll_status ll_operator_cast(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    int type = (int)ll_onnx_attribute_int(operation->node, "to", 0);
    if (!is_castable(type))
        return ll_fail(error, LL_DOMAIN, "numbers of element type %d are not evaluated here", type);
    ll_status status = ll_operation_output(operation, type, x->dims, x->rank, error);
    for (long i = 0; status == LL_OK && i < x->count; i++) {
        double low = cast_number(x->low[i], type), high = cast_number(x->high[i], type);
        if (type == ONNX__TENSOR_PROTO__DATA_TYPE__BOOL && x->low[i] != x->high[i]) {
            low = x->low[i] > 0 || x->high[i] < 0;
            high = 1;
        }
        if (ll_tensor_is_integer(type))
            status = ll_store_integers(operation->evaluation, &operation->out[0], i, low, high,
                                       x->fixed[i] || low == high, error);
        else
            ll_tensor_set(&operation->out[0], i, low, high, x->fixed[i]);
    }
    return status;
}

/* Dropout too: it does nothing but in training, which may be switched on inside a graph. */
ll_status ll_operator_identity(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0], *training = operation->inputs > 2 ? operation->in[2] : NULL;
    if (training && training->count > 0 && (training->low[0] != 0 || training->high[0] != 0))
        return ll_fail(error, LL_DOMAIN, "a node in training mode is not evaluated here");
    ll_status status = ll_operation_output(operation, x->type, x->dims, x->rank, error);
    for (long i = 0; status == LL_OK && i < x->count; i++)
        ll_tensor_copy(&operation->out[0], i, x, i);
    return status;
}

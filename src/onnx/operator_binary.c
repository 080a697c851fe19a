/* Functions of two entries, broadcast. */
#include "onnx/evaluate.h"

#include <math.h>
#include <string.h>

typedef struct {
    double low, high;
    int fixed;
} interval;

static interval entry(const ll_tensor *tensor, long i)
{
    return (interval){tensor->low[i], tensor->high[i], tensor->fixed[i]};
}

static int is_zero(interval x)
{
    return x.fixed && x.low == 0 && x.high == 0;
}

static interval hull(double p, double q, double r, double s, int fixed)
{
    return (interval){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)), fixed};
}

static interval f_add(interval a, interval b)
{
    return (interval){a.low + b.low, a.high + b.high, a.fixed && b.fixed};
}

static interval f_sub(interval a, interval b)
{
    return (interval){a.low - b.high, a.high - b.low, a.fixed && b.fixed};
}

static interval f_mul(interval a, interval b)
{
    if (is_zero(a) || is_zero(b))
        return (interval){0, 0, 1};
    return hull(ll_dot_times(a.low, b.low), ll_dot_times(a.low, b.high), ll_dot_times(a.high, b.low),
                ll_dot_times(a.high, b.high), a.fixed && b.fixed);
}

static interval f_div(interval a, interval b)
{
    if (a.low == a.high && b.low == b.high)
        return (interval){a.low / b.low, a.low / b.low, a.fixed && b.fixed};
    if (b.low <= 0 && b.high >= 0)
        return (interval){-INFINITY, INFINITY, a.fixed && b.fixed};
    return f_mul(a, (interval){1 / b.high, 1 / b.low, b.fixed});
}

/* Where the base is not negative the ends tell; a square too. */
static interval f_pow(interval a, interval b)
{
    int fixed = a.fixed && b.fixed;
    if (a.low == a.high && b.low == b.high)
        return (interval){pow(a.low, b.low), pow(a.low, b.low), fixed};
    if (b.low == 2 && b.high == 2) {
        double p = a.low * a.low, q = a.high * a.high;
        return (interval){a.low <= 0 && a.high >= 0 ? 0 : fmin(p, q), fmax(p, q), fixed};
    }
    if (a.low >= 0)
        return hull(pow(a.low, b.low), pow(a.low, b.high), pow(a.high, b.low), pow(a.high, b.high), fixed);
    return (interval){-INFINITY, INFINITY, fixed};
}

/* One that is always the larger hides the other. */
static interval f_max(interval a, interval b)
{
    int fixed = (a.fixed && b.fixed) || (a.fixed && a.low >= b.high) || (b.fixed && b.low >= a.high);
    return (interval){fmax(a.low, b.low), fmax(a.high, b.high), fixed};
}

static interval f_min(interval a, interval b)
{
    int fixed = (a.fixed && b.fixed) || (a.fixed && a.high <= b.low) || (b.fixed && b.high <= a.low);
    return (interval){fmin(a.low, b.low), fmin(a.high, b.high), fixed};
}

static interval truth(int surely, int never, int fixed)
{
    return (interval){surely, !never, fixed || surely || never};
}

static interval f_less(interval a, interval b)
{
    return truth(a.high < b.low, a.low >= b.high, a.fixed && b.fixed);
}

static interval f_less_or_equal(interval a, interval b)
{
    return truth(a.high <= b.low, a.low > b.high, a.fixed && b.fixed);
}

static interval f_greater(interval a, interval b)
{
    return f_less(b, a);
}

static interval f_greater_or_equal(interval a, interval b)
{
    return f_less_or_equal(b, a);
}

static interval f_equal(interval a, interval b)
{
    return truth(a.low == a.high && b.low == b.high && a.low == b.low, a.high < b.low || b.high < a.low,
                 a.fixed && b.fixed);
}

static interval f_and(interval a, interval b)
{
    return truth(a.low != 0 && b.low != 0, (a.high == 0 && a.low == 0) || (b.high == 0 && b.low == 0),
                 a.fixed && b.fixed);
}

static interval f_or(interval a, interval b)
{
    return truth(a.low != 0 || b.low != 0, a.high == 0 && a.low == 0 && b.high == 0 && b.low == 0, a.fixed && b.fixed);
}

static interval f_prelu(interval a, interval slope)
{
    interval positive = {fmax(a.low, 0), fmax(a.high, 0), a.fixed},
             negative = f_mul((interval){fmin(a.low, 0), fmin(a.high, 0), a.fixed}, slope);
    return f_add(positive, negative);
}

/* The sign of the dividend, as C has it; both kinds lie within the same bounds. */
static interval f_fmod(interval a, interval b)
{
    int fixed = a.fixed && b.fixed;
    if (a.low == a.high && b.low == b.high) {
        double r = b.low != 0 ? fmod(a.low, b.low) : NAN;
        return (interval){r, r, fixed};
    }
    double size = fmax(fabs(b.low), fabs(b.high));
    return (interval){-size, size, fixed};
}

/* The sign of the divisor, as for integers in Python. */
static interval f_mod(interval a, interval b)
{
    interval r = f_fmod(a, b);
    if (r.low == r.high && r.low != 0 && (r.low < 0) != (b.low < 0))
        r.low = r.high = r.low + b.low;
    return r;
}

typedef struct {
    const char *name;
    interval (*f)(interval a, interval b);
    double ulps;
    int is_truth;
} function;

static const function functions[] = {
    {"Add", f_add, 1, 0},         {"Sub", f_sub, 1, 0},
    {"Mul", f_mul, 1, 0},         {"Div", f_div, 2, 0},
    {"Pow", f_pow, 8, 0},         {"Max", f_max, 0, 0},
    {"Min", f_min, 0, 0},         {"Less", f_less, 0, 1},
    {"Greater", f_greater, 0, 1}, {"LessOrEqual", f_less_or_equal, 0, 1},
    {"Equal", f_equal, 0, 1},     {"GreaterOrEqual", f_greater_or_equal, 0, 1},
    {"And", f_and, 0, 1},         {"Or", f_or, 0, 1},
    {"PRelu", f_prelu, 2, 0},     {"Mod", f_mod, 1, 0},
};

static const function with_fmod = {"Mod", f_fmod, 1, 0};

static const function *find(const Onnx__NodeProto *node)
{
    const char *name = node->op_type;
    if (strcmp(name, "Mod") == 0 && ll_onnx_attribute_int(node, "fmod", 0) != 0)
        return &with_fmod;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

/* Integers are exact, and their quotient is cut. */
static ll_status store(const ll_operation *operation, const function *f, long i, interval y, ll_error *error)
{
    ll_tensor *out = &operation->out[0];
    if (!ll_tensor_is_integer(out->type))
        ll_store_rounded(operation->evaluation, out, i, y.low, y.high, y.fixed, f->ulps);
    else if (f->f == f_div)
        return ll_store_integers(operation->evaluation, out, i, trunc(y.low), trunc(y.high), y.fixed, error);
    else
        return ll_store_integers(operation->evaluation, out, i, y.low, y.high, y.fixed, error);
    return LL_OK;
}

ll_status ll_operator_binary(ll_operation *operation, ll_error *error)
{
    const ll_tensor *a = operation->in[0], *b = operation->in[1];
    const function *f = find(operation->node);
    long dims[LL_TENSOR_RANK], steps[2][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[2] = {0};
    int rank;
    ll_status status = ll_tensor_broadcast(dims, &rank, a, b, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, f->is_truth ? ONNX__TENSOR_PROTO__DATA_TYPE__BOOL : a->type, dims, rank,
                                     error);
    ll_tensor_steps(steps[0], a, status == LL_OK ? rank : 0);
    ll_tensor_steps(steps[1], b, status == LL_OK ? rank : 0);
    for (long i = 0; status == LL_OK && i < operation->out[0].count; i++) {
        status = store(operation, f, i, f->f(entry(a, at[0]), entry(b, at[1])), error);
        ll_tensor_advance(place, dims, rank, at, steps, 2);
    }
    return status;
}

/* ------------------------------------------------------------------ Where */

static interval choose(interval condition, interval a, interval b)
{
    if (condition.low == condition.high) {
        interval chosen = condition.low != 0 ? a : b;
        chosen.fixed = chosen.fixed && condition.fixed;
        return chosen;
    }
    int same = a.fixed && b.fixed && a.low == a.high && a.low == b.low && b.low == b.high;
    return (interval){fmin(a.low, b.low), fmax(a.high, b.high), same};
}

ll_status ll_operator_where(ll_operation *operation, ll_error *error)
{
    const ll_tensor *c = operation->in[0], *a = operation->in[1], *b = operation->in[2];
    long dims[LL_TENSOR_RANK], steps[3][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[3] = {0};
    ll_tensor both = {0};
    ll_status status = ll_tensor_broadcast(both.dims, &both.rank, a, b, error);
    int rank = 0;
    if (status == LL_OK)
        status = ll_tensor_broadcast(dims, &rank, c, &both, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, a->type, dims, rank, error);
    if (status != LL_OK)
        return status;
    ll_tensor_steps(steps[0], c, rank);
    ll_tensor_steps(steps[1], a, rank);
    ll_tensor_steps(steps[2], b, rank);
    for (long i = 0; i < operation->out[0].count; i++) {
        interval y = choose(entry(c, at[0]), entry(a, at[1]), entry(b, at[2]));
        ll_tensor_set(&operation->out[0], i, y.low, y.high, y.fixed);
        ll_tensor_advance(place, dims, rank, at, steps, 3);
    }
    return LL_OK;
}

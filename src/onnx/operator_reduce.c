/* Functions of many entries of one value: softmax, sums and means, the largest, its place; and normalisation. */
#include "onnx/evaluate.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ axes */

/* Lines along an axis: entry k of line (o, i) is at (o * length + k) * inner + i. */
typedef struct {
    long outer, length, inner;
} lines;

static lines lines_of(const ll_tensor *x, long first, long last)
{
    lines l = {1, 1, 1};
    for (int i = 0; i < x->rank; i++)
        *(i < first ? &l.outer : i <= last ? &l.length : &l.inner) *= x->dims[i];
    return l;
}

/* ------------------------------------------------------------------ softmax */

/* 1 / (sum over j of exp(z_j - z_i)): the largest where z_i is high and the others low. */
static double share(const double *own, const double *others, long begin, long step, long length, long k)
{
    double sum = 1, z = own[begin + k * step];
    for (long j = 0; j < length; j++)
        if (j != k) {
            double other = others[begin + j * step];
            sum += other == z ? 1 : exp(other - z);
        }
    return 1 / sum;
}

/* The same as a logarithm, for small shares. */
static double log_share(const double *own, const double *others, long begin, long step, long length, long k)
{
    double z = own[begin + k * step], top = z, sum = 0;
    for (long j = 0; j < length; j++)
        top = j != k ? fmax(top, others[begin + j * step]) : top;
    if (isinf(top))
        return top == z ? 0 : -INFINITY;
    for (long j = 0; j < length; j++)
        sum += exp((j == k ? z : others[begin + j * step]) - top);
    return z - top - log(sum);
}

static int all_fixed(const ll_tensor *x, long begin, long step, long length)
{
    for (long k = 0; k < length; k++)
        if (!x->fixed[begin + k * step])
            return 0;
    return 1;
}

/* How far the entry is below the largest, 0 where both are infinite. */
static double below(const ll_tensor *x, long at, double top)
{
    return x->low[at] == top ? 0 : x->low[at] - top;
}

/* On a point all entries share one sum. */
static void softmax_point(const ll_operation *operation, long begin, long step, long length, int is_log)
{
    const ll_tensor *x = operation->in[0];
    double top = -INFINITY, sum = 0;
    int fixed = all_fixed(x, begin, step, length);
    for (long k = 0; k < length; k++)
        top = fmax(top, x->low[begin + k * step]);
    for (long k = 0; k < length; k++)
        sum += exp(below(x, begin + k * step, top));
    for (long k = 0; k < length; k++) {
        double z = below(x, begin + k * step, top), value = is_log ? z - log(sum) : exp(z) / sum;
        ll_store_rounded(operation->evaluation, &operation->out[0], begin + k * step, value, value, fixed, 0);
    }
}

static void softmax_line(const ll_operation *operation, long begin, long step, long length, int is_log)
{
    const ll_tensor *x = operation->in[0];
    int fixed = all_fixed(x, begin, step, length);
    for (long k = 0; k < length; k++) {
        double (*f)(const double *, const double *, long, long, long, long) = is_log ? log_share : share;
        double low = f(x->low, x->high, begin, step, length, k), high = f(x->high, x->low, begin, step, length, k);
        ll_store_rounded(operation->evaluation, &operation->out[0], begin + k * step, low, high, fixed,
                         (double)length + 8);
    }
}

ll_status ll_operator_softmax(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    int is_old = operation->evaluation->opset < 13, is_points = operation->evaluation->is_points;
    int is_log = strcmp(operation->node->op_type, "LogSoftmax") == 0;
    long axis = (long)ll_onnx_attribute_int(operation->node, "axis", is_old ? 1 : -1);
    ll_status status = ll_operation_axis(&axis, x->rank, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, x->dims, x->rank, error);
    if (status != LL_OK)
        return status;
    /* Before version 13 everything from the axis on is one line. */
    lines l = lines_of(x, axis, is_old ? x->rank - 1 : axis);
    status = ll_evaluation_work(operation->evaluation, is_points ? 0 : 20 * (double)x->count * (double)l.length, error);
    for (long o = 0; status == LL_OK && o < l.outer; o++)
        for (long i = 0; i < l.inner; i++)
            (is_points ? softmax_point : softmax_line)(operation, o * l.length * l.inner + i, l.inner, l.length,
                                                       is_log);
    return status;
}

/* ------------------------------------------------------------------ sums, means, extremes */

typedef struct {
    char reduced[LL_TENSOR_RANK]; /* is the axis taken together? */
    long dims[LL_TENSOR_RANK];    /* of the result, with ones */
    long kept[LL_TENSOR_RANK];    /* without */
    int rank;
    long group; /* entries taken together */
} reduction;

static ll_status read_reduction(const ll_operation *operation, reduction *r, ll_error *error)
{
    long axes[2 * LL_TENSOR_RANK], count;
    const ll_tensor *x = operation->in[0];
    int keep = ll_onnx_attribute_int(operation->node, "keepdims", 1) != 0;
    ll_status status = ll_operation_integers(operation, axes, &count, "axes", 1, error);
    memset(r, 0, sizeof *r);
    if (count == 0 && ll_onnx_attribute_int(operation->node, "noop_with_empty_axes", 0) == 0)
        memset(r->reduced, 1, sizeof r->reduced);
    for (long i = 0; status == LL_OK && i < count; i++) {
        status = ll_operation_axis(&axes[i], x->rank, error);
        if (status == LL_OK)
            r->reduced[axes[i]] = 1;
    }
    r->group = 1;
    for (int i = 0; i < x->rank; i++) {
        r->group *= r->reduced[i] ? x->dims[i] : 1;
        r->dims[i] = r->reduced[i] ? 1 : x->dims[i];
        if (keep || !r->reduced[i])
            r->kept[r->rank++] = r->dims[i];
    }
    return status;
}

static void begin_extremes(ll_tensor *out, int is_max)
{
    for (long i = 0; i < out->count; i++)
        ll_tensor_set(out, i, is_max ? -INFINITY : INFINITY, is_max ? -INFINITY : INFINITY, 1);
}

static void add_extreme(ll_tensor *out, long to, const ll_tensor *x, long i, int is_max)
{
    double (*f)(double, double) = is_max ? fmax : fmin;
    ll_tensor_set(out, to, f(out->low[to], x->low[i]), f(out->high[to], x->high[i]), out->fixed[to] && x->fixed[i]);
}

/* Sums run through the input once a result, so that their rounding is counted in one place. */
static void sum_group(const ll_operation *operation, const reduction *r, long to)
{
    const ll_tensor *x = operation->in[0];
    double share = strcmp(operation->node->op_type, "ReduceMean") == 0 ? 1 / (double)r->group : 1;
    unsigned char fixed = 1;
    const ll_tensor weight = {.low = &share, .high = &share, .fixed = &fixed};
    long steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[1] = {0}, inner[LL_TENSOR_RANK], from = to;
    ll_dot dot;
    ll_tensor_steps(steps[0], x, x->rank);
    for (int i = x->rank - 1; i >= 0; i--) {
        at[0] += from % r->dims[i] * steps[0][i];
        from /= r->dims[i];
        inner[i] = r->reduced[i] ? x->dims[i] : 1;
    }
    ll_dot_begin(&dot, operation->evaluation, &operation->out[0]);
    for (long k = 0; k < r->group; k++) {
        ll_dot_add(&dot, &weight, 0, x, at[0]);
        ll_tensor_advance(place, inner, x->rank, at, steps, 1);
    }
    ll_dot_store(&dot, operation->evaluation, &operation->out[0], to);
}

static void reduce_extremes(const ll_operation *operation, const reduction *r, int is_max)
{
    const ll_tensor *x = operation->in[0];
    ll_tensor shape = {.rank = x->rank};
    long steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[1] = {0};
    memcpy(shape.dims, r->dims, sizeof shape.dims);
    ll_tensor_steps(steps[0], &shape, x->rank);
    begin_extremes(&operation->out[0], is_max);
    for (long i = 0; i < x->count; i++) {
        add_extreme(&operation->out[0], at[0], x, i, is_max);
        ll_tensor_advance(place, x->dims, x->rank, at, steps, 1);
    }
}

ll_status ll_operator_reduce(ll_operation *operation, ll_error *error)
{
    reduction r;
    const char *name = operation->node->op_type;
    int is_max = strcmp(name, "ReduceMax") == 0, is_min = strcmp(name, "ReduceMin") == 0;
    ll_status status = read_reduction(operation, &r, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, operation->in[0]->type, r.kept, r.rank, error);
    if (status != LL_OK)
        return status;
    if (is_max || is_min)
        reduce_extremes(operation, &r, is_max);
    else
        for (long i = 0; i < operation->out[0].count; i++)
            sum_group(operation, &r, i);
    return LL_OK;
}

/* ------------------------------------------------------------------ ArgMax */

/* The first largest (is_last: the last) on a point; over intervals the first and the last place that can be the
 * largest. */
static void argmax_line(const ll_tensor *x, ll_tensor *out, long begin, long step, long length, long to, int is_last)
{
    double least = -INFINITY;
    long first = -1, last = -1;
    int is_points = 1;
    for (long k = 0; k < length; k++) {
        least = fmax(least, x->low[begin + k * step]);
        is_points &= x->low[begin + k * step] == x->high[begin + k * step];
    }
    for (long k = 0; k < length; k++)
        if (x->high[begin + k * step] >= least) {
            first = first < 0 ? k : first;
            last = k;
        }
    if (is_points && is_last)
        first = last;
    ll_tensor_set(out, to, (double)first, (double)(is_points ? first : last), is_points || first == last);
}

ll_status ll_operator_argmax(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    int keep = ll_onnx_attribute_int(operation->node, "keepdims", 1) != 0, rank = 0,
        is_last = ll_onnx_attribute_int(operation->node, "select_last_index", 0) != 0;
    long dims[LL_TENSOR_RANK], axis = (long)ll_onnx_attribute_int(operation->node, "axis", 0);
    ll_status status = ll_operation_axis(&axis, x->rank, error);
    if (status != LL_OK)
        return status;
    for (int i = 0; i < x->rank; i++)
        if (i != axis || keep)
            dims[rank++] = i == axis ? 1 : x->dims[i];
    status = ll_operation_output(operation, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, dims, rank, error);
    lines l = lines_of(x, axis, axis);
    for (long o = 0; status == LL_OK && o < l.outer; o++)
        for (long i = 0; i < l.inner; i++)
            argmax_line(x, &operation->out[0], o * l.length * l.inner + i, l.inner, l.length, o * l.inner + i, is_last);
    return status;
}

/* ------------------------------------------------------------------ BatchNormalization */

/* Scale, bias, mean and variance are stored, as a rule. */
static ll_status check_parameters(const ll_operation *operation, long channels, int *are_known, ll_error *error)
{
    *are_known = 1;
    if (ll_onnx_attribute_int(operation->node, "training_mode", 0) != 0)
        return ll_fail(error, LL_DOMAIN, "a node in training mode is not evaluated here");
    for (int i = 1; i < 5; i++) {
        const ll_tensor *p = operation->in[i];
        if (channels < 1 || p->count != channels)
            return ll_fail(error, LL_DOMAIN, "%ld channels, and %ld numbers for them", channels, p->count);
        for (long c = 0; c < channels; c++)
            *are_known &= operation->evaluation->is_points || p->low[c] == p->high[c];
    }
    return LL_OK;
}

/* (x - mean) / sqrt(variance + epsilon) * scale + bias, a line a channel: x * a + b. */
ll_status ll_operator_normalise(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    double epsilon = ll_onnx_attribute_float(operation->node, "epsilon", 1e-5);
    long channels = x->rank > 1 ? x->dims[1] : 0;
    int are_known;
    ll_status status = check_parameters(operation, channels, &are_known, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, x->dims, x->rank, error);
    if (status != LL_OK || channels < 1)
        return status;
    lines l = lines_of(x, 1, 1);
    for (long i = 0; i < x->count; i++) {
        long c = i / l.inner % channels;
        if (!are_known) {
            ll_tensor_set(&operation->out[0], i, -INFINITY, INFINITY, 0);
            continue;
        }
        double a = operation->in[1]->low[c] / sqrt(operation->in[4]->low[c] + epsilon),
               pair[2] = {a, operation->in[2]->low[c] - operation->in[3]->low[c] * a}, ones[1] = {1};
        unsigned char fixed[2] = {1, 1};
        const ll_tensor line = {.low = pair, .high = pair, .fixed = fixed},
                        one = {.low = ones, .high = ones, .fixed = fixed};
        ll_dot dot;
        ll_dot_begin(&dot, operation->evaluation, &operation->out[0]);
        ll_dot_add(&dot, &line, 0, x, i);
        ll_dot_add(&dot, &line, 1, &one, 0);
        ll_dot_store(&dot, operation->evaluation, &operation->out[0], i);
    }
    return LL_OK;
}

/* Windows that slide over the dimensions behind rows and channels: Conv, MaxPool, AveragePool; and the pools over the
 * whole. */
#include "onnx/evaluate.h"

#include <math.h>
#include <string.h>

enum { SPACE = LL_TENSOR_RANK - 2 };

typedef struct {
    int dims; /* of space: 1, 2 or more */
    long size[SPACE], stride[SPACE], dilation[SPACE], before[SPACE], after[SPACE];
    long in[SPACE], out[SPACE];
    long in_count, out_count, size_count;
} window;

static ll_status read_list(const ll_operation *operation, const char *name, long *out, long count, long otherwise,
                           ll_error *error)
{
    long found, values[2 * LL_TENSOR_RANK];
    ll_status status = ll_operation_integers(operation, values, &found, name, -1, error);
    if (status != LL_OK)
        return status;
    if (found != 0 && found != count)
        return ll_fail(error, LL_DOMAIN, "%s has %ld numbers in place of %ld", name, found, count);
    for (long i = 0; i < count; i++) {
        out[i] = found ? values[i] : otherwise;
        if (out[i] < 0 || out[i] > 1L << 24)
            return ll_fail(error, LL_DOMAIN, "%s of %ld", name, out[i]);
    }
    return LL_OK;
}

/* SAME: as many places as strides begin in the input. */
static void pad_same(window *w, int is_upper)
{
    for (int i = 0; i < w->dims; i++) {
        long places = (w->in[i] + w->stride[i] - 1) / w->stride[i];
        long missing = (places - 1) * w->stride[i] + (w->size[i] - 1) * w->dilation[i] + 1 - w->in[i];
        missing = missing > 0 ? missing : 0;
        w->before[i] = is_upper ? missing / 2 : missing - missing / 2;
        w->after[i] = missing - w->before[i];
    }
}

static ll_status read_pads(const ll_operation *operation, window *w, ll_error *error)
{
    long pads[2 * SPACE];
    char mode[16] = "NOTSET";
    const Onnx__AttributeProto *automatic = ll_onnx_attribute(operation->node, "auto_pad");
    if (automatic && automatic->has_s && automatic->s.len < sizeof mode) {
        memcpy(mode, automatic->s.data, automatic->s.len);
        mode[automatic->s.len] = '\0';
    }
    ll_status status = read_list(operation, "pads", pads, 2L * w->dims, 0, error);
    for (int i = 0; status == LL_OK && i < w->dims; i++) {
        w->before[i] = strcmp(mode, "VALID") == 0 ? 0 : pads[i];
        w->after[i] = strcmp(mode, "VALID") == 0 ? 0 : pads[w->dims + i];
    }
    if (status == LL_OK && strncmp(mode, "SAME", 4) == 0)
        pad_same(w, strcmp(mode, "SAME_UPPER") == 0);
    return status;
}

static ll_status count_places(const ll_operation *operation, window *w, ll_error *error)
{
    long up = ll_onnx_attribute_int(operation->node, "ceil_mode", 0) != 0;
    w->in_count = w->out_count = w->size_count = 1;
    for (int i = 0; i < w->dims; i++) {
        long reach = (w->size[i] - 1) * w->dilation[i] + 1, room = w->in[i] + w->before[i] + w->after[i] - reach;
        if (w->size[i] < 1 || w->stride[i] < 1 || w->dilation[i] < 1 || room < 0)
            return ll_fail(error, LL_DOMAIN, "a window of %ld over %ld places", w->size[i], w->in[i]);
        w->out[i] = (room + (up ? w->stride[i] - 1 : 0)) / w->stride[i] + 1;
        /* Rounding up must not make a window that begins behind the input. */
        if (up && (w->out[i] - 1) * w->stride[i] >= w->in[i] + w->before[i])
            w->out[i]--;
        if (__builtin_mul_overflow(w->in_count, w->in[i], &w->in_count) ||
            __builtin_mul_overflow(w->out_count, w->out[i], &w->out_count) ||
            __builtin_mul_overflow(w->size_count, w->size[i], &w->size_count))
            return ll_fail(error, LL_DOMAIN, "too many places");
    }
    return LL_OK;
}

/* size: of the kernel where it is known from elsewhere, else NULL and kernel_shape is read. */
static ll_status read_window(const ll_operation *operation, window *w, const long *size, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    memset(w, 0, sizeof *w);
    if (x->rank < 3)
        return ll_fail(error, LL_DOMAIN, "an input of %d dimensions", x->rank);
    w->dims = x->rank - 2;
    for (int i = 0; i < w->dims; i++)
        w->in[i] = x->dims[i + 2];
    ll_status status = read_list(operation, "kernel_shape", w->size, w->dims, 0, error);
    for (int i = 0; size && status == LL_OK && i < w->dims; i++)
        w->size[i] = size[i];
    if (status == LL_OK)
        status = read_list(operation, "strides", w->stride, w->dims, 1, error);
    if (status == LL_OK)
        status = read_list(operation, "dilations", w->dilation, w->dims, 1, error);
    if (status == LL_OK)
        status = read_pads(operation, w, error);
    return status == LL_OK ? count_places(operation, w, error) : status;
}

/* Place `in` (of a channel) that cell `cell` of the window at place `out` looks at; -1: padding. */
static long look(const window *w, long out, long cell)
{
    long at = 0, step = 1;
    for (int i = w->dims - 1; i >= 0; i--) {
        long place = out % w->out[i] * w->stride[i] + cell % w->size[i] * w->dilation[i] - w->before[i];
        if (place < 0 || place >= w->in[i])
            return -1;
        at += place * step;
        step *= w->in[i];
        out /= w->out[i];
        cell /= w->size[i];
    }
    return at;
}

static ll_status make_output(ll_operation *operation, const window *w, long channels, double work, ll_error *error)
{
    long dims[LL_TENSOR_RANK] = {operation->in[0]->dims[0], channels};
    for (int i = 0; i < w->dims; i++)
        dims[i + 2] = w->out[i];
    ll_status status = ll_operation_output(operation, operation->in[0]->type, dims, w->dims + 2, error);
    return status == LL_OK ? ll_evaluation_work(operation->evaluation, (double)operation->out[0].count * work, error)
                           : status;
}

/* ------------------------------------------------------------------ Conv */

typedef struct {
    long rows, in_channels, out_channels, group_in, group_out; /* channels a group */
} channels;

static ll_status read_channels(const ll_operation *operation, channels *c, ll_error *error)
{
    const ll_tensor *x = operation->in[0], *w = operation->in[1],
                    *bias = operation->inputs > 2 ? operation->in[2] : NULL;
    long groups = (long)ll_onnx_attribute_int(operation->node, "group", 1);
    if (x->rank < 3 || w->rank != x->rank)
        return ll_fail(error, LL_DOMAIN, "an input of %d dimensions and weights of %d", x->rank, w->rank);
    *c = (channels){x->dims[0], x->dims[1], w->dims[0], w->dims[1], 0};
    if (groups < 1 || c->in_channels % groups || c->out_channels % groups || c->in_channels / groups != c->group_in ||
        c->out_channels < 1 || (bias && bias->count != c->out_channels))
        return ll_fail(error, LL_DOMAIN, "channels that do not fit: %ld in, %ld out, %ld groups", c->in_channels,
                       c->out_channels, groups);
    c->group_out = c->out_channels / groups;
    return LL_OK;
}

static void convolve(const ll_operation *operation, const window *w, const channels *c, long row, long channel,
                     long place)
{
    const ll_tensor *x = operation->in[0], *k = operation->in[1],
                    *bias = operation->inputs > 2 ? operation->in[2] : NULL;
    static const double one[1] = {1};
    static const unsigned char fixed[1] = {1};
    const ll_tensor ones = {.low = (double *)one, .high = (double *)one, .fixed = (unsigned char *)fixed};
    long first = channel / c->group_out * c->group_in;
    ll_dot dot;
    ll_dot_begin(&dot, operation->evaluation, &operation->out[0]);
    for (long i = 0; i < c->group_in; i++)
        for (long cell = 0; cell < w->size_count; cell++) {
            long at = look(w, place, cell);
            if (at >= 0)
                ll_dot_add(&dot, x, (row * c->in_channels + first + i) * w->in_count + at, k,
                           (channel * c->group_in + i) * w->size_count + cell);
        }
    if (bias)
        ll_dot_add(&dot, &ones, 0, bias, channel);
    ll_dot_store(&dot, operation->evaluation, &operation->out[0],
                 (row * c->out_channels + channel) * w->out_count + place);
}

ll_status ll_operator_conv(ll_operation *operation, ll_error *error)
{
    window w = {0};
    channels c = {0};
    ll_status status = read_channels(operation, &c, error);
    if (status == LL_OK)
        status = read_window(operation, &w, operation->in[1]->dims + 2, error);
    if (status == LL_OK)
        status = make_output(operation, &w, c.out_channels, (double)w.size_count * (double)c.group_in, error);
    for (long row = 0; status == LL_OK && row < c.rows; row++)
        for (long channel = 0; channel < c.out_channels; channel++)
            for (long place = 0; place < w.out_count; place++)
                convolve(operation, &w, &c, row, channel, place);
    return status;
}

/* ------------------------------------------------------------------ pools */

static void pool_max(const ll_operation *operation, const window *w, long plane, long place)
{
    const ll_tensor *x = operation->in[0];
    double low = -INFINITY, high = -INFINITY;
    int fixed = 1;
    for (long cell = 0; cell < w->size_count; cell++) {
        long at = look(w, place, cell), i = plane * w->in_count + at;
        if (at < 0)
            continue;
        low = fmax(low, x->low[i]);
        high = fmax(high, x->high[i]);
        fixed &= x->fixed[i];
    }
    ll_tensor_set(&operation->out[0], plane * w->out_count + place, low, high, fixed);
}

static void pool_mean(const ll_operation *operation, const window *w, long plane, long place)
{
    const ll_tensor *x = operation->in[0];
    int padded = ll_onnx_attribute_int(operation->node, "count_include_pad", 0) != 0;
    double share;
    unsigned char fixed = 1;
    const ll_tensor weight = {.low = &share, .high = &share, .fixed = &fixed};
    long inside = 0;
    ll_dot dot;
    for (long cell = 0; cell < w->size_count; cell++)
        inside += look(w, place, cell) >= 0;
    share = 1 / (double)(padded ? w->size_count : inside ? inside : 1);
    ll_dot_begin(&dot, operation->evaluation, &operation->out[0]);
    for (long cell = 0; cell < w->size_count; cell++) {
        long at = look(w, place, cell);
        if (at >= 0)
            ll_dot_add(&dot, &weight, 0, x, plane * w->in_count + at);
    }
    ll_dot_store(&dot, operation->evaluation, &operation->out[0], plane * w->out_count + place);
}

static ll_status pool(ll_operation *operation, const window *w,
                      void (*one)(const ll_operation *, const window *, long, long), ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    ll_status status = make_output(operation, w, x->dims[1], (double)w->size_count, error);
    for (long plane = 0; status == LL_OK && plane < x->dims[0] * x->dims[1]; plane++)
        for (long place = 0; place < w->out_count; place++)
            one(operation, w, plane, place);
    return status;
}

ll_status ll_operator_max_pool(ll_operation *operation, ll_error *error)
{
    window w = {0};
    ll_status status = read_window(operation, &w, NULL, error);
    return status == LL_OK ? pool(operation, &w, pool_max, error) : status;
}

ll_status ll_operator_average_pool(ll_operation *operation, ll_error *error)
{
    window w = {0};
    ll_status status = read_window(operation, &w, NULL, error);
    return status == LL_OK ? pool(operation, &w, pool_mean, error) : status;
}

ll_status ll_operator_global_pool(ll_operation *operation, ll_error *error)
{
    window w = {0};
    const ll_tensor *x = operation->in[0];
    if (x->rank < 3)
        return ll_fail(error, LL_DOMAIN, "an input of %d dimensions", x->rank);
    ll_status status = read_window(operation, &w, x->dims + 2, error);
    int is_max = strcmp(operation->node->op_type, "GlobalMaxPool") == 0;
    return status == LL_OK ? pool(operation, &w, is_max ? pool_max : pool_mean, error) : status;
}

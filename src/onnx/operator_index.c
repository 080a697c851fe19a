/* Parts of values: Gather, Concat, Slice, Split, Pad. */
#include "onnx/evaluate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Entries before and behind an axis. */
static void around(const ll_tensor *x, long axis, long *outer, long *inner)
{
    *outer = *inner = 1;
    for (int i = 0; i < x->rank; i++)
        *(i < axis ? outer : inner) *= i == axis ? 1 : x->dims[i];
}

/* ------------------------------------------------------------------ Gather */

/* The places that an index can be: all between its ends. */
static ll_status gather_range(const ll_tensor *indices, long i, long length, long *first, long *last, ll_error *error)
{
    double low = ceil(indices->low[i]), high = floor(indices->high[i]);
    if (indices->low[i] == indices->high[i] && low < 0)
        low = high = low + (double)length;
    if (indices->low[i] != indices->high[i]) {
        if (low < 0) /* counted from the end: anywhere */
            high = (double)length - 1;
        low = low < 0 ? 0 : low;
        high = high < (double)length - 1 ? high : (double)length - 1;
    }
    if (!(low >= 0 && high < (double)length && low <= high))
        return ll_fail(error, LL_DOMAIN, "an index outside 0..%ld", length - 1);
    *first = (long)low;
    *last = (long)high;
    return LL_OK;
}

/* The hull of what the places hold; fixed where the index is, or all places hold the same. */
static void gather_one(ll_tensor *out, long to, const ll_tensor *x, long begin, long step, long first, long last,
                       int fixed_index)
{
    double low = INFINITY, high = -INFINITY;
    int fixed = 1;
    for (long k = first; k <= last; k++) {
        long from = begin + k * step;
        low = fmin(low, x->low[from]);
        high = fmax(high, x->high[from]);
        fixed &= x->fixed[from];
    }
    ll_tensor_set(out, to, low, high, fixed && (fixed_index || low == high));
}

ll_status ll_operator_gather(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0], *indices = operation->in[1];
    long axis = (long)ll_onnx_attribute_int(operation->node, "axis", 0), dims[2 * LL_TENSOR_RANK], outer, inner;
    int rank = 0;
    ll_status status = ll_operation_axis(&axis, x->rank, error);
    if (status != LL_OK)
        return status;
    for (int i = 0; i < axis; i++)
        dims[rank++] = x->dims[i];
    for (int i = 0; i < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (int i = (int)axis + 1; i < x->rank; i++)
        dims[rank++] = x->dims[i];
    around(x, axis, &outer, &inner);
    status = ll_operation_output(operation, x->type, dims, rank, error);
    for (long i = 0; status == LL_OK && i < indices->count; i++) {
        long first = 0, last = 0, length = x->dims[axis];
        status = gather_range(indices, i, length, &first, &last, error);
        if (status == LL_OK)
            status = ll_evaluation_work(operation->evaluation,
                                        (double)(last - first + 1) * (double)outer * (double)inner, error);
        for (long k = 0; status == LL_OK && k < outer * inner; k++)
            gather_one(&operation->out[0], (k / inner * indices->count + i) * inner + k % inner, x,
                       k / inner * length * inner + k % inner, inner, first, last, indices->fixed[i]);
    }
    return status;
}

/* ------------------------------------------------------------------ Concat */

ll_status ll_operator_concat(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long axis = (long)ll_onnx_attribute_int(operation->node, "axis", 0), dims[LL_TENSOR_RANK], outer, inner, at = 0;
    if (!x)
        return ll_fail(error, LL_DOMAIN, "nothing to put together");
    ll_status status = ll_operation_axis(&axis, x->rank, error);
    if (status != LL_OK)
        return status;
    memcpy(dims, x->dims, sizeof dims);
    dims[axis] = 0;
    for (long k = 0; k < operation->inputs; k++) {
        const ll_tensor *part = operation->in[k];
        if (!part || part->rank != x->rank)
            return ll_fail(error, LL_DOMAIN, "parts of different shape");
        for (int i = 0; i < x->rank; i++)
            if (i != axis && part->dims[i] != x->dims[i])
                return ll_fail(error, LL_DOMAIN, "parts of different shape");
        dims[axis] += part->dims[axis];
    }
    around(x, axis, &outer, &inner);
    status = ll_operation_output(operation, x->type, dims, x->rank, error);
    for (long k = 0; status == LL_OK && k < operation->inputs; k++) {
        const ll_tensor *part = operation->in[k];
        long run = part->dims[axis] * inner;
        for (long i = 0; i < part->count; i++)
            ll_tensor_copy(&operation->out[0], i / run * dims[axis] * inner + at + i % run, part, i);
        at += run;
    }
    return status;
}

/* ------------------------------------------------------------------ Slice */

static long clamp(long x, long low, long high)
{
    return x < low ? low : x > high ? high : x;
}

/* Begin, step and count along one axis. */
static void cut(long *start, long *count, long end, long step, long length)
{
    long begin = *start < 0 ? *start + length : *start, stop = end < -length ? -1 : end < 0 ? end + length : end;
    *count = 0;
    if (step > 0) {
        begin = clamp(begin, 0, length);
        stop = clamp(stop, 0, length);
        *count = stop > begin ? (stop - begin - 1) / step + 1 : 0;
    } else if (step < 0) {
        begin = clamp(begin, -1, length - 1);
        stop = clamp(stop, -1, length - 1);
        *count = begin > stop ? (begin - stop - 1) / -step + 1 : 0;
    }
    *start = begin;
}

typedef struct {
    long starts[2 * LL_TENSOR_RANK], ends[2 * LL_TENSOR_RANK], axes[2 * LL_TENSOR_RANK], steps[2 * LL_TENSOR_RANK];
    long count;
} cuts;

static ll_status read_cuts(const ll_operation *operation, cuts *c, long rank, ll_error *error)
{
    long ends = 0, axes = 0, steps = 0;
    ll_status status = ll_operation_integers(operation, c->starts, &c->count, "starts", 1, error);
    if (status == LL_OK)
        status = ll_operation_integers(operation, c->ends, &ends, "ends", 2, error);
    if (status == LL_OK)
        status = ll_operation_integers(operation, c->axes, &axes, "axes", 3, error);
    if (status == LL_OK)
        status = ll_operation_integers(operation, c->steps, &steps, "steps", 4, error);
    if (status == LL_OK && (ends != c->count || (axes && axes != c->count) || (steps && steps != c->count)))
        return ll_fail(error, LL_DOMAIN, "starts, ends, axes and steps of different length");
    for (long i = 0; status == LL_OK && i < c->count; i++) {
        c->axes[i] = axes ? c->axes[i] : i;
        c->steps[i] = steps ? c->steps[i] : 1;
        status = ll_operation_axis(&c->axes[i], rank, error);
        /* So that it can be multiplied by the length of an axis. */
        if (status == LL_OK && (c->steps[i] == 0 || c->steps[i] < -INT_MAX || c->steps[i] > INT_MAX))
            status = ll_fail(error, LL_DOMAIN, "a step of %ld", c->steps[i]);
        for (long k = 0; status == LL_OK && k < i; k++)
            if (c->axes[k] == c->axes[i])
                status = ll_fail(error, LL_DOMAIN, "axis %ld is cut twice", c->axes[i]);
    }
    return status;
}

ll_status ll_operator_slice(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    cuts c = {0};
    long dims[LL_TENSOR_RANK], own[LL_TENSOR_RANK], steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[1] = {0};
    ll_status status = read_cuts(operation, &c, x->rank, error);
    memcpy(dims, x->dims, sizeof dims);
    ll_tensor_steps(own, x, x->rank);
    memcpy(steps[0], own, sizeof own);
    for (long i = 0; status == LL_OK && i < c.count; i++) {
        long a = c.axes[i], start = c.starts[i];
        cut(&start, &dims[a], c.ends[i], c.steps[i], x->dims[a]);
        at[0] += start * own[a];
        steps[0][a] = own[a] * c.steps[i];
    }
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, dims, x->rank, error);
    for (long i = 0; status == LL_OK && i < operation->out[0].count; i++) {
        ll_tensor_copy(&operation->out[0], i, x, at[0]);
        ll_tensor_advance(place, dims, x->rank, at, steps, 1);
    }
    return status;
}

/* ------------------------------------------------------------------ Split */

ll_status ll_operator_split(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long axis = (long)ll_onnx_attribute_int(operation->node, "axis", 0), sizes[2 * LL_TENSOR_RANK], count, outer, inner,
         parts = (long)operation->node->n_output, at = 0;
    ll_status status = ll_operation_axis(&axis, x->rank, error);
    if (status == LL_OK)
        status = ll_operation_integers(operation, sizes, &count, "split", 1, error);
    if (status != LL_OK)
        return status;
    if (parts > 2 * LL_TENSOR_RANK || (count != 0 && count != parts))
        return ll_fail(error, LL_DOMAIN, "%ld parts", parts);
    around(x, axis, &outer, &inner);
    for (long k = 0; k < parts; k++) {
        long dims[LL_TENSOR_RANK], size = count ? sizes[k] : (x->dims[axis] + parts - 1) / parts;
        size = count ? size : clamp(x->dims[axis] - at, 0, size);
        if (size < 0 || size > x->dims[axis] - at)
            return ll_fail(error, LL_DOMAIN, "a part of %ld", size);
        memcpy(dims, x->dims, sizeof dims);
        dims[axis] = size;
        status = ll_tensor_create(&operation->out[k], &operation->evaluation->budget, x->type, dims, x->rank, error);
        if (status != LL_OK)
            return status;
        long run = size * inner;
        for (long i = 0; run > 0 && i < operation->out[k].count; i++)
            ll_tensor_copy(&operation->out[k], i, x, (i / run * x->dims[axis] + at) * inner + i % run);
        at += size;
    }
    return LL_OK;
}

/* ------------------------------------------------------------------ Pad */

/* Every entry is padding at first. */
static ll_status fill_padding(const ll_operation *operation, ll_error *error)
{
    ll_tensor *out = &operation->out[0];
    const ll_tensor *given = operation->inputs > 2 ? operation->in[2] : NULL;
    double value = ll_onnx_attribute_float(operation->node, "value", 0);
    const Onnx__AttributeProto *mode = ll_onnx_attribute(operation->node, "mode");
    if (mode && mode->has_s && (mode->s.len != 8 || memcmp(mode->s.data, "constant", 8) != 0))
        return ll_fail(error, LL_DOMAIN, "only constant padding is evaluated here");
    for (long i = 0; i < out->count; i++)
        if (given && given->count == 1)
            ll_tensor_copy(out, i, given, 0);
        else
            ll_tensor_set(out, i, value, value, 1);
    return LL_OK;
}

ll_status ll_operator_pad(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long pads[2 * LL_TENSOR_RANK], count, dims[LL_TENSOR_RANK], steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0},
                                                                                          at[1] = {0};
    ll_status status = ll_operation_integers(operation, pads, &count, "pads", 1, error);
    if (status == LL_OK && count != 2L * x->rank)
        return ll_fail(error, LL_DOMAIN, "pads has %ld numbers", count);
    ll_tensor shape = {.rank = x->rank};
    for (int i = 0; status == LL_OK && i < x->rank; i++) {
        if (pads[i] < 0 || pads[i + x->rank] < 0 || pads[i] > INT_MAX || pads[i + x->rank] > INT_MAX)
            return ll_fail(error, LL_DOMAIN, "a padding of %ld", pads[i]);
        dims[i] = shape.dims[i] = x->dims[i] + pads[i] + pads[i + x->rank];
    }
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, dims, x->rank, error);
    if (status == LL_OK)
        status = fill_padding(operation, error);
    if (status != LL_OK)
        return status;
    ll_tensor_steps(steps[0], &shape, x->rank);
    for (int i = 0; i < x->rank; i++)
        at[0] += pads[i] * steps[0][i];
    for (long i = 0; i < x->count; i++) {
        ll_tensor_copy(&operation->out[0], at[0], x, i);
        ll_tensor_advance(place, x->dims, x->rank, at, steps, 1);
    }
    return LL_OK;
}

/* Entries moved, not changed: reshaping, and the tensors that say how. */
#include "onnx/evaluate.h"

#include <string.h>

/* The same entries under other dimensions. */
static ll_status copy_as(ll_operation *operation, const long *dims, long rank, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    ll_status status = ll_operation_output(operation, x->type, dims, (int)rank, error);
    if (status != LL_OK)
        return status;
    if (operation->out[0].count != x->count)
        return ll_fail(error, LL_DOMAIN, "%ld entries do not become %ld", x->count, operation->out[0].count);
    for (long i = 0; i < x->count; i++)
        ll_tensor_copy(&operation->out[0], i, x, i);
    return LL_OK;
}

ll_status ll_operator_reshape(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long dims[2 * LL_TENSOR_RANK], count, open = -1, known = 1;
    ll_status status = ll_operation_integers(operation, dims, &count, "shape", 1, error);
    int zero_is_zero = ll_onnx_attribute_int(operation->node, "allowzero", 0) != 0;
    for (long i = 0; status == LL_OK && i < count; i++) {
        if (dims[i] == 0 && !zero_is_zero && i < x->rank)
            dims[i] = x->dims[i];
        if (dims[i] == -1 && open < 0)
            open = i;
        else if (dims[i] < 0 || __builtin_mul_overflow(known, dims[i], &known))
            return ll_fail(error, LL_DOMAIN, "a dimension of %ld", dims[i]);
    }
    if (status == LL_OK && open >= 0)
        dims[open] = known ? x->count / known : 0;
    return status == LL_OK ? copy_as(operation, dims, count, error) : status;
}

ll_status ll_operator_flatten(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long axis = (long)ll_onnx_attribute_int(operation->node, "axis", 1), dims[2] = {1, 1};
    if (axis < -x->rank || axis > x->rank)
        return ll_fail(error, LL_DOMAIN, "axis %ld of %d", axis, x->rank);
    axis += axis < 0 ? x->rank : 0;
    for (int i = 0; i < x->rank; i++)
        dims[i >= axis] *= x->dims[i];
    return copy_as(operation, dims, 2, error);
}

ll_status ll_operator_squeeze(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long axes[2 * LL_TENSOR_RANK], count, dims[LL_TENSOR_RANK], rank = 0;
    char gone[LL_TENSOR_RANK] = {0};
    ll_status status = ll_operation_integers(operation, axes, &count, "axes", 1, error);
    for (long i = 0; status == LL_OK && i < count; i++) {
        status = ll_operation_axis(&axes[i], x->rank, error);
        if (status == LL_OK)
            gone[axes[i]] = 1;
    }
    for (int i = 0; i < x->rank; i++)
        if (count ? !gone[i] : x->dims[i] != 1)
            dims[rank++] = x->dims[i];
    return status == LL_OK ? copy_as(operation, dims, rank, error) : status;
}

ll_status ll_operator_unsqueeze(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long axes[2 * LL_TENSOR_RANK], count, dims[LL_TENSOR_RANK], from = 0;
    char made[LL_TENSOR_RANK] = {0};
    ll_status status = ll_operation_integers(operation, axes, &count, "axes", 1, error);
    long rank = x->rank + count;
    if (status == LL_OK && rank > LL_TENSOR_RANK)
        return ll_fail(error, LL_DOMAIN, "%ld dimensions", rank);
    for (long i = 0; status == LL_OK && i < count; i++) {
        status = ll_operation_axis(&axes[i], rank, error);
        if (status == LL_OK)
            made[axes[i]] = 1;
    }
    for (long i = 0; status == LL_OK && i < rank; i++)
        dims[i] = made[i] || from >= x->rank ? 1 : x->dims[from++];
    return status == LL_OK ? copy_as(operation, dims, rank, error) : status;
}

ll_status ll_operator_transpose(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long order[2 * LL_TENSOR_RANK], count, dims[LL_TENSOR_RANK], own[LL_TENSOR_RANK], steps[1][LL_TENSOR_RANK],
        place[LL_TENSOR_RANK] = {0}, at[1] = {0};
    char taken[LL_TENSOR_RANK] = {0};
    ll_status status = ll_operation_integers(operation, order, &count, "perm", -1, error);
    if (status == LL_OK && count != 0 && count != x->rank)
        return ll_fail(error, LL_DOMAIN, "perm has %ld numbers", count);
    ll_tensor_steps(own, x, x->rank);
    for (int i = 0; status == LL_OK && i < x->rank; i++) {
        long from = count ? order[i] : x->rank - 1 - i;
        status = ll_operation_axis(&from, x->rank, error);
        if (status != LL_OK)
            return status;
        if (taken[from]++)
            return ll_fail(error, LL_DOMAIN, "perm is no permutation");
        dims[i] = x->dims[from];
        steps[0][i] = own[from];
    }
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, dims, x->rank, error);
    for (long i = 0; status == LL_OK && i < x->count; i++) {
        ll_tensor_copy(&operation->out[0], i, x, at[0]);
        ll_tensor_advance(place, dims, x->rank, at, steps, 1);
    }
    return status;
}

/* ------------------------------------------------------------------ tensors from nothing */

ll_status ll_operator_shape(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long dims[1] = {x->rank};
    ll_status status = ll_operation_output(operation, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, dims, 1, error);
    for (int i = 0; status == LL_OK && i < x->rank; i++)
        ll_tensor_set(&operation->out[0], i, (double)x->dims[i], (double)x->dims[i], 1);
    return status;
}

static ll_status constant_number(ll_operation *operation, int type, double value, ll_error *error)
{
    ll_status status = ll_operation_output(operation, type, NULL, 0, error);
    if (status == LL_OK)
        ll_tensor_set(&operation->out[0], 0, value, value, 1);
    return status;
}

static ll_status constant_list(ll_operation *operation, const Onnx__AttributeProto *list, ll_error *error)
{
    int is_int = list->n_ints > 0;
    long dims[1] = {(long)(is_int ? list->n_ints : list->n_floats)};
    ll_status status = ll_operation_output(
        operation, is_int ? ONNX__TENSOR_PROTO__DATA_TYPE__INT64 : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, dims, 1,
        error);
    for (long i = 0; status == LL_OK && i < dims[0]; i++) {
        double x = is_int ? (double)list->ints[i] : (double)list->floats[i];
        ll_tensor_set(&operation->out[0], i, x, x, 1);
    }
    return status;
}

ll_status ll_operator_constant(ll_operation *operation, ll_error *error)
{
    const Onnx__NodeProto *node = operation->node;
    const Onnx__AttributeProto *value = node->n_attribute ? node->attribute[0] : NULL;
    if (!value)
        return ll_fail(error, LL_DOMAIN, "a constant without a value");
    if (value->t)
        return ll_tensor_read(&operation->out[0], &operation->evaluation->budget, value->t, error);
    if (value->has_f)
        return constant_number(operation, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, (double)value->f, error);
    if (value->has_i)
        return constant_number(operation, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, (double)value->i, error);
    if (value->n_ints || value->n_floats)
        return constant_list(operation, value, error);
    return ll_fail(error, LL_DOMAIN, "a constant that is no number");
}

ll_status ll_operator_constant_of_shape(ll_operation *operation, ll_error *error)
{
    long dims[LL_TENSOR_RANK];
    const ll_tensor *shape = operation->in[0];
    const Onnx__AttributeProto *value = ll_onnx_attribute(operation->node, "value");
    ll_tensor one = {0};
    double x = 0;
    ll_status status = ll_tensor_integers(shape, dims, LL_TENSOR_RANK, error);
    if (status == LL_OK && value && value->t) {
        status = ll_tensor_read(&one, &operation->evaluation->budget, value->t, error);
        x = status == LL_OK && one.count ? one.low[0] : 0;
    }
    int type = one.is_there ? one.type : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
    ll_tensor_clear(&one, &operation->evaluation->budget);
    if (status == LL_OK)
        status = ll_operation_output(operation, type, dims, (int)shape->count, error);
    for (long i = 0; status == LL_OK && i < operation->out[0].count; i++)
        ll_tensor_set(&operation->out[0], i, x, x, 1);
    return status;
}

ll_status ll_operator_expand(ll_operation *operation, ll_error *error)
{
    const ll_tensor *x = operation->in[0];
    long dims[LL_TENSOR_RANK], steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[1] = {0};
    ll_tensor wanted = {.rank = (int)operation->in[1]->count};
    int rank = 0;
    ll_status status = ll_tensor_integers(operation->in[1], wanted.dims, LL_TENSOR_RANK, error);
    if (status == LL_OK)
        status = ll_tensor_broadcast(dims, &rank, x, &wanted, error);
    if (status == LL_OK)
        status = ll_operation_output(operation, x->type, dims, rank, error);
    ll_tensor_steps(steps[0], x, rank);
    for (long i = 0; status == LL_OK && i < operation->out[0].count; i++) {
        ll_tensor_copy(&operation->out[0], i, x, at[0]);
        ll_tensor_advance(place, dims, rank, at, steps, 1);
    }
    return status;
}

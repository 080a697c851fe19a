#include "onnx/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = 2 * sizeof(double) + 1 };

ll_status ll_tensor_create(ll_tensor *out, ll_tensor_budget *budget, int type, const long *dims, int rank,
                           ll_error *error)
{
    long count = 1, room = 1; /* room: as if no dimension were 0, for loops over the others are as long */
    if (rank < 0 || rank > LL_TENSOR_RANK)
        return ll_fail(error, LL_DOMAIN, "%d dimensions; at most %d are known here", rank, LL_TENSOR_RANK);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < rank; i++)
        if (dims[i] < 0 || __builtin_mul_overflow(room, dims[i] ? dims[i] : 1, &room))
            return ll_fail(error, LL_DOMAIN, "dimension %d is %ld", i, dims[i]);
        else
            count *= dims[i]; /* at most room */
    double bytes = (double)count * ENTRY, needed = (double)room * ENTRY;
    if (budget->used + needed > budget->limit)
        return ll_fail(error, LL_UNABLE, "a value of %ld entries takes %.3g bytes, and %.3g of %.3g are in use", room,
                       needed, budget->used, budget->limit);
    out->low = malloc((size_t)count * ENTRY + 1);
    if (!out->low)
        return ll_fail(error, LL_MEMORY, "no memory for a value of %ld entries", count);
    out->high = out->low + count;
    out->fixed = (unsigned char *)(out->high + count);
    out->type = type;
    out->rank = rank;
    out->count = count;
    out->is_there = 1;
    for (int i = 0; i < rank; i++)
        out->dims[i] = dims[i];
    budget->used += bytes;
    return LL_OK;
}

void ll_tensor_clear(ll_tensor *tensor, ll_tensor_budget *budget)
{
    if (!tensor->is_there)
        return;
    budget->used -= (double)tensor->count * ENTRY;
    free(tensor->low);
    memset(tensor, 0, sizeof *tensor);
}

/* ------------------------------------------------------------------ stored tensors */

static double half_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24));
}

/* 11 bits, the last of them worth at least 2^-24. */
static double round_to_half(double x)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x;
    (void)frexp(x, &exponent);
    double unit = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24), y = rint(x / unit) * unit;
    return fabs(y) > 65504 ? copysign(INFINITY, y) : y;
}

double ll_tensor_round(double x, int type)
{
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return (double)(float)x;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
        return round_to_half(x);
    default:
        return x;
    }
}

/* Bits of a number without its sign; what is beyond 2^53 a double does not tell apart. 0: no integers. */
static int integer_bits(int type)
{
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT64:
        return 53;
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT32:
        return 32;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
        return 31;
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT16:
        return 16;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
        return 15;
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
        return 8;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
        return 7;
    default:
        return 0;
    }
}

int ll_tensor_is_integer(int type)
{
    return integer_bits(type) > 0;
}

int ll_tensor_fits(double x, int type)
{
    int is_unsigned = type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT64 || type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT32 ||
                      type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT16 || type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT8;
    double end = ldexp(1, integer_bits(type));
    return x < end && x >= (is_unsigned ? 0 : -end);
}

/* raw_data is little-endian. */
static uint64_t get_bytes(const uint8_t *from, int bytes)
{
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++)
        bits |= (uint64_t)from[i] << (8 * i);
    return bits;
}

static double float_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static double double_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int item_size(int type)
{
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT64:
        return 8;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT32:
        return 4;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT16:
        return 2;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
    case ONNX__TENSOR_PROTO__DATA_TYPE__BOOL:
        return 1;
    default:
        return 0;
    }
}

static double raw_number(int type, const uint8_t *from)
{
    uint64_t bits = get_bytes(from, item_size(type));
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        return double_bits(bits);
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return float_bits((uint32_t)bits);
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
        return half_to_double((uint16_t)bits);
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
        return (double)(int64_t)bits;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
        return (double)(int32_t)bits;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
        return (double)(int16_t)bits;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
        return (double)(int8_t)bits;
    default:
        return (double)bits;
    }
}

/* Entries that the typed fields hold: as many as `held` says. */
static double listed_number(const Onnx__TensorProto *tensor, long i)
{
    switch (tensor->data_type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return (double)tensor->float_data[i];
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        return tensor->double_data[i];
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
        return (double)tensor->int64_data[i];
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT64:
        return (double)tensor->uint64_data[i];
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
        return half_to_double((uint16_t)tensor->int32_data[i]);
    default:
        return (double)tensor->int32_data[i];
    }
}

static size_t held(const Onnx__TensorProto *tensor)
{
    if (tensor->has_raw_data)
        return tensor->raw_data.len / (size_t)item_size(tensor->data_type);
    switch (tensor->data_type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return tensor->n_float_data;
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        return tensor->n_double_data;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
        return tensor->n_int64_data;
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT64:
        return tensor->n_uint64_data;
    default:
        return tensor->n_int32_data;
    }
}

/* How many entries the dimensions ask for, compared with what is stored: before anything is allocated. */
static ll_status check_stored(long *dims, const Onnx__TensorProto *tensor, ll_error *error)
{
    const char *name = ll_onnx_text(tensor->name);
    size_t count = 1;
    if (tensor->has_data_location && tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return ll_fail(error, LL_DOMAIN, "the tensor %.100s is in another file: save the model with its data inside",
                       name);
    if (!tensor->has_data_type || item_size(tensor->data_type) == 0)
        return ll_fail(error, LL_DOMAIN, "the tensor %.100s holds no numbers (element type %d)", name,
                       tensor->has_data_type ? tensor->data_type : 0);
    if (tensor->n_dims > LL_TENSOR_RANK)
        return ll_fail(error, LL_DOMAIN, "the tensor %.100s has %zu dimensions", name, tensor->n_dims);
    for (size_t i = 0; i < tensor->n_dims; i++) {
        dims[i] = (long)tensor->dims[i];
        if (dims[i] < 0 || __builtin_mul_overflow(count, (size_t)dims[i], &count))
            return ll_fail(error, LL_DOMAIN, "the tensor %.100s has a dimension of %ld", name, dims[i]);
    }
    if (count != held(tensor))
        return ll_fail(error, LL_DOMAIN, "the tensor %.100s should have %zu entries and has %zu", name, count,
                       held(tensor));
    return LL_OK;
}

ll_status ll_tensor_read(ll_tensor *out, ll_tensor_budget *budget, const Onnx__TensorProto *tensor, ll_error *error)
{
    long dims[LL_TENSOR_RANK] = {0};
    ll_status status = check_stored(dims, tensor, error);
    if (status == LL_OK)
        status = ll_tensor_create(out, budget, tensor->data_type, dims, (int)tensor->n_dims, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < out->count; i++) {
        double x = tensor->has_raw_data
                       ? raw_number(tensor->data_type, tensor->raw_data.data + i * item_size(tensor->data_type))
                       : listed_number(tensor, i);
        ll_tensor_set(out, i, x, x, 1);
    }
    return LL_OK;
}

/* ------------------------------------------------------------------ shapes */

ll_status ll_tensor_integers(const ll_tensor *tensor, long *out, long size, ll_error *error)
{
    if (tensor->count > size)
        return ll_fail(error, LL_DOMAIN, "%ld numbers where at most %ld are expected", tensor->count, size);
    for (long i = 0; i < tensor->count; i++) {
        double x = tensor->low[i];
        if (x != tensor->high[i] || x != floor(x) || fabs(x) > 9.2e18)
            return ll_fail(error, LL_DOMAIN, "a shape or place that depends on the input");
        out[i] = (long)x;
    }
    return LL_OK;
}

static long dim_from_right(const ll_tensor *tensor, int place)
{
    return place < tensor->rank ? tensor->dims[tensor->rank - 1 - place] : 1;
}

ll_status ll_tensor_broadcast(long *dims, int *rank, const ll_tensor *a, const ll_tensor *b, ll_error *error)
{
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; i < *rank; i++) {
        long x = dim_from_right(a, i), y = dim_from_right(b, i);
        if (x != y && x != 1 && y != 1)
            return ll_fail(error, LL_DOMAIN, "shapes that do not fit: %ld against %ld", x, y);
        dims[*rank - 1 - i] = x == 1 ? y : x;
    }
    return LL_OK;
}

void ll_tensor_steps(long *steps, const ll_tensor *tensor, int rank)
{
    long step = 1;
    for (int i = 0; i < rank; i++) {
        long dim = dim_from_right(tensor, i);
        steps[rank - 1 - i] = dim == 1 ? 0 : step;
        step *= dim;
    }
}

void ll_tensor_advance(long *place, const long *dims, int rank, long *offsets, long (*steps)[LL_TENSOR_RANK], int count)
{
    for (int i = rank - 1; i >= 0; i--) {
        for (int k = 0; k < count; k++)
            offsets[k] += steps[k][i];
        if (++place[i] < dims[i])
            return;
        place[i] = 0;
        for (int k = 0; k < count; k++)
            offsets[k] -= dims[i] * steps[k][i];
    }
}

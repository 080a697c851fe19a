/* Entries are fetched by memcpy: a header of odd length leaves them unaligned. */
#include "io/formats/array.h"

#include "io/files/io_fail.h"

#include <math.h>
#include <string.h>

/* The bits of an entry, in this machine's order, as an unsigned number. */
static uint64_t fetch(const ll_io_array *a, long row, long column)
{
    size_t index =
        a->fortran ? (size_t)column * (size_t)a->rows + (size_t)row : (size_t)row * (size_t)a->columns + (size_t)column;
    const unsigned char *p = a->data + index * (size_t)a->item;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (a->item) {
    case 1:
        return p[0];
    case 2:
        memcpy(&two, p, 2);
        return a->swapped ? __builtin_bswap16(two) : two;
    case 4:
        memcpy(&four, p, 4);
        return a->swapped ? __builtin_bswap32(four) : four;
    default:
        memcpy(&eight, p, 8);
        return a->swapped ? __builtin_bswap64(eight) : eight;
    }
}

/* Sign 1, exponent 5, fraction 10 bits; every finite value is a float. */
static double half_value(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

static double float_value(const ll_io_array *a, uint64_t bits)
{
    uint32_t four = (uint32_t)bits;
    float narrow;
    double wide;
    if (a->item == 2)
        return half_value(bits);
    memcpy(&narrow, &four, 4);
    memcpy(&wide, &bits, 8);
    return a->item == 4 ? (double)narrow : wide;
}

static int64_t signed_value(const ll_io_array *a, uint64_t bits)
{
    int unused = 64 - 8 * a->item;
    return (int64_t)(bits << unused) >> unused;
}

static ll_status fail_at(const ll_io_array *a, const char *path, long row, long column, const char *reason,
                         ll_error *error)
{
    if (a->columns == 1)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "row %ld (from 0): %s", row, reason);
    return ll_io_fail(error, LL_DOMAIN, path, 0, "row %ld, column %ld (from 0): %s", row, column, reason);
}

/* Integers up to 2^53 in size are doubles, larger ones only by luck. */
static const char *entry_double(const ll_io_array *a, double *out, uint64_t bits)
{
    const uint64_t largest = (uint64_t)1 << 53;
    if (a->kind == LL_IO_FLOAT) {
        *out = float_value(a, bits);
        return isfinite(*out) ? NULL : "not a finite number";
    }
    if (a->kind == LL_IO_BOOL) {
        *out = bits != 0;
        return NULL;
    }
    int64_t value = a->kind == LL_IO_SIGNED ? signed_value(a, bits) : (int64_t)(bits > largest ? largest + 1 : bits);
    *out = (double)value;
    return value > (int64_t)largest || value < -(int64_t)largest ? "an integer that no double holds" : NULL;
}

static const char *entry_integer(const ll_io_array *a, int64_t *out, uint64_t bits)
{
    if (a->kind == LL_IO_SIGNED)
        *out = signed_value(a, bits);
    else if (a->kind == LL_IO_BOOL)
        *out = bits != 0;
    else if (a->kind == LL_IO_UNSIGNED)
        *out = (int64_t)bits;
    else {
        double value = float_value(a, bits);
        if (!(fabs(value) <= 9007199254740992.0) || value != floor(value))
            return "a label that is no integer";
        *out = (int64_t)value;
    }
    return a->kind == LL_IO_UNSIGNED && bits > INT64_MAX ? "a label that is too large" : NULL;
}

ll_status ll_io_array_get_doubles(const ll_io_array *a, double *out, long first, long count, const char *path,
                                  ll_error *error)
{
    for (long row = first; row < first + count; row++)
        for (long column = 0; column < a->columns; column++) {
            const char *wrong = entry_double(a, out++, fetch(a, row, column));
            if (wrong)
                return fail_at(a, path, row, column, wrong, error);
        }
    return LL_OK;
}

ll_status ll_io_array_get_floats(const ll_io_array *a, float *out, long first, long count, const char *path,
                                 ll_error *error)
{
    for (long row = first; row < first + count; row++)
        for (long column = 0; column < a->columns; column++) {
            double value;
            const char *wrong = entry_double(a, &value, fetch(a, row, column));
            if (wrong)
                return fail_at(a, path, row, column, wrong, error);
            *out++ = (float)value;
        }
    return LL_OK;
}

ll_status ll_io_array_get_integers(const ll_io_array *a, int64_t *out, long first, long count, const char *path,
                                   ll_error *error)
{
    if (a->kind == LL_IO_SIGNED && a->item == 8 && !a->swapped && a->columns == 1) {
        memcpy(out, a->data + (size_t)first * 8, (size_t)count * 8);
        return LL_OK;
    }
    for (long row = first; row < first + count; row++)
        for (long column = 0; column < a->columns; column++) {
            const char *wrong = entry_integer(a, out++, fetch(a, row, column));
            if (wrong)
                return fail_at(a, path, row, column, wrong, error);
        }
    return LL_OK;
}

static int lies_ready(const ll_io_array *a, int item)
{
    return a->kind == LL_IO_FLOAT && a->item == item && !a->swapped && !a->fortran &&
           (uintptr_t)a->data % (uintptr_t)item == 0;
}

const double *ll_io_array_doubles(const ll_io_array *a)
{
    return lies_ready(a, 8) ? (const double *)(const void *)a->data : NULL;
}

const float *ll_io_array_floats(const ll_io_array *a)
{
    return lies_ready(a, 4) ? (const float *)(const void *)a->data : NULL;
}

/* An exponent of all ones and one more in its lowest place carry into the sign's place. */
static uint64_t carry_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7ff0000000000000u) + 0x0010000000000000u;
}

static uint32_t carry_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7f800000u) + 0x00800000u;
}

ll_status ll_io_array_check_doubles(const ll_io_array *a, const double *x, long first, long count, const char *path,
                                    ll_error *error)
{
    long n = count * a->columns;
    uint64_t carries = 0;
    for (long i = 0; i < n; i++)
        carries |= carry_double(x[i]);
    for (long i = 0; i < n && carries >> 63; i++)
        if (!isfinite(x[i]))
            return fail_at(a, path, first + i / a->columns, i % a->columns, "not a finite number", error);
    return LL_OK;
}

ll_status ll_io_array_check_floats(const ll_io_array *a, const float *x, long first, long count, const char *path,
                                   ll_error *error)
{
    long n = count * a->columns;
    uint32_t carries = 0;
    for (long i = 0; i < n; i++)
        carries |= carry_float(x[i]);
    for (long i = 0; i < n && carries >> 31; i++)
        if (!isfinite(x[i]))
            return fail_at(a, path, first + i / a->columns, i % a->columns, "not a finite number", error);
    return LL_OK;
}

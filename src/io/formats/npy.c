/* The bytes come from a file that anybody may have made: every size is checked against the bytes that are there before
 * it is used. */
#include "io/formats/npy.h"

#include "io/files/io_fail.h"
#include "io/formats/npy_header.h"

#include <string.h>

enum { MAGIC = 6, LONGEST_HEADER = 1 << 20 };

int ll_io_npy_is(const unsigned char *data, size_t size)
{
    return size >= MAGIC && memcmp(data, "\x93NUMPY", MAGIC) == 0;
}

static const int host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

static ll_status set_type(ll_io_array *out, const char *descr, const char *path, ll_error *error)
{
    static const struct {
        const char *code;
        ll_io_array_kind kind;
    } types[] = {{"b1", LL_IO_BOOL},     {"i1", LL_IO_SIGNED},   {"i2", LL_IO_SIGNED},   {"i4", LL_IO_SIGNED},
                 {"i8", LL_IO_SIGNED},   {"u1", LL_IO_UNSIGNED}, {"u2", LL_IO_UNSIGNED}, {"u4", LL_IO_UNSIGNED},
                 {"u8", LL_IO_UNSIGNED}, {"f2", LL_IO_FLOAT},    {"f4", LL_IO_FLOAT},    {"f8", LL_IO_FLOAT}};
    char quoted[LL_IO_QUOTE_SIZE];
    const char *code = descr + (descr[0] != '\0' && strchr("<>|=", descr[0]) != NULL);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(code, types[i].code) == 0) {
            out->kind = types[i].kind;
            out->item = code[1] - '0';
            out->swapped = out->item > 1 && descr[0] == (host_is_little ? '>' : '<');
            return LL_OK;
        }
    if (code[0] == 'O')
        return ll_io_fail(error, LL_DOMAIN, path, 0, "an object array; numbers are expected");
    return ll_io_fail(error, LL_DOMAIN, path, 0, "dtype %s is not one of bool, integer, float16, float32, float64",
                      ll_io_quote(quoted, descr, strlen(descr)));
}

/* rows * columns * item must be just the bytes that follow the header. */
static ll_status set_shape(ll_io_array *out, const ll_io_npy_header *h, size_t available, const char *path,
                           ll_error *error)
{
    if (h->dimensions < 1 || h->dimensions > 2)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "an array of %d dimensions; 1 or 2 are expected", h->dimensions);
    size_t rows = h->shape[0], columns = h->dimensions == 2 ? h->shape[1] : 1, entries, bytes;
    if (rows == 0 || columns == 0)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "an array without entries");
    if (__builtin_mul_overflow(rows, columns, &entries) || __builtin_mul_overflow(entries, (size_t)out->item, &bytes) ||
        bytes > PTRDIFF_MAX)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "the header's shape is too large");
    if (bytes != available)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "%zu bytes of entries where the header's shape needs %zu%s",
                          available, bytes, available < bytes ? ": the file is cut off" : "");
    out->dimensions = h->dimensions;
    out->rows = (long)rows;
    out->columns = (long)columns;
    out->fortran = h->fortran && columns > 1;
    return LL_OK;
}

ll_status ll_io_npy_parse(ll_io_array *out, const unsigned char *data, size_t size, const char *path, ll_error *error)
{
    if (!ll_io_npy_is(data, size))
        return ll_io_fail(error, LL_DOMAIN, path, 0, "no .npy file");
    if (size < MAGIC + 4)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "the file is cut off in its header");
    int version = data[MAGIC];
    if (version < 1 || version > 3 || data[MAGIC + 1] != 0)
        return ll_io_fail(error, LL_DOMAIN, path, 0, ".npy version %d.%d; 1.0 to 3.0 are known", version,
                          data[MAGIC + 1]);
    size_t start = version == 1 ? MAGIC + 4 : MAGIC + 6;
    size_t length = data[MAGIC + 2] | (size_t)data[MAGIC + 3] << 8;
    if (version > 1 && size >= start)
        length |= (size_t)data[MAGIC + 4] << 16 | (size_t)data[MAGIC + 5] << 24;
    if (length > LONGEST_HEADER)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "a header of %zu bytes", length);
    if (size < start || length > size - start)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "the file is cut off in its header");
    ll_io_npy_header header;
    const char *wrong = ll_io_npy_header_read(&header, (const char *)data + start, length);
    if (wrong)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "%s", wrong);
    ll_io_array array = {.data = data + start + length};
    ll_status status = set_type(&array, header.descr, path, error);
    if (status == LL_OK)
        status = set_shape(&array, &header, size - start - length, path, error);
    if (status == LL_OK)
        *out = array;
    return status;
}

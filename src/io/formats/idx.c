/* Two zero bytes, the type, the number of dimensions, each dimension in four bytes, then the entries. */
#include "io/formats/idx.h"

#include "io/files/io_fail.h"

int ll_io_idx_is(const unsigned char *data, size_t size)
{
    return size >= 4 && data[0] == 0 && data[1] == 0 && data[2] >= 0x08 && data[2] <= 0x0e && data[3] > 0;
}

static ll_status set_type(ll_io_array *out, int code, const char *path, ll_error *error)
{
    switch (code) {
    case 0x08:
        out->kind = LL_IO_UNSIGNED;
        out->item = 1;
        return LL_OK;
    case 0x09:
    case 0x0b:
    case 0x0c:
        out->kind = LL_IO_SIGNED;
        out->item = code == 0x09 ? 1 : code == 0x0b ? 2 : 4;
        return LL_OK;
    default:
        return ll_io_fail(error, LL_DOMAIN, path, 0, "an IDX file of type 0x%02x; labels are integers", (unsigned)code);
    }
}

ll_status ll_io_idx_parse(ll_io_array *out, const unsigned char *data, size_t size, const char *path, ll_error *error)
{
    ll_io_array array = {.swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, .dimensions = 1, .columns = 1};
    if (!ll_io_idx_is(data, size))
        return ll_io_fail(error, LL_DOMAIN, path, 0, "no IDX file");
    ll_status status = set_type(&array, data[2], path, error);
    if (status != LL_OK)
        return status;
    if (data[3] != 1)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "an IDX file of %d dimensions; labels have one", data[3]);
    if (size < 8)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "the file is cut off in its header");
    uint64_t rows = (uint64_t)data[4] << 24 | (uint64_t)data[5] << 16 | (uint64_t)data[6] << 8 | data[7];
    uint64_t bytes = rows * (uint64_t)array.item; /* < 2^34 */
    if (rows == 0)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "no labels");
    if (bytes != size - 8)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "%zu bytes of labels where the header says %llu%s", size - 8,
                          (unsigned long long)bytes, size - 8 < bytes ? ": the file is cut off" : "");
    array.data = data + 8;
    array.rows = (long)rows;
    *out = array;
    return LL_OK;
}

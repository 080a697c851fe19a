#include "io/formats/model_file.h"

#include "io/files/byte_stream.h"
#include "io/files/io_fail.h"
#include "io/files/write_file.h"

ll_status ll_io_read_model(ll_onnx **out, const char *path, size_t max_memory, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_io_whole whole;
    ll_error why = {0};
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_bytes_whole(bytes, &whole, max_memory, error);
    ll_io_bytes_close(bytes);
    if (status != LL_OK)
        return status;
    const ll_budget budget = {.size = sizeof budget, .memory = (double)max_memory};
    status = ll_onnx_read(out, whole.data, whole.size, &budget, &why);
    ll_io_whole_clear(&whole);
    return status == LL_OK ? LL_OK : ll_io_fail(error, status, path, 0, "%.300s", why.text);
}

ll_status ll_io_write_model(const char *path, const ll_onnx *model, ll_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    ll_io_output *output;
    ll_status status = ll_onnx_write(model, &data, &size, error);
    if (status == LL_OK)
        status = ll_io_output_open(&output, path, error);
    if (status == LL_OK) {
        status = ll_io_output_write(output, data, size, error);
        if (status == LL_OK)
            status = ll_io_output_commit(output, error);
        else
            ll_io_output_abandon(output);
    }
    ll_free(data);
    return status;
}

/* A network that says what it is told, by the library for networks alone. */
#include <lossleak/model.h>
#include <stdio.h>

static double entries[] = {0.25, 0.25, 0.5};

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    double *to = ll_block_reserve_doubles(out, count, 3);
    (void)self;
    (void)first;
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory");
    for (int i = 0; i < 3; i++)
        to[i] = entries[i];
    return LL_OK;
}

int main(void)
{
    ll_predictions targets = {NULL, 1, 3, LL_ENTRIES_DOUBLE, get, NULL};
    ll_mutnet_request request;
    ll_mutnet_info info;
    ll_onnx *model = NULL;
    unsigned char *data = NULL;
    size_t size = 0;
    ll_error error = {LL_OK, ""};
    ll_mutnet_request_init(&request);
    ll_status status = ll_mutnet_build(&model, &info, &request, &targets, NULL, &error);
    if (status == LL_OK)
        status = ll_onnx_write(model, &data, &size, &error);
    if (status == LL_OK && size > 0)
        printf("%ld row for %ld columns\n", info.rows, info.columns);
    else
        fprintf(stderr, "%s\n", error.text);
    ll_free(data);
    ll_onnx_destroy(model);
    return status == LL_OK ? 0 : 1;
}

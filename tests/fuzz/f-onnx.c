/* ONNX models: read within a budget, what was read written again and the same, its output run on intervals and points,
 * a graft on top of it. Whatever the file says of sizes, memory stays within the budget. */
#include "fuzz.h"

static ll_status get_half(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const long *columns = self;
    double *to = ll_block_reserve_doubles(out, count, *columns);
    (void)first;
    if (!to)
        return ll_fail(error, LL_MEMORY, "no memory");
    for (long i = 0; i < count * *columns; i++)
        to[i] = 1.0 / (double)(*columns + 1);
    return LL_OK;
}

/* What is written reads back, and is then written the same. */
static void check_written(const ll_onnx *model)
{
    unsigned char *bytes[2] = {NULL, NULL};
    size_t sizes[2];
    ll_onnx *again = NULL;
    ll_error error = {0};
    LL_FUZZ_CHECK(ll_onnx_write(model, &bytes[0], &sizes[0], &error) == LL_OK);
    if (ll_fuzz_status(ll_onnx_read(&again, bytes[0], sizes[0], LL_FUZZ_MEMORY, &error), &error) == LL_OK) {
        LL_FUZZ_CHECK(ll_onnx_write(again, &bytes[1], &sizes[1], &error) == LL_OK);
        LL_FUZZ_CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    }
    ll_onnx_destroy(again);
    free(bytes[0]);
    free(bytes[1]);
}

static void check_graft(const ll_onnx *model, long columns)
{
    ll_predictions targets = {&columns, 1, columns, LL_ENTRIES_DOUBLE, get_half, NULL};
    ll_mutnet_request request;
    ll_mutnet_info info;
    ll_onnx *grafted = NULL;
    ll_error error = {0};
    ll_mutnet_request_init(&request);
    request.max_memory = LL_FUZZ_MEMORY;
    if (columns < 64 &&
        ll_fuzz_status(ll_mutnet_graft(&grafted, &info, &request, model, &targets, NULL, &error), &error) == LL_OK)
        check_written(grafted);
    ll_onnx_destroy(grafted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_onnx *model = NULL;
    ll_onnx_info info;
    ll_onnx_constancy constancy;
    ll_error error = {0};
    if (ll_fuzz_status(ll_onnx_read(&model, data, size, LL_FUZZ_MEMORY, &error), &error) != LL_OK) {
        LL_FUZZ_CHECK(!model);
        return 0;
    }
    ll_onnx_get_info(model, &info);
    check_written(model);
    if (info.features < 1000)
        (void)ll_fuzz_status(ll_onnx_find_constancy(&constancy, model, NULL, 1, LL_FUZZ_MEMORY, &error), &error);
    check_graft(model, info.columns ? info.columns : 1);
    ll_onnx_destroy(model);
    return 0;
}

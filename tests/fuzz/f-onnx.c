/* ONNX files: what can be read can be described, written and read again, asked whether it is constant, and run. */
#include "fuzz.h"
#include "lossleak/model.h"

#include <math.h>

static void describe(const ll_onnx *model)
{
    ll_onnx_info info;
    ll_onnx_get_info(model, &info);
    LL_FUZZ_CHECK(info.producer && info.input && info.output && info.nodes >= 0);
}

static void write_and_read(const ll_onnx *model)
{
    unsigned char *bytes = NULL;
    size_t size;
    ll_error error;
    ll_onnx *again = NULL;
    LL_FUZZ_CHECK(ll_onnx_write(model, &bytes, &size, &error) == LL_OK);
    LL_FUZZ_CHECK(ll_onnx_read(&again, bytes, size, LL_BUDGET(.memory = LL_FUZZ_MEMORY), &error) == LL_OK);
    ll_onnx_destroy(again);
    ll_free(bytes);
}

#define BUDGET LL_BUDGET(.memory = LL_FUZZ_MEMORY, .seconds = 0.1)

/* A refusal is fine; numbers are the doubles that come out, whatever they are. */
static void run(const ll_onnx *model)
{
    ll_onnx_info info;
    ll_onnx_get_info(model, &info);
    ll_random_rows random = {.rows = 4, .columns = info.features, .seed = 1};
    ll_predictions features, predictions;
    ll_onnx_outputs *outputs = NULL;
    ll_onnx_constancy constancy;
    ll_block block;
    ll_error error;
    if (ll_fuzz_status(ll_onnx_find_constancy(&constancy, model, NULL, 1, BUDGET, &error), &error) == LL_OK)
        LL_FUZZ_CHECK(constancy.columns >= 1 && !(constancy.spread < 0));
    if (info.features < 1 || info.features > 4096)
        return;
    ll_random_rows_source(&random, &features);
    ll_block_init(&block);
    if (ll_fuzz_status(ll_onnx_outputs_create(&outputs, &predictions, model, &features, BUDGET, &error), &error) ==
        LL_OK)
        (void)ll_fuzz_status(predictions.get(predictions.self, &block, 0, predictions.rows, &error), &error);
    ll_block_clear(&block);
    ll_onnx_outputs_destroy(outputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_onnx *model = NULL;
    ll_error error;
    if (ll_fuzz_status(ll_onnx_read(&model, data, size, LL_BUDGET(.memory = LL_FUZZ_MEMORY), &error), &error) != LL_OK)
        return 0;
    describe(model);
    write_and_read(model);
    run(model);
    ll_onnx_destroy(model);
    return 0;
}

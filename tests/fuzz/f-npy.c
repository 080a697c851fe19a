/* .npy arrays: the header against the bytes that are there, then every entry in each form; and the same bytes as a file
 * of labels and of predictions. */
#include "fuzz.h"
#include "io/formats/labels.h"
#include "io/formats/npy.h"
#include "io/formats/predictions.h"

#include <math.h>

static void read_entries(const ll_io_array *a)
{
    long entries = a->rows * a->columns;
    ll_error error;
    double *doubles = malloc((size_t)entries * sizeof *doubles);
    float *floats = malloc((size_t)entries * sizeof *floats);
    int64_t *integers = malloc((size_t)entries * sizeof *integers);
    LL_FUZZ_CHECK(doubles && floats && integers);
    if (ll_fuzz_status(ll_io_array_get_doubles(a, doubles, 0, a->rows, "f", &error), &error) == LL_OK)
        for (long i = 0; i < entries; i++)
            LL_FUZZ_CHECK(isfinite(doubles[i]));
    (void)ll_fuzz_status(ll_io_array_get_floats(a, floats, 0, a->rows, "f", &error), &error);
    (void)ll_fuzz_status(ll_io_array_get_integers(a, integers, 0, a->rows, "f", &error), &error);
    free(doubles);
    free(floats);
    free(integers);
}

static void read_files(const char *path)
{
    ll_io_labels labels = {0};
    ll_io_predictions *file = NULL;
    ll_predictions source;
    ll_block block;
    ll_error error;
    if (ll_fuzz_status(ll_io_read_labels(&labels, path, 0, 0, LL_FUZZ_MEMORY, &error), &error) == LL_OK)
        ll_io_clear_labels(&labels);
    if (ll_fuzz_status(ll_io_open_predictions(&file, &source, path, 0, 0, LL_FUZZ_MEMORY, &error), &error) == LL_OK) {
        ll_block_init(&block);
        (void)ll_fuzz_status(source.get(source.self, &block, 0, source.rows, &error), &error);
        ll_block_clear(&block);
        ll_io_close_predictions(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_array array;
    ll_error error;
    if (ll_io_npy_is(data, size) && ll_fuzz_status(ll_io_npy_parse(&array, data, size, "f", &error), &error) == LL_OK) {
        LL_FUZZ_CHECK(array.rows >= 1 && array.columns >= 1);
        LL_FUZZ_CHECK((size_t)array.rows * (size_t)array.columns * (size_t)array.item ==
                      size - (size_t)(array.data - data));
        read_entries(&array);
    }
    read_files(ll_fuzz_file(0, data, size));
    return 0;
}

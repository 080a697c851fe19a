/* IDX label files: the header against the bytes that are there, and the same bytes as a file of labels. */
#include "fuzz.h"
#include "io/formats/idx.h"
#include "io/formats/labels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_array array;
    ll_io_labels labels = {0};
    ll_error error;
    if (ll_io_idx_is(data, size) && ll_fuzz_status(ll_io_idx_parse(&array, data, size, "f", &error), &error) == LL_OK) {
        LL_FUZZ_CHECK(array.rows >= 1 && (size_t)array.rows * (size_t)array.item == size - 8);
        int64_t *values = malloc((size_t)array.rows * sizeof *values);
        LL_FUZZ_CHECK(values);
        LL_FUZZ_CHECK(ll_io_array_get_integers(&array, values, 0, array.rows, "f", &error) == LL_OK);
        free(values);
    }
    if (ll_fuzz_status(ll_io_read_labels(&labels, ll_fuzz_file(0, data, size), 0, 0, LL_FUZZ_MEMORY, &error), &error) ==
        LL_OK) {
        for (long i = 0; i < labels.rows; i++)
            LL_FUZZ_CHECK(labels.labels[i] >= 0 && labels.labels[i] < labels.classes);
        ll_io_clear_labels(&labels);
    }
    return 0;
}

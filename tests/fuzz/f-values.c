/* Tables of set functions: a power of two of exact numbers, which can be written. */
#include "fuzz.h"
#include "io/formats/value_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_block values;
    ll_error error;
    ll_block_init(&values);
    if (ll_fuzz_status(ll_io_read_values(&values, ll_fuzz_file(0, data, size), LL_FUZZ_MEMORY, &error), &error) ==
        LL_OK) {
        LL_FUZZ_CHECK(values.columns == 1 && values.rows >= 2 && (values.rows & (values.rows - 1)) == 0);
        char *text = ll_exact_write(values.exacts, values.rows - 1);
        LL_FUZZ_CHECK(text);
        ll_free(text);
    }
    ll_block_clear(&values);
    return 0;
}

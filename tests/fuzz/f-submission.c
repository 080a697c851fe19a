/* The body of a submission as the server reads it: from memory, gzip'd or not, within a bound. It is read as a file of the same bytes is, and never beyond what
 * was given: the bytes end where the memory does. */
#include "fuzz.h"
#include "io/formats/predictions.h"

#include <string.h>

enum { MOST = 1 << 20 };

static void compare(const ll_predictions *a, const ll_predictions *b)
{
    ll_block left, right;
    ll_error error;
    LL_FUZZ_CHECK(a->rows == b->rows && a->columns == b->columns && a->entries == b->entries);
    ll_block_init(&left);
    ll_block_init(&right);
    ll_status one = ll_fuzz_status(a->get(a->self, &left, 0, a->rows, &error), &error);
    ll_status other = ll_fuzz_status(b->get(b->self, &right, 0, b->rows, &error), &error);
    LL_FUZZ_CHECK(one == other);
    size_t count = (size_t)(a->rows * a->columns);
    if (one == LL_OK && a->entries == LL_ENTRIES_DOUBLE)
        LL_FUZZ_CHECK(memcmp(left.doubles, right.doubles, count * sizeof(double)) == 0);
    if (one == LL_OK && a->entries == LL_ENTRIES_FLOAT)
        LL_FUZZ_CHECK(memcmp(left.floats, right.floats, count * sizeof(float)) == 0);
    ll_block_clear(&left);
    ll_block_clear(&right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_predictions *memory = NULL, *file = NULL;
    ll_predictions from_memory, from_file;
    ll_error error;
    const char *path = ll_fuzz_file(0, data, size);
    ll_status one = ll_fuzz_status(
        ll_io_read_predictions(&memory, &from_memory, "submission", data, size, MOST, LL_FUZZ_MEMORY, &error), &error);
    ll_status other =
        ll_fuzz_status(ll_io_open_predictions(&file, &from_file, path, 0, 0, LL_FUZZ_MEMORY, &error), &error);
    LL_FUZZ_CHECK(one == other || one == LL_UNABLE);
    if (one == LL_OK && other == LL_OK)
        compare(&from_memory, &from_file);
    ll_io_close_predictions(memory);
    ll_io_close_predictions(file);
    return 0;
}

/* Score files. The first byte says how many are expected; every one that is read is a number. */
#include "fuzz.h"
#include "io/formats/number_text.h"
#include "io/formats/scores_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_scores scores = {0};
    ll_error error;
    if (size == 0)
        return 0;
    long expected = data[0] % 8 + 1;
    const char *path = ll_fuzz_file(0, data + 1, size - 1);
    if (ll_fuzz_status(ll_io_read_scores(&scores, path, expected, 1, LL_FUZZ_MEMORY, &error), &error) != LL_OK) {
        LL_FUZZ_CHECK(!scores.texts && scores.count == 0);
        return 0;
    }
    LL_FUZZ_CHECK(scores.count == expected);
    for (long i = 0; i < scores.count; i++) {
        LL_FUZZ_CHECK(ll_io_number_scan(scores.texts[i], strlen(scores.texts[i])) == LL_IO_NUMBER);
        LL_FUZZ_CHECK(scores.lines[i] > (i ? scores.lines[i - 1] : 0));
    }
    ll_io_clear_scores(&scores);
    return 0;
}

/* What an oracle prints, in pieces of any size: the last line that is not blank, as a search from the end finds it. */
#include "fuzz.h"
#include "io/formats/score_line.h"
#include "io/process/last_line.h"

enum { LONGEST = 100 };

/* The same from the whole text. */
static const char *find_last(const char *text, size_t size, size_t *length)
{
    const char *found = "";
    *length = 0;
    for (const char *line = text, *end = text + size; line <= end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t whole = (size_t)((stop ? stop : end) - line), kept = whole < LONGEST ? whole : LONGEST;
        const char *trimmed = ll_io_trim(line, &kept);
        if (kept > 0) {
            found = trimmed;
            *length = kept;
        }
        line += whole + 1;
    }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_last_line keeper;
    size_t done = 1, length, expected_length;
    if (size == 0)
        return 0;
    size_t step = (size_t)data[0] + 1;
    ll_io_last_line_init(&keeper, LONGEST);
    while (done < size) {
        size_t part = step < size - done ? step : size - done;
        LL_FUZZ_CHECK(ll_io_last_line_add(&keeper, (const char *)data + done, part) == LL_OK);
        done += part;
    }
    ll_io_last_line_end(&keeper);
    const char *got = ll_io_last_line_get(&keeper, &length);
    const char *expected = find_last((const char *)data + 1, size - 1, &expected_length);
    LL_FUZZ_CHECK(length == expected_length && memcmp(got, expected, length) == 0);
    ll_io_last_line_clear(&keeper);
    return 0;
}

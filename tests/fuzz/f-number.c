/* Numbers as text, decimal and hexadecimal: the two readers agree on what a number is and on its nearest double, and an
 * exact number that is written reads back equal. */
#include "fuzz.h"
#include "io/formats/number_text.h"
#include "io/formats/score_line.h"

static void check_number(ll_exact *number, const char *text, locale_t locale)
{
    double nearest = ll_exact_double(number, 0);
    char *written = ll_exact_write(number, 0), *again;
    LL_FUZZ_CHECK(nearest == ll_io_number_double(text, locale));
    LL_FUZZ_CHECK(written && ll_exact_read(number, 1, written, strlen(written)) == LL_OK);
    LL_FUZZ_CHECK((again = ll_exact_write(number, 1)) && strcmp(written, again) == 0);
    LL_FUZZ_CHECK(ll_exact_double(number, 1) == nearest);
    ll_free(written);
    ll_free(again);
}

/* The short way of short numbers, alone and with more behind them. */
static void check_short(const char *text, size_t size, int is_number, locale_t locale)
{
    double mine, followed;
    char *longer = malloc(size + 40);
    LL_FUZZ_CHECK(longer);
    memcpy(longer, text, size);
    memcpy(longer + size, ",0.1234567890123456789012345678901234567", 40);
    const char *last = ll_io_number_read(&followed, longer, longer + size + 40);
    int is_short = ll_io_number_short(&mine, text, size);
    LL_FUZZ_CHECK(!is_short || (is_number && mine == ll_io_number_double(text, locale)));
    LL_FUZZ_CHECK(!is_short || (last == longer + size && memcmp(&mine, &followed, sizeof mine) == 0));
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = ll_fuzz_text(data, size), complaint[LL_IO_COMPLAINT_SIZE];
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ll_block block;
    int64_t integer;
    ll_block_init(&block);
    ll_exact *number = ll_block_reserve_exacts(&block, 2, 1);
    int is_number = ll_io_number_scan(text, size) == LL_IO_NUMBER;
    LL_FUZZ_CHECK(number && locale);
    LL_FUZZ_CHECK(is_number == (ll_exact_read(number, 0, text, size) == LL_OK));
    LL_FUZZ_CHECK(is_number || ll_io_score_complain(complaint, text, size));
    check_short(text, size, is_number, locale);
    if (is_number) {
        check_number(number, text, locale);
        if (ll_io_number_integer(&integer, text, locale))
            LL_FUZZ_CHECK((double)integer == ll_exact_double(number, 0));
    }
    ll_block_clear(&block);
    freelocale(locale);
    free(text);
    return 0;
}

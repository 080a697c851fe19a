/* The last line of a stream in pieces, against the same line found in the whole; and what a score's text may be. */
#include "io/formats/score_line.h"
#include "io/process/last_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_last(const char *stream, size_t piece, const char *wanted, long ended)
{
    ll_io_last_line keeper;
    size_t size = strlen(stream), length;
    ll_io_last_line_init(&keeper, 64);
    for (size_t i = 0; i < size; i += piece)
        assert_int_equal(ll_io_last_line_add(&keeper, stream + i, size - i < piece ? size - i : piece), LL_OK);
    assert_int_equal(keeper.ended, ended);
    ll_io_last_line_end(&keeper);
    const char *text = ll_io_last_line_get(&keeper, &length);
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(text, wanted, length);
    assert_int_equal(keeper.over, 0);
    ll_io_last_line_clear(&keeper);
}

static void test_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *stream, *last;
        long ended;
    } cases[] = {{"", "", 0},           {"\n", "", 1},
                 {"a", "a", 0},         {"a\n", "a", 1},
                 {"a\nbc\n", "bc", 2},  {"a\n\n \t\n", "a", 3},
                 {"a\nb", "b", 1},      {" x y \r\n", "x y", 1},
                 {"\n\nq\n\n", "q", 4}, {"one\ntwo\n ", "two", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t piece = 1; piece < 10; piece++)
            expect_last(cases[i].stream, piece, cases[i].last, cases[i].ended);
}

static void test_long(void **state)
{
    (void)state;
    ll_io_last_line keeper;
    size_t length;
    ll_io_last_line_init(&keeper, 5);
    assert_int_equal(ll_io_last_line_add(&keeper, "12345\n", 6), LL_OK);
    assert_int_equal(keeper.over, 0);
    assert_int_equal(ll_io_last_line_add(&keeper, "abcdefgh\n", 9), LL_OK);
    assert_int_equal(keeper.over, 1);
    assert_memory_equal(ll_io_last_line_get(&keeper, &length), "abcde", 5);
    assert_int_equal(length, 5);
    ll_io_last_line_reset(&keeper);
    assert_int_equal(keeper.over, 0);
    (void)ll_io_last_line_get(&keeper, &length);
    assert_int_equal(length, 0);
    ll_io_last_line_clear(&keeper);
}

static void test_scores(void **state)
{
    (void)state;
    static const char *const good[] = {"0",
                                       "-1",
                                       "+0.5",
                                       ".5",
                                       "5.",
                                       "1e-99999999999",
                                       "0x1p-3",
                                       "0X.8P+11",
                                       "1E5",
                                       "1e0000000000000001",
                                       "123456789012345678901234567890"};
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "nan",
                                      "-NaN",
                                      "inf",
                                      "+Infinity",
                                      "1e",
                                      "0x",
                                      "1,5",
                                      "1_0",
                                      "1.2.3",
                                      "e5",
                                      "--1",
                                      "1f",
                                      "0x1p",
                                      "1e100000000000",
                                      "0x1p-999999999999"};
    char why[LL_IO_COMPLAINT_SIZE];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_null(ll_io_score_complain(why, good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_non_null(ll_io_score_complain(why, bad[i], strlen(bad[i])));
    assert_string_equal(ll_io_score_complain(why, "nan", 3), "'nan' is not finite");
    assert_string_equal(ll_io_score_complain(why, "\033[1m", 4), "'\\x1b[1m' is not a number");
    assert_string_equal(ll_io_score_complain(why, "1e999999999999", 14), "'1e999999999999' is beyond every range");
}

/* Whatever is good here is a number to the library. */
static void test_library_agrees(void **state)
{
    (void)state;
    static const char alphabet[] = "01.-+exp";
    enum { LETTERS = sizeof alphabet - 1, LENGTH = 5 };
    ll_block block;
    ll_block_init(&block);
    ll_exact *number = ll_block_reserve_exacts(&block, 1, 1);
    assert_non_null(number);
    long good = 0;
    for (long code = 0; code < (long)LETTERS * LETTERS * LETTERS * LETTERS * LETTERS; code++) {
        char text[LENGTH + 1] = "", why[LL_IO_COMPLAINT_SIZE];
        long rest = code;
        for (int i = 0; i < LENGTH; i++, rest /= LETTERS)
            text[i] = alphabet[rest % LETTERS];
        for (size_t length = 1; length <= LENGTH; length++)
            if (!ll_io_score_complain(why, text, length)) {
                good++;
                if (ll_exact_read(number, 0, text, length) != LL_OK)
                    fail_msg("\"%.*s\"", (int)length, text);
            }
    }
    assert_true(good > 1000);
    ll_block_clear(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_scores), cmocka_unit_test(test_library_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

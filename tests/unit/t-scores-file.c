/* Score files: every digit is kept, and every bad file is refused with its line. */
#include "io/formats/scores_file.h"

#include "io-files.h"

static void expect_scores(const char *content, long count, const char *const *wanted)
{
    ll_io_scores scores = {0};
    ll_error error = {0};
    if (ll_io_read_scores(&scores, put("scores", content), count, 1, 0, &error) != LL_OK)
        fail_msg("\"%s\": %s", content, error.text);
    assert_int_equal(scores.count, count);
    for (long i = 0; i < count; i++)
        assert_string_equal(scores.texts[i], wanted[i]);
    ll_io_clear_scores(&scores);
}

static void test_good(void **state)
{
    (void)state;
    static const char *const one[] = {"0.5"};
    static const char *const three[] = {"-1.25e-400000000000000000000", "0x1.8p-3", "12345678901234567890.5"};
    expect_scores("0.5", 1, one);
    expect_scores("0.5\n", 1, one);
    expect_scores("  0.5\t\r\n\r\n\n", 1, one);
    expect_scores("\xef\xbb\xbf"
                  "0.5\r",
                  1, one);
    expect_scores("-1.25e-400000000000000000000\n0x1.8p-3\n12345678901234567890.5\n", 3, three);
    expect_scores("-1.25e-400000000000000000000\r0x1.8p-3\r12345678901234567890.5", 3, three);
}

/* Longer than any buffer, and gzip'd. */
static void test_long(void **state)
{
    (void)state;
    enum { DIGITS = 300000 };
    char *text = malloc(2 * DIGITS);
    assert_non_null(text);
    memset(text, '7', DIGITS);
    text[1] = '.';
    text[DIGITS] = '\n';
    strcpy(text + DIGITS + 1, "2\n");
    ll_io_scores scores = {0};
    ll_error error = {0};
    assert_int_equal(ll_io_read_scores(&scores, put_gzip("long", text, strlen(text)), 2, 1, 0, &error), LL_OK);
    assert_int_equal(strlen(scores.texts[0]), DIGITS);
    assert_memory_equal(scores.texts[0], text, DIGITS);
    assert_string_equal(scores.texts[1], "2");
    assert_int_equal(scores.lines[0], 1);
    assert_int_equal(scores.lines[1], 2);
    ll_io_clear_scores(&scores);
    const char *path = put("long", text);
    assert_int_equal(ll_io_read_scores(&scores, path, 2, 1, 1000, &error), LL_UNABLE);
    expect_error(&error, "long: ");
    assert_null(scores.texts);
    free(text);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *content, *reason;
        long expected;
    } cases[] = {
        {"1\n2\n", "scores: too few scores: 2, but 3 are expected", 3},
        {"1\n2\n3\n", "scores:3: a score too many: 2 are expected", 2},
        {"1\nnan\n", "scores:2: 'nan' is not finite", 2},
        {"-Infinity\n", "scores:1: '-Infinity' is not finite", 1},
        {"1\n2 3\n", "scores:2: '2 3' is not a number", 2},
        {"0.5x\n", "scores:1: '0.5x' is not a number", 1},
        {"1,5\n", "scores:1: '1,5' is not a number", 1},
        {"score\n0.5\n", "scores:1: 'score' is not a number", 1},
        {"1\n\n2\n", "scores:2: an empty line where a score is expected", 2},
        {"\n1\n", "scores:1: an empty line where a score is expected", 1},
        {"\n\n", "scores: too few scores: 0", 1},
        {"", "scores: the file is empty", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_scores scores = {0};
        ll_error error = {0};
        assert_int_equal(ll_io_read_scores(&scores, put("scores", cases[i].content), cases[i].expected, 1, 0, &error),
                         LL_DOMAIN);
        expect_error(&error, cases[i].reason);
        assert_null(scores.texts);
    }
    ll_error error = {0};
    ll_io_scores scores;
    assert_int_equal(ll_io_read_scores(&scores, in_folder("missing"), 1, 1, 0, &error), LL_SYSTEM);
    expect_error(&error, "missing: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

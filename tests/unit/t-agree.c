/* Nouns behind a 1 lose their plural, and nothing else of a text changes. */
#include "lossleak.h"
#include "number/agree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_table(void **state)
{
    static const char *const cases[][2] = {{"1 rows", "1 row"},
                                           {"of 1 labels, certain", "of 1 label, certain"},
                                           {"1 rows are public", "1 row is public"},
                                           {"1 queries have 1 columns", "1 query has 1 column"},
                                           {"(1 classes)", "(1 class)"},
                                           {"your 1 hidden labels", "your 1 hidden label"},
                                           {"1 rows need more", "1 row needs more"},
                                           {"1 entries need", "1 entry needs"}};
    static const char *const kept[] = {
        "",        "1",           "1 ",       "21 rows", "0.1 rows", "1.1 rows", "-1 rows",
        "11 rows", "2 rows are",  "1 rowsx",  "x1 rows", "1  rows",  "1 row",    "10 rows of 21 classes",
        "1, rows", "rows 1 to 2", "--rows 1", "1_rows"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[80];
        strcpy(text, cases[i][0]);
        ll_agree(text);
        assert_string_equal(text, cases[i][1]);
        ll_agree(text);
        assert_string_equal(text, cases[i][1]);
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        char text[80];
        strcpy(text, kept[i]);
        ll_agree(text);
        assert_string_equal(text, kept[i]);
    }
}

/* Every message of the library goes through it. */
static void test_messages(void **state)
{
    ll_error error;
    (void)state;
    (void)ll_fail(&error, LL_DOMAIN, "%ld rows of %ld classes", 1L, 2L);
    assert_string_equal(error.text, "1 row of 2 classes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

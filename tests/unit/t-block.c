/* Blocks, the public functions on exact numbers, and errors. */
#include "number/exact.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_doubles_and_floats(void **state)
{
    (void)state;
    ll_block block;
    ll_block_init(&block);
    double *doubles = ll_block_reserve_doubles(&block, 3, 4);
    assert_non_null(doubles);
    for (int i = 0; i < 12; i++)
        doubles[i] = i;
    assert_true(block.rows == 3 && block.columns == 4 && block.entries == LL_ENTRIES_DOUBLE);
    assert_true(block.doubles == doubles && block.floats == NULL && block.exacts == NULL);
    float *floats = ll_block_reserve_floats(&block, 100, 7);
    assert_non_null(floats);
    memset(floats, 0, 700 * sizeof *floats);
    assert_true(block.floats == floats && block.doubles == NULL && block.entries == LL_ENTRIES_FLOAT);
    assert_ptr_equal(ll_block_reserve_doubles(&block, 1, 1), block.storage);
    assert_true(block.storage_size >= 700 * sizeof *floats);
    ll_block_clear(&block);
    ll_block_clear(&block);
    ll_block_clear(NULL);
}

static void test_exacts_keep_their_values(void **state)
{
    (void)state;
    ll_block block;
    ll_block_init(&block);
    ll_exact *numbers = ll_block_reserve_exacts(&block, 10, 1);
    assert_non_null(numbers);
    assert_true(ll_exact_double(numbers, 9) == 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(ll_exact_read(numbers, i, "0x3p-99999999999999999999999999", 31), LL_OK);
    assert_ptr_equal(ll_block_reserve_exacts(&block, 2, 2), numbers);
    assert_true(block.exact_count == 10);
    numbers = ll_block_reserve_exacts(&block, 5000, 3);
    assert_true(block.exact_count == 15000 && block.exacts == numbers);
    assert_true(ll_exact_sgn(numbers + 9) == 1 && ll_exact_sgn(numbers + 10) == 0 &&
                ll_exact_sgn(numbers + 14999) == 0);
    assert_non_null(ll_block_reserve_doubles(&block, 5000, 3));
    assert_true(block.exact_count == 0);
    memset(block.storage, 0xff, block.storage_size);
    numbers = ll_block_reserve_exacts(&block, 2, 1);
    assert_true(ll_exact_sgn(numbers) == 0 && ll_exact_sgn(numbers + 1) == 0);
    ll_block_clear(&block);
}

static void test_sizes_that_cannot_be(void **state)
{
    (void)state;
    ll_block block;
    ll_block_init(&block);
    double *doubles = ll_block_reserve_doubles(&block, 1, 2);
    doubles[1] = 5;
    assert_null(ll_block_reserve_doubles(&block, LONG_MAX, LONG_MAX));
    assert_null(ll_block_reserve_doubles(&block, LONG_MAX / 4, 1));
    assert_null(ll_block_reserve_floats(&block, LONG_MAX / 2, 2));
    assert_null(ll_block_reserve_exacts(&block, LONG_MAX / 24, 2));
    assert_null(ll_block_reserve_doubles(&block, -1, 1));
    assert_null(ll_block_reserve_doubles(&block, 1, -1));
    assert_true(block.doubles == doubles && block.rows == 1 && block.columns == 2 && doubles[1] == 5);
    assert_non_null(ll_block_reserve_doubles(&block, 0, 4));
    ll_block_clear(&block);
    assert_non_null(ll_block_reserve_exacts(&block, 0, 0));
    ll_block_clear(&block);
}

static void test_public_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
        double nearest;
    } cases[] = {
        {"0.25", "0x1p-2", 0.25},
        {"-0.1", "-1e-1", -0.1},
        {"1e400", NULL, __builtin_inf()},
        {"10", "0x1.4p+3", 10},
        {"0", "0x0p+0", 0},
        {"-0", "0x0p+0", 0},
        {"0x.8p1", "0x1p+0", 1},
        {"1e-2", "1e-2", 0.01},
        {"12.50e-3", "125e-4", 0.0125},
        {"1e99999999999999999999", "1e+99999999999999999999", __builtin_inf()},
    };
    ll_block block;
    ll_block_init(&block);
    ll_exact *numbers = ll_block_reserve_exacts(&block, 2, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ll_exact_read(numbers, 1, cases[i].text, strlen(cases[i].text)), LL_OK);
        assert_true(ll_exact_double(numbers, 1) == cases[i].nearest);
        char *text = ll_exact_write(numbers, 1);
        if (cases[i].written != NULL)
            assert_string_equal(text, cases[i].written);
        ll_free(text);
    }
    assert_int_equal(ll_exact_read(numbers, 0, "nan", 3), LL_DOMAIN);
    ll_block_clear(&block);
}

static void test_errors(void **state)
{
    (void)state;
    ll_error error = {LL_OK, "before"};
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(ll_fail(&error, LL_DOMAIN, "%s:%d", "file", 18), LL_DOMAIN);
    assert_int_equal(error.status, LL_DOMAIN);
    assert_string_equal(error.text, "file:18");
    assert_int_equal(ll_fail(&error, LL_UNABLE, "%s", longer), LL_UNABLE);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(ll_fail(NULL, LL_MEMORY, "%s", longer), LL_MEMORY);
    assert_true(strlen(ll_version()) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_and_floats),
        cmocka_unit_test(test_exacts_keep_their_values),
        cmocka_unit_test(test_sizes_that_cannot_be),
        cmocka_unit_test(test_public_numbers),
        cmocka_unit_test(test_errors),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

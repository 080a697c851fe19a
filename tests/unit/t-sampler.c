/* Exact noise: frequencies of many draws against the law itself, which is computed here by summing its definition in
 * long doubles (chi-square), for scales below 1, above it, and with large denominators; the mean of coins; the bytes
 * behind them. 10^6 draws of each law with LL_TEST_LONG. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "guard/noise/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1001 };

static ll_random_bytes random_bytes;

static int begin(void **state)
{
    static const unsigned char seed[32] = "a seed of thirty-two characters";
    (void)state;
    ll_random_bytes_init(&random_bytes, seed);
    return 0;
}

static long draws(void)
{
    return getenv("LL_TEST_LONG") != NULL ? 1000000 : 40000;
}

/* -log of what the law is in proportion to */
typedef long double law_exponent(long x, long double size);

static long double laplace(long x, long double size)
{
    return (long double)labs(x) / size;
}

static long double gaussian(long x, long double size)
{
    return (long double)x * (long double)x / (2 * size);
}

/* Cells with fewer than 10 expected draws are taken together. */
static void check_law(law_exponent *law, void (*draw)(ll_random_bytes *, mpz_t, const mpq_t), const char *size_text)
{
    static long double weights[CELLS];
    static long counts[CELLS];
    long double all = 0, expected_rest = 0, chi = 0;
    long n = draws(), rest = 0, cells = 0;
    mpq_t size;
    mpz_t x;
    mpq_init(size);
    mpz_init(x);
    assert_int_equal(mpq_set_str(size, size_text, 10), 0);
    memset(counts, 0, sizeof counts);
    for (long i = 0; i < CELLS; i++)
        all += weights[i] = expl(-law(i - CELLS / 2, (long double)mpq_get_d(size)));
    for (long i = 0; i < n; i++) {
        draw(&random_bytes, x, size);
        assert_true(mpz_cmpabs_ui(x, CELLS / 2) <= 0);
        counts[mpz_get_si(x) + CELLS / 2]++;
    }
    for (long i = 0; i < CELLS; i++) {
        long double expected = weights[i] / all * (long double)n;
        if (expected < 10) {
            expected_rest += expected;
            rest += counts[i];
            continue;
        }
        chi += ((long double)counts[i] - expected) * ((long double)counts[i] - expected) / expected;
        cells++;
    }
    if (expected_rest > 1)
        chi += ((long double)rest - expected_rest) * ((long double)rest - expected_rest) / expected_rest;
    cells += expected_rest > 1;
    /* Five standard deviations of chi-square, and some more for its tail. */
    long double most = (long double)(cells - 1) + 6 * sqrtl(2 * (long double)cells) + 12;
    if (chi > most)
        fail_msg("size %s: chi-square %.1Lf in %ld cells", size_text, chi, cells);
    mpq_clear(size);
    mpz_clear(x);
}

static const char *const sizes[] = {"1/3", "1", "7/5", "9", "1000003/250007", "16"};

static void test_laplace(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_law(laplace, ll_sample_laplace, sizes[i]);
}

static void test_gaussian(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_law(gaussian, ll_sample_gaussian, sizes[i]);
}

static void test_coins(void **state)
{
    (void)state;
    static const char *const gammas[] = {"0", "1/1000", "1/2", "1", "3/2", "4"};
    long n = draws();
    mpq_t gamma;
    mpq_init(gamma);
    for (size_t i = 0; i < sizeof gammas / sizeof *gammas; i++) {
        long ones = 0;
        assert_int_equal(mpq_set_str(gamma, gammas[i], 10), 0);
        for (long k = 0; k < n; k++)
            ones += ll_sample_exp(&random_bytes, gamma);
        double p = exp(-mpq_get_d(gamma));
        assert_true(fabs((double)ones - p * (double)n) <= 6 * sqrt(p * (1 - p) * (double)n));
    }
    mpq_clear(gamma);
}

/* One stream per seed; numbers below a bound are below it, all of them, and as often. */
static void test_bytes(void **state)
{
    (void)state;
    ll_random_bytes a, b;
    unsigned char seed[32] = {7};
    mpz_t x, y, bound;
    mpz_init(x);
    mpz_init(y);
    mpz_init_set_ui(bound, 1);
    mpz_mul_2exp(bound, bound, 200);
    ll_random_bytes_init(&a, seed);
    ll_random_bytes_init(&b, seed);
    for (int i = 0; i < 100; i++) {
        ll_sample_below(&a, x, bound);
        ll_sample_below(&b, y, bound);
        assert_int_equal(mpz_cmp(x, y), 0);
    }
    seed[31] = 1;
    ll_random_bytes_init(&b, seed);
    ll_sample_below(&b, y, bound);
    assert_int_not_equal(mpz_cmp(x, y), 0);
    long counts[257] = {0}, n = 257 * 100;
    mpz_set_ui(bound, 257);
    for (long i = 0; i < n; i++) {
        ll_sample_below(&a, x, bound);
        counts[mpz_get_ui(x)]++;
    }
    for (int i = 0; i < 257; i++)
        assert_true(labs(counts[i] - 100) < 70);
    mpz_clear(x);
    mpz_clear(y);
    mpz_clear(bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_bytes, begin),
        cmocka_unit_test_setup(test_coins, begin),
        cmocka_unit_test_setup(test_laplace, begin),
        cmocka_unit_test_setup(test_gaussian, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

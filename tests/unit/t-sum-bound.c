/* Bounds on the error of sums: against exact sums of corner-biased data, of every small sum in tiny formats, and of
 * data that comes near the bound; depths against the orders followed term by term. */
#include "sum_terms.h"

#include <limits.h>

/* ------------------------------------------------------------------ bounds */

/* error and magnitude as slow_sum_error made them: does the bound hold? Returns error/bound, 0 where both are. */
static double check_bound(ll_order order, long n, long fraction_bits, const mpfr_t error, const mpfr_t magnitude)
{
    arf_t x, limit;
    mag_t m, bound;
    arf_init(x);
    arf_init(limit);
    mag_init(m);
    mag_init(bound);
    arf_set_mpfr(x, magnitude);
    arf_get_mag(m, x);
    ll_sum_bound(bound, order, n, fraction_bits, m);
    arf_set_mag(limit, bound);
    arf_set_mpfr(x, error);
    if (arf_cmp(x, limit) > 0) {
        print_error("order %d, n %ld: error %g, bound %g\n", (int)order, n, arf_get_d(x, ARF_RND_UP),
                    arf_get_d(limit, ARF_RND_UP));
        fail();
    }
    double ratio = 0;
    if (!arf_is_zero(x)) {
        arf_div(x, x, limit, 53, ARF_RND_NEAR);
        ratio = arf_get_d(x, ARF_RND_NEAR);
    }
    mag_clear(bound);
    mag_clear(m);
    arf_clear(limit);
    arf_clear(x);
    return ratio;
}

static double check_sum(double value, const double *x, long n, ll_order order, long fraction_bits)
{
    mpfr_t error, magnitude;
    if (!isfinite(value))
        return 0;
    mpfr_init2(error, SLOW_SUM_BITS);
    mpfr_init2(magnitude, SLOW_SUM_BITS);
    slow_sum_error(error, magnitude, value, x, n);
    double ratio = check_bound(order, n, fraction_bits, error, magnitude);
    mpfr_clear(error);
    mpfr_clear(magnitude);
    return ratio;
}

static void test_bounds(void **unused)
{
    (void)unused;
    const ll_format small[] = {{8, 7}, {5, 10}, {5, 2}, {4, 3}, {6, 1}};
    for (long round = 0; round < 180 * multiplier; round++) {
        long n = draw_length() % 9000, few = n % 150;
        double *x = new_doubles(n);
        ll_format format = small[round % 5];
        for (int k = 0; k < ORDERS; k++) {
            draw_terms(x, n, round % KINDS, 0);
            (void)check_sum(ll_sum_doubles(x, n, orders[k]), x, n, orders[k], 52);
            draw_terms(x, n, round % KINDS, 1);
            (void)check_sum(sum_as_floats(x, n, orders[k]), x, n, orders[k], 23);
            for (long i = 0; i < few; i++)
                x[i] = ldexp((double)(below(5) - 2), (int)below(8) - 6);
            (void)check_sum(by_format(format, orders[k], x, few), x, few, orders[k], format.fraction_bits);
        }
        free(x);
    }
}

/* 1 and halves of its ulp: every addition is a tie that goes back to 1. */
static void test_bounds_are_reached(void **unused)
{
    (void)unused;
    static const long lengths[] = {2, 3, 100, 1024, 8192, 20480};
    for (int i = 0; i < 6; i++) {
        long n = lengths[i];
        double *x = new_doubles(n);
        x[0] = 1;
        for (long k = 1; k < n; k++)
            x[k] = 0x1p-53;
        assert_true(check_sum(ll_sum_doubles(x, n, LL_SUM_NAIVE), x, n, LL_SUM_NAIVE, 52) > 0.999999);
        if (n == 2) {
            assert_true(check_sum(ll_sum_doubles(x, n, LL_SUM_COMPENSATED), x, n, LL_SUM_COMPENSATED, 52) > 0.999999);
            assert_true(check_sum(ll_sum_doubles(x, n, LL_SUM_EXACT), x, n, LL_SUM_EXACT, 52) > 0.999999);
        }
        free(x);
    }
}

/* The same for NumPy's order: one half ulp in every part that meets the 1, which takes one of the longest ways where
 * n is 128 * 2^k: lane 0 of the first leaf, the other lanes, the right parts, the other pieces. */
static void test_pairwise_bound_is_reached(void **unused)
{
    (void)unused;
    static const long lengths[] = {128, 256, 4096, 8192, 5 * 8192};
    for (int i = 0; i < 5; i++) {
        long n = lengths[i];
        double *x = new_doubles(n);
        for (long k = 0; k < n; k++)
            x[k] = 0;
        x[0] = 1;
        for (long k = 8; k < 128; k += 8)
            x[k] = 0x1p-53;
        for (long k = 1; k < 8; k *= 2)
            x[k] = 0x1p-53;
        for (long k = 128; k < n && k < 8192; k *= 2)
            x[k] = 0x1p-53;
        for (long k = 8192; k < n; k += 8192)
            x[k] = 0x1p-53;
        assert_same(ll_sum_doubles(x, n, LL_SUM_PAIRWISE), 1);
        assert_true(check_sum(1, x, n, LL_SUM_PAIRWISE, 52) > 0.999999);
        free(x);
    }
}

static void test_bound_ends(void **unused)
{
    (void)unused;
    mag_t bound, magnitude;
    mag_init(bound);
    mag_init(magnitude);
    mag_one(magnitude);
    for (int k = 0; k < ORDERS; k++) {
        ll_sum_bound(bound, orders[k], 0, 52, magnitude);
        assert_true(mag_is_zero(bound));
        ll_sum_bound(bound, orders[k], 1, 52, magnitude);
        assert_true(mag_is_zero(bound));
        ll_sum_bound(bound, orders[k], LONG_MAX, 1L << 30, magnitude);
        assert_true(mag_is_finite(bound) && mag_cmp_2exp_si(bound, 0) < 0);
        ll_sum_bound(bound, orders[k], LONG_MAX, 1, magnitude);
        assert_true(mag_is_finite(bound));
    }
    mag_inf(magnitude);
    ll_sum_bound(bound, LL_SUM_NAIVE, 1, 52, magnitude);
    assert_true(mag_is_inf(bound));
    mag_clear(magnitude);
    mag_clear(bound);
}

/* ------------------------------------------------------------------ depths */

static long larger(long a, long b)
{
    return a > b ? a : b;
}

static void check_depths(long n)
{
    long pairwise = ll_sum_depth(LL_SUM_PAIRWISE, n), cascade = ll_sum_depth(LL_SUM_CASCADE, n);
    assert_int_equal(pairwise, larger(slow_numpy_depth(n), slow_numpy_pieces_depth(n, 8192)));
    for (long lanes = 1; lanes <= 16; lanes *= 2)
        for (long threads = 1; threads <= 64; threads *= 8)
            assert_true(slow_torch_sum_depth(n, lanes, threads) <= cascade);
    assert_true(slow_torch_nll_depth(n) <= cascade);
    assert_int_equal(ll_sum_depth(LL_SUM_NAIVE, n), n - 1);
}

static void test_depths(void **unused)
{
    (void)unused;
    for (long n = 1; n <= 1100; n++)
        check_depths(n);
    static const long some[] = {8191, 8192, 8193, 16383, 16384, 25000, 32767, 32768, 32769, 70000};
    for (int i = 0; i < 10; i++)
        check_depths(some[i]);
    for (long round = 0; round < 20 * multiplier; round++)
        check_depths(2 + below(60000));
    assert_int_equal(ll_sum_depth(LL_SUM_PAIRWISE, 2201), 17);
    assert_int_equal(ll_sum_depth(LL_SUM_PAIRWISE, 25000), 27);
    assert_int_equal(ll_sum_depth(LL_SUM_PAIRWISE, 1000000), 24 + 122);
    assert_int_equal(slow_numpy_depth(25000), 23);
    assert_int_equal(slow_numpy_depth(1000000), 31);
    assert_true(ll_sum_depth(LL_SUM_CASCADE, 1000000) >= slow_torch_sum_depth(1000000, 1, 1));
    /* the bound is wide of the depths followed above: its own formula, by hand (docs/proofs/summation.md, 3.2) */
    assert_int_equal(ll_sum_depth(LL_SUM_CASCADE, 2201), 15 + 15 + 1 + 3 + 22);
    assert_int_equal(ll_sum_depth(LL_SUM_CASCADE, 25000), 15 + 15 + 15 + 3 + 22);
    assert_int_equal(ll_sum_depth(LL_SUM_CASCADE, 1000000), 3 * 15 + 60 + 3 + 22 + 30);
    assert_int_equal(ll_sum_depth(LL_SUM_CASCADE, 1000000000), 3 * 63 + 511 + 3 + 22 + (15 + 15 + 3 + 22));
}

/* ------------------------------------------------------------------ small worlds */

/* Every finite value of a tiny format. */
static long all_values(double *out, ll_format format)
{
    long count = 0, bias = (1L << (format.exponent_bits - 1)) - 1, steps = 1L << format.fraction_bits;
    for (long field = 0; field <= 2 * bias; field++)
        for (long m = 0; m < steps; m++) {
            double x =
                ldexp((double)(m + (field ? steps : 0)), (int)((field ? field : 1) - bias - format.fraction_bits));
            out[count++] = x;
            out[count++] = -x;
        }
    return count;
}

/* a + b minus what it rounds to leaves the error of that addition: a compensated sum must give it exactly. */
static void check_pair(ll_format format, double a, double b)
{
    double rounded = by_format(format, LL_SUM_NAIVE, (double[]){a, b}, 2);
    if (!isfinite(rounded))
        return;
    double x[] = {a, b, -rounded};
    assert_same(by_format(format, LL_SUM_COMPENSATED, x, 3), a + b - rounded + 0.0);
}

/* Every pair, and every pair with a grid of third terms (all of them where the multiplier is above 1). */
static void test_tiny_formats(void **unused)
{
    (void)unused;
    const ll_format formats[] = {{3, 1}, {3, 2}, {4, 1}};
    double values[400];
    for (int i = 0; i < 3; i++) {
        long count = all_values(values, formats[i]), step = multiplier > 1 ? 1 : 5 + 6 * i;
        for (long a = 0; a < count; a++)
            for (long b = 0; b < count; b++) {
                check_pair(formats[i], values[a], values[b]);
                for (long c = (a + b) % step; c < count; c += step) {
                    double x[] = {values[a], values[b], values[c]};
                    for (int k = 0; k < ORDERS; k++) {
                        double sum = by_format(formats[i], orders[k], x, 3);
                        (void)check_sum(sum, x, 3, orders[k], formats[i].fraction_bits);
                    }
                }
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bounds_are_reached),
        cmocka_unit_test(test_pairwise_bound_is_reached),
        cmocka_unit_test(test_bound_ends),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_tiny_formats),
    };
    read_environment();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}

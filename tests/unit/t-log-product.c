/* The logarithm of a product of doubles against a product in 256 bits, for factors of every kind, cut into blocks of
 * every size; bad factors; and factors for which the rounding errors really add up. */
#include "number/log_product.h"
#include "slow_sum.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328;
static long multiplier = 1;

static long below(long n)
{
    return (long)(slow_splitmix64(&seed) % (uint64_t)n);
}

/* Any bits, made positive and finite. */
static double draw_bits(void)
{
    uint64_t bits = 1 + slow_splitmix64(&seed) % (UINT64_C(0x7ff0000000000000) - 1);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double draw_factor(long kind)
{
    switch (kind) {
    case 0:
        return ((double)below(1L << 53) + 1) * 0x1p-53;
    case 1:
        return draw_bits();
    case 2: /* subnormal */
        return (double)(1 + below(below(2) ? 5 : 1L << 52)) * 0x1p-1074;
    case 3: /* mantissa next to 2 */
        return ldexp(2 - DBL_EPSILON * (double)(1 + below(3)), (int)below(2046) - 1022);
    case 4: /* next to 1 */
        return 1 + (double)(below(9) - 4) * 0x1p-53;
    case 5:
        return ldexp(1, (int)below(2098) - 1074);
    case 6: { /* the ends */
        const double ends[] = {DBL_MAX, DBL_MIN, DBL_MIN - 0x1p-1074, 0x1p-1074, 1, 0.5, 2, 2 - DBL_EPSILON};
        return ends[below(8)];
    }
    default: /* now and then a subnormal among probabilities */
        return below(1000) ? draw_factor(0) : draw_factor(2);
    }
}

enum { KINDS = 8 };

/* ln of the product, to about 200 of 256 bits. */
static void slow_log(mpfr_t out, const double *q, long n)
{
    mpfr_set_ui(out, 1, MPFR_RNDN);
    for (long i = 0; i < n; i++)
        mpfr_mul_d(out, out, q[i], MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
}

/* The distance of the ball's middle from the logarithm. The ball must hold it, and its radius be what the
 * header promises. */
static double check(const ll_log_product *product, const double *q, long n)
{
    arb_t ball, expected;
    mpfr_t logarithm;
    arb_init(ball);
    arb_init(expected);
    mpfr_init2(logarithm, 256);
    slow_log(logarithm, q, n);
    arf_set_mpfr(arb_midref(expected), logarithm);
    ll_log_product_get(ball, product, 100);
    arb_add_error_2exp_si(ball, -190); /* for the expected value's own error */
    if (!arb_contains(ball, expected)) {
        arb_printd(ball, 30);
        mpfr_printf(" not %.30Rg, n %ld\n", logarithm, n);
        fail();
    }
    double longest = ldexp((double)(n - product->used), -53);
    double own = ldexp(1 + fabs(mpfr_get_d(logarithm, MPFR_RNDN)) + 750 * (double)n, -95);
    assert_true(mag_cmp_2exp_si(arb_radref(ball), -190) >= 0);
    assert_true(mag_get_d(arb_radref(ball)) <= (longest + own) * (1 + 1e-8));
    arb_sub(ball, ball, expected, 256);
    double distance = fabs(arf_get_d(arb_midref(ball), ARF_RND_NEAR));
    mpfr_clear(logarithm);
    arb_clear(expected);
    arb_clear(ball);
    return distance;
}

static void add_in_blocks(ll_log_product *product, const double *q, long n, long longest)
{
    ll_log_product_init(product);
    for (long i = 0; i < n;) {
        long count = below(longest) + 1;
        count = count < n - i ? count : n - i;
        assert_int_equal(ll_log_product_add(product, q + i, count), LL_OK);
        i += count;
    }
}

static void test_random(void **unused)
{
    (void)unused;
    static const long ends[] = {2, 20, 70, 1000, 20000, 50000}, longest[] = {1, 15, 40, 17000, 60000};
    for (long round = 0; round < 400 * multiplier; round++) {
        long n = below(ends[below(6)]), kind = round % KINDS;
        double *q = malloc((size_t)(n + 1) * sizeof *q);
        for (long i = 0; i < n; i++)
            q[i] = draw_factor(kind);
        ll_log_product product;
        add_in_blocks(&product, q, n, longest[below(5)]);
        (void)check(&product, q, n);
        ll_log_product_init(&product);
        assert_int_equal(ll_log_product_add(&product, q, n), LL_OK);
        assert_int_equal(product.used, n < LL_LOG_PRODUCT_LANES ? n : LL_LOG_PRODUCT_LANES);
        (void)check(&product, q, n);
        free(q);
    }
}

static void test_few(void **unused)
{
    (void)unused;
    ll_log_product product;
    arb_t ball;
    arb_init(ball);
    ll_log_product_init(&product);
    ll_log_product_get(ball, &product, 64);
    assert_true(arb_is_zero(ball));
    assert_int_equal(ll_log_product_add(&product, NULL, 0), LL_OK);
    for (long i = 0; i < 64; i++)
        assert_int_equal(ll_log_product_add(&product, (double[]){0x1p-1074, 0x1p1000, 0x1p74}, 3), LL_OK);
    ll_log_product_get(ball, &product, 64);
    assert_true(arb_contains_zero(ball) && mag_cmp_2exp_si(arb_radref(ball), -45) < 0);
    arb_clear(ball);
}

/* As many factors as fit between two renormalisations, all as large as a mantissa can be. */
static void test_largest_lanes(void **unused)
{
    (void)unused;
    enum { N = 50000 };
    double *q = malloc(N * sizeof *q);
    for (long i = 0; i < N; i++)
        q[i] = 2 - DBL_EPSILON;
    for (long n = 15900; n < 16100; n += 33) {
        ll_log_product product;
        ll_log_product_init(&product);
        assert_int_equal(ll_log_product_add(&product, q, n), LL_OK);
        assert_int_equal(ll_log_product_add(&product, q, N - n), LL_OK);
        (void)check(&product, q, N);
    }
    free(q);
}

static void test_bad(void **unused)
{
    (void)unused;
    const double bad[] = {0.0, -0.0, -1, -0x1p-1074, -DBL_MAX, INFINITY, -INFINITY, NAN, -NAN, -DBL_MIN};
    enum { N = 100 };
    arb_t ball;
    arb_init(ball);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        for (long at = 0; at < N; at++) {
            double q[N];
            for (long i = 0; i < N; i++)
                q[i] = i == at ? bad[k] : draw_factor(i % 2);
            ll_log_product product;
            ll_log_product_init(&product);
            assert_int_equal(ll_log_product_add(&product, q, at), LL_OK);
            ll_log_product_get(ball, &product, 64);
            assert_true(arb_is_finite(ball));
            assert_int_equal(ll_log_product_add(&product, q, N), LL_DOMAIN);
            assert_int_equal(ll_log_product_add(&product, q, at), LL_DOMAIN);
            ll_log_product_get(ball, &product, 64);
            assert_false(arb_is_finite(ball));
        }
    arb_clear(ball);
}

/* Every lane gets the same factors, each picked so that its product is rounded down by much: the error must be a
 * good part of the radius, or the radius is too careful. */
static void test_radius_is_used(void **unused)
{
    (void)unused;
    enum { ROWS = 300, TRIES = 100 };
    double q[ROWS * LL_LOG_PRODUCT_LANES], lane = 1;
    for (long row = 0; row < ROWS; row++) {
        double best = 1, best_loss = -1;
        for (int k = 0; k < TRIES; k++) {
            /* products stay just above 1, where a rounding error is the largest part of them */
            double m = 1 + (double)below(1L << 40) * DBL_EPSILON;
            double product = lane * m, loss = fma(lane, m, -product) / product;
            if (loss > best_loss) {
                best = m;
                best_loss = loss;
            }
        }
        for (int k = 0; k < LL_LOG_PRODUCT_LANES; k++)
            q[row * LL_LOG_PRODUCT_LANES + k] = best;
        lane *= best;
    }
    ll_log_product product;
    ll_log_product_init(&product);
    assert_int_equal(ll_log_product_add(&product, q, ROWS * LL_LOG_PRODUCT_LANES), LL_OK);
    double distance = check(&product, q, ROWS * LL_LOG_PRODUCT_LANES);
    printf("error / radius: %.3f\n", distance / ((ROWS - 1) * LL_LOG_PRODUCT_LANES * 0x1p-53));
    assert_true(distance > 0.8 * (ROWS - 1) * LL_LOG_PRODUCT_LANES * 0x1p-53);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),         cmocka_unit_test(test_few),
        cmocka_unit_test(test_largest_lanes),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_radius_is_used),
    };
    const char *text = getenv("LL_TEST_SEED");
    if (text)
        seed = strtoull(text, NULL, 0);
    text = getenv("LL_TEST_MULTIPLIER");
    if (text)
        multiplier = strtol(text, NULL, 0);
    printf("LL_TEST_SEED=%llu LL_TEST_MULTIPLIER=%ld\n", (unsigned long long)seed, multiplier);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}

/* The logarithm of a product against the plain product, and against the sum of logarithms. */
#include "number/exact.h"
#include "number/random.h"

#include <flint/fmpq.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1, drawn;
static long multiplier = 1;

static uint64_t draw(uint64_t n)
{
    return ll_random_below(seed, 0, drawn++, n);
}

static void draw_long(fmpz_t out, ulong most_bits)
{
    fmpz_one(out);
    fmpz_mul_2exp(out, out, draw(most_bits));
    fmpz_add_si(out, out, (slong)draw(1000) - 500);
    fmpz_mul_ui(out, out, draw(1000) + 1);
    if (draw(2))
        fmpz_neg(out, out);
}

/* Positive; the mantissa is often 1, mostly a word, now and then long. */
static void draw_positive(ll_exact *x, ulong exponent_bits)
{
    fmpz_set_ui(x->mantissa, draw(2) ? 1 : draw(8) ? draw(~0UL) + 1 : 3);
    if (draw(20) == 0)
        fmpz_mul_2exp(x->mantissa, x->mantissa, draw(2000));
    draw_long(x->two, exponent_bits);
    fmpz_zero(x->five);
    if (draw(2))
        draw_long(x->five, exponent_bits / (1 + draw(4)) + 1);
}

/* radius <= 2^-bits */
static void check_error(const arb_t ball, slong bits)
{
    assert_true(arb_is_finite(ball) && mag_cmp_2exp_si(arb_radref(ball), -bits) <= 0);
}

/* All factors in one number: the product as it is defined. */
static void multiply_plainly(ll_exact *all, const ll_exact *x)
{
    fmpz_mul(all->mantissa, all->mantissa, x->mantissa);
    fmpz_add(all->two, all->two, x->two);
    fmpz_add(all->five, all->five, x->five);
}

static void check_against(ll_product *product, const ll_exact *all, slong bits, slong exponent_bits)
{
    arb_t log, expected;
    arb_init(log);
    arb_init(expected);
    ll_product_log(log, product, bits);
    check_error(log, bits);
    ll_exact_get_log(expected, all, 2 * bits + exponent_bits + 100);
    assert_true(arb_overlaps(log, expected));
    arb_clear(expected);
    arb_clear(log);
}

static void test_exact_factors(void **state)
{
    (void)state;
    static const ulong lengths[] = {1, 10, 62, 70, 500, 5000};
    ll_product *product = ll_product_create();
    ll_exact x, all;
    ll_exact_init(&x);
    ll_exact_init(&all);
    for (long i = 0; i < 60 * multiplier; i++) {
        ulong length = lengths[draw(6)];
        ll_product_reset(product);
        ll_exact_set_si(&all, 1);
        check_against(product, &all, 64, 1);
        for (long count = (long)draw(draw(4) ? 40 : 600); count > 0; count--) {
            draw_positive(&x, length);
            ll_product_multiply(product, &x);
            multiply_plainly(&all, &x);
            if (draw(100) == 0)
                check_against(product, &all, (slong)draw(200), (slong)length);
        }
        check_against(product, &all, (slong)draw(2000), (slong)length);
    }
    ll_exact_clear(&all);
    ll_exact_clear(&x);
    ll_product_destroy(product);
}

/* A huge exponent of two that the fives all but cancel: what is left is small, its error still absolute. */
static void test_cancellation(void **state)
{
    (void)state;
    ll_product *product = ll_product_create();
    ll_exact x;
    arb_t log, ratio;
    ll_exact_init(&x);
    arb_init(log);
    arb_init(ratio);
    fmpz_ui_pow_ui(x.five, 10, 900);
    ll_exact_log_five(log, 4000);
    arb_const_log2(ratio, 4000);
    arb_div(ratio, log, ratio, 4000);
    arb_mul_fmpz(ratio, ratio, x.five, 4000);
    arf_get_fmpz(x.two, arb_midref(ratio), ARF_RND_FLOOR);
    fmpz_neg(x.two, x.two);
    fmpz_one(x.mantissa);
    ll_product_multiply(product, &x);
    ll_product_log(log, product, 300);
    check_error(log, 300);
    assert_true(arb_is_nonnegative(log) && arf_cmp_d(arb_midref(log), 0.6931472) < 0);
    arb_add_fmpz(ratio, ratio, x.two, 4000);
    arb_const_log2(log, 4000);
    arb_mul(ratio, ratio, log, 4000);
    ll_product_log(log, product, 300);
    assert_true(arb_overlaps(log, ratio));
    arb_clear(ratio);
    arb_clear(log);
    ll_exact_clear(&x);
    ll_product_destroy(product);
}

/* Balls around 1 - p and exact factors between them; the sum of single logarithms is the reference. */
static void test_balls(void **state)
{
    (void)state;
    ll_product *product = ll_product_create();
    ll_exact x;
    arb_t ball, sum, log;
    fmpz_t exponent;
    ll_exact_init(&x);
    arb_init(ball);
    arb_init(sum);
    arb_init(log);
    fmpz_init(exponent);
    for (long i = 0; i < 30 * multiplier; i++) {
        slong prec = 64 + (slong)draw(300), count = (slong)draw(300);
        ll_product_reset(product);
        arb_zero(sum);
        for (slong j = 0; j < count; j++) {
            ll_exact_set_d(&x, ll_random_uniform(seed, 2, drawn++));
            ll_exact_get_complement(ball, &x, prec);
            draw_long(exponent, draw(8) ? 20 : 3000);
            arb_mul_2exp_fmpz(ball, ball, exponent);
            ll_product_multiply_ball(product, ball, prec);
            arb_log(log, ball, prec + 4000);
            arb_add(sum, sum, log, prec + 8000);
            if (draw(2))
                continue;
            ll_product_multiply(product, &x);
            ll_exact_get_log(log, &x, prec + 100);
            arb_add(sum, sum, log, prec + 8000);
        }
        ll_product_log(log, product, prec);
        assert_true(arb_overlaps(log, sum));
        check_error(log, prec - 12); /* 300 balls of relative error 2^-prec, and as much again for the products */
    }
    fmpz_clear(exponent);
    arb_clear(log);
    arb_clear(sum);
    arb_clear(ball);
    ll_exact_clear(&x);
    ll_product_destroy(product);
}

/* A ball that reaches 0 has no logarithm, and a reset forgets it. */
static void test_no_logarithm(void **state)
{
    (void)state;
    ll_product *product = ll_product_create();
    arb_t ball;
    arb_init(ball);
    arb_set_str(ball, "0.5 +/- 0.6", 64);
    ll_product_multiply_ball(product, ball, 64);
    arb_zero(ball);
    ll_product_multiply_ball(product, ball, 64);
    ll_product_log(ball, product, 64);
    assert_false(arb_is_finite(ball));
    ll_product_reset(product);
    ll_product_log(ball, product, 64);
    assert_true(arb_is_zero(ball));
    arb_clear(ball);
    ll_product_destroy(product);
    ll_product_destroy(NULL);
}

/* Exponents as long as those of one query that tells 70,000 labels of ten classes apart. */
static void test_long_exponents(void **state)
{
    (void)state;
    ll_product *product = ll_product_create();
    ll_exact x, all;
    ll_exact_init(&x);
    ll_exact_init(&all);
    ll_exact_set_si(&all, 1);
    for (int i = 0; i < 400; i++) {
        draw_positive(&x, 233000);
        fmpz_zero(x.five);
        ll_product_multiply(product, &x);
        multiply_plainly(&all, &x);
    }
    check_against(product, &all, 64, 1000);
    ll_exact_clear(&all);
    ll_exact_clear(&x);
    ll_product_destroy(product);
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_factors), cmocka_unit_test(test_cancellation),   cmocka_unit_test(test_balls),
        cmocka_unit_test(test_no_logarithm),  cmocka_unit_test(test_long_exponents),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

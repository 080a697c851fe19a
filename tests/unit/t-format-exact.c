/* Exact numbers mantissa * 2^a * 5^b into FPA: at random, on the middle between two values and a hair beside it, and
 * with exponents far beyond any format; against one division of integers, rounded by integers. */
#include "number/format.h"
#include "slow_float.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328;
static long multiplier = 1;

static long below(uint64_t n)
{
    return (long)(slow_random(&seed) % n);
}

static slow_format draw_format(ll_format *format)
{
    slow_format slow = slow_draw_format(&seed);
    *format = (ll_format){slow.exponent_bits, slow.fraction_bits};
    return slow;
}

static void check(slow_format slow, const char *what, const mpfr_t z, uint64_t expected)
{
    int inexact;
    uint64_t pattern = slow_set_mpfr(slow, &inexact, z);
    if (pattern == expected && !inexact)
        return;
    print_error("fpa:%d,%d: %s gives %#" PRIx64 "%s, not %#" PRIx64 "\n", slow.exponent_bits, slow.fraction_bits, what,
                pattern, inexact ? " and no value of the format" : "", expected);
    fail();
}

/* mantissa * 2^two * 5^five, |two| and |five| of a few thousand at most: one division of integers. */
static uint64_t pack_exact(slow_format slow, const mpz_t mantissa, long two, long five)
{
    mpz_t numerator, power, rest;
    mpz_init(numerator);
    mpz_init(power);
    mpz_init(rest);
    mpz_abs(numerator, mantissa);
    mpz_ui_pow_ui(power, 5, (unsigned long)labs(five));
    long shift = five < 0 ? (long)mpz_sizeinbase(power, 2) + slow.fraction_bits + 8 : 0;
    mpz_mul_2exp(numerator, numerator, (unsigned long)shift);
    if (five < 0)
        mpz_fdiv_qr(numerator, rest, numerator, power);
    else
        mpz_mul(numerator, numerator, power);
    uint64_t pattern = slow_pack(slow, NULL, mpz_sgn(mantissa) < 0, numerator, two - shift, mpz_sgn(rest) != 0);
    mpz_clear(numerator);
    mpz_clear(power);
    mpz_clear(rest);
    return pattern;
}

static void check_exact(const ll_format *format, slow_format slow, const mpz_t mantissa, long two, long five)
{
    ll_exact exact;
    mpfr_t x;
    ll_exact_init(&exact);
    ll_format_init(format, x);
    fmpz_set_mpz(exact.mantissa, mantissa);
    fmpz_set_si(exact.two, two);
    fmpz_set_si(exact.five, five);
    ll_format_set_exact(format, x, &exact);
    check(slow, "set_exact", x, pack_exact(slow, mantissa, two, five));
    mpfr_clear(x);
    ll_exact_clear(&exact);
}

/* Multiply mantissa * 2^two * 5^five by 1 + side * 10^-digits, side -1, 0 or 1: by 10^digits + side, over 10^digits. */
static void nudge(mpz_t mantissa, long *two, long *five, long side, long digits)
{
    mpz_t factor;
    mpz_init(factor);
    mpz_ui_pow_ui(factor, 10, (unsigned long)digits);
    if (side < 0)
        mpz_sub_ui(factor, factor, 1);
    else if (side > 0)
        mpz_add_ui(factor, factor, 1);
    mpz_mul(mantissa, mantissa, factor);
    *two -= digits;
    *five -= digits;
    mpz_clear(factor);
}

/* The same number with as many fives as there are out of the mantissa. */
static void move_fives(mpz_t mantissa, long *five)
{
    for (; mpz_sgn(mantissa) && mpz_divisible_ui_p(mantissa, 5); ++*five)
        mpz_divexact_ui(mantissa, mantissa, 5);
}

/* On the middle above a value of the format, or a hair beside it. The value may be 0 or the largest. */
static void test_exact_middles(void **unused)
{
    (void)unused;
    for (long i = 0; i < 5000 * multiplier; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        uint64_t pattern = slow_draw(slow, &seed), value;
        long two, five = 0;
        mpz_t mantissa;
        if (slow.exponent_bits > 12 || slow_is_nan(slow, pattern) || slow_is_infinite(slow, pattern))
            continue;
        slow_decode(slow, &value, &two, pattern);
        mpz_init_set_ui(mantissa, value);
        mpz_mul_2exp(mantissa, mantissa, 1);
        mpz_add_ui(mantissa, mantissa, 1);
        if (slow_is_negative(slow, pattern))
            mpz_neg(mantissa, mantissa);
        two--;
        nudge(mantissa, &two, &five, below(3) - 1, below(4) ? below(40) : below(400));
        if (below(2))
            move_fives(mantissa, &five);
        check_exact(&format, slow, mantissa, two, five);
        mpz_clear(mantissa);
    }
}

static void test_exact_random(void **unused)
{
    (void)unused;
    for (long i = 0; i < 5000 * multiplier; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        if (slow.exponent_bits > 12)
            continue;
        long reach = (1L << slow.exponent_bits) + 100, five = below(2) ? 0 : below(600) - 300;
        long two = below(2) ? below(200) - 100 : below((uint64_t)(2 * reach)) - reach;
        mpz_t mantissa;
        mpz_init_set_si(mantissa, (long)slow_random(&seed) >> below(64));
        check_exact(&format, slow, mantissa, two, five);
        mpz_clear(mantissa);
    }
}

/* A long fraction, against MPFR's own reading of decimals. */
static void test_exact_long_fraction(void **unused)
{
    static const char *const texts[] = {"0.1", "-3.3e-5", "12345678901234567890.123", "1e300", "-1e-300"};
    ll_format format = {20, 3000};
    mpfr_t x, expected;
    ll_exact exact;
    (void)unused;
    ll_format_init(&format, x);
    ll_format_init(&format, expected);
    ll_exact_init(&exact);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(ll_exact_set_text(&exact, texts[i], strlen(texts[i])), LL_OK);
        mpfr_set_str(expected, texts[i], 10, MPFR_RNDN);
        ll_format_set_exact(&format, x, &exact);
        assert_true(mpfr_equal_p(x, expected));
    }
    ll_exact_clear(&exact);
    mpfr_clear(expected);
    mpfr_clear(x);
}

/* ------------------------------------------------------------------ far away */

static void set_power(ll_exact *x, slong mantissa, const char *exponent)
{
    ll_exact_set_si(x, mantissa);
    fmpz_set_str(x->two, exponent, 10);
}

static void test_exact_far(void **unused)
{
    static const char *const far = "1000000000000000000000000000000000000000000";
    static const char *const near = "-1000000000000000000000000000000000000000000";
    static const ll_format narrow[] = {{2, 1}, {11, 52}, {62, 30}, {4, 100000}};
    (void)unused;
    ll_exact exact;
    mpfr_t x;
    ll_exact_init(&exact);
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        ll_format_init(&narrow[i], x);
        for (int sign = -1; sign <= 1; sign += 2) {
            set_power(&exact, sign * 3, far);
            ll_format_set_exact(&narrow[i], x, &exact);
            assert_true(mpfr_inf_p(x) && mpfr_sgn(x) == sign);
            set_power(&exact, sign * 3, near);
            ll_format_set_exact(&narrow[i], x, &exact);
            assert_true(mpfr_zero_p(x) && !mpfr_signbit(x) == (sign > 0));
            /* 5^-n * 2^n, n = 10^42: tiny; and 5^n * 2^-n huge */
            set_power(&exact, sign, far);
            fmpz_neg(exact.five, exact.two);
            ll_format_set_exact(&narrow[i], x, &exact);
            assert_true(mpfr_zero_p(x) && !mpfr_signbit(x) == (sign > 0));
        }
        ll_exact_set_si(&exact, 0);
        ll_format_set_exact(&narrow[i], x, &exact);
        assert_true(mpfr_zero_p(x) && !mpfr_signbit(x));
        mpfr_clear(x);
    }
    ll_exact_clear(&exact);
}

static void test_exact_wide(void **unused)
{
    static const ll_format wides[] = {{63, 20}, {100, 1}, {LL_FORMAT_MAX_BITS, 64}};
    (void)unused;
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++) {
        ll_exact exact;
        mpfr_t x;
        ll_exact_init(&exact);
        ll_format_init(&wides[i], x);
        set_power(&exact, -1, "4611686018427387902");
        ll_format_set_exact(&wides[i], x, &exact);
        assert_true(mpfr_number_p(x) && mpfr_get_exp(x) == 4611686018427387903 && mpfr_sgn(x) < 0);
        set_power(&exact, -1, "4611686018427387903");
        ll_format_set_exact(&wides[i], x, &exact);
        assert_true(mpfr_nan_p(x));
        set_power(&exact, 3, "-4611686018427387904"); /* 3/4 of the least that is in */
        ll_format_set_exact(&wides[i], x, &exact);
        assert_true(mpfr_nan_p(x));
        set_power(&exact, 1, "1000000000000000000000000000");
        ll_format_set_exact(&wides[i], x, &exact);
        assert_true(mpfr_nan_p(x));
        ll_exact_clear(&exact);
        mpfr_clear(x);
    }
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED");
    if (text)
        seed = strtoull(text, NULL, 0);
    text = getenv("LL_TEST_MULTIPLIER");
    if (text && strtol(text, NULL, 10) > 0)
        multiplier = strtol(text, NULL, 10);
    print_message("LL_TEST_SEED=%" PRIu64 " LL_TEST_MULTIPLIER=%ld\n", seed, multiplier);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_middles),       cmocka_unit_test(test_exact_random),
        cmocka_unit_test(test_exact_long_fraction), cmocka_unit_test(test_exact_far),
        cmocka_unit_test(test_exact_wide),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failures;
}

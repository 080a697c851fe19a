/* FPA: names, random formats from 2 to 62 exponent bits against MPFR cut and rounded by integers, formats wider than
 * MPFR, and the caller's MPFR state. Exact numbers: t-format-exact.c. The presets: exhaustive/x-format.c. */
#include "number/format.h"
#include "slow_float.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328;
static long multiplier = 1;

/* ------------------------------------------------------------------ names */

static void test_parse(void **unused)
{
    static const struct {
        const char *name;
        ll_format format;
    } good[] = {{"fp64", {11, 52}},      {"fp32", {8, 23}},
                {"tf32", {8, 10}},       {"bf16", {8, 7}},
                {"fp16", {5, 10}},       {"fp8-e4m3", {4, 3}},
                {"fp8-e5m2", {5, 2}},    {"fpa:5", {2, 2}},
                {"fpa:16", {7, 8}},      {"fpa:17", {8, 8}},
                {"fpa:128", {63, 64}},   {"fpa:2147483648", {1073741823, 1073741824}},
                {"fpa:2,1", {2, 1}},     {"fpa:062,3", {62, 3}},
                {"fpa:100,7", {100, 7}}, {"fpa:1073741824,1073741824", {1073741824, 1073741824}}};
    (void)unused;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ll_format format = {0, 0};
        assert_int_equal(ll_format_parse(&format, good[i].name, NULL), LL_OK);
        assert_int_equal(format.exponent_bits, good[i].format.exponent_bits);
        assert_int_equal(format.fraction_bits, good[i].format.fraction_bits);
    }
}

static void test_parse_refuses(void **unused)
{
    static const struct {
        const char *name, *reason;
    } bad[] = {{"", "unknown number format ''"},
               {"fp63", "unknown number format 'fp63'"},
               {"FP64", "unknown"},
               {" fp64", "unknown"},
               {"fp64 ", "unknown"},
               {"fpa", "unknown"},
               {"fpa:", "whole numbers"},
               {"fpa: 5", "whole numbers"},
               {"fpa:-5", "whole numbers"},
               {"fpa:5,", "whole numbers"},
               {"fpa:,5", "whole numbers"},
               {"fpa:5,2,", "whole numbers"},
               {"fpa:5.5", "whole numbers"},
               {"fpa:4", "PHI must be 5 to 2^31"},
               {"fpa:2147483649", "PHI must be 5 to 2^31"},
               {"fpa:99999999999999999999999999999999", "PHI must be 5 to 2^31"},
               {"fpa:1,5", "exponent bits must be 2 to 2^30"},
               {"fpa:1073741825,5", "exponent bits must be 2 to 2^30"},
               {"fpa:18446744073709551618,5", "exponent bits must be 2 to 2^30"},
               {"fpa:5,0", "fraction bits must be 1 to 2^30"},
               {"fpa:5,1073741825", "fraction bits must be 1 to 2^30"}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ll_format format = {-1, -2};
        ll_error error;
        assert_int_equal(ll_format_parse(&format, bad[i].name, &error), LL_DOMAIN);
        assert_int_equal(ll_format_parse(&format, bad[i].name, NULL), LL_DOMAIN);
        assert_non_null(strstr(error.text, bad[i].reason));
        assert_non_null(strstr(error.text, "fp8-e4m3"));
        assert_int_equal(format.exponent_bits, -1);
        assert_int_equal(format.fraction_bits, -2);
    }
}

/* ------------------------------------------------------------------ random formats */

typedef void binary(const ll_format *, mpfr_t, const mpfr_t, const mpfr_t);
typedef void unary(const ll_format *, mpfr_t, const mpfr_t);

static const char operations[] = "+-*/^";
static binary *const binaries[] = {ll_format_add, ll_format_sub, ll_format_mul, ll_format_div, ll_format_pow};
static unary *const unaries[] = {ll_format_log, ll_format_exp, ll_format_sqrt, ll_format_log1p, ll_format_expm1};

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

static void check_operations(const ll_format *format, slow_format slow, uint64_t first, uint64_t second)
{
    mpfr_t x, y, z;
    ll_format_init(format, x);
    ll_format_init(format, y);
    ll_format_init(format, z);
    for (int i = 0; operations[i]; i++) {
        const char text[] = {operations[i], 0};
        slow_get_mpfr(slow, x, first);
        slow_get_mpfr(slow, y, second);
        uint64_t expected = slow_wide_binary(slow, operations[i], x, y),
                 same = slow_wide_binary(slow, operations[i], x, x);
        binaries[i](format, z, x, y);
        check(slow, text, z, expected);
        binaries[i](format, z, x, x);
        check(slow, text, z, same);
        binaries[i](format, y, x, y);
        check(slow, text, y, expected);
        slow_get_mpfr(slow, y, second);
        binaries[i](format, x, x, y);
        check(slow, text, x, expected);
    }
    mpfr_clear(x);
    mpfr_clear(y);
    mpfr_clear(z);
}

static void check_functions(const ll_format *format, slow_format slow, uint64_t pattern)
{
    static const char *const names[] = {"log", "exp", "sqrt", "log1p", "expm1"};
    mpfr_t x, z;
    ll_format_init(format, x);
    ll_format_init(format, z);
    for (int f = 0; f < SLOW_FUNCTIONS; f++) {
        slow_get_mpfr(slow, x, pattern);
        uint64_t expected = slow_wide_unary(slow, (slow_function)f, x);
        unaries[f](format, z, x);
        check(slow, names[f], z, expected);
        unaries[f](format, x, x);
        check(slow, names[f], x, expected);
    }
    mpfr_clear(x);
    mpfr_clear(z);
}

static void test_random_formats(void **unused)
{
    long rounds = 3000 * multiplier;
    (void)unused;
    for (long i = 0; i < rounds; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        uint64_t x = slow_draw(slow, &seed);
        check_operations(&format, slow, x, slow_draw_near(slow, &seed, x));
        check_functions(&format, slow, x);
    }
    print_message("%ld pairs in random formats\n", rounds);
}

static void test_neg(void **unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        uint64_t pattern = slow_draw(slow, &seed);
        mpfr_t x, y;
        ll_format_init(&format, x);
        ll_format_init(&format, y);
        slow_get_mpfr(slow, x, pattern);
        ll_format_neg(&format, y, x);
        check(slow, "neg", y, slow_is_nan(slow, pattern) ? slow_nan(slow) : pattern ^ slow_zero(slow, 1));
        mpfr_clear(x);
        mpfr_clear(y);
    }
}

static void test_ends(void **unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        mpfr_t x;
        ll_format_init(&format, x);
        assert_true(mpfr_zero_p(x) && !mpfr_signbit(x));
        ll_format_max_finite(&format, x);
        check(slow, "max_finite", x, slow_infinity(slow, 0) - 1);
        ll_format_min_subnormal(&format, x);
        check(slow, "min_subnormal", x, 1);
        mpfr_clear(x);
    }
}

/* ------------------------------------------------------------------ conversions */

static void test_set_double(void **unused)
{
    static const slow_format fp64 = {11, 52};
    (void)unused;
    for (long i = 0; i < 10000 * multiplier; i++) {
        ll_format format;
        slow_format slow = draw_format(&format);
        uint64_t pattern = slow_draw(fp64, &seed);
        double value;
        memcpy(&value, &pattern, sizeof value);
        mpfr_t x, wide;
        ll_format_init(&format, x);
        mpfr_init2(wide, 53);
        mpfr_set_d(wide, value, MPFR_RNDN);
        int inexact;
        uint64_t expected = slow_set_mpfr(slow, &inexact, wide);
        ll_format_set_d(&format, x, value);
        check(slow, "set_d", x, expected);
        ll_format_set(&format, x, wide);
        check(slow, "set", x, expected);
        mpfr_clear(x);
        mpfr_clear(wide);
    }
}

/* ------------------------------------------------------------------ 63 exponent bits and more */

static const ll_format wides[] = {{63, 20}, {100, 1}, {LL_FORMAT_MAX_BITS, 64}};
static const long most = (1L << 62) - 1; /* MPFR's largest exponent */

/* x = 2^exponent */
static void set_power(const ll_format *format, mpfr_t x, mpfr_exp_t exponent)
{
    arf_t power;
    arf_init(power);
    arf_set_si_2exp_si(power, 1, exponent);
    ll_format_set_arf(format, x, power);
    arf_clear(power);
}

/* NaN for what MPFR cannot hold: from 2^(2^62-1) on, and below 2^(2-2^62), where the subnormals of E = 63 begin. */
static void test_wide_range(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++) {
        mpfr_t x, y;
        ll_format_init(&wides[i], x);
        ll_format_init(&wides[i], y);
        set_power(&wides[i], x, 1L << 61);
        set_power(&wides[i], y, (1L << 61) - 2);
        ll_format_mul(&wides[i], y, x, y);
        assert_true(mpfr_number_p(y) && mpfr_get_exp(y) == most);
        ll_format_add(&wides[i], y, y, y);
        assert_true(mpfr_nan_p(y));
        ll_format_mul(&wides[i], y, x, x);
        assert_true(mpfr_nan_p(y));
        ll_format_exp(&wides[i], y, x);
        assert_true(mpfr_nan_p(y));
        set_power(&wides[i], x, 1 - most);
        assert_true(mpfr_number_p(x) && mpfr_get_exp(x) == 2 - most);
        set_power(&wides[i], y, -1);
        ll_format_mul(&wides[i], y, x, y);
        assert_true(mpfr_nan_p(y));
        set_power(&wides[i], y, -most);
        assert_true(mpfr_nan_p(y));
        ll_format_max_finite(&wides[i], x);
        assert_true(mpfr_nan_p(x));
        ll_format_min_subnormal(&wides[i], x);
        assert_true(mpfr_nan_p(x));
        mpfr_clear(x);
        mpfr_clear(y);
    }
}

/* Poles, infinities and zeros are what they are. */
static void test_wide_values(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++) {
        mpfr_t x, y;
        ll_format_init(&wides[i], x);
        ll_format_init(&wides[i], y);
        ll_format_set_d(&wides[i], x, 3);
        ll_format_div(&wides[i], y, x, y);
        assert_true(mpfr_inf_p(y) && mpfr_sgn(y) > 0);
        ll_format_mul(&wides[i], y, y, x);
        assert_true(mpfr_inf_p(y));
        ll_format_neg(&wides[i], y, y);
        ll_format_exp(&wides[i], y, y);
        assert_true(mpfr_zero_p(y));
        ll_format_log(&wides[i], y, y);
        assert_true(mpfr_inf_p(y) && mpfr_sgn(y) < 0);
        ll_format_add(&wides[i], x, x, x);
        assert_int_equal(mpfr_cmp_ui(x, 6), 0);
        mpfr_clear(x);
        mpfr_clear(y);
    }
}

/* ------------------------------------------------------------------ the caller's MPFR */

static void run_everything(const ll_format *format, double first, double second)
{
    ll_exact exact;
    mpfr_t x, y, z;
    ll_exact_init(&exact);
    ll_format_init(format, x);
    ll_format_init(format, y);
    ll_format_init(format, z);
    ll_format_set_d(format, x, first);
    ll_format_set_d(format, y, second);
    for (int i = 0; operations[i]; i++)
        binaries[i](format, z, x, y);
    for (int f = 0; f < SLOW_FUNCTIONS; f++)
        unaries[f](format, z, x);
    ll_format_neg(format, z, x);
    ll_format_set(format, z, y);
    ll_format_max_finite(format, z);
    ll_format_min_subnormal(format, z);
    ll_exact_set_si(&exact, 10);
    fmpz_set_si(exact.five, -700);
    ll_format_set_exact(format, z, &exact);
    fmpz_ui_pow_ui(exact.two, 10, 30);
    ll_format_set_exact(format, z, &exact);
    mpfr_clear(x);
    mpfr_clear(y);
    mpfr_clear(z);
    ll_exact_clear(&exact);
}

static void test_state(void **unused)
{
    static const ll_format formats[] = {{11, 52}, {4, 3}, {62, 40}, {80, 8}};
    static const double values[] = {0, 1, -1, 3, 1e300, 1e-300, -1e-320, INFINITY, NAN};
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    (void)unused;
    mpfr_set_emin(-7);
    mpfr_set_emax(9);
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < 81; i++)
            for (int set = 0; set < 2; set++) {
                mpfr_flags_t flags = set ? MPFR_FLAGS_ALL : 0;
                mpfr_flags_restore(flags, MPFR_FLAGS_ALL);
                run_everything(&formats[f], values[i / 9], values[i % 9]);
                assert_int_equal(mpfr_flags_save(), flags);
                assert_int_equal(mpfr_get_emin(), -7);
                assert_int_equal(mpfr_get_emax(), 9);
            }
    mpfr_flags_clear(MPFR_FLAGS_ALL);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
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
        cmocka_unit_test(test_parse),      cmocka_unit_test(test_parse_refuses), cmocka_unit_test(test_random_formats),
        cmocka_unit_test(test_neg),        cmocka_unit_test(test_ends),          cmocka_unit_test(test_set_double),
        cmocka_unit_test(test_wide_range), cmocka_unit_test(test_wide_values),   cmocka_unit_test(test_state),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failures;
}

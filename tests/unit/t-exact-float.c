/* Nearest doubles and floats of exact numbers, at ties and elsewhere, against MPFR and the processor. glibc's strtod is
 * no reference: before its version 2.41 it misread some subnormals (its bug 30220). */
#include "number/exact.h"
#include "number/random.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1, drawn;
static long multiplier = 1;

static uint64_t draw(uint64_t n)
{
    return ll_random_below(seed, 0, drawn++, n);
}

static slong draw_between(slong low, slong high)
{
    return low + (slong)draw((uint64_t)(high - low) + 1);
}

/* MPFR writes 1/2 <= m < 1: its exponents are one more than those of C's largest and smallest values. */
static double read_by_mpfr(const char *text, int digits, int least, int most)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t x;
    mpfr_init2(x, digits);
    mpfr_set_emin(least - digits + 1);
    mpfr_set_emax(most);
    int rounded = mpfr_strtofr(x, text, NULL, 0, MPFR_RNDN);
    mpfr_subnormalize(x, rounded, MPFR_RNDN);
    double value = mpfr_get_d(x, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(x);
    return value;
}

static void check_same(const char *text, const char *kind, double got, double expected)
{
    if (got != expected || signbit(got) != signbit(expected))
        fail_msg("%.200s: %s %a, not %a", text, kind, got, expected);
}

static void check_floats(const char *text)
{
    ll_exact x;
    ll_exact_init(&x);
    assert_int_equal(ll_exact_set_text(&x, text, strlen(text)), LL_OK);
    double d = read_by_mpfr(text, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP);
    check_same(text, "double", ll_exact_get_d(&x), d);
    check_same(text, "float", (double)ll_exact_get_f(&x), read_by_mpfr(text, FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP));
    if (isnormal(d))
        check_same(text, "strtod", d, strtod(text, NULL));
    ll_exact_clear(&x);
}

/* The exact decimal text of x, or a little more or less than x. */
static void write_near(char *text, size_t size, long double x)
{
    (void)snprintf(text, size, "%.1200Le", x); /* more digits than any of them has */
    char exponent[16], *end = strchr(text, 'e'), *last = end - 1;
    (void)snprintf(exponent, sizeof exponent, "%s", end);
    switch (draw(3)) {
    case 0:
        *end++ = '1';
        break;
    case 1:
        for (; *last == '0' || *last == '.'; last--)
            *last = *last == '.' ? '.' : '9';
        (*last)--;
    }
    memcpy(end, exponent, strlen(exponent) + 1);
}

/* A double, a float, or the middle or a quarter between two, near an edge of the format. */
static long double draw_tie(void)
{
    static const int edges64[] = {-1076, -1075, -1074, -1073, -1060, -1023, -1022, -1021,
                                  -1,    0,     52,    53,    1022,  1023,  1024};
    static const int edges32[] = {-151, -150, -149, -148, -127, -126, -125, 0, 23, 24, 126, 127, 128};
    int narrow = (int)draw(2), bits = narrow ? FLT_MANT_DIG : DBL_MANT_DIG;
    int edge = narrow ? edges32[draw(13)] : edges64[draw(15)];
    uint64_t integer = draw(2) ? draw(1UL << (bits + 1)) : (1UL << draw((uint64_t)bits + 2)) - draw(3);
    if ((int64_t)integer <= 0)
        integer = 1;
    long double x = ldexpl((long double)integer, edge - bits + (int)draw(3));
    return draw(2) ? x : -x;
}

static void test_ties(void **state)
{
    (void)state;
    char text[1400];
    ll_exact x;
    ll_exact_init(&x);
    for (long i = 0; i < 4000 * multiplier; i++) {
        long double tie = draw_tie();
        write_near(text, sizeof text, tie);
        check_floats(text);
        (void)snprintf(text, sizeof text, "%La", tie);
        check_floats(text);
        assert_int_equal(ll_exact_set_text(&x, text, strlen(text)), LL_OK);
        check_same(text, "double", ll_exact_get_d(&x), (double)tie);
        check_same(text, "float", (double)ll_exact_get_f(&x), (double)(float)tie);
    }
    ll_exact_clear(&x);
}

static void test_decimals(void **state)
{
    (void)state;
    char text[256];
    for (long i = 0; i < 10000 * multiplier; i++) {
        int length = (int)draw(draw(8) ? 20 : 200) + 1, at = 1;
        text[0] = (char)('1' + draw(9));
        for (; at < length; at++)
            text[at] = (char)('0' + draw(10));
        (void)snprintf(text + at, sizeof text - (size_t)at, "%se%ld", draw(2) ? ".5" : "",
                       draw(2) ? draw_between(-400, 320) : draw_between(-30, 30));
        check_floats(text);
    }
}

/* Words times powers that no short text gives: m 5^five rounded to a double first, then scaled to a subnormal, would be
 * rounded twice. */
static void test_scaled_words(void **state)
{
    (void)state;
    ll_exact x;
    ll_exact_init(&x);
    for (long i = 0; i < 5000 * multiplier; i++) {
        fmpz_set_ui(x.mantissa, (1UL << 52) + draw(1UL << 52));
        fmpz_set_si(x.five, draw_between(-25, 25));
        fmpz_set_si(x.two, draw(2) ? draw_between(-1080, -1060) - 2 * fmpz_get_si(x.five) : draw_between(-1100, 1100));
        char *text = ll_exact_get_text(&x);
        check_floats(text);
        double read = read_by_mpfr(text, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP);
        check_same(text, "double", ll_exact_get_d(&x), read);
        free(text);
    }
    ll_exact_clear(&x);
}

/* Every bit pattern class comes back, and is written as printf writes it. */
static void test_doubles_come_back(void **state)
{
    (void)state;
    ll_exact x;
    char expected[64];
    ll_exact_init(&x);
    for (long i = 0; i < 5000 * multiplier; i++) {
        uint64_t bits = ll_random_bits(seed, 1, (uint64_t)i);
        double d;
        if (draw(4) == 0)
            bits &= 0x800fffffffffffff;
        memcpy(&d, &bits, sizeof d);
        if (!isfinite(d))
            continue;
        ll_exact_set_d(&x, d);
        assert_true(ll_exact_get_d(&x) == d && ll_exact_is_dyadic(&x));
        char *text = ll_exact_get_text(&x);
        (void)snprintf(expected, sizeof expected, "%a", d);
        if (isnormal(d))
            assert_string_equal(text, expected);
        assert_true(strtod(text, NULL) == d);
        free(text);
    }
    ll_exact_set_d(&x, -0.0);
    assert_int_equal(ll_exact_sgn(&x), 0);
    ll_exact_clear(&x);
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_scaled_words),
        cmocka_unit_test(test_doubles_come_back),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

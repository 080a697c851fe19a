/* What happens at 0: u*log(u), powers and roots in every arithmetic, and balls [0, r] and around 0. */
#include "number/expression.h"
#include "number/random.h"

#include <math.h>
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

static ll_expression *parse(const char *text)
{
    ll_expression *e = NULL;
    ll_error error;
    if (ll_expression_create(&e, text, &error) != LL_OK)
        fail_msg("'%.200s': %s", text, error.text);
    return e;
}

/* The results at doubles x and alpha in a named arithmetic, as balls. */
static void at_point(arb_t y[3], const char *arithmetic, const char *text, double x, double alpha)
{
    ll_arithmetic a;
    ll_value v[5];
    ll_exact exact;
    ll_expression *e = parse(text);
    assert_int_equal(ll_arithmetic_parse(&a, arithmetic, NULL), LL_OK);
    for (int k = 0; k < 5; k++)
        a.ops->init(&a, &v[k]);
    ll_exact_init(&exact);
    ll_exact_set_d(&exact, x);
    a.ops->set_exact(&a, &v[3], &exact);
    ll_exact_set_d(&exact, alpha);
    a.ops->set_exact(&a, &v[4], &exact);
    ll_exact_clear(&exact);
    ll_expression_evaluate(e, &a, &v[0], &v[1], &v[2], &v[3], &v[4]);
    for (int k = 0; k < 3; k++)
        a.ops->get_ball(&a, y[k], &v[k]);
    for (int k = 0; k < 5; k++)
        a.ops->clear(&a, &v[k]);
    ll_expression_destroy(e);
}

/* The results over a ball [low, high] of doubles, of that radius exactly where 28 bits hold it. */
static void over(arb_t y[3], const char *text, double low, double high, double alpha)
{
    ll_arithmetic a;
    ll_value v[5];
    int power;
    ll_expression *e = parse(text);
    ll_arithmetic_set_ball(&a, 128);
    for (int k = 0; k < 5; k++)
        a.ops->init(&a, &v[k]);
    arf_set_d(arb_midref(v[3].ball), (low + high) / 2);
    double radius = frexp((high - low) / 2, &power);
    mag_set_ui_2exp_si(arb_radref(v[3].ball), (ulong)ceil(ldexp(radius, 28)), power - 28);
    arb_set_d(v[4].ball, alpha);
    ll_expression_evaluate(e, &a, &v[0], &v[1], &v[2], &v[3], &v[4]);
    for (int k = 0; k < 3; k++)
        arb_set(y[k], v[k].ball);
    for (int k = 0; k < 5; k++)
        a.ops->clear(&a, &v[k]);
    ll_expression_destroy(e);
}

static void init(arb_t y[3])
{
    for (int k = 0; k < 3; k++)
        arb_init(y[k]);
}

static void clear(arb_t y[3])
{
    for (int k = 0; k < 3; k++)
        arb_clear(y[k]);
}

static const char *const arithmetics[] = {"exact", "fp64", "fp32", "fp16", "bf16", "fp8-e4m3", "fpa:200"};
enum { ARITHMETICS = sizeof arithmetics / sizeof *arithmetics };

/* Any of these is what a case does not say. */
#define ANY NAN

static void test_at_zero(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x, alpha, y[3]; /* exact results; ANY: not looked at; infinite: not finite */
    } cases[] = {
        {"x*log(x)", 0, 0, {0, INFINITY, INFINITY}},
        {"log(x)*x", 0, 0, {0, INFINITY, INFINITY}},
        {"x*log(x)+(1-x)*log(1-x)", 0, 0, {0, INFINITY, INFINITY}},
        {"x*log(x)+(1-x)*log(1-x)", 1, 0, {0, INFINITY, INFINITY}},
        {"-x*log(x)", 0, 0, {0, ANY, ANY}},
        {"x*-log(x)", 0, 0, {0, ANY, ANY}},
        {"1-x*log(x)", 0, 0, {1, ANY, ANY}},
        {"( x )*log((x))", 0, 0, {0, ANY, ANY}},
        {"(x+1/2)*log(x+0.5)", -0.5, 0, {INFINITY, ANY, ANY}}, /* not the same text */
        {"(x+0.5)*log(x+0.50)", -0.5, 0, {0, ANY, ANY}},
        {"(x+0.5)*log(x+0.25)", -0.25, 0, {INFINITY, ANY, ANY}},
        {"(x+x^2)*log(x+x^2)", 0, 0, {0, ANY, ANY}},
        {"(x+x^2)*log(x+x^3)", 0, 0, {INFINITY, ANY, ANY}},
        {"log(x+x^2)*(x+x^2)", -1, 0, {0, ANY, ANY}},
        {"2*x*log(x)", 0, 0, {0, ANY, ANY}},
        {"log(x)*(x/2)", 0, 0, {0, ANY, ANY}},
        {"x/alpha*log(x)", 0, 2, {0, ANY, ANY}},
        {"x^2*log(x)", 0, 0, {0, ANY, ANY}},
        {"x^-2*log(x)", 0, 0, {INFINITY, ANY, ANY}},
        {"x^alpha*log(x)", 0, 2.5, {0, ANY, ANY}},
        {"x^alpha*log(x)", 0, -1, {INFINITY, ANY, ANY}},
        {"x^alpha*log(x)", 0, 0, {INFINITY, ANY, ANY}},
        {"sqrt(x)*log(x)", 0, 0, {0, ANY, ANY}},
        {"x*log(2*x)", 0, 0, {INFINITY, ANY, ANY}},
        {"x*log(x)", -1, 0, {INFINITY, ANY, ANY}},
        {"(1+x)*log(x)", 0, 0, {INFINITY, ANY, ANY}},
        {"alpha*log(alpha)", 1, 0, {0, 0, 0}},
        {"x^alpha", 0, 2, {0, 0, 2}},
        {"x^alpha", 0, 2.5, {0, 0, 0}},
        {"x^alpha", 0, 3, {0, 0, 0}},
        {"x^alpha", 0, 1, {0, 1, 0}},
        {"x^alpha", 0, 0, {1, 0, 0}},
        {"x^alpha", -2, 2, {4, -4, 2}},
        {"x^alpha", -2, 3, {-8, 12, -12}},
        {"x^alpha", -2, 1, {-2, 1, 0}},
        {"x^alpha", -2, 2.5, {INFINITY, INFINITY, INFINITY}},
        {"(1-x)^alpha", 1, 2, {0, 0, 2}},
        {"(1-x)^alpha", 1, 2.5, {0, 0, 0}},
        {"x^alpha", 0, 1.5, {0, 0, INFINITY}},
        {"x^alpha", 0, -1, {INFINITY, ANY, ANY}},
        {"x^2", 0, 0, {0, 0, 2}},
        {"x^3", 0, 0, {0, 0, 0}},
        {"x^4", -1, 0, {1, -4, 12}},
        {"x^1", 0, 0, {0, 1, 0}},
        {"x^0", 0, 0, {1, 0, 0}},
        {"x^-1", -1, 0, {-1, -1, -2}},
        {"x^-1", 0, 0, {INFINITY, INFINITY, INFINITY}},
        {"sqrt(x)", 0, 0, {0, INFINITY, INFINITY}},
        {"sqrt(x)", -1, 0, {INFINITY, INFINITY, INFINITY}},
        {"log(x)", 0, 0, {INFINITY, INFINITY, INFINITY}},
        {"3-x/2", 0, 0, {3, -0.5, 0}},
        {"2*alpha", 0, 4, {8, 0, 0}},
    };
    arb_t y[3];
    init(y);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int j = 0; j < ARITHMETICS; j++) {
            at_point(y, arithmetics[j], cases[i].text, cases[i].x, cases[i].alpha);
            for (int k = 0; k < 3; k++) {
                double wanted = cases[i].y[k];
                int good =
                    isnan(wanted) || (isinf(wanted) ? !arb_is_finite(y[k])
                                                    : arb_is_exact(y[k]) && arf_equal_d(arb_midref(y[k]), wanted));
                if (!good)
                    fail_msg("%s: derivative %d of %s at %g, alpha %g is not %g", arithmetics[j], k, cases[i].text,
                             cases[i].x, cases[i].alpha, wanted);
            }
        }
    at_point(y, "fp64", "x*log(x)", 0, 0);
    assert_true(arf_is_neg_inf(arb_midref(y[1])) && arf_is_pos_inf(arb_midref(y[2])));
    clear(y);
}

static void check_contains(const arb_t ball, const arb_t point, const char *text, double low, double high, double x)
{
    if (!arb_overlaps(ball, point))
        fail_msg("%s over [%g, %g] leaves %g out", text, low, high, x);
}

/* Results over a ball contain those at its points; those of order <= finite are bounded. */
static void check_over(const char *text, double low, double high, double alpha, int finite)
{
    arb_t ball[3], point[3];
    init(ball);
    init(point);
    over(ball, text, low, high, alpha);
    for (int k = 0; k <= finite; k++)
        if (!arb_is_finite(ball[k]))
            fail_msg("derivative %d of %s, alpha %g, over [%g, %g] is not bounded", k, text, alpha, low, high);
    for (int i = 0; i <= 20; i++) {
        double x = low + (high - low) * i / 20;
        at_point(point, "exact", text, x, alpha);
        for (int k = 0; k < 3; k++)
            check_contains(ball[k], point[k], text, low, high, x);
    }
    clear(ball);
    clear(point);
}

static void test_balls_at_zero(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double alpha;
        int finite; /* highest order that must be bounded on [0, r] */
    } cases[] = {{"x*log(x)", 0, 0},
                 {"log(x)*x", 0, 0},
                 {"-x*log(x)", 0, 0},
                 {"x^alpha", 2, 2},
                 {"x^alpha", 2.5, 2},
                 {"x^alpha", 3.25, 2},
                 {"x^alpha", 1.5, 1},
                 {"x^alpha", 0.5, 0},
                 {"x^alpha", 0.3, 0},
                 {"x^alpha", 1, 2},
                 {"sqrt(x)", 0, 0},
                 {"x^2", 0, 2},
                 {"x^7", 0, 2},
                 {"(x^3)^alpha", 2.5, 2},
                 {"x^0.5", 0, 0},
                 {"x^64", 0, 2},
                 {"sqrt(x)*log(sqrt(x))", 0, 0},
                 {"x^2*log(x^2)", 0, 0},
                 {"(x^0.7)^0.7", 0, 0},
                 {"x^alpha*log(x^alpha)", 2.5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int e = -60; e <= 4; e++)
            check_over(cases[i].text, 0, ldexp(1 + (double)(e & 1) / 2, e), cases[i].alpha, cases[i].finite);
    for (int e = -50; e <= -2; e++)
        check_over("x*log(x)+(1-x)*log(1-x)", 1 - ldexp(1, e), 1, 0, 0);
}

/* Tight: over [0, r] x*log(x) is [r log r, 0], x^2.5 is [0, r^2.5], nothing reaches above or below 0 by much. */
static void test_tight(void **state)
{
    (void)state;
    arb_t y[3], end[3];
    init(y);
    init(end);
    static const char *const texts[] = {"x*log(x)", "x^2.5", "sqrt(x)", "x^6"};
    for (int i = 0; i < 4; i++)
        for (int e = -40; e <= -2; e++) {
            over(y, texts[i], 0, ldexp(1, e), 0);
            at_point(end, "exact", texts[i], ldexp(1, e), 0);
            assert_true(i == 0 ? arb_is_nonpositive(y[0]) : arb_is_nonnegative(y[0]));
            arb_mul_2exp_si(end[0], end[0], -1);
            arb_sub(end[0], end[0], y[0], 128);
            arf_abs(arb_midref(end[0]), arb_midref(end[0]));
            arf_mul_2exp_si(arb_midref(end[0]), arb_midref(end[0]), 25);
            assert_true(arf_cmpabs_mag(arb_midref(end[0]), arb_radref(y[0])) < 0);
        }
    over(y, "x*log(x)", 0, 1, 0);
    assert_true(arb_contains_zero(y[0]));
    assert_true(arf_cmpabs_d(arb_midref(y[0]), 0.184) < 0 && mag_cmp_2exp_si(arb_radref(y[0]), -2) < 0);
    clear(y);
    clear(end);
}

/* Balls around 0 and below: integer powers stay tight, the rest is indeterminate. */
static void test_balls_around_zero(void **state)
{
    (void)state;
    static const char *const powers[] = {"x^2", "x^3", "x^4", "x^5", "x^63", "x^64", "(x^2-x)^3"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        for (long n = 0; n < 20 * multiplier; n++) {
            double low = -ldexp((double)draw(1000), -8), high = ldexp((double)draw(1000) + 1, -8);
            check_over(powers[i], low, high, 0, 2);
        }
    static const char *const outside[] = {"x*log(x)", "x^alpha", "sqrt(x)", "x^0.5", "2*x*log(x)", "x^x"};
    arb_t y[3];
    init(y);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        over(y, outside[i], -0.25, 0.5, 2.5);
        for (int k = 0; k < 3; k++)
            assert_false(arb_is_finite(y[k]));
    }
    over(y, "x^-1", 0, 0.5, 0);
    assert_false(arb_is_finite(y[0]));
    over(y, "x^4", -2, 1, 0);
    assert_true(arb_is_nonnegative(y[0]));
    clear(y);
}

/* Wide balls away from 0 enclose all their points, too. */
static void test_wide_balls(void **state)
{
    (void)state;
    static const char *const texts[] = {"x*log(x)+(1-x)*log(1-x)", "x^alpha+(1-x)^alpha", "exp(-x)/(1+x^2)",
                                        "sqrt(x)-x^x", "alpha^x*log(x)/x^3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (long n = 0; n < 30 * multiplier; n++) {
            double low = (double)(draw(900) + 1) / 1024, high = low + (double)(draw(100) + 1) / 1024;
            check_over(texts[i], low, high, 2.5, -1);
        }
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_zero),           cmocka_unit_test(test_balls_at_zero), cmocka_unit_test(test_tight),
        cmocka_unit_test(test_balls_around_zero), cmocka_unit_test(test_wide_balls),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}

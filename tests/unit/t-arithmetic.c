/* The tables of operations: balls around a float of 400 bits, and what every table must keep (aliases, comparison,
 * exact balls, MPFR's flags). Native floats: t-arithmetic-native.c. */
#include "number/arithmetic.h"
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

typedef void binary(const ll_arithmetic *, ll_value *, const ll_value *, const ll_value *);
typedef void unary(const ll_arithmetic *, ll_value *, const ll_value *);

enum { BINARIES = 5, UNARIES = 6 };

static binary *get_binary(const ll_operations *ops, int i)
{
    binary *const all[BINARIES] = {ops->add, ops->sub, ops->mul, ops->div, ops->pow};
    return all[i];
}

static unary *get_unary(const ll_operations *ops, int i)
{
    unary *const all[UNARIES] = {ops->sqrt, ops->neg, ops->log, ops->exp, ops->log1p, ops->expm1};
    return all[i];
}

/* ------------------------------------------------------------------ names */

static void test_parse(void **unused)
{
    static const struct {
        const char *name, *table;
        long exponent_bits, fraction_bits;
    } known[] = {{"exact", "exact", 0, 0}, {"fp64", "fp64", 11, 52},     {"fp32", "fp32", 8, 23},
                 {"bf16", "fpa", 8, 7},    {"fpa:11,52", "fpa", 11, 52}, {"fpa:32", "fpa", 15, 16}};
    ll_arithmetic a;
    ll_error error;
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(ll_arithmetic_parse(&a, known[i].name, &error), LL_OK);
        assert_string_equal(a.ops->name, known[i].table);
        assert_int_equal(a.format.exponent_bits, known[i].exponent_bits);
        assert_int_equal(a.format.fraction_bits, known[i].fraction_bits);
    }
    assert_int_equal(ll_arithmetic_parse(&a, "exact", NULL), LL_OK);
    assert_int_equal(a.prec, 128);
    assert_int_equal(ll_arithmetic_parse(&a, "fp63", NULL), LL_DOMAIN);
    assert_int_equal(ll_arithmetic_parse(&a, "fp63", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "'fp63': known are exact, fp64"));
    assert_int_equal(ll_arithmetic_parse(&a, "fpa:3", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "PHI must be 5"));
    assert_string_equal(a.ops->name, "exact");
}

/* ------------------------------------------------------------------ balls */

/* The ball holds a value known to 400 bits, and has accuracy bits or more itself. */
static void check_ball(const ll_value *x, slong accuracy, const ll_arithmetic *fpa, const ll_value *y)
{
    arb_t known;
    mag_t error;
    arb_init(known);
    mag_init(error);
    fpa->ops->get_ball(fpa, known, y);
    arb_get_mag(error, known);
    mag_mul_2exp_si(error, error, -400);
    arb_add_error_mag(known, error);
    assert_true(arb_overlaps(x->ball, known));
    assert_true(arb_rel_accuracy_bits(x->ball) >= accuracy);
    arb_clear(known);
    mag_clear(error);
}

static void check_ball_operations(const ll_arithmetic *ball, const ll_arithmetic *fpa, const ll_exact *first,
                                  const ll_exact *second)
{
    ll_value x, y, z, u, v, w;
    ll_value *const balls[] = {&x, &y, &z}, *const floats[] = {&u, &v, &w};
    for (int i = 0; i < 3; i++) {
        ball->ops->init(ball, balls[i]);
        fpa->ops->init(fpa, floats[i]);
    }
    ball->ops->set_exact(ball, &x, first);
    ball->ops->set_exact(ball, &y, second);
    fpa->ops->set_exact(fpa, &u, first);
    fpa->ops->set_exact(fpa, &v, second);
    check_ball(&x, ball->prec - 2, fpa, &u);
    for (int i = 0; i < BINARIES; i++) {
        get_binary(ball->ops, i)(ball, &z, &x, &y);
        get_binary(fpa->ops, i)(fpa, &w, &u, &v);
        check_ball(&z, i == 1 ? -WORD_MAX : ball->prec - 30, fpa, &w); /* x - y may cancel */
    }
    for (int i = 0; i < UNARIES; i++) {
        get_unary(ball->ops, i)(ball, &z, &x);
        get_unary(fpa->ops, i)(fpa, &w, &u);
        check_ball(&z, ball->prec - 30, fpa, &w);
    }
    for (int i = 0; i < 3; i++) {
        ball->ops->clear(ball, balls[i]);
        fpa->ops->clear(fpa, floats[i]);
    }
}

static void test_balls(void **unused)
{
    ll_arithmetic ball, fpa;
    ll_exact x, y;
    (void)unused;
    ll_arithmetic_set_ball(&ball, 100);
    ll_arithmetic_set_format(&fpa, (ll_format){40, 420});
    ll_exact_init(&x);
    ll_exact_init(&y);
    for (long i = 0; i < 1000 * multiplier; i++) {
        fmpz_set_ui(x.mantissa, 2 + slow_random(&seed) % 10000);
        fmpz_set_si(x.five, (slong)(slow_random(&seed) % 9) - 4);
        fmpz_set_si(x.two, (slong)(slow_random(&seed) % 9) - 4);
        fmpz_set_ui(y.mantissa, 1 + slow_random(&seed) % 1000);
        fmpz_set_si(y.five, (slong)(slow_random(&seed) % 5) - 3);
        check_ball_operations(&ball, &fpa, &x, &y);
    }
    ll_exact_clear(&x);
    ll_exact_clear(&y);
}

static void test_ball_truth(void **unused)
{
    ll_arithmetic a;
    ll_value x, y;
    (void)unused;
    ll_arithmetic_set_ball(&a, 64);
    a.ops->init(&a, &x);
    a.ops->init(&a, &y);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_FALSE);
    arb_set_ui(y.ball, 1);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_TRUE);
    assert_int_equal(a.ops->less(&a, &y, &x), LL_FALSE);
    mag_set_ui(arb_radref(x.ball), 1);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_UNKNOWN);
    assert_int_equal(a.ops->less(&a, &y, &x), LL_FALSE); /* 1 is not below any of [-1,1] */
    assert_int_equal(a.ops->is_finite(&a, &x), LL_TRUE);
    arb_zero_pm_inf(x.ball);
    assert_int_equal(a.ops->is_finite(&a, &x), LL_UNKNOWN);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_UNKNOWN);
    arb_neg_inf(x.ball);
    assert_int_equal(a.ops->is_finite(&a, &x), LL_FALSE);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_TRUE);
    arb_zero(x.ball);
    a.ops->log(&a, &x, &x);
    assert_int_equal(a.ops->is_finite(&a, &x), LL_UNKNOWN);
    assert_int_equal(a.ops->less(&a, &x, &y), LL_UNKNOWN);
    a.ops->clear(&a, &x);
    a.ops->clear(&a, &y);
}

static void test_ball_powers(void **unused)
{
    static const double cases[][3] = {{-2, 3, -8}, {0, 2, 0}, {0, 0, 1}, {5, 0, 1}, {4, 0.5, 2}, {2, -2, 0.25}};
    ll_arithmetic a;
    ll_value x, y;
    (void)unused;
    ll_arithmetic_set_ball(&a, 64);
    a.ops->init(&a, &x);
    a.ops->init(&a, &y);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arb_set_d(x.ball, cases[i][0]);
        arb_set_d(y.ball, cases[i][1]);
        a.ops->pow(&a, &x, &x, &y);
        arb_set_d(y.ball, cases[i][2]);
        assert_true(arb_equal(x.ball, y.ball));
    }
    arb_set_d(x.ball, -2);
    arb_set_d(y.ball, 0.5);
    a.ops->pow(&a, &x, &x, &y);
    assert_int_equal(a.ops->is_finite(&a, &x), LL_UNKNOWN);
    a.ops->clear(&a, &x);
    a.ops->clear(&a, &y);
}

/* ------------------------------------------------------------------ every table */

static const char *const names[] = {"exact", "fp64", "fp32", "fp16", "fpa:11,52", "fpa:90,30"};
enum { NAMES = sizeof names / sizeof *names };

static void assert_same(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    a->ops->get_ball(a, p, x);
    a->ops->get_ball(a, q, y);
    assert_true(arb_equal(p, q) || (arf_is_nan(arb_midref(p)) && arf_is_nan(arb_midref(q))));
    arb_clear(p);
    arb_clear(q);
}

static void check_aliases(const ll_arithmetic *a, const ll_exact *first, const ll_exact *second)
{
    ll_value x, y, z, t;
    ll_value *const all[] = {&x, &y, &z, &t};
    for (int i = 0; i < 4; i++)
        a->ops->init(a, all[i]);
    a->ops->set_exact(a, &x, first);
    a->ops->set_exact(a, &y, second);
    for (int i = 0; i < BINARIES; i++) {
        get_binary(a->ops, i)(a, &z, &x, &y);
        a->ops->set(a, &t, &x);
        get_binary(a->ops, i)(a, &t, &t, &y);
        assert_same(a, &t, &z);
        a->ops->set(a, &t, &y);
        get_binary(a->ops, i)(a, &t, &x, &t);
        assert_same(a, &t, &z);
    }
    for (int i = 0; i < UNARIES; i++) {
        get_unary(a->ops, i)(a, &z, &x);
        a->ops->set(a, &t, &x);
        get_unary(a->ops, i)(a, &t, &t);
        assert_same(a, &t, &z);
    }
    for (int i = 0; i < 4; i++)
        a->ops->clear(a, all[i]);
}

static void test_aliases(void **unused)
{
    ll_exact x, y;
    (void)unused;
    ll_exact_init(&x);
    ll_exact_init(&y);
    for (int n = 0; n < NAMES; n++)
        for (int i = 0; i < 200; i++) {
            ll_arithmetic a;
            assert_int_equal(ll_arithmetic_parse(&a, names[n], NULL), LL_OK);
            ll_exact_set_si(&x, (slong)(slow_random(&seed) % 2001) - 1000);
            ll_exact_set_si(&y, (slong)(slow_random(&seed) % 201) - 100);
            fmpz_set_si(x.five, (slong)(slow_random(&seed) % 7) - 4);
            check_aliases(&a, &x, &y);
        }
    ll_exact_clear(&x);
    ll_exact_clear(&y);
}

/* A value, its negative, 1/0, -1/0 and 0/0 as balls: exact, infinite, indeterminate. */
static void check_get_ball(const ll_arithmetic *a, const ll_exact *three)
{
    ll_value x, zero, y;
    arb_t ball;
    arb_init(ball);
    a->ops->init(a, &x);
    a->ops->init(a, &zero);
    a->ops->init(a, &y);
    a->ops->set_exact(a, &x, three);
    a->ops->neg(a, &x, &x);
    a->ops->get_ball(a, ball, &x);
    assert_true(arb_equal_si(ball, -3));
    assert_int_equal(a->ops->less(a, &x, &zero), LL_TRUE);
    assert_int_equal(a->ops->is_finite(a, &x), LL_TRUE);
    a->ops->neg(a, &y, &zero);
    a->ops->get_ball(a, ball, &y);
    assert_true(arb_is_zero(ball));
    a->ops->div(a, &y, &zero, &zero);
    a->ops->get_ball(a, ball, &y);
    assert_true(arf_is_nan(arb_midref(ball)) && mag_is_inf(arb_radref(ball)));
    assert_int_equal(a->ops->is_finite(a, &y), a->ops == &ll_arithmetic_ball ? LL_UNKNOWN : LL_FALSE);
    if (a->ops != &ll_arithmetic_ball) {
        assert_int_equal(a->ops->less(a, &y, &x), LL_FALSE);
        a->ops->div(a, &y, &x, &zero);
        a->ops->get_ball(a, ball, &y);
        assert_true(arf_is_neg_inf(arb_midref(ball)) && mag_is_zero(arb_radref(ball)));
        assert_int_equal(a->ops->is_finite(a, &y), LL_FALSE);
        assert_int_equal(a->ops->less(a, &y, &x), LL_TRUE);
    }
    a->ops->clear(a, &x);
    a->ops->clear(a, &zero);
    a->ops->clear(a, &y);
    arb_clear(ball);
}

/* The tables leave MPFR's flags alone too. */
static void test_get_ball(void **unused)
{
    ll_exact three;
    (void)unused;
    ll_exact_init(&three);
    ll_exact_set_si(&three, 3);
    mpfr_flags_clear(MPFR_FLAGS_ALL);
    for (int n = 0; n < NAMES; n++) {
        ll_arithmetic a;
        assert_int_equal(ll_arithmetic_parse(&a, names[n], NULL), LL_OK);
        check_get_ball(&a, &three);
    }
    assert_int_equal(mpfr_flags_save(), 0);
    ll_exact_clear(&three);
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
        cmocka_unit_test(test_parse),       cmocka_unit_test(test_balls),   cmocka_unit_test(test_ball_truth),
        cmocka_unit_test(test_ball_powers), cmocka_unit_test(test_aliases), cmocka_unit_test(test_get_ball),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failures;
}

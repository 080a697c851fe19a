/* Expressions: vectors from mpmath in balls and doubles, FPA against the same operations written out with MPFR,
 * derivatives of random expressions against differences, balls at 0, every error with its column, garbage. */
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

/* ---- five values of one arithmetic: x, alpha and three results ---- */

typedef struct {
    ll_arithmetic a;
    ll_value x, alpha, y[3];
} bench;

static void bench_init(bench *b, const char *arithmetic, slong prec)
{
    ll_error error;
    if (ll_arithmetic_parse(&b->a, arithmetic, &error) != LL_OK)
        fail_msg("%s", error.text);
    if (prec)
        b->a.prec = prec;
    b->a.ops->init(&b->a, &b->x);
    b->a.ops->init(&b->a, &b->alpha);
    for (int k = 0; k < 3; k++)
        b->a.ops->init(&b->a, &b->y[k]);
}

static void bench_clear(bench *b)
{
    b->a.ops->clear(&b->a, &b->x);
    b->a.ops->clear(&b->a, &b->alpha);
    for (int k = 0; k < 3; k++)
        b->a.ops->clear(&b->a, &b->y[k]);
}

static void set_text(bench *b, ll_value *out, const char *text)
{
    ll_exact exact;
    ll_exact_init(&exact);
    assert_int_equal(ll_exact_set_text(&exact, text, strlen(text)), LL_OK);
    b->a.ops->set_exact(&b->a, out, &exact);
    ll_exact_clear(&exact);
}

static void evaluate(bench *b, const ll_expression *e)
{
    ll_expression_evaluate(e, &b->a, &b->y[0], &b->y[1], &b->y[2], &b->x, &b->alpha);
}

static void evaluate_text(bench *b, const char *text)
{
    ll_expression *e = parse(text);
    evaluate(b, e);
    ll_expression_destroy(e);
}

/* ---- vectors ---- */

/* Is the result within 2^-bits of the vector, relatively (absolutely below 1)? */
static int is_near(const ll_value *y, const char *text, long bits)
{
    arb_t v, scale;
    arb_init(v);
    arb_init(scale);
    arb_set_str(v, text, 300);
    arb_abs(scale, v);
    if (arf_cmpabs_2exp_si(arb_midref(v), 0) < 0)
        arb_one(scale);
    arb_mul_2exp_si(scale, scale, -bits);
    arb_sub(v, v, y->ball, 300);
    arb_abs(v, v);
    int near = arb_lt(v, scale);
    arb_clear(v);
    arb_clear(scale);
    return near;
}

static void check_balls(char *field[6])
{
    bench b;
    ll_expression *e = parse(field[0]);
    static const slong precs[] = {128, 400};
    assert_int_equal(ll_expression_uses_alpha(e), strcmp(field[1], "-") != 0);
    for (int i = 0; i < 2; i++) {
        bench_init(&b, "exact", precs[i]);
        set_text(&b, &b.x, field[2]);
        if (ll_expression_uses_alpha(e))
            set_text(&b, &b.alpha, field[1]);
        evaluate(&b, e);
        for (int k = 0; k < 3; k++)
            if (!is_near(&b.y[k], field[3 + k], i == 0 ? 80 : 190))
                fail_msg("derivative %d of %s at %s, %s is not %s", k, field[0], field[2], field[1], field[3 + k]);
        bench_clear(&b);
    }
    ll_expression_destroy(e);
}

/* Doubles against balls at the same doubles, in units of the largest of the result, the value and 1: intermediate
 * results of the vectors are of that size. */
static void check_doubles(char *field[6])
{
    bench b, d;
    ll_expression *e = parse(field[0]);
    bench_init(&b, "exact", 300);
    bench_init(&d, "fp64", 0);
    set_text(&d, &d.x, field[2]);
    if (ll_expression_uses_alpha(e))
        set_text(&d, &d.alpha, field[1]);
    arb_set_d(b.x.ball, d.x.native);
    arb_set_d(b.alpha.ball, d.alpha.native);
    evaluate(&d, e);
    evaluate(&b, e);
    for (int k = 0; k < 3; k++) {
        double exact = arf_get_d(arb_midref(b.y[k].ball), ARF_RND_NEAR);
        double scale = fmax(fabs(exact), fmax(1, fabs(arf_get_d(arb_midref(b.y[0].ball), ARF_RND_NEAR))));
        double error = fabs(d.y[k].native - exact) / (scale * 0x1p-53);
        if (!(error <= 32))
            fail_msg("derivative %d of %s at %s, %s: %g units off", k, field[0], field[2], field[1], error);
    }
    ll_expression_destroy(e);
    bench_clear(&b);
    bench_clear(&d);
}

static void test_vectors(void **state)
{
    (void)state;
    FILE *file = fopen(LL_TEST_VECTORS "/expression.txt", "r");
    char *line = NULL;
    size_t size = 0;
    long count = 0;
    assert_non_null(file);
    for (; getline(&line, &size, file) > 0; count++) {
        char *field[6] = {0}, *rest = line;
        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < 6; i++)
            field[i] = strsep(&rest, "\t");
        assert_non_null(field[5]);
        check_balls(field);
        check_doubles(field);
    }
    free(line);
    assert_int_equal(fclose(file), 0);
    assert_true(count > 400);
}

/* ---- FPA: the operations written out ---- */

typedef int (*mpfr_unary)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*mpfr_binary)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static void with_range(const ll_format *f, mpfr_t out, mpfr_unary one, mpfr_binary two, const mpfr_t x, const mpfr_t y)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax(), half = (mpfr_exp_t)1 << (f->exponent_bits - 1);
    mpfr_set_emin(3 - half - f->fraction_bits);
    mpfr_set_emax(half);
    int ternary = one ? one(out, x, MPFR_RNDN) : two(out, x, y, MPFR_RNDN);
    ternary = mpfr_check_range(out, ternary, MPFR_RNDN);
    mpfr_subnormalize(out, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
}

static const ll_format *form; /* of the test that runs */
#define U(out, f, x) with_range(form, out, f, NULL, x, x)
#define B(out, f, x, y) with_range(form, out, NULL, f, x, y)

static void number(mpfr_t out, double x)
{
    mpfr_t wide;
    mpfr_init2(wide, 53);
    mpfr_set_d(wide, x, MPFR_RNDN);
    U(out, mpfr_set, wide);
    mpfr_clear(wide);
}

static void by_hand_cube(mpfr_t y[3], mpfr_t x, mpfr_t t)
{
    B(t, mpfr_mul, x, x);
    B(y[0], mpfr_mul, t, x);
    number(y[1], 3);
    B(y[1], mpfr_mul, y[1], t);
    number(y[2], 6);
    B(y[2], mpfr_mul, y[2], x);
}

/* x^-11: 11 is 1011 in binary. */
static void by_hand_power(mpfr_t y[3], mpfr_t x, mpfr_t t)
{
    B(y[0], mpfr_mul, x, x);
    B(y[0], mpfr_mul, y[0], y[0]);
    B(y[0], mpfr_mul, y[0], x);
    B(y[0], mpfr_mul, y[0], y[0]);
    B(y[0], mpfr_mul, y[0], x);
    number(t, 1);
    B(y[0], mpfr_div, t, y[0]);
}

static void by_hand_u_log_u(mpfr_t out, mpfr_t u)
{
    U(out, mpfr_log, u);
    B(out, mpfr_mul, u, out);
    if (mpfr_zero_p(u))
        mpfr_set_zero(out, 1);
}

static void by_hand_entropy(mpfr_t y[3], mpfr_t x, mpfr_t t)
{
    U(y[1], mpfr_log, x);
    number(t, 1);
    B(y[1], mpfr_add, y[1], t);
    B(y[2], mpfr_div, t, x);
    by_hand_u_log_u(y[0], x);
    B(x, mpfr_sub, t, x);
    by_hand_u_log_u(t, x);
    B(y[0], mpfr_add, y[0], t);
}

static void by_hand_signs(mpfr_t y[3], mpfr_t x, mpfr_t t)
{
    number(t, 3);
    U(y[0], mpfr_neg, x);
    B(y[0], mpfr_mul, t, y[0]);
    B(y[0], mpfr_mul, y[0], x);
    number(t, 7);
    B(y[0], mpfr_div, y[0], t);
    U(y[0], mpfr_exp, y[0]);
    B(t, mpfr_pow, t, x);
    B(y[0], mpfr_sub, y[0], t);
}

static void by_hand_root(mpfr_t y[3], mpfr_t x, mpfr_t t)
{
    number(y[0], 0.1);
    B(y[0], mpfr_add, y[0], x);
    U(y[0], mpfr_sqrt, y[0]);
    number(t, 2.5);
    B(t, mpfr_pow, x, t);
    B(y[0], mpfr_sub, y[0], t);
}

static const struct {
    const char *text;
    void (*by_hand)(mpfr_t y[3], mpfr_t x, mpfr_t t);
    int orders; /* how many results it makes */
} by_hands[] = {{"x^3", by_hand_cube, 3},
                {"x^-11", by_hand_power, 1},
                {"x*log(x)+(1-x)*log(1-x)", by_hand_entropy, 1},
                {"x * log(x) + 0", by_hand_entropy, 0},
                {"exp(3*-x*x/7)-7^x", by_hand_signs, 1},
                {"sqrt(0.1+x)-x^2.5", by_hand_root, 1}};

static void check_by_hand(bench *b, int i, const ll_expression *e, double x)
{
    mpfr_t y[3], at, t;
    mpfr_inits2(form->fraction_bits + 1, y[0], y[1], y[2], at, t, (mpfr_ptr)0);
    number(at, x);
    number(b->x.fpa, x);
    evaluate(b, e);
    by_hands[i].by_hand(y, at, t);
    int first = by_hands[i].orders ? 0 : 1, end = by_hands[i].orders ? by_hands[i].orders : 3;
    for (int k = first; k < end; k++)
        if (!(mpfr_nan_p(y[k]) && mpfr_nan_p(b->y[k].fpa)) && !mpfr_equal_p(y[k], b->y[k].fpa))
            fail_msg("derivative %d of %s at %a in %ld,%ld bits: %g, by hand %g", k, by_hands[i].text, x,
                     form->exponent_bits, form->fraction_bits, mpfr_get_d(b->y[k].fpa, MPFR_RNDN),
                     mpfr_get_d(y[k], MPFR_RNDN));
    mpfr_clears(y[0], y[1], y[2], at, t, (mpfr_ptr)0);
}

/* x in (0,1), or 0 or 1 where the format rounds it so; every sign and size where the text has no log. */
static void test_fpa(void **state)
{
    (void)state;
    static const char *const formats[] = {"fp8-e4m3", "fp8-e5m2", "bf16", "fp16", "tf32", "fpa:9,40"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int i = 0; i < (int)(sizeof by_hands / sizeof *by_hands); i++) {
            bench b;
            bench_init(&b, formats[f], 0);
            form = &b.a.format;
            ll_expression *e = parse(by_hands[i].text);
            for (long n = 0; n < 100 * multiplier; n++) {
                double x = ldexp((double)(draw(2000) + 1) / 2001, -(int)draw(20));
                if (!strstr(by_hands[i].text, "log"))
                    x = ldexp(x, (int)draw(30)) * (draw(2) ? 1 : -1);
                check_by_hand(&b, i, e, x);
            }
            ll_expression_destroy(e);
            bench_clear(&b);
        }
}

/* The hardware and MPFR agree bit for bit where libm has no part. */
static void test_native(void **state)
{
    (void)state;
    static const char *const texts[] = {"sqrt(1+x^2)-x^5/(1-x)", "2*-x*x+0.1/x^3", "1/(1+x)"};
    for (int wide = 0; wide < 2; wide++) {
        bench n, f;
        bench_init(&n, wide ? "fp64" : "fp32", 0);
        bench_init(&f, wide ? "fpa:11,52" : "fpa:8,23", 0);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            for (long k = 0; k < 200 * multiplier; k++) {
                n.x.native = (float)((double)draw(UINT64_C(1) << 40) * 0x1p-30 - 512);
                mpfr_set_d(f.x.fpa, n.x.native, MPFR_RNDN);
                evaluate_text(&n, texts[i]);
                evaluate_text(&f, texts[i]);
                for (int j = 0; j < 3; j++)
                    assert_true(mpfr_get_d(f.y[j].fpa, MPFR_RNDN) == n.y[j].native);
            }
        bench_clear(&n);
        bench_clear(&f);
    }
}

/* ---- derivatives of random expressions against differences ---- */

static void draw_expression(char *out, size_t size, int depth)
{
    static const char *const leaves[] = {"x", "x", "x", "alpha", "2", "0.3", "1.75", "0x1.8p-1"};
    static const char *const forms[] = {"(%s+%s)",
                                        "(%s-%s)",
                                        "%s*%s",
                                        "(%s)/(2+(%s)^2)",
                                        "(1+(%s)^2)^(%s)",
                                        "exp(-(%s)^2)+%s",
                                        "-%s*%s",
                                        "log(3+(%s)^2)*(%s)",
                                        "(%s)^3-%s",
                                        "(%s)^-2*%s",
                                        "sqrt(1+(%s)^2)-%s"};
    if (depth == 0) {
        (void)snprintf(out, size, "%s", leaves[draw(sizeof leaves / sizeof *leaves)]);
        return;
    }
    char left[4000], right[4000];
    draw_expression(left, sizeof left, (int)draw((uint64_t)depth));
    draw_expression(right, sizeof right, depth - 1);
    (void)snprintf(out, size, forms[draw(sizeof forms / sizeof *forms)], left, right);
}

/* d is (f(x+h) - f(x-h)) / 2h up to h^2 f'''/6. */
static int is_difference(const arb_t d, const arb_t above, const arb_t below, slong h, slong prec)
{
    arb_t difference, scale;
    arb_init(difference);
    arb_init(scale);
    arb_sub(difference, above, below, prec);
    arb_mul_2exp_si(difference, difference, h - 1);
    arb_sub(difference, difference, d, prec);
    arb_abs(scale, d);
    arb_add_ui(scale, scale, 1, prec);
    arb_mul_2exp_si(scale, scale, -h / 2);
    arb_abs(difference, difference);
    int near = arb_lt(difference, scale);
    arb_clear(difference);
    arb_clear(scale);
    return near;
}

static void move(arb_t x, double at, int sign, slong h)
{
    arf_set_si_2exp_si(arb_midref(x), sign, -h);
    arf_t center;
    arf_init(center);
    arf_set_d(center, at);
    arf_add(arb_midref(x), arb_midref(x), center, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_clear(center);
}

/* Digits are counted from the first one: differences of larger values have none left below the point. */
static int is_moderate(const arb_t y)
{
    return arb_is_finite(y) && arf_cmpabs_2exp_si(arb_midref(y), 60) <= 0;
}

static void test_differences(void **state)
{
    (void)state;
    enum { PREC = 3000, H = 700 };
    long checked = 0;
    bench at, above, below;
    bench_init(&at, "exact", PREC);
    bench_init(&above, "exact", PREC);
    bench_init(&below, "exact", PREC);
    for (long n = 0; n < 120 * multiplier; n++) {
        char text[9000];
        double x = (double)draw(512) / 128 - 2, alpha = (double)draw(32) / 8;
        draw_expression(text, sizeof text, 1 + (int)draw(4));
        arb_set_d(at.alpha.ball, alpha);
        arb_set_d(above.alpha.ball, alpha);
        arb_set_d(below.alpha.ball, alpha);
        move(at.x.ball, x, 0, H);
        move(above.x.ball, x, 1, H);
        move(below.x.ball, x, -1, H);
        evaluate_text(&at, text);
        evaluate_text(&above, text);
        evaluate_text(&below, text);
        if (!is_moderate(at.y[0].ball) || !is_moderate(at.y[1].ball) || !is_moderate(at.y[2].ball))
            continue;
        checked++;
        for (int k = 0; k < 2; k++)
            if (!is_difference(at.y[k + 1].ball, above.y[k].ball, below.y[k].ball, H, PREC))
                fail_msg("derivative %d of %s at %g, alpha %g", k + 1, text, x, alpha);
    }
    assert_true(checked > 40 * multiplier);
    bench_clear(&at);
    bench_clear(&above);
    bench_clear(&below);
}

/* ---- what is asked for ---- */

static void check_same(bench *b, const ll_value *x, const ll_value *y)
{
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    b->a.ops->get_ball(&b->a, p, x);
    b->a.ops->get_ball(&b->a, q, y);
    assert_true(arb_equal(p, q) || (!arb_is_finite(p) && !arb_is_finite(q)));
    arb_clear(p);
    arb_clear(q);
}

/* Each result is the same whatever else is asked for; outputs may be inputs. */
static void test_results_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"exact", "fp64", "fp32", "fp16"};
    static const char *const texts[] = {"log(x)*(2*x)", "2*x*log(x)", "log(x)*x", "alpha^x-x", "x^alpha/x", "2/x"};
    for (long n = 0; n < 60 * multiplier; n++) {
        bench b, c;
        char text[9000];
        bench_init(&b, names[n % 4], 0);
        bench_init(&c, names[n % 4], 0);
        draw_expression(text, sizeof text, 1 + (int)draw(4));
        ll_expression *e = parse(n < 24 ? texts[n / 4] : text);
        set_text(&b, &b.alpha, "2.5");
        for (int i = 0; i < 4; i++) {
            static const char *const points[] = {"0.1", "3", "-1.5", "0"};
            set_text(&b, &b.x, points[i]);
            evaluate(&b, e);
            ll_expression_evaluate(e, &b.a, &c.y[0], NULL, NULL, &b.x, &b.alpha);
            check_same(&b, &b.y[0], &c.y[0]);
            ll_expression_evaluate(e, &b.a, NULL, &c.y[1], NULL, &b.x, &b.alpha);
            check_same(&b, &b.y[1], &c.y[1]);
            b.a.ops->set(&b.a, &c.x, &b.x);
            ll_expression_evaluate(e, &b.a, NULL, NULL, &c.x, &c.x, &b.alpha);
            check_same(&b, &b.y[2], &c.x);
        }
        ll_expression_destroy(e);
        bench_clear(&b);
        bench_clear(&c);
    }
    ll_expression_destroy(NULL);
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),     cmocka_unit_test(test_fpa),           cmocka_unit_test(test_native),
        cmocka_unit_test(test_differences), cmocka_unit_test(test_results_alone),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}

/* Native doubles and floats: bit for bit what plain C computes, and against the same formats by MPFR. */
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

static const slow_format fp64 = {11, 52}, fp32 = {8, 23};

typedef void binary(const ll_arithmetic *, ll_value *, const ll_value *, const ll_value *);
typedef void unary(const ll_arithmetic *, ll_value *, const ll_value *);

enum { BINARIES = 5, UNARIES = 6, EXACT_BINARIES = 4 };

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

/* NaN has one pattern here. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? slow_nan(fp64) : bits;
}

static double draw_double(void)
{
    uint64_t bits = slow_draw(fp64, &seed);
    double x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? NAN : x; /* quiet: C's pow(NaN, 0) is 1 for these only */
}

static double draw_float(void)
{
    uint32_t bits = (uint32_t)slow_draw(fp32, &seed);
    float x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? NAN : (double)x;
}

static double plain_double(int operation, double x, double y)
{
    switch (operation) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return x * y;
    case 3:
        return x / y;
    default:
        return pow(x, y);
    }
}

static float plain_float(int operation, float x, float y)
{
    switch (operation) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return x * y;
    default:
        return x / y;
    }
}

static void test_operations(void **unused)
{
    const ll_arithmetic a = {.ops = &ll_arithmetic_fp64}, f = {.ops = &ll_arithmetic_fp32};
    (void)unused;
    for (long i = 0; i < 20000 * multiplier; i++) {
        ll_value x = {.native = draw_double()}, y = {.native = draw_double()}, z;
        for (int op = 0; op < BINARIES; op++) {
            get_binary(a.ops, op)(&a, &z, &x, &y);
            assert_int_equal(bits_of(z.native), bits_of(plain_double(op, x.native, y.native)));
        }
        x.native = draw_float();
        y.native = draw_float();
        for (int op = 0; op < EXACT_BINARIES; op++) {
            get_binary(f.ops, op)(&f, &z, &x, &y);
            assert_int_equal(bits_of(z.native), bits_of(plain_float(op, (float)x.native, (float)y.native)));
        }
        f.ops->sqrt(&f, &z, &x);
        assert_int_equal(bits_of(z.native), bits_of(sqrtf((float)x.native)));
        f.ops->neg(&f, &z, &x);
        assert_int_equal(bits_of(z.native), bits_of(-x.native));
    }
}

/* The same format native and by MPFR. tolerance: in units of the last place, counted in patterns. */
static void check_close(slow_format format, const ll_value *native, const ll_value *fpa, uint64_t tolerance)
{
    int inexact;
    mpfr_t wide;
    mpfr_init2(wide, 53);
    mpfr_set_d(wide, native->native, MPFR_RNDN);
    uint64_t p = slow_set_mpfr(format, &inexact, wide);
    assert_false(inexact);
    uint64_t q = slow_set_mpfr(format, &inexact, fpa->fpa);
    mpfr_clear(wide);
    if ((p > q ? p - q : q - p) > tolerance) {
        print_error("fpa:%d,%d: native %#" PRIx64 ", MPFR %#" PRIx64 "\n", format.exponent_bits, format.fraction_bits,
                    p, q);
        fail();
    }
}

static void check_native_functions(const ll_arithmetic *native, slow_format format, double first, double second)
{
    ll_arithmetic fpa;
    ll_value x = {.native = first}, y = {.native = second}, z, u, v, w;
    ll_arithmetic_set_format(&fpa, (ll_format){format.exponent_bits, format.fraction_bits});
    fpa.ops->init(&fpa, &u);
    fpa.ops->init(&fpa, &v);
    fpa.ops->init(&fpa, &w);
    ll_format_set_d(&fpa.format, u.fpa, first);
    ll_format_set_d(&fpa.format, v.fpa, second);
    for (int i = 0; i < UNARIES; i++) {
        get_unary(native->ops, i)(native, &z, &x);
        get_unary(fpa.ops, i)(&fpa, &w, &u);
        check_close(format, &z, &w,
                    i < 2   ? 0
                    : i < 4 ? 1
                            : 2); /* libm's log and exp are better than its log1p, expm1 */
    }
    for (int i = 0; i < BINARIES; i++) {
        get_binary(native->ops, i)(native, &z, &x, &y);
        get_binary(fpa.ops, i)(&fpa, &w, &u, &v);
        check_close(format, &z, &w, i < EXACT_BINARIES ? 0 : 1);
    }
    assert_int_equal(native->ops->less(native, &x, &y), fpa.ops->less(&fpa, &u, &v));
    assert_int_equal(native->ops->is_finite(native, &x), fpa.ops->is_finite(&fpa, &u));
    fpa.ops->clear(&fpa, &u);
    fpa.ops->clear(&fpa, &v);
    fpa.ops->clear(&fpa, &w);
}

static void test_against_fpa(void **unused)
{
    const ll_arithmetic a = {.ops = &ll_arithmetic_fp64}, f = {.ops = &ll_arithmetic_fp32};
    (void)unused;
    for (long i = 0; i < 3000 * multiplier; i++) {
        double x = draw_double(), y = draw_float();
        check_native_functions(&a, fp64, x, i % 8 ? draw_double() : x);
        check_native_functions(&f, fp32, y, i % 8 ? draw_float() : y);
    }
}

/* A number that rounds to the middle of two floats when it is first rounded to double. */
static void draw_beside_middle(ll_exact *x)
{
    fmpz_set_ui(x->mantissa, (UWORD(1) << 24) + slow_random(&seed) % (UWORD(1) << 23) * 2 + 1);
    fmpz_mul_2exp(x->mantissa, x->mantissa, 60);
    fmpz_add_si(x->mantissa, x->mantissa, slow_random(&seed) % 2 ? 1 : -1);
    fmpz_set_si(x->two, (slong)(slow_random(&seed) % 200) - 160);
    fmpz_zero(x->five);
}

/* One number in every float: the native readers and FPA agree. */
static void test_set_exact(void **unused)
{
    const ll_arithmetic a = {.ops = &ll_arithmetic_fp64}, f = {.ops = &ll_arithmetic_fp32};
    ll_arithmetic b, g;
    ll_value x, y, u, v;
    ll_exact exact;
    (void)unused;
    ll_arithmetic_set_format(&b, (ll_format){11, 52});
    ll_arithmetic_set_format(&g, (ll_format){8, 23});
    ll_exact_init(&exact);
    b.ops->init(&b, &u);
    g.ops->init(&g, &v);
    for (long i = 0; i < 3000 * multiplier; i++) {
        fmpz_set_si(exact.mantissa, (slong)slow_random(&seed) >> slow_random(&seed) % 63);
        fmpz_set_si(exact.two, (slong)(slow_random(&seed) % 2400) - 1300);
        fmpz_set_si(exact.five, (slong)(slow_random(&seed) % 60) - 30);
        if (i % 2)
            fmpz_set_si(exact.two, (slong)(slow_random(&seed) % 400) - 230);
        if (i % 8 == 0)
            draw_beside_middle(&exact);
        a.ops->set_exact(&a, &x, &exact);
        f.ops->set_exact(&f, &y, &exact);
        b.ops->set_exact(&b, &u, &exact);
        g.ops->set_exact(&g, &v, &exact);
        check_close(fp64, &x, &u, 0);
        check_close(fp32, &y, &v, 0);
    }
    b.ops->clear(&b, &u);
    g.ops->clear(&g, &v);
    ll_exact_clear(&exact);
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
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_against_fpa),
        cmocka_unit_test(test_set_exact),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failures;
}

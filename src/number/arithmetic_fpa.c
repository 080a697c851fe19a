/* The arithmetic table over FPA(phi): every operation is one function of format.c. */
#include "number/arithmetic.h"

static void fpa_init(const ll_arithmetic *a, ll_value *x)
{
    ll_format_init(&a->format, x->fpa);
}

static void fpa_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    mpfr_clear(x->fpa);
}

static void fpa_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    ll_format_set_exact(&a->format, out->fpa, x);
}

#define UNARY(name, function)                                                                                          \
    static void name(const ll_arithmetic *a, ll_value *out, const ll_value *x)                                         \
    {                                                                                                                  \
        function(&a->format, out->fpa, x->fpa);                                                                        \
    }

#define BINARY(name, function)                                                                                         \
    static void name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)                      \
    {                                                                                                                  \
        function(&a->format, out->fpa, x->fpa, y->fpa);                                                                \
    }

UNARY(fpa_set, ll_format_set)
UNARY(fpa_neg, ll_format_neg)
UNARY(fpa_log, ll_format_log)
UNARY(fpa_exp, ll_format_exp)
UNARY(fpa_sqrt, ll_format_sqrt)
UNARY(fpa_log1p, ll_format_log1p)
UNARY(fpa_expm1, ll_format_expm1)
BINARY(fpa_add, ll_format_add)
BINARY(fpa_sub, ll_format_sub)
BINARY(fpa_mul, ll_format_mul)
BINARY(fpa_div, ll_format_div)
BINARY(fpa_pow, ll_format_pow)

static ll_truth fpa_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    return mpfr_less_p(x->fpa, y->fpa) ? LL_TRUE : LL_FALSE;
}

static ll_truth fpa_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    return mpfr_number_p(x->fpa) ? LL_TRUE : LL_FALSE;
}

static void fpa_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    (void)a;
    if (mpfr_nan_p(x->fpa)) {
        arb_indeterminate(out);
    } else {
        arf_set_mpfr(arb_midref(out), x->fpa);
        mag_zero(arb_radref(out));
    }
}

const ll_operations ll_arithmetic_fpa = {
    .name = "fpa",
    .init = fpa_init,
    .clear = fpa_clear,
    .set = fpa_set,
    .set_exact = fpa_set_exact,
    .add = fpa_add,
    .sub = fpa_sub,
    .mul = fpa_mul,
    .div = fpa_div,
    .pow = fpa_pow,
    .neg = fpa_neg,
    .log = fpa_log,
    .exp = fpa_exp,
    .sqrt = fpa_sqrt,
    .log1p = fpa_log1p,
    .expm1 = fpa_expm1,
    .less = fpa_less,
    .is_finite = fpa_is_finite,
    .get_ball = fpa_get_ball,
};

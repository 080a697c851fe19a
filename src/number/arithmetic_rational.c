/* The arithmetic table over fractions, for what + - * / and comparisons give: nothing is rounded. What no fraction is
 * (a logarithm, x / 0, a number that is too long) is written with the denominator 0, and stays that. */
#include "number/arithmetic.h"

enum { MOST_BITS = 40000 };

static int is_known(const fmpq_t x)
{
    return !fmpz_is_zero(fmpq_denref(x));
}

static void forget(fmpq_t x)
{
    fmpz_zero(fmpq_numref(x));
    fmpz_zero(fmpq_denref(x));
}

static void keep_short(fmpq_t x)
{
    if (fmpz_bits(fmpq_numref(x)) + fmpz_bits(fmpq_denref(x)) > MOST_BITS)
        forget(x);
}

static void rational_init(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    fmpq_init(x->fraction);
}

static void rational_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    fmpq_clear(x->fraction);
}

static void rational_set(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    fmpq_set(out->fraction, x->fraction);
}

static void rational_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    (void)a;
    if (ll_exact_get_fmpq(out->fraction, x))
        keep_short(out->fraction);
    else
        forget(out->fraction);
}

static void rational_neg(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    fmpq_neg(out->fraction, x->fraction);
}

#define BINARY(name, function, is_allowed)                                                                             \
    static void name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)                      \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        if (!is_known(x->fraction) || !is_known(y->fraction) || !(is_allowed)) {                                       \
            forget(out->fraction);                                                                                     \
            return;                                                                                                    \
        }                                                                                                              \
        function(out->fraction, x->fraction, y->fraction);                                                             \
        keep_short(out->fraction);                                                                                     \
    }

BINARY(rational_add, fmpq_add, 1)
BINARY(rational_sub, fmpq_sub, 1)
BINARY(rational_mul, fmpq_mul, 1)
BINARY(rational_div, fmpq_div, !fmpq_is_zero(y->fraction))

/* x^1 and x^2 are what metrics ask for. */
static void rational_pow(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    fmpq_t exponent;
    fmpq_init(exponent);
    fmpq_set(exponent, y->fraction);
    if (fmpq_is_one(exponent))
        fmpq_set(out->fraction, x->fraction);
    else if (fmpz_is_one(fmpq_denref(exponent)) && fmpz_equal_ui(fmpq_numref(exponent), 2))
        rational_mul(a, out, x, x);
    else
        forget(out->fraction);
    fmpq_clear(exponent);
}

static void rational_none(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    (void)x;
    forget(out->fraction);
}

static ll_truth rational_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    if (!is_known(x->fraction) || !is_known(y->fraction))
        return LL_UNKNOWN;
    return fmpq_cmp(x->fraction, y->fraction) < 0 ? LL_TRUE : LL_FALSE;
}

static ll_truth rational_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    return is_known(x->fraction) ? LL_TRUE : LL_UNKNOWN;
}

static void rational_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    if (is_known(x->fraction))
        arb_set_fmpq(out, x->fraction, a->prec);
    else
        arb_indeterminate(out);
}

const ll_operations ll_arithmetic_rational = {
    .name = "rational",
    .init = rational_init,
    .clear = rational_clear,
    .set = rational_set,
    .set_exact = rational_set_exact,
    .add = rational_add,
    .sub = rational_sub,
    .mul = rational_mul,
    .div = rational_div,
    .pow = rational_pow,
    .neg = rational_neg,
    .log = rational_none,
    .exp = rational_none,
    .sqrt = rational_none,
    .log1p = rational_none,
    .expm1 = rational_none,
    .less = rational_less,
    .is_finite = rational_is_finite,
    .get_ball = rational_get_ball,
};

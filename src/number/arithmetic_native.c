/* The arithmetic tables of the hardware: double, and float as a double that is rounded to float after every operation.
 *
 * Rounding to 53 bits first and to 24 then does no harm for + - * / sqrt: the result is that of one rounding
 * whenever 53 >= 2*24 + 2 (Figueroa 1995). That holds for normal results; subnormal floats have fewer bits, and
 * there sums and products are exact in double, and a quotient of two mantissas of 24 bits that is no middle
 * between floats is at least 2^-48 of itself away from one, more than the first rounding moves it. log, exp, pow
 * and the like are libm's in double: a float is wrong in its last bit only where the double fell on the wrong
 * side of a middle. */
#include "number/arithmetic.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0 && DBL_MANT_DIG == 53 && FLT_MANT_DIG == 24, "IEEE double and float");

static void native_init(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    x->native = 0;
}

static void native_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    (void)x;
}

static void native_set(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    out->native = x->native;
}

static void native_neg(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    out->native = -x->native;
}

static void fp64_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    (void)a;
    out->native = ll_exact_get_d(x);
}

static void fp32_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    (void)a;
    out->native = ll_exact_get_f(x);
}

#define UNARY(name, expression)                                                                                        \
    static void fp64_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x)                                  \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        out->native = expression;                                                                                      \
    }                                                                                                                  \
    static void fp32_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x)                                  \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        out->native = (float)(expression);                                                                             \
    }

#define BINARY(name, expression)                                                                                       \
    static void fp64_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)               \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        out->native = expression;                                                                                      \
    }                                                                                                                  \
    static void fp32_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)               \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        out->native = (float)(expression);                                                                             \
    }

UNARY(log, log(x->native))
UNARY(exp, exp(x->native))
UNARY(sqrt, sqrt(x->native))
UNARY(log1p, log1p(x->native))
UNARY(expm1, expm1(x->native))
BINARY(add, x->native + y->native)
BINARY(sub, x->native - y->native)
BINARY(mul, x->native * y->native)
BINARY(div, x->native / y->native)
BINARY(pow, pow(x->native, y->native))

static ll_truth native_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    return x->native < y->native ? LL_TRUE : LL_FALSE;
}

static ll_truth native_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    return isfinite(x->native) ? LL_TRUE : LL_FALSE;
}

static void native_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    (void)a;
    if (isnan(x->native))
        arb_indeterminate(out);
    else
        arb_set_d(out, x->native);
}

#define TABLE(prefix)                                                                                                  \
    {                                                                                                                  \
        .name = #prefix, .init = native_init, .clear = native_clear, .set = native_set,                                \
        .set_exact = prefix##_set_exact, .add = prefix##_add, .sub = prefix##_sub, .mul = prefix##_mul,                \
        .div = prefix##_div, .pow = prefix##_pow, .neg = native_neg, .log = prefix##_log, .exp = prefix##_exp,         \
        .sqrt = prefix##_sqrt, .log1p = prefix##_log1p, .expm1 = prefix##_expm1, .less = native_less,                  \
        .is_finite = native_is_finite, .get_ball = native_get_ball,                                                    \
    }

const ll_operations ll_arithmetic_fp64 = TABLE(fp64);
const ll_operations ll_arithmetic_fp32 = TABLE(fp32);

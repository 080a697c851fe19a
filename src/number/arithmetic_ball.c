/* The arithmetic table over Arb's balls, at a->prec. */
#include "number/arithmetic.h"

static void ball_init(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    arb_init(x->ball);
}

static void ball_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    arb_clear(x->ball);
}

/* Both are copies: a value is not rounded to a->prec before something is computed with it. */
static void ball_set(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    arb_set(out->ball, x->ball);
}

static void ball_neg(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    arb_neg(out->ball, x->ball);
}

static void ball_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    ll_exact_get_ball(out->ball, x, a->prec);
}

#define UNARY(name, function)                                                                                          \
    static void name(const ll_arithmetic *a, ll_value *out, const ll_value *x)                                         \
    {                                                                                                                  \
        function(out->ball, x->ball, a->prec);                                                                         \
    }

#define BINARY(name, function)                                                                                         \
    static void name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)                      \
    {                                                                                                                  \
        function(out->ball, x->ball, y->ball, a->prec);                                                                \
    }

UNARY(ball_log, arb_log)
UNARY(ball_exp, arb_exp)
UNARY(ball_sqrt, arb_sqrt)
UNARY(ball_log1p, arb_log1p)
UNARY(ball_expm1, arb_expm1)
BINARY(ball_add, arb_add)
BINARY(ball_sub, arb_sub)
BINARY(ball_mul, arb_mul)
BINARY(ball_div, arb_div)
BINARY(ball_pow, arb_pow)

static ll_truth ball_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    if (arb_lt(x->ball, y->ball))
        return LL_TRUE;
    return arb_ge(x->ball, y->ball) ? LL_FALSE : LL_UNKNOWN;
}

static ll_truth ball_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    if (arb_is_finite(x->ball))
        return LL_TRUE;
    return arf_is_inf(arb_midref(x->ball)) && mag_is_finite(arb_radref(x->ball)) ? LL_FALSE : LL_UNKNOWN;
}

static void ball_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    (void)a;
    arb_set(out, x->ball);
}

const ll_operations ll_arithmetic_ball = {
    .name = "exact",
    .init = ball_init,
    .clear = ball_clear,
    .set = ball_set,
    .set_exact = ball_set_exact,
    .add = ball_add,
    .sub = ball_sub,
    .mul = ball_mul,
    .div = ball_div,
    .pow = ball_pow,
    .neg = ball_neg,
    .log = ball_log,
    .exp = ball_exp,
    .sqrt = ball_sqrt,
    .log1p = ball_log1p,
    .expm1 = ball_expm1,
    .less = ball_less,
    .is_finite = ball_is_finite,
    .get_ball = ball_get_ball,
};

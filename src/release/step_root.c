/* root: RMSE of a mean of squares. Numbers below 0 have none. */
#include "release/transform.h"

#include <math.h>

/* So many bits give the root of x to 2^-bits, however short x is: it is below 2^(e/2) for x < 2^e. */
static slong root_precision(const arb_t x, slong bits)
{
    slong prec = ll_unreleased_precision(x) + bits;
    const fmpz *e = ARF_EXPREF(arb_midref(x));
    return fmpz_sgn(e) > 0 && fmpz_bits(e) < 30 ? prec + fmpz_get_si(e) / 2 : prec;
}

static void ball(arb_t x, const ll_exact *own, slong bits)
{
    (void)own;
    arb_sqrtpos(x, x, root_precision(x, bits));
}

static void rounded(const ll_arithmetic *a, ll_value *x, const ll_exact *own)
{
    (void)own;
    a->ops->sqrt(a, x, x);
}

/* An odd exponent of the base gives one to the mantissa; then it is halved. */
static void halve_exponent(fmpz_t mantissa, fmpz_t exponent, ulong base)
{
    if (fmpz_is_odd(exponent)) {
        fmpz_mul_ui(mantissa, mantissa, base);
        fmpz_sub_ui(exponent, exponent, 1);
    }
    fmpz_fdiv_q_2exp(exponent, exponent, 1);
}

/* sum / divisor, in lowest terms, has a root among fractions where both are squares. */
static void rational(ll_unreleased *unreleased, const ll_exact *own)
{
    fmpz_t divisor;
    (void)own;
    fmpz_init_set_si(divisor, unreleased->divisor);
    halve_exponent(unreleased->sum.mantissa, unreleased->sum.two, 2);
    halve_exponent(unreleased->sum.mantissa, unreleased->sum.five, 5);
    unreleased->is_rational =
        unreleased->is_rational && fmpz_is_square(unreleased->sum.mantissa) && fmpz_is_square(divisor);
    if (unreleased->is_rational) {
        fmpz_sqrt(unreleased->sum.mantissa, unreleased->sum.mantissa);
        fmpz_sqrt(divisor, divisor);
        unreleased->divisor = fmpz_get_si(divisor);
    }
    fmpz_clear(divisor);
}

static double plain(double x, double own)
{
    (void)own;
    return sqrt(fmax(x, 0));
}

/* A root is not negative, though noise may take the released number below 0. 0: all of it is below. */
static int back(arb_t x, const ll_exact *own, slong prec)
{
    arf_t low, high;
    (void)own;
    arf_init(low);
    arf_init(high);
    arb_get_interval_arf(low, high, x, prec);
    int possible = arf_sgn(high) >= 0;
    if (arf_sgn(low) < 0)
        arf_zero(low);
    if (arf_sgn(high) < 0)
        arf_zero(high);
    arf_mul(low, low, low, prec, ARF_RND_FLOOR);
    arf_mul(high, high, high, prec, ARF_RND_CEIL);
    arb_set_interval_arf(x, low, high, prec);
    arf_clear(low);
    arf_clear(high);
    return possible;
}

static void grow(arb_t size, const ll_exact *own, slong prec)
{
    (void)own;
    arb_sqrtpos(size, size, prec);
}

/* Numbers within h of some y <= m + h square to an interval of half width 2 y h. */
static void shrink(arb_t half, const ll_exact *own, const arb_t size, slong prec)
{
    arb_t y;
    (void)own;
    arb_init(y);
    arb_add(y, size, half, prec);
    arb_mul(half, half, y, prec);
    arb_mul_2exp_si(half, half, 1);
    arb_clear(y);
}

/* |sqrt a - sqrt b| = |a - b| / (sqrt a + sqrt b) >= |a - b| / (2 sqrt most) */
static void apart(arb_t difference, const ll_exact *own, const arb_t most, slong prec)
{
    (void)own;
    if (!arb_is_zero(most))
        arb_div(difference, difference, most, prec);
    arb_mul_2exp_si(difference, difference, -1);
}

const ll_transform ll_transform_root = {
    .name = "root",
    .example = "root",
    .python_before = "root(",
    .python_after = ")",
    .needs_sign = 1,
    .missing = "the score is negative: it has no root",
    .power = 0.5,
    .ball = ball,
    .rounded = rounded,
    .rational = rational,
    .plain = plain,
    .back = back,
    .grow = grow,
    .shrink = shrink,
    .apart = apart,
};

/* negate: a loss that is shown as a gain. Nothing is rounded. */
#include "release/transform.h"

static void ball(arb_t x, slong bits)
{
    (void)bits;
    arb_neg(x, x);
}

static void rounded(const ll_arithmetic *a, ll_value *x)
{
    a->ops->neg(a, x, x);
}

static void rational(ll_raw *raw)
{
    fmpz_neg(raw->sum.mantissa, raw->sum.mantissa);
}

static double plain(double x)
{
    return -x;
}

static int back(arb_t x, slong prec)
{
    (void)prec;
    arb_neg(x, x);
    return 1;
}

static void keep(arb_t size, slong prec)
{
    (void)size;
    (void)prec;
}

static void keep_of(arb_t size, const arb_t other, slong prec)
{
    (void)size;
    (void)other;
    (void)prec;
}

const ll_transform ll_transform_negate = {
    .name = "negate",
    .turns = 1,
    .is_exact = 1,
    .factor = -1,
    .power = 1,
    .ball = ball,
    .rounded = rounded,
    .rational = rational,
    .plain = plain,
    .back = back,
    .grow = keep,
    .shrink = keep_of,
    .apart = keep_of,
};

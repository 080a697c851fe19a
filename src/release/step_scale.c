/* scale: the number times a factor, rounded once. negate (a loss that is shown as a gain) and percent have their
 * factors, and of -1 no product is rounded. */
#include "release/transform.h"

static void ball(arb_t x, const ll_exact *own, slong bits)
{
    arb_t factor;
    slong prec = ll_unreleased_precision(x) + bits;
    arb_init(factor);
    ll_exact_get_ball(factor, own, prec);
    arb_mul(x, x, factor, prec);
    arb_clear(factor);
}

static void rounded(const ll_arithmetic *a, ll_value *x, const ll_exact *own)
{
    ll_value factor;
    a->ops->init(a, &factor);
    ll_format_set_exact(&a->format, factor.fpa, own);
    a->ops->mul(a, x, x, &factor);
    a->ops->clear(a, &factor);
}

static void rational(ll_unreleased *unreleased, const ll_exact *own)
{
    fmpz_mul(unreleased->sum.mantissa, unreleased->sum.mantissa, own->mantissa);
    fmpz_add(unreleased->sum.two, unreleased->sum.two, own->two);
    fmpz_add(unreleased->sum.five, unreleased->sum.five, own->five);
}

static double plain(double x, double own)
{
    return own * x;
}

static int back(arb_t x, const ll_exact *own, slong prec)
{
    arb_t factor;
    arb_init(factor);
    ll_exact_get_ball(factor, own, prec);
    arb_div(x, x, factor, prec);
    arb_clear(factor);
    return 1;
}

static void grow(arb_t size, const ll_exact *own, slong prec)
{
    arb_t factor;
    arb_init(factor);
    ll_exact_get_ball(factor, own, prec);
    arb_abs(factor, factor);
    arb_mul(size, size, factor, prec);
    arb_clear(factor);
}

static void shrink(arb_t half, const ll_exact *own, const arb_t size, slong prec)
{
    arb_t factor;
    (void)size;
    arb_init(factor);
    ll_exact_get_ball(factor, own, prec);
    arb_abs(factor, factor);
    arb_div(half, half, factor, prec);
    arb_clear(factor);
}

static void apart(arb_t difference, const ll_exact *own, const arb_t most, slong prec)
{
    (void)most;
    grow(difference, own, prec);
}

#define SCALES                                                                                                         \
    .scales = 1, .power = 1, .ball = ball, .rounded = rounded, .rational = rational, .plain = plain, .back = back,     \
    .grow = grow, .shrink = shrink, .apart = apart

const ll_transform ll_transform_negate = {.name = "negate",
                                          .example = "negate",
                                          .python_before = "-(",
                                          .python_after = ")",
                                          .fixed = -1,
                                          .is_exact = 1,
                                          SCALES};
const ll_transform ll_transform_percent = {
    .name = "percent", .example = "percent", .python_before = "100 * (", .python_after = ")", .fixed = 100, SCALES};
const ll_transform ll_transform_scale = {
    .name = "scale", .example = "scale:-3", .parameter = "scale:FACTOR, a number other than 0", SCALES};

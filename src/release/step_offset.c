/* offset: a number is added, rounded once. negate,offset:1 is an error rate, 1 - accuracy. */
#include "release/transform.h"

static void ball(arb_t x, const ll_exact *own, slong bits)
{
    arb_t summand;
    slong prec = ll_unreleased_precision(x) + bits;
    arb_init(summand);
    ll_exact_get_ball(summand, own, prec);
    arb_add(x, x, summand, ARF_PREC_EXACT);
    arb_clear(summand);
}

static void rounded(const ll_arithmetic *a, ll_value *x, const ll_exact *own)
{
    ll_value summand;
    a->ops->init(a, &summand);
    ll_format_set_exact(&a->format, summand.fpa, own);
    a->ops->add(a, x, x, &summand);
    a->ops->clear(a, &summand);
}

/* sum / divisor + own, as a fraction again. */
static void rational(ll_unreleased *unreleased, const ll_exact *own)
{
    fmpq_t number, summand;
    fmpz_t divisor;
    fmpq_init(number);
    fmpq_init(summand);
    fmpz_init_set_si(divisor, unreleased->divisor);
    unreleased->is_rational =
        unreleased->is_rational && ll_exact_get_fmpq(number, &unreleased->sum) && ll_exact_get_fmpq(summand, own);
    if (unreleased->is_rational) {
        fmpq_div_fmpz(number, number, divisor);
        fmpq_add(number, number, summand);
        ll_unreleased_set_fraction(unreleased, number, 1);
    }
    fmpz_clear(divisor);
    fmpq_clear(summand);
    fmpq_clear(number);
}

static double plain(double x, double own)
{
    return x + own;
}

static int back(arb_t x, const ll_exact *own, slong prec)
{
    arb_t summand;
    arb_init(summand);
    ll_exact_get_ball(summand, own, prec);
    arb_sub(x, x, summand, prec);
    arb_clear(summand);
    return 1;
}

static void grow(arb_t size, const ll_exact *own, slong prec)
{
    arb_t summand;
    arb_init(summand);
    ll_exact_get_ball(summand, own, prec);
    arb_abs(summand, summand);
    arb_add(size, size, summand, prec);
    arb_clear(summand);
}

static void keep(arb_t half, const ll_exact *own, const arb_t size, slong prec)
{
    (void)half;
    (void)own;
    (void)size;
    (void)prec;
}

const ll_transform ll_transform_offset = {
    .name = "offset",
    .example = "offset:1",
    .parameter = "offset:SUMMAND, a number",
    .may_be_zero = 1,
    .shifts = 1,
    .power = 1,
    .ball = ball,
    .rounded = rounded,
    .rational = rational,
    .plain = plain,
    .back = back,
    .grow = grow,
    .shrink = keep,
    .apart = keep,
};

/* percent: a hundred times the number. */
#include "release/transform.h"

enum { HUNDRED = 100 };

static void ball(arb_t x, slong bits)
{
    (void)bits;
    arb_mul_ui(x, x, HUNDRED, ll_raw_precision(x));
}

static void rounded(const ll_arithmetic *a, ll_value *x)
{
    ll_value hundred;
    a->ops->init(a, &hundred);
    ll_format_set_d(&a->format, hundred.fpa, HUNDRED);
    a->ops->mul(a, x, x, &hundred);
    a->ops->clear(a, &hundred);
}

static void rational(ll_raw *raw)
{
    fmpz_mul_ui(raw->sum.mantissa, raw->sum.mantissa, HUNDRED);
}

static double plain(double x)
{
    return HUNDRED * x;
}

static int back(arb_t x, slong prec)
{
    arb_div_ui(x, x, HUNDRED, prec);
    return 1;
}

static void grow(arb_t size, slong prec)
{
    arb_mul_ui(size, size, HUNDRED, prec);
}

static void shrink(arb_t half, const arb_t size, slong prec)
{
    (void)size;
    arb_div_ui(half, half, HUNDRED, prec);
}

static void apart(arb_t difference, const arb_t most, slong prec)
{
    (void)most;
    arb_mul_ui(difference, difference, HUNDRED, prec);
}

const ll_transform ll_transform_percent = {
    .name = "percent",
    .factor = HUNDRED,
    .power = 1,
    .ball = ball,
    .rounded = rounded,
    .rational = rational,
    .plain = plain,
    .back = back,
    .grow = grow,
    .shrink = shrink,
    .apart = apart,
};

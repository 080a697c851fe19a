/* The focal loss: -(1-x)^gamma ln x of class 1, -x^gamma ln(1-x) of class 0, gamma > 0. With u = ln((1-x)/x), a = -ln x =
 * ln(1 + e^u) and b = -ln(1-x) = ln(1 + e^-u) the weight is G(u) = (1-x)^gamma a - x^gamma b. It is odd and increasing:
 * G'(u) = (1-x)^gamma (gamma x a + 1-x) + x^gamma (gamma (1-x) b + x) > 0, since (1-x)' = x(1-x), a' = 1-x, b' = -x. */
#include "metric/terms/terms.h"

/* (1-x)^gamma a - x^gamma b, as two products. */
static void products(const ll_metric *metric, arb_t one, arb_t zero, arb_t gamma, const arb_t x, const arb_t mirror,
                     slong wp)
{
    ll_exact_get_ball(gamma, &metric->parameter, wp);
    ll_metric_power(one, mirror, gamma, wp);
    ll_metric_power(zero, x, gamma, wp);
}

/* The difference cancels next to 1/2, where x - 1/2 has about as many bits as the weight. */
void ll_metric_weight_focal(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    arb_t one, zero, gamma, t;
    arb_init(one);
    arb_init(zero);
    arb_init(gamma);
    arb_init(t);
    arb_sub(t, mirror, x, 64);
    slong lost = arf_is_normal(arb_midref(t)) && arf_cmpabs_2exp_si(arb_midref(t), -4096) > 0
                     ? -fmpz_get_si(ARF_EXPREF(arb_midref(t)))
                     : 0;
    slong wp = prec + 30 + (lost > 0 ? lost : 0);
    products(metric, one, zero, gamma, x, mirror, wp);
    arb_log(t, x, wp);
    arb_mul(one, one, t, wp);
    arb_log(t, mirror, wp);
    arb_mul(zero, zero, t, wp);
    arb_sub(out, zero, one, prec);
    arb_clear(one);
    arb_clear(zero);
    arb_clear(gamma);
    arb_clear(t);
}

/* ln(1 + e^u) and ln(1 + e^-u), of which one is at most ln 2. */
static void logarithms(arb_t a, arb_t b, const arb_t u, slong wp)
{
    int positive = arf_sgn(arb_midref(u)) > 0;
    arb_ptr small = positive ? b : a, large = positive ? a : b;
    arb_t size;
    arb_init(size);
    if (positive)
        arb_neg(size, u);
    else
        arb_set(size, u);
    ll_metric_exp(small, size, wp);
    arb_log1p(small, small, wp);
    arb_sub(large, small, size, wp);
    arb_clear(size);
}

void ll_metric_focal_curve(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec)
{
    slong wp = prec + 30 + ll_metric_magnitude(u, 64);
    arb_t x, mirror, a, b, one, zero, gamma, t;
    arb_ptr all[] = {x, mirror, a, b, one, zero, gamma, t};
    for (int i = 0; i < 8; i++)
        arb_init(all[i]);
    ll_metric_sigmoid(x, mirror, u, wp);
    logarithms(a, b, u, wp);
    products(metric, one, zero, gamma, x, mirror, wp);
    if (derivative) {
        arb_mul(t, gamma, x, wp);
        arb_mul(t, t, a, wp);
        arb_add(t, t, mirror, wp);
        arb_mul(derivative, t, one, wp);
        arb_mul(t, gamma, mirror, wp);
        arb_mul(t, t, b, wp);
        arb_add(t, t, x, wp);
        arb_addmul(derivative, t, zero, wp);
    }
    if (value) {
        arb_mul(one, one, a, wp);
        arb_mul(zero, zero, b, wp);
        arb_sub(value, one, zero, wp);
    }
    for (int i = 0; i < 8; i++)
        arb_clear(all[i]);
}

/* Weights s(1,x) - s(0,x) in balls, from x and its mirror 1 - x (or -x) together: near 0, near 1 and near 1/2
 * one of x, 1-x and 1-2x is small, and each is taken from where it is known best. */
#include "metric/terms/terms.h"

/* Is the ball inside [1/4, 3/4]? */
static int is_central(const arb_t x)
{
    arb_t y;
    int inside;
    arb_init(y);
    arb_mul_2exp_si(y, x, 2);
    arb_sub_ui(y, y, 2, 64);
    inside = mag_cmp_2exp_si(arb_radref(y), -3) < 0 && arf_cmpabs_2exp_si(arb_midref(y), 0) < 0;
    arb_clear(y);
    return inside;
}

/* ln((1-x)/x) = 2 atanh(1-2x). */
void ll_metric_weight_log(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    arb_t t;
    (void)metric;
    arb_init(t);
    if (is_central(x)) {
        arb_sub(t, mirror, x, prec + 5);
        arb_atanh(out, t, prec);
        arb_mul_2exp_si(out, out, 1);
    } else {
        arb_div(t, mirror, x, prec + 5);
        arb_log(out, t, prec);
    }
    arb_clear(t);
}

void ll_metric_weight_logit(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    (void)metric;
    (void)mirror;
    (void)prec;
    arb_neg(out, x);
}

/* (1-2x)/(x(1-x)) - ln((1-x)/x); the first is at least twice the second, so a bit is lost at most. */
void ll_metric_weight_itakura_saito(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    arb_t first, second;
    arb_init(first);
    arb_init(second);
    arb_sub(first, mirror, x, prec + 5);
    arb_div(first, first, x, prec + 5);
    arb_div(first, first, mirror, prec + 5);
    ll_metric_weight_log(metric, second, x, mirror, prec + 5);
    arb_sub(out, first, second, prec);
    arb_clear(first);
    arb_clear(second);
}

void ll_metric_weight_squared(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    (void)metric;
    arb_sub(out, mirror, x, prec);
}

/* With b = alpha - 1: alpha((1-x)^b - x^b) = 2 alpha (x(1-x))^(b/2) sinh(b/2 ln((1-x)/x)), which does not cancel
 * near 1/2. */
static void norm_central(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, const arb_t b,
                         slong prec)
{
    arb_t power, half;
    arb_init(power);
    arb_init(half);
    arb_mul_2exp_si(half, b, -1);
    arb_mul(power, x, mirror, prec);
    arb_pow(power, power, half, prec);
    ll_metric_weight_log(metric, out, x, mirror, prec);
    arb_mul(out, out, half, prec);
    arb_sinh(out, out, prec);
    arb_mul(out, out, power, prec);
    arb_mul_2exp_si(out, out, 1);
    arb_clear(power);
    arb_clear(half);
}

void ll_metric_weight_norm(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    arb_t alpha, b, t;
    slong wp;
    arb_init(alpha);
    arb_init(b);
    arb_init(t);
    ll_exact_get_ball(alpha, &metric->parameter, prec);
    wp = prec + 20 + ll_metric_magnitude(alpha, 1L << 20);
    ll_exact_get_ball(alpha, &metric->parameter, wp);
    arb_sub_ui(b, alpha, 1, wp);
    if (is_central(x)) {
        norm_central(metric, t, x, mirror, b, wp);
    } else {
        ll_metric_power(t, mirror, b, wp);
        ll_metric_power(b, x, b, wp);
        arb_sub(t, t, b, wp);
    }
    arb_mul(out, t, alpha, prec);
    arb_clear(alpha);
    arb_clear(b);
    arb_clear(t);
}

/* Of an accuracy, label x = 1 gives 1 - 0 and x = 0 gives 0 - 1; any other x is no label. */
void ll_metric_weight_match(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    (void)metric;
    (void)mirror;
    (void)prec;
    if (arb_is_one(x))
        arb_one(out);
    else if (arb_is_zero(x))
        arb_set_si(out, -1);
    else
        arb_indeterminate(out);
}

void ll_metric_weight_miss(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    ll_metric_weight_match(metric, out, x, mirror, prec);
    arb_neg(out, out);
}

void ll_metric_phi_rise(const ll_metric *metric, arb_t out, slong prec)
{
    ll_arithmetic a;
    ll_value x, zero, one;
    ll_arithmetic_set_ball(&a, prec + 5);
    arb_init(x.ball);
    arb_init(zero.ball);
    arb_init(one.ball);
    ll_expression_evaluate(metric->phi, &a, &zero, NULL, NULL, &x, NULL);
    arb_one(x.ball);
    ll_expression_evaluate(metric->phi, &a, &one, NULL, NULL, &x, NULL);
    arb_sub(out, one.ball, zero.ball, prec);
    arb_clear(x.ball);
    arb_clear(zero.ball);
    arb_clear(one.ball);
}

/* phi(1) - phi(0) - phi'(x) at precision wp; x itself may have more bits. */
static void bregman_once(const ll_metric *metric, arb_t out, const arb_t x, slong wp)
{
    ll_arithmetic a;
    ll_value at, value, slope;
    ll_arithmetic_set_ball(&a, wp);
    arb_init(at.ball);
    arb_init(value.ball);
    arb_init(slope.ball);
    arb_set(at.ball, x);
    ll_expression_evaluate(metric->phi, &a, &value, &slope, NULL, &at, NULL);
    ll_metric_phi_rise(metric, out, wp);
    arb_sub(out, out, slope.ball, wp);
    arb_clear(at.ball);
    arb_clear(value.ball);
    arb_clear(slope.ball);
}

/* An expression knows x only, so near 1 it is taken as 1 - mirror, with all the bits that this has. Bits lost
 * to cancellation inside the expression are met by doubling, as long as that helps. */
void ll_metric_weight_bregman(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    slong wp = prec + 20, reached = -WORD_MAX, before;
    arb_t at, best;
    arb_init(at);
    arb_init(best);
    arb_set(at, x);
    if (arf_cmpabs_2exp_si(arb_midref(mirror), -2) < 0 && !arb_is_zero(mirror)) {
        wp = arf_cmpabs_2exp_si(arb_midref(mirror), -(1L << 22)) < 0
                 ? 1L << 22
                 : prec + 20 - fmpz_get_si(ARF_EXPREF(arb_midref(mirror)));
        arb_sub_ui(at, mirror, 1, 2 * wp);
        arb_neg(at, at);
    }
    do {
        before = reached;
        bregman_once(metric, best, at, wp);
        reached = arb_rel_accuracy_bits(best);
        wp *= 2;
    } while (reached < prec && reached > before && wp < 8 * prec + (1L << 16));
    arb_set_round(out, best, prec);
    arb_clear(at);
    arb_clear(best);
}

static int is_outside(const ll_metric *metric, const arb_t x, const arb_t mirror)
{
    if (!ll_metric_reads_probabilities(metric))
        return ll_metric_reads_labels(metric) && !arb_contains_si(x, 0) && !arb_contains_si(x, 1);
    return arb_is_negative(x) || arb_is_negative(mirror);
}

ll_status ll_metric_weight_pair(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    ll_status status = LL_OK;
    arb_t w;
    if (ll_terms_of(metric)->weight == NULL || is_outside(metric, x, mirror))
        return LL_DOMAIN;
    arb_init(w);
    ll_terms_of(metric)->weight(metric, w, x, mirror, prec);
    if (arb_is_finite(w))
        arb_swap(out, w);
    else
        status = arb_is_exact(x) ? LL_DOMAIN : LL_UNABLE;
    arb_clear(w);
    return status;
}

/* x and 1 - x with relative error 2^-prec each still leave 1 - 2x open near 1/2: double until it shows. */
ll_status ll_metric_weight_exact(const ll_metric *metric, arb_t out, const ll_exact *x, slong prec)
{
    ll_status status;
    arb_t at, mirror;
    arb_init(at);
    arb_init(mirror);
    for (slong wp = prec + 20;; wp *= 2) {
        ll_exact_get_ball(at, x, wp);
        if (ll_metric_reads_logits(metric))
            arb_neg(mirror, at);
        else
            ll_exact_get_complement(mirror, x, wp);
        status = ll_metric_weight_pair(metric, out, at, mirror, wp);
        if (status == LL_DOMAIN || wp > 4 * prec + 256)
            break;
        if (status == LL_OK && arb_rel_accuracy_bits(out) >= prec)
            break;
    }
    arb_clear(at);
    arb_clear(mirror);
    return status;
}

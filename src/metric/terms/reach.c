/* The weights that a loss can reach: the weight at the ends of the domain, or at a clip. */
#include "metric/terms/terms.h"

ll_status ll_metric_reach_all(const ll_metric *metric, arb_t low, arb_t high, slong prec)
{
    (void)metric;
    (void)prec;
    arb_neg_inf(low);
    arb_pos_inf(high);
    return LL_OK;
}

ll_status ll_metric_reach_one(const ll_metric *metric, arb_t low, arb_t high, slong prec)
{
    (void)metric;
    (void)prec;
    arb_set_si(low, -1);
    arb_one(high);
    return LL_OK;
}

ll_status ll_metric_reach_norm(const ll_metric *metric, arb_t low, arb_t high, slong prec)
{
    ll_exact_get_ball(high, &metric->parameter, prec);
    arb_neg(low, high);
    return LL_OK;
}

/* phi(1) - phi(0) - phi'(end): phi' rises, so its limit at 1 gives the least weight. */
ll_status ll_metric_reach_bregman(const ll_metric *metric, arb_t low, arb_t high, slong prec)
{
    ll_status status;
    arb_t rise, least, most;
    arb_init(rise);
    arb_init(least);
    arb_init(most);
    ll_metric_phi_rise(metric, rise, prec + 5);
    ll_metric_slope_beside(most, metric->phi, 0, 1, prec + 5);
    ll_metric_slope_beside(least, metric->phi, 1, -1, prec + 5);
    arb_sub(most, rise, most, prec);
    arb_sub(least, rise, least, prec);
    status = arf_is_nan(arb_midref(most)) || arf_is_nan(arb_midref(least)) ? LL_UNABLE : LL_OK;
    if (status == LL_OK) {
        arb_swap(low, least);
        arb_swap(high, most);
    }
    arb_clear(rise);
    arb_clear(least);
    arb_clear(most);
    return status;
}

ll_status ll_metric_reach(const ll_metric *metric, arb_t low, arb_t high, const ll_exact *clip, slong prec)
{
    ll_status status;
    arb_t eps, rest, least, most;
    if (ll_terms_of(metric)->reach == NULL)
        return LL_DOMAIN;
    if (clip == NULL || !ll_metric_reads_probabilities(metric))
        return ll_terms_of(metric)->reach(metric, low, high, prec);
    arb_init(eps);
    arb_init(rest);
    arb_init(least);
    arb_init(most);
    ll_exact_get_ball(eps, clip, prec + 20);
    ll_exact_get_complement(rest, clip, prec + 20);
    status = arb_is_positive(eps) && !arb_gt(eps, rest) ? LL_OK : LL_DOMAIN;
    if (status == LL_OK)
        status = ll_metric_weight_pair(metric, most, eps, rest, prec);
    if (status == LL_OK)
        status = ll_metric_weight_pair(metric, least, rest, eps, prec);
    if (status == LL_OK) {
        arb_swap(low, least);
        arb_swap(high, most);
    }
    arb_clear(eps);
    arb_clear(rest);
    arb_clear(least);
    arb_clear(most);
    return status;
}

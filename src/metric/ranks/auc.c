/* Metrics that are linear in AUC. */
#include "metric/ranks/auc.h"

const ll_rank_kind *ll_ranks_of(const ll_metric *metric)
{
    return metric->row->family == &ll_family_ranks ? metric->row->own : NULL;
}

/* ---- AUC ---- */

int ll_auc_slope(const ll_computation *how)
{
    const ll_rank_kind *kind = ll_ranks_of(how->metric);
    return kind != NULL && !kind->of_classes ? kind->slope : 0;
}

ll_auc_link ll_auc_get_link(const ll_computation *how, long classes)
{
    const ll_rank_kind *kind = ll_ranks_of(how->metric);
    if (kind == NULL)
        return (ll_auc_link){0};
    if (!kind->of_classes)
        return (ll_auc_link){kind->slope, kind->offset, 1};
    return (ll_auc_link){2, classes - 1, 2 * classes}; /* (AUC + (K - 1) / 2) / K */
}

/* The mean of K numbers, all but one of which are 1/2: the error of that one, a K-th of it, is at most itself; the sum
 * and the quotient are rounded, and no partial sum is above K. */
void ll_auc_error(const ll_computation *how, mag_t out, long ties, long classes)
{
    const ll_rank_kind *kind = ll_ranks_of(how->metric);
    mag_zero(out);
    if (how->kind == LL_KIND_EXACT)
        return;
    double mean = kind->of_classes ? (double)ll_sum_depth_upto(classes) + 2 : 0;
    mag_set_d(out, (kind->units(ties) + mean) * (1 + 0x1p-20));
    mag_mul_2exp_si(out, out, -53);
}

void ll_auc_of_number(const ll_computation *how, arb_t out, const arb_t number, long ties, long classes, slong prec)
{
    ll_auc_link link = ll_auc_get_link(how, classes);
    mag_t error;
    mag_init(error);
    ll_auc_error(how, error, ties, classes);
    arb_set(out, number);
    arb_add_error_mag(out, error);
    arb_mul_si(out, out, link.parts, prec);
    arb_sub_si(out, out, link.offset, prec);
    arb_div_si(out, out, link.slope, prec);
    mag_clear(error);
}

void ll_auc_get_number(const ll_computation *how, arb_t out, const arb_t auc, slong prec)
{
    const ll_rank_kind *kind = ll_ranks_of(how->metric);
    arb_mul_si(out, auc, kind->slope, prec);
    arb_add_si(out, out, kind->offset, prec);
}

/* The family of metrics of the order of predictions, and those of them that are linear in AUC. */
#include "metric/ranks/auc.h"

#include "metric/ranks/rank_spread.h"

const ll_rank_kind *ll_ranks_of(const ll_metric *metric)
{
    return metric->row->family == &ll_family_ranks ? metric->row->own : NULL;
}

int ll_metric_counts_pairs(const ll_metric *metric)
{
    return ll_ranks_of(metric) != NULL && ll_ranks_of(metric)->counts_pairs;
}

int ll_metric_is_one_vs_rest(const ll_metric *metric)
{
    return ll_ranks_of(metric) != NULL && ll_ranks_of(metric)->of_classes;
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

/* ---- the family ---- */

/* Two ties, or one where all predictions are the same. */
static ll_status score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t zeros = two->rows - two->positives;
    int64_t above[] = {two->guessed - two->tp, two->tp, zeros, two->positives};
    int one = two->guessed == 0 || two->guessed == two->rows;
    ll_ranking ranking = {two->rows, two->positives, one ? 1 : 2, one ? above + 2 : above};
    return ll_ranking_work(how, work, out, &ranking, NULL);
}

/* Where predictions are labels, their order is the table. */
static int is_of_table(const ll_metric *metric, int labels)
{
    (void)metric;
    return labels;
}

/* Predictions may be anything: labels are two ties, where there is one column. */
static int takes_labels(const ll_metric *metric)
{
    return !ll_metric_is_one_vs_rest(metric);
}

const ll_metric_family ll_family_ranks = {.score = ll_score_ranks,
                                          .score_two = score_two,
                                          .resolve = ll_view_resolve,
                                          .is_of_table = is_of_table,
                                          .takes_labels = takes_labels,
                                          .check_spread = ll_ranks_check_spread,
                                          .spread = ll_ranks_spread,
                                          .size_revealed = ll_ranks_size_revealed,
                                          .reference = ll_ranks_reference,
                                          .middling_spread = ll_ranks_middling_spread,
                                          .expose = ll_ranks_expose,
                                          .fails = ll_ranks_fails};

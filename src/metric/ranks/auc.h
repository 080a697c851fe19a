/* Metrics that are a linear function of AUC. */
#ifndef LL_METRIC_AUC_H
#define LL_METRIC_AUC_H

#include "metric/metric_private.h"
#include "metric/ranks/ranks.h"

/* Is the number a linear function of AUC? Its slope, or 0. */
int ll_auc_slope(const ll_computation *how);
/* The same where one column alone may have different predictions, of so many classes: number = (slope * AUC + offset) /
 * parts, as each constant column has AUC 1/2. slope 0: it is not. */
typedef struct {
    long slope, offset, parts;
} ll_auc_link;

ll_auc_link ll_auc_get_link(const ll_computation *how, long classes);
/* Then: how far a program's number of predictions with so many ties may be off. */
void ll_auc_error(const ll_computation *how, mag_t out, long ties, long classes);
/* Every AUC that a program's number of that interval may stand for; out may be number. */
void ll_auc_of_number(const ll_computation *how, arb_t out, const arb_t number, long ties, long classes, slong prec);

/* The number of an AUC, without any rounding; out may be area. */
void ll_auc_get_number(const ll_computation *how, arb_t out, const arb_t auc, slong prec);

/* The number of a metric, from the labels in the order of the predictions. LL_DOMAIN with the reason where there is
 * none. */
typedef struct {
    ll_status (*work)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *ranking,
                      ll_error *error);
    int counts_pairs;
    int slope, offset;          /* the number is slope * AUC + offset; 0: it is not */
    double (*units)(long ties); /* then: how far a program's number may be off, in 2^-53 */
    int of_classes; /* the number is the mean over classes k of this, of column k against [label = k] (one_vs_rest.c) */
} ll_rank_kind;

/* Of a metric of another family: NULL. */
const ll_rank_kind *ll_ranks_of(const ll_metric *metric);
LL_CHECK ll_status ll_score_one_vs_rest(const ll_scoring *scoring, ll_unreleased *out,
                                        const ll_predictions *predictions, slong bits, ll_error *error);

#endif

/* Metrics that see predictions through their order: AUC, Gini, average precision, Kolmogorov-Smirnov. Rows with equal
 * predictions are tied; what counts is how many rows of each label every tie has (rank_metrics.c). Of K classes each
 * has a column and a ranking of its own, against all others (one_vs_rest.c). */
#ifndef LL_METRIC_AUC_H
#define LL_METRIC_AUC_H

#include "metric/metric_private.h"

/* Two classes. Ties in falling order of their predictions. */
typedef struct {
    int64_t rows, positives;
    long ties;
    int64_t *above; /* above[2t], above[2t+1]: rows of label 0, of label 1, in ties 0 .. t */
} ll_ranking;

/* Of one column; label 1 stands for that of the column, where there is one a class. LL_DOMAIN names a row whose
 * prediction is not finite. */
LL_CHECK ll_status ll_ranking_init(const ll_scoring *scoring, ll_ranking *ranking, const ll_predictions *predictions,
                                   long column, ll_error *error);
void ll_ranking_clear(ll_ranking *ranking);

/* The number that a program makes of the ranking. LL_DOMAIN with the reason where it makes none (one class only). */
LL_CHECK ll_status ll_ranking_work(const ll_computation *how, const ll_work *work, ll_worked *out,
                                   const ll_ranking *ranking, ll_error *error);

/* The score of the family. */
LL_CHECK ll_status ll_score_ranks(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                  slong bits, ll_error *error);

/* ---- one metric ---- */

/* The number of a metric, from the labels in the order of the predictions. LL_DOMAIN with the reason where there is
 * none. */
typedef struct {
    ll_status (*work)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *ranking,
                      ll_error *error);
    int counts_pairs;           /* a fraction with denominator P (N - P), for P rows of class 1 */
    int slope, offset;          /* the number is slope * AUC + offset; 0: it is not */
    double (*units)(long ties); /* then: how far a program's number may be off, in 2^-53 */
    int of_classes; /* the number is the mean over classes k of this, of column k against [label = k] (one_vs_rest.c) */
} ll_rank_kind;

/* Of a metric of another family: NULL. */
const ll_rank_kind *ll_ranks_of(const ll_metric *metric);
LL_CHECK ll_status ll_score_one_vs_rest(const ll_scoring *scoring, ll_unreleased *out,
                                        const ll_predictions *predictions, slong bits, ll_error *error);

/* ---- linear in AUC ---- */

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

#endif

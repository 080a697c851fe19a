/* Metrics that see predictions through their order: AUC, Gini, average precision, Kolmogorov-Smirnov. Rows with equal
 * predictions are tied; what counts is how many rows of each label every tie has (rank_metrics.c). Of K classes each
 * has a column and a ranking of its own, against all others (one_vs_rest.c). */
#ifndef LL_METRIC_RANKS_H
#define LL_METRIC_RANKS_H

#include "metric/scoring.h"
#include "metric/worked.h"

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

/* n doubles in rising order, -0 before 0; spare has room for as many. No NaN. */
void ll_ranks_sort(double *x, double *spare, long n);

/* The score of the family. */
LL_CHECK ll_status ll_score_ranks(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                  slong bits, ll_error *error);

#endif

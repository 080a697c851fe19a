/* Metrics that see labels and predictions through their counts: how many rows have label i and are predicted to be j.
 * F1, Jaccard, Matthews, kappa and their kin are functions of these counts (count_metrics.c). */
#ifndef LL_METRIC_CONFUSION_H
#define LL_METRIC_CONFUSION_H

#include "metric/counts/weighed.h"
#include "metric/scoring.h"
#include "metric/worked.h"

typedef struct {
    long classes;
    int64_t rows;
    int64_t *cells;               /* cells[label * classes + predicted] */
    int64_t *support, *predicted; /* sums over predicted, over labels: one a class */
    const ll_weighed *weighed; /* rows have weights: then counts are those of rows that weigh more than 0; NULL: none */
} ll_confusion;

/* Zero counts. LL_DOMAIN for more classes than a table of pairs has room for. */
LL_CHECK ll_status ll_confusion_init(ll_confusion *counts, long classes, ll_error *error);
void ll_confusion_clear(ll_confusion *counts);
/* Sums and rows from the cells. */
void ll_confusion_close(ll_confusion *counts);
/* Two classes: true positives rows of label 1 are predicted 1, of `guessed` rows predicted so and `positives` with that
 * label. */
void ll_confusion_set_two(ll_confusion *counts, int64_t tp, int64_t guessed, int64_t positives, int64_t rows);

/* The counts of all rows. LL_DOMAIN names a row whose prediction is no label. */
LL_CHECK ll_status ll_confusion_count(const ll_scoring *scoring, ll_confusion *counts,
                                      const ll_predictions *predictions, ll_error *error);
/* Do labels or predictions show the class? */
int ll_confusion_shows(const ll_confusion *counts, long k);

/* The number that a program makes of the counts. LL_DOMAIN with the reason where it makes none (0/0). */
LL_CHECK ll_status ll_confusion_work(const ll_computation *how, const ll_work *work, ll_worked *out,
                                     const ll_confusion *counts, ll_error *error);

/* The score of the family. */
LL_CHECK ll_status ll_score_confusion(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                      slong bits, ll_error *error);

#endif

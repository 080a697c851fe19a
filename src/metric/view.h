/* A number computed from counts, and how it becomes one that can be released. */
#ifndef LL_METRIC_VIEW_H
#define LL_METRIC_VIEW_H

#include "metric/scoring.h"
#include "metric/worked.h"

/* Two classes, predictions 0 and 1 (or two levels): `guessed` rows are predicted 1, `positives` rows have label 1, `tp`
 * rows have both. */
typedef struct {
    int64_t tp, guessed, positives, rows;
} ll_two;

/* The counts if all rows are predicted `base` except one. The state of this row is label 0, label 1, or 2: it is not
 * scored. */
void ll_two_flip(ll_two *two, int base, int state);

/* The number of a metric of counts or ranks, or of one whose terms count rows. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two);

/* Is its number a function of these counts? */
int ll_score_two_applies(const ll_computation *how);

/* Metrics of counts and ranks: programs work in fp64, whatever the predictions are. */
LL_CHECK ll_status ll_view_resolve(ll_computation *how, ll_error *error);

/* How the number is computed: as a program does, or exactly, to 2^-bits. */
ll_work ll_view_work(const ll_computation *how, slong bits);
/* The number as it goes into the release. */
void ll_view_finish(const ll_computation *how, ll_unreleased *out, const ll_worked *number);

#endif

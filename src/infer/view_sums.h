/* Scores of counts and ranks as sums of labels, one interval for every number of positives. Two classes. */
#ifndef LL_INFER_VIEW_SUMS_H
#define LL_INFER_VIEW_SUMS_H

#include "infer/evidence.h"

/* With P rows of label 1: low[P] <= sum of the features of the rows of label 1 <= high[P]; low > high where no labels
 * with P positives have the score. */
typedef struct {
    long *features;      /* [row], at least 0 */
    int64_t *low, *high; /* [0 .. rows] */
} ll_view_sums;

/* Of one score. LL_DOMAIN where the metric is no such function; LL_MEMORY. Clear what it gave. */
LL_CHECK ll_status ll_evidence_view_sums(const ll_evidence *evidence, long score, ll_view_sums *out, ll_error *error);
void ll_view_sums_clear(ll_view_sums *sums);

#endif

/* One submission and its score, as what they tell of labels. */
#ifndef LL_INVESTIGATE_SCORE_SUMS_H
#define LL_INVESTIGATE_SCORE_SUMS_H

#include "infer/view_sums.h"
#include "investigate/known_sum.h"

typedef struct {
    ll_known_sum *sums; /* that hold whatever the class counts are */
    long count;
    ll_view_sums *views; /* and those of metrics that depend on the number of positives */
    long view_count;
} ll_score_sums;

/* LL_DOMAIN: the predictions or the score are not what the scorer takes. A number that is neither tells nothing. Clear
 * it in any case. */
LL_CHECK ll_status ll_score_sums_read(ll_score_sums *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                      const char *score, ll_error *error);
void ll_score_sums_clear(ll_score_sums *sums);

/* From one equation of `system` to a sum in 64-bit integers; labels that the equation decides alone, because its weights
 * are far apart, are further sums of one variable each (peel.c). */
LL_CHECK ll_status ll_score_sums_add_equation(ll_score_sums *out, const ll_linear *system, long score);

#endif

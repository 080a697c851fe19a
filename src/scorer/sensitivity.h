/* How far labels can move what is released: the released number as a function of the sum of terms,
 *
 *     scale * (sum / divisor)^power, up to the rounding of its floats,
 *
 * and what one label can change of it (docs/proofs/audit.md, docs/proofs/proportional.md). */
#ifndef LL_SCORER_SENSITIVITY_H
#define LL_SCORER_SENSITIVITY_H

#include "scorer/scorer.h"

typedef struct {
    double scale, power, divisor;
} ll_shape;

/* Of a score over so many rows. Signs are left out: scale > 0. */
ll_shape ll_scorer_shape(const ll_scorer *scorer, long rows);

/* The most that it rises where the sum, which lies in [least, most], grows by `length`. */
double ll_shape_rise(const ll_shape *shape, double least, double most, double length);

/* How far the computed number may be from the exact one, for sums of at least `least` and of at most `most` in size:
 * the sum (docs/proofs/summation.md), then division, power and factor, a few units each. 0 in exact arithmetic.
 * is_count: sums are counts, which floats hold. */
double ll_shape_slack(const ll_shape *shape, const ll_computation *how, long rows, double least, double most,
                      int is_count);

/* May sums of up to that size be infinite in the format, so that labels decide whether there is a number at all? */
int ll_shape_overflows(const ll_shape *shape, const ll_computation *how, double most);

/* Can it be had of this metric and its transform? LL_DOMAIN says why not. */
LL_CHECK ll_status ll_scorer_check_spread(const ll_scorer *scorer, ll_error *error);

/* Half of the root of the sum of R_i^2, an upper bound: R_i is the most that the label of row i can move the released
 * number for these predictions, whatever the other labels are, float errors counted; of AUC, whatever other labels with
 * as many positives (area_noise.h); of F1, where its noise follows the labels, with these other labels
 * (overlap_noise.h). LL_DOMAIN names the row, or says that for some labels the number would be infinite; LL_MEMORY. */
LL_CHECK ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                                        const ll_predictions *predictions, ll_error *error);

/* The same for a function of counts, over all labels: so many of the rows are predicted 1. Takes rows^2 / 4 steps, but
 * for F1. */
double ll_scorer_count_spread(const ll_scorer *scorer, long rows, long guessed);

/* The same of F1 with these labels. */
double ll_scorer_overlap_spread(const ll_scorer *scorer, long rows, long guessed, long positives, long hits);

/* Bits that the size of noise which follows the labels, too, adds to one answer of so many rows at most, failing on
 * labels of one class among them; 0 of a metric whose noise never does. */
double ll_scorer_size_told(const ll_scorer *scorer, long rows);

#endif

/* R^2 and explained variance of numeric targets, whose rows are all in every query (docs/proofs/fit.md). */
#ifndef LL_STRATEGY_FIT_FIT_H
#define LL_STRATEGY_FIT_FIT_H

#include "plan/strategy.h"
#include "strategy/common/counts_case.h"

extern const ll_strategy ll_strategy_fit;

/* ---- within this folder ---- */

extern const ll_writer ll_writer_fit;
extern const ll_case_kind ll_case_fit;
/* The prediction of a row, in half steps of the grid from its first target; and as the double that it is. */
int64_t ll_plan_fit_place(const ll_plan *plan, const ll_code *code, long row);
double ll_plan_fit_number(const ll_plan *plan, int64_t twice);
/* By how much, relatively, the program's quotient of the two sums of squares may be off. */
double ll_plan_fit_error(const ll_plan *plan);
/* Explained variance, of places up to `most` in size: how much the rounding of the mean of the errors may add to the
 * sum of their squares, in units. */
double ll_plan_fit_shift(const ll_plan *plan, double most);
/* Is the mean of targets that are all the same that target, in doubles added up in any order? */
int ll_plan_fit_is_flat_exact(const ll_plan *plan);

#endif

/* Counts class by class: from answers that show a confusion matrix, or from one number by contrasts of class 0
 * and one other (docs/proofs/several.md, docs/proofs/contrast.md). */
#ifndef LL_STRATEGY_CELLS_CELLS_H
#define LL_STRATEGY_CELLS_CELLS_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_cells;

/* ---- within this folder ---- */

#define LL_CELLS_MATRIX "matrix"     /* the variant for all counts */
#define LL_CELLS_DIAGONAL "diagonal" /* for right predictions alone */
#define LL_CELLS_CONTRAST "contrast" /* for one number of right predictions of two classes */
extern const ll_code_row ll_code_cells;
extern const ll_strategy ll_strategy_cells, ll_strategy_contrast;
LL_CHECK ll_status ll_cells_plan(ll_plan *plan, const ll_question *q, ll_error *error);
LL_CHECK ll_status ll_contrast_plan(ll_plan *plan, const ll_question *q, ll_error *error);
/* The number of an answer that is the count of a label and prediction; -1: none is. */
long ll_plan_find_cell(const ll_plan *plan, long label, long predicted);

#endif

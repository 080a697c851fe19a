/* What the writers for scorers in floats share. */
#ifndef LL_STRATEGY_COMMON_FLOATS_H
#define LL_STRATEGY_COMMON_FLOATS_H

#include "plan/plan.h"

enum { LL_FLOATS_PREC = 192 };

/* Are entries doubles (native scorers), or exact numbers (FPA)? */
int ll_floats_is_double(const ll_plan *plan);
/* x rounded to the scorer's format, into entry `column` of the row at `to`. */
void ll_floats_round(const ll_plan *plan, void *to, long column, const arb_t x);
/* What the scorer's own arithmetic makes of row `index` for every label: one enclosure a class. */
LL_CHECK ll_status ll_floats_terms(const ll_plan *plan, arb_ptr terms, const ll_block *block, long index,
                                   ll_error *error);
/* Entries of a stored row, one row of its block: into those from `at` on; are they those of row `index` of a block? */
void ll_floats_copy(const ll_plan *plan, void *to, long at, const ll_block *stored);
int ll_floats_is_stored(const ll_plan *plan, const ll_block *stored, const ll_block *block, long index);
/* What row `index` of a block really adds, by ll_floats_terms: a writer's `measure` for rows that are not as planned.
 */
LL_CHECK ll_status ll_floats_measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                                     const ll_block *block, long index, long row, ll_error *error);
/* The weights that the scorer's numbers can reach, from its clip or from the least normal number of its format. */
LL_CHECK ll_status ll_floats_reach(const ll_plan *plan, arb_t low, arb_t high);

/* Does a row of weight 0 add the same number whatever its label, because the same operations are done on the same bits?
 */
int ll_floats_is_symmetric(const ll_plan *plan);

#endif

/* Metrics of counts whose rows have weights: one row per query is predicted 1, all others 0
 * (docs/proofs/weighed-counts.md). */
#ifndef LL_STRATEGY_SINGLE_SINGLE_H
#define LL_STRATEGY_SINGLE_SINGLE_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_single;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_single;
/* rows[0 .. count - 1], ascending: query q > 0 asks about rows[q - 1]. The list becomes the code's own. */
void ll_single_set(ll_code *code, long *rows, long count);
/* The row of query > 0. */
long ll_single_row(const ll_code *code, long query);
LL_CHECK ll_status ll_single_plan(ll_plan *plan, const ll_question *q, ll_error *error);

#endif

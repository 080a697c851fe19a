/* Metrics of counts over a public split that is not known: one row per query is predicted otherwise than all
 * the others (docs/proofs/public.md). */
#ifndef LL_STRATEGY_FLIP_FLIP_H
#define LL_STRATEGY_FLIP_FLIP_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_flip;

/* ---- within this folder ---- */

#define LL_FLIP_ZEROS "zeros" /* the variant that predicts all others 0 */
extern const ll_code_row ll_code_flip;
LL_CHECK ll_status ll_flip_plan(ll_plan *plan, const ll_question *q, ll_error *error);

#endif

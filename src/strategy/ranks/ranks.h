/* Metrics that are a linear function of AUC, asked by the order of the predictions (docs/proofs/ranks.md). */
#ifndef LL_STRATEGY_RANKS_RANKS_H
#define LL_STRATEGY_RANKS_RANKS_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_ranks;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_ranks;
extern const ll_writer ll_writer_ranks;
LL_CHECK ll_status ll_ranks_plan(ll_plan *plan, const ll_question *q, ll_error *error);

#endif

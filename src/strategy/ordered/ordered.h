/* Metrics of ordered classes, whose labels cost by their distance from the predicted one
 * (docs/proofs/ordered.md). */
#ifndef LL_STRATEGY_ORDERED_ORDERED_H
#define LL_STRATEGY_ORDERED_ORDERED_H

#include "plan/strategy.h"
#include "strategy/common/counts_case.h"

extern const ll_candidate ll_candidate_ordered;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_ordered;
extern const ll_case_kind ll_case_ordered;

#endif

/* All rows keep their prediction but for a few per query: weighted scores, and terms that no other strategy
 * chooses (docs/proofs/changes.md). */
#ifndef LL_STRATEGY_CHANGES_CHANGES_H
#define LL_STRATEGY_CHANGES_CHANGES_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_changes;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_changes;
extern const ll_writer ll_writer_changes;
LL_CHECK ll_status ll_changes_plan(ll_plan *plan, const ll_question *q, ll_error *error);

#endif

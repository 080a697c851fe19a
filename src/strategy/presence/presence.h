/* Means of terms over a public split that is not known: rows have one state more, "absent"
 * (docs/proofs/public.md). */
#ifndef LL_STRATEGY_PRESENCE_PRESENCE_H
#define LL_STRATEGY_PRESENCE_PRESENCE_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_presence;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_presence;
extern const ll_code_row ll_code_presence_labels; /* presence:labels */

#endif

/* Predictions that are labels: a score tells how many are right (docs/proofs/detecting.md), or how many of each
 * kind (docs/proofs/counts.md). */
#ifndef LL_STRATEGY_MATCHES_MATCHES_H
#define LL_STRATEGY_MATCHES_MATCHES_H

#include "plan/strategy.h"

/* The one that counts matches, or the one that reads counts of two classes; NULL: this metric does not ask for labels.
 */
const ll_strategy *ll_matches_pick(const ll_plan *plan);

/* ---- within this folder ---- */

extern const ll_writer ll_writer_one_hot;

#endif

/* What the best constant scores: every row predicted alike, without knowledge of its label. */
#ifndef LL_SCORER_BASELINE_H
#define LL_SCORER_BASELINE_H

#include "scorer/scorer.h"

/* As it is released, without noise and rounding, under the prior, the known counts or equal shares; NAN where it is not
 * known: no constant has a score, or it depends on what every row weighs. Not for proofs. The computation and the
 * release of `scorer` must be there. */
double ll_scorer_baseline(const ll_scorer *scorer);

/* The best score that there can be, as it is released. */
double ll_scorer_best(const ll_scorer *scorer);

#endif

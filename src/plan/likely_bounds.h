/* Random noise: bounds that hold with a probability. */
#ifndef LL_PLAN_LIKELY_BOUNDS_H
#define LL_PLAN_LIKELY_BOUNDS_H

#include "plan/plan.h"

/* Does the plan take the scorer's own rounding as random? Native floats, and only likely; not the code hadamard, which
 * may prove its answer, nor sums of many roundings, which are not independent. */
int ll_likely_is_native(const ll_plan *plan);
/* A bound on |N * computed score - sum of terms| that holds in all queries with the probability asked for, were every
 * rounding error independent and uniform (docs/proofs/noise.md). magnitude: at least the sum of |terms|. */
double ll_likely_rounding(const ll_plan *plan, double magnitude);

/* A plan of one code for scores with random noise (docs/proofs/noise.md): the noise of every query is taken as bounded
 * by a quantile such that all bounds hold with probability 1 - request->failure, queries are repeated where that takes
 * fewer in all. */
LL_CHECK ll_status ll_likely_make(ll_plan **out, const ll_scorer *scorer, const char *code,
                                  const ll_plan_request *request, long limit, ll_error *error);

#endif

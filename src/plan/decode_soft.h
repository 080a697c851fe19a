#ifndef LL_PLAN_DECODE_SOFT_H
#define LL_PLAN_DECODE_SOFT_H

#include "plan/plan.h"

/* Sum of signs (z of src/soft) of every answered query: between low and high, both rounded outward. Sets labels,
 * shares, probability, guarantee and kind of *v, whose rows, classes, labels and candidates (all 1) are there.
 * LL_MEMORY. */
LL_CHECK ll_status ll_plan_soft_verdict(const ll_plan *plan, ll_verdict *v, const double *low, const double *high,
                                        const unsigned char *answered);

#endif

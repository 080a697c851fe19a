/* Random signs: what passing.c does by transforms for a Sylvester matrix, done sum by sum. */
#ifndef LL_POSTERIOR_SAMPLED_H
#define LL_POSTERIOR_SAMPLED_H

#include "posterior/posterior.h"

LL_CHECK ll_status ll_posterior_decode_random(const ll_posterior_problem *problem, double *shares); /* LL_MEMORY */
LL_CHECK ll_status ll_posterior_sums_random(const ll_posterior_problem *problem, double *sums, const int32_t *labels);

/* By how much z changes where a row of that kind changes its label from a to b: -1, 0 or 1. */
static inline int ll_posterior_step(int kind, int32_t a, int32_t b)
{
    unsigned long bit = (unsigned long)kind / 2 + 1;
    int step = __builtin_parityl((unsigned long)b & bit) - __builtin_parityl((unsigned long)a & bit);
    return kind & 1 ? -step : step;
}

#endif

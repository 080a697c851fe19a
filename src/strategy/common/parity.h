/* Sums that noise leaves two candidates for. */
#ifndef LL_STRATEGY_COMMON_PARITY_H
#define LL_STRATEGY_COMMON_PARITY_H

#include "code/code.h"

/* The integers that the sum of one query may be: low .. low + count - 1; count 3 stands for more. */
typedef struct {
    int64_t low;
    int count;
} ll_sum_range;

/* All labellings of a block whose sums lie in the ranges of its `queries` queries and have one parity; out->count as
 * from the code. LL_DOMAIN never: a range of more than two leaves all open. */
LL_CHECK ll_status ll_parity_decode(const ll_code *views, ll_decoded *out, const ll_sum_range *ranges, long queries,
                                    ll_error *error);

#endif

/* Codes whose weights are any reals that grow fast enough (superincreasing): from the heaviest row down, a label
 * fits if what is left can be made by the rows below. */
#ifndef LL_CODE_GREEDY_H
#define LL_CODE_GREEDY_H

#include "code/code.h"

/* Every labelling with sum of weights[row * classes + label] in the ball. Rows are taken from rows - 1 down to 0, so
 * the heaviest should be last; branches where two labels fit are followed up to `limit` partial labellings, beyond
 * which the rows not yet decided are reported open. Linear in the number of labels where weights are superincreasing.
 */
LL_CHECK ll_status ll_greedy_decode(ll_decoded *out, arb_srcptr weights, long rows, long classes, const arb_t sum,
                                    long limit, slong prec, ll_error *error);

#endif

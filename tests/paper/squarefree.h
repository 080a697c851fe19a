/* CloSqFree(x, m): the integer nearest to a real x among the squarefree ones whose primes are among the first m. The
 * paper's algorithm of that name, corrected: 1 (no prime at all) is one of them, and nearest means nearest. */
#ifndef LL_TEST_SQUAREFREE_H
#define LL_TEST_SQUAREFREE_H

#include "number/exact.h"

/* Of two equally near ones the smaller. Fast where an answer is near x (some ten thousand integers are tried) or
 * m is at most 40 (meet in the middle over 2^(m/2) products); LL_UNABLE, with the reason, where neither holds, or
 * where the ball x is too wide to tell which of two is nearer. LL_DOMAIN: m < 1, x not finite. */
LL_CHECK ll_status ll_squarefree_nearest(fmpz_t out, const arb_t x, long m, ll_error *error);

#endif

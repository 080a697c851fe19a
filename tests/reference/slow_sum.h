/* Sums the slow way: exact in a number wide enough for every double, and orders of summation followed term by term
 * only to count the additions that can round. */
#ifndef LL_TEST_SLOW_SUM_H
#define LL_TEST_SLOW_SUM_H

#include <mpfr.h>
#include <stdint.h>

uint64_t slow_splitmix64(uint64_t *state); /* the generator that vectors/make_sum.py makes terms with */

/* |value - sum x_i| and sum |x_i|, both exact for up to 2^40 finite terms and a finite value. They must have been
 * initialised with SLOW_SUM_BITS. */
enum { SLOW_SUM_BITS = 2200 };
void slow_sum_error(mpfr_t error, mpfr_t magnitude, double value, const double *x, long n);

/* Additions on the longest path: n terms in one piece, and in pieces of `piece`, each as NumPy sums it. */
long slow_numpy_depth(long n);
long slow_numpy_pieces_depth(long n, long piece);

/* The same for PyTorch's sum with vectors of `lanes` numbers on `threads` threads, and its NLL loss. */
long slow_torch_sum_depth(long n, long lanes, long threads);
long slow_torch_nll_depth(long n);

#endif

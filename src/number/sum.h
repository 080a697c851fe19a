/* Sums of floats in a named order, and a proved bound on the error of each (docs/proofs/summation.md).
 *
 * A running sum is told how many terms will come, then takes them in blocks of any size: the result is
 * the same bit for bit as of one array. Every order begins at +0, so that no sum is -0.
 *
 *   LL_SUM_NAIVE        left to right
 *   LL_SUM_PAIRWISE     numpy.sum of a contiguous array, bit for bit, before NumPy 2.3 (tested: 1.24): pieces of 8192
 *                       (its buffer) summed pairwise, the results added left to right. NumPy 2.3 and later sum
 *                       the whole array pairwise: other bits from 8193 terms on, and inside the bound too
 *   LL_SUM_CASCADE      added like pairwise; the bound is that of PyTorch's sum, mean and NLL loss on a CPU
 *   LL_SUM_COMPENSATED  Neumaier's form of Kahan's sum; where the plain sum inside is not finite, that one
 *   LL_SUM_EXACT        the exact sum rounded once, to nearest even */
#ifndef LL_NUMBER_SUM_H
#define LL_NUMBER_SUM_H

#include "number/arithmetic.h"

typedef enum {
    LL_SUM_NAIVE,       /* left to right */
    LL_SUM_PAIRWISE,    /* NumPy's: leaves of up to 128, eight accumulators */
    LL_SUM_CASCADE,     /* PyTorch's: groups over groups; only its bound is used */
    LL_SUM_COMPENSATED, /* Kahan, Neumaier's form */
    LL_SUM_EXACT        /* correctly rounded */
} ll_order;

typedef struct ll_sum ll_sum;

/* terms >= 0: how many will be added in all (NumPy's order depends on it). *a is copied; fp64 and fp32 native or
 * FPA; balls add up left to right whatever the order. NULL where memory ended.
 * Memory: 64 KB or less native; FPA a few dozen numbers, and in the exact order as many bits as the terms span
 * (terms about 2^20 bits away or more are kept apart, one by one). */
ll_sum *ll_sum_create(const ll_arithmetic *a, ll_order order, long terms);
void ll_sum_destroy(ll_sum *sum);
void ll_sum_add_doubles(ll_sum *sum, const double *x, long n); /* native only; for fp32 the doubles are floats */
void ll_sum_add(ll_sum *sum, const ll_value *x);
/* After all terms; may be called again. Exact order over FPA: NaN where memory ended on the way. */
void ll_sum_get(ll_sum *sum, ll_value *out);

/* One call: the sum of an array, the same value as the running sum's. */
double ll_sum_doubles(const double *x, long n, ll_order order);
float ll_sum_floats(const float *x, long n, ll_order order);

/* |computed sum - exact sum| <= *out, given magnitude >= sum |x_i| of the n = terms terms, for every computed sum that
 * is finite. A sum that overflowed on its way, or met an infinite term, comes out as +-inf or NaN in every order, and
 * then nothing is said. Overflow cannot happen where magnitude and the bound of LL_SUM_NAIVE together are
 * below the largest finite number (compensated: and n u <= 1/4).
 *
 * With u = 2^-(fraction_bits+1):
 *   naive, pairwise, cascade   min((1+u)^D - 1, (n-1) u) * magnitude; for naive that is (n-1) u, which
 *                              holds for any other order of n-1 additions too
 *   compensated                (u + (1+u)(n-1)(n-2) u^2) * magnitude
 *   exact                      u * magnitude
 * No term for underflow: a sum that is subnormal is exact. 0 for n <= 1. */
void ll_sum_bound(mag_t out, ll_order order, long terms, long fraction_bits, const mag_t magnitude);
/* D itself: additions on the longest path from a term to the result that can round. Pairwise: the larger
 * of both NumPys'. Cascade: at most 1024 threads. Compensated: of the plain sum inside, its bound is not made
 * from it. Exact: 0. */
long ll_sum_depth(ll_order order, long terms);
/* Pairwise, of any number of terms from 1 to that one, at most. */
long ll_sum_depth_upto(long terms);

#endif

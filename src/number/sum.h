/* Sums of floats in a named order, and a proved bound on the error of each (docs/proofs/summation.md).
 *
 * A running sum is told how many terms will come, then takes them in blocks of any size: the result is
 * the same bit for bit as of one array. */
#ifndef LL_NUMBER_SUM_H
#define LL_NUMBER_SUM_H

#include "arithmetic.h"

typedef struct ll_sum ll_sum;

/* terms: how many will be added in all (NumPy's order depends on it). a: fp64, fp32 or FPA; balls add up
 * in the order given. NULL where memory ended. LL_SUM_CASCADE adds like pairwise; its bound is larger. */
ll_sum *ll_sum_create(const ll_arithmetic *a, ll_order order, long terms);
void ll_sum_destroy(ll_sum *sum);
void ll_sum_add_doubles(ll_sum *sum, const double *x, long n); /* fp64; for fp32 the doubles are floats */
void ll_sum_add(ll_sum *sum, const ll_value *x);
void ll_sum_get(ll_sum *sum, ll_value *out); /* after all terms */

/* One call: the sum of an array, the same value as the running sum's. */
double ll_sum_doubles(const double *x, long n, ll_order order);
float ll_sum_floats(const float *x, long n, ll_order order);

/* |computed sum - exact sum| <= *out, given an upper bound on sum |x_i|: the order's longest chain D of
 * additions gives ((1+u)^D - 1) * magnitude, and no underflow term is needed since addition is exact
 * there. fraction_bits as in ll_format. Also for compensated and exact; +inf where no bound holds. */
void ll_sum_bound(mag_t out, ll_order order, long terms, long fraction_bits, const mag_t magnitude);
/* D itself, additions on the longest path (0 for exact). */
long ll_sum_depth(ll_order order, long terms);

#endif

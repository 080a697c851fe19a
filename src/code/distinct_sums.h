/* Sets of positive integers with distinct subset sums and a small greatest element: Conway and Guy's, proved by Bohman
 * (1996).
 *
 * u_0 = 0, u_1 = 1, u_(n+1) = 2 u_n - u_(n - r), r = the integer nearest to sqrt(2n); the set of n elements is u_n -
 * u_i, 0 <= i < n. Its greatest element u_n is about 0.2351 2^n: one label more than powers of two allow, or two. */
#ifndef LL_CODE_DISTINCT_SUMS_H
#define LL_CODE_DISTINCT_SUMS_H

#include <stdint.h>

enum { LL_DISTINCT_MOST = 48 }; /* elements */

/* u_n, 0 <= n <= LL_DISTINCT_MOST. */
int64_t ll_distinct_greatest(long n);
/* The largest n <= LL_DISTINCT_MOST with u_n <= most. */
long ll_distinct_count(int64_t most);
/* Element i of the set of n elements, 0 <= i < n, falling: u_n - u_i. */
int64_t ll_distinct_element(long n, long i);

/* The only subset of the set of n elements with that sum, bit i: element i; -1 where there is none. *steps, unless
 * NULL: what it took. */
int64_t ll_distinct_subset(long n, int64_t sum, long *steps);

/* The same for K > 2 labels: values v_0 .. v_(m-1) whose sums of k_t v_t, 0 <= k_t < K, are all different, with the
 * greatest as small as a search found it: a set of three to five values, multiplied by K^(m - its size), and the powers
 * of K below. */
enum { LL_DIGITS_MOST = 40 };
/* As many values as fit with (K - 1) * the greatest <= most; returns how many. */
long ll_digits_fill(int64_t *values, long classes, int64_t most);
/* The labels k_t of a sum over m values; 0 where there are none. */
int ll_digits_read(int32_t *labels, long m, long classes, int64_t sum);

#endif

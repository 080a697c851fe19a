/* Sets of positive integers with distinct subset sums and a small greatest element: Conway and Guy's, proved by Bohman
 * (1996).
 *
 * u_0 = 0, u_1 = 1, u_(n+1) = 2 u_n - u_(n - r), r = the integer nearest to sqrt(2n); the set of n elements is u_n -
 * u_i, 0 <= i < n. Its greatest element u_n is about 0.2351 2^n: one label more than powers of two allow, or two. */
#ifndef LL_CODE_DISTINCT_SUMS_H
#define LL_CODE_DISTINCT_SUMS_H

#include <stdint.h>

enum { LL_DISTINCT_MOST = 48 }; /* elements: a table of 2^24 sums decodes it */

/* u_n, 0 <= n <= LL_DISTINCT_MOST. */
int64_t ll_distinct_greatest(long n);
/* The largest n <= LL_DISTINCT_MOST with u_n <= most. */
long ll_distinct_count(int64_t most);
/* Element i of the set of n elements, 0 <= i < n, falling: u_n - u_i. */
int64_t ll_distinct_element(long n, long i);

/* Finds the only subset with a given sum: meet in the middle over two tables of 2^(n/2) sums, one of them sorted. */
typedef struct ll_distinct ll_distinct;
ll_distinct *ll_distinct_create(long n); /* NULL where memory ended */
/* The same for any elements whose subset sums differ, n <= LL_DISTINCT_MOST. */
ll_distinct *ll_distinct_create_of(const int64_t *elements, long n);
void ll_distinct_destroy(ll_distinct *set);
/* Bit i: element i; -1 where no subset of the first `used` elements has that sum. */
int64_t ll_distinct_subset(const ll_distinct *set, long used, int64_t sum);

/* The same for K > 2 labels: values v_0 .. v_(m-1) whose sums of k_t v_t, 0 <= k_t < K, are all different, with the
 * greatest as small as a search found it: a set of three to five values, multiplied by K^(m - its size), and the powers
 * of K below. */
enum { LL_DIGITS_MOST = 40 };
/* As many values as fit with (K - 1) * the greatest <= most; returns how many. */
long ll_digits_fill(int64_t *values, long classes, int64_t most);
/* The labels k_t of a sum over m values; 0 where there are none. */
int ll_digits_read(int32_t *labels, long m, long classes, int64_t sum);

#endif

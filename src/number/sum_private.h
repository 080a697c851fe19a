/* The two makers of running sums behind sum.h: hardware floats, and everything else through ll_arithmetic. */
#ifndef LL_NUMBER_SUM_PRIVATE_H
#define LL_NUMBER_SUM_PRIVATE_H

#include "number/sum.h"

/* NumPy's constants: the ufunc buffer, the largest leaf of the recursion and its accumulators. */
enum { LL_SUM_CHUNK = 8192, LL_SUM_LEAF = 128, LL_SUM_LANES = 8 };

/* Where the recursion cuts n > LL_SUM_LEAF terms: the left part, a multiple of LL_SUM_LANES. */
static inline long ll_sum_left_part(long n)
{
    return n / 2 - n / 2 % LL_SUM_LANES;
}

typedef struct ll_sum_native ll_sum_native;
ll_sum_native *ll_sum_native_create(ll_order order, long terms, int is_float);
void ll_sum_native_destroy(ll_sum_native *sum);
void ll_sum_native_add(ll_sum_native *sum, const double *x, long n);
double ll_sum_native_get(const ll_sum_native *sum);

typedef struct ll_sum_generic ll_sum_generic;
ll_sum_generic *ll_sum_generic_create(const ll_arithmetic *a, ll_order order, long terms);
void ll_sum_generic_destroy(ll_sum_generic *sum);
void ll_sum_generic_add(ll_sum_generic *sum, const ll_value *x);
void ll_sum_generic_get(const ll_sum_generic *sum, ll_value *out);

/* Exact sum of doubles: every term goes, as an integer, into the bin of its exponent (Neal 2015, his large
 * accumulator). A bin holds 2^74 terms; nothing is rounded before the end. */
typedef struct {
    __extension__ __int128 bins[2047]; /* [e]: multiples of 2^(e-1075), e the exponent field, 1 for subnormals */
    double special;                    /* the sum of the terms that are not finite; 0 where there are none */
} ll_exact_sum;

void ll_exact_sum_init(ll_exact_sum *sum);
void ll_exact_sum_add_doubles(ll_exact_sum *sum, const double *x, long n);
double ll_exact_sum_get_double(const ll_exact_sum *sum);
float ll_exact_sum_get_float(const ll_exact_sum *sum);

#endif

/* What a score says of labels: a sum of whole weights that lies in an interval of whole numbers.
 *
 * Labels are variables that are 0 or 1. With two classes variable i is the label of row i; with K classes variable
 * i * (K - 1) + k - 1 says whether row i has label k, k = 1 .. K - 1. */
#ifndef LL_INVESTIGATE_KNOWN_SUM_H
#define LL_INVESTIGATE_KNOWN_SUM_H

#include "lossleak.h"

/* low <= sum of weights[j] * variables[j] <= high. Variables are different, weights are not 0 and below 2^40. */
typedef struct {
    long count;
    int32_t *variables;
    int64_t *weights;
    int64_t low, high;
} ll_known_sum;

#define LL_KNOWN_WEIGHT ((int64_t)1 << 40)

/* LL_MEMORY leaves it cleared. */
LL_CHECK ll_status ll_known_sum_init(ll_known_sum *sum, long room);
LL_CHECK ll_status ll_known_sum_copy(ll_known_sum *out, const ll_known_sum *sum);
void ll_known_sum_clear(ll_known_sum *sum);

/* The least and the greatest value that the sum can have at all. */
void ll_known_sum_range(const ll_known_sum *sum, int64_t *least, int64_t *greatest);

/* One variable becomes known. 1: the sum had it. */
int ll_known_sum_substitute(ll_known_sum *sum, int32_t variable, int value);

/* Divide by the greatest common divisor of the weights, and narrow the interval to what the sum can be. 0: no labels
 * have such a sum. */
int ll_known_sum_normalise(ll_known_sum *sum);

/* Cut by size: where the large weights have a common divisor above everything that the small ones can add, the interval
 * of each part is known. *large gets the large part, and *sum keeps the small one. 1: it was cut; 0: there is no such
 * place; -1: no labels have such a sum. LL_MEMORY is reported as no place. */
int ll_known_sum_cut(ll_known_sum *sum, ll_known_sum *large);

/* Every labelling of the variables that has such a sum: values[j] becomes 0 or 1 where all of them agree, else -1.
 * *is_extreme: only the least or the greatest sum is left, so that all variables follow at once. 1: decided; 0: too
 * large to decide completely, and values are what bounds alone give; -1: there is no such labelling. */
int ll_known_sum_decide(const ll_known_sum *sum, signed char *values, int *is_extreme);

#endif

/* A sum of labels that is known modulo a prime below 2^31. */
#ifndef LL_INVESTIGATE_RESIDUE_SUM_H
#define LL_INVESTIGATE_RESIDUE_SUM_H

#include <stdint.h>

/* Most labels of a sum that is decided: two tables of 2^13 sums. */
enum { LL_RESIDUE_LABELS = 26 };

/* sum of weights[j] * y_j = total modulo the prime, every y_j 0 or 1. values[j] becomes 0 or 1 where all labellings
 * agree, else -1. 1: decided; -1: there is no such labelling; 0: no memory, or too many labels, and nothing is said. */
int ll_residue_sum_decide(const uint32_t *weights, long count, uint32_t total, uint32_t prime, signed char *values);

#endif

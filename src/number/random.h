/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): the one generator of every simulated draw. A draw is a
 * function of (seed, stream, counter), so results do not depend on threads or on order; logarithm and cosine are
 * MPFR's, so they do not depend on the machine either. Simulation noise only: it protects nobody. */
#ifndef LL_NUMBER_RANDOM_H
#define LL_NUMBER_RANDOM_H

#include <stdint.h>

void ll_random_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);
uint64_t ll_random_bits(uint64_t seed, uint64_t stream, uint64_t counter);
double ll_random_uniform(uint64_t seed, uint64_t stream, uint64_t counter); /* in (0,1), 53 bits, never 0 or 1 */
uint64_t ll_random_below(uint64_t seed, uint64_t stream, uint64_t counter, uint64_t n); /* unbiased in 0..n-1, n >= 1 */
double ll_random_gaussian(uint64_t seed, uint64_t stream, uint64_t counter);            /* N(0,1) */
double ll_random_laplace(uint64_t seed, uint64_t stream, uint64_t counter);             /* scale 1 */

#endif

/* The released number as a function of the sum of terms,
 *
 *     scale * (sum / divisor)^power, up to the rounding of its floats, or some other function where power is 0,
 *
 * and what one label can change of it (docs/proofs/audit.md, docs/proofs/proportional.md). */
#ifndef LL_METRIC_SHAPE_H
#define LL_METRIC_SHAPE_H

#include "metric/asked.h"

typedef struct {
    double scale, power, divisor;
} ll_shape;

/* Of a score over so many rows. Signs are left out: scale > 0. */
ll_shape ll_shape_of(const ll_asked *asked);

/* The most that it rises where the sum, which lies in [least, most], grows by `length`: infinite where power is 0. */
double ll_shape_rise(const ll_shape *shape, double least, double most, double length);

/* How far the computed number may be from the exact one, for sums of at least `least` and of at most `most` in size:
 * the sum (docs/proofs/summation.md), then division, power and factor, a few units each. 0 in exact arithmetic.
 * is_count: sums are counts, which floats hold. */
double ll_shape_slack(const ll_shape *shape, const ll_computation *how, long rows, double least, double most,
                      int is_count);

/* May sums of up to that size be infinite in the format, so that labels decide whether there is a number at all? */
int ll_shape_overflows(const ll_shape *shape, const ll_computation *how, double most);

#endif

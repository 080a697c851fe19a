/* A program's number before its release, with what is known of it. */
#ifndef LL_NUMBER_UNRELEASED_H
#define LL_NUMBER_UNRELEASED_H

#include "number/format.h"

#include <flint/fmpq.h>

/* What the simulated curator computed (a point where is_float, else a ball), and where the
 * real program's number must lie. */
typedef struct {
    int is_float;
    ll_format format; /* of the score, where is_float: number, lower and upper are values of it */
    arb_t number;
    arf_t lower, upper;
    int is_rational; /* an exact score that is sum / divisor, so that even a tie of the rounding can be decided */
    ll_exact sum;
    long divisor;
    double spread; /* of what is released, over the labels: sizes the noise that follows it; 0 where not asked for */
} ll_unreleased;

void ll_unreleased_init(ll_unreleased *unreleased);
void ll_unreleased_clear(ll_unreleased *unreleased);

/* Keeps number / rows too as sum / divisor, where the divisor is a long but for powers of 2 and 5: is_rational says so.
 */
void ll_unreleased_set_fraction(ll_unreleased *unreleased, const fmpq_t number, long rows);

/* Enough bits for the midpoint and for its distance to the radius, so that nothing is lost beside the radius. */
slong ll_unreleased_precision(const arb_t x);

/* The ends of a ball, rounded outward by next to nothing beside its radius. */
void ll_unreleased_ends(arf_t low, arf_t high, const arb_t x);

#endif

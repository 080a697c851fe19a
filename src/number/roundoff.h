/* What the roundings of a float format can have done to a number. */
#ifndef LL_NUMBER_ROUNDOFF_H
#define LL_NUMBER_ROUNDOFF_H

#include "number/format.h"

/* x holds the results of `units` roundings one after the other, each of a number of about its size; it is widened until
 * it holds what they were made from: by units * u of its size, and as many halves of the least subnormal. Indeterminate
 * where units * u is 1/2 or more. */
void ll_roundoff_add(arb_t x, const ll_format *format, double units);

#endif

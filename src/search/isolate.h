/* Combinations of scores that see few rows (docs/proofs/isolate.md). */
#ifndef LL_SEARCH_ISOLATE_H
#define LL_SEARCH_ISOLATE_H

#include "number/budget.h"
#include "search/linear.h"

/* Which labels are possible: possible[row * classes + label] becomes 0 only where it is proved that no labelling that
 * fits has it. *fits 0: it is proved that none does. What it excludes in its time is all that it says. LL_MEMORY. */
LL_CHECK ll_status ll_linear_isolate(const ll_linear *system, unsigned char *possible, int *fits, double seconds);

#endif

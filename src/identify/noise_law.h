/* Which law of noise do numbers follow that should be one number? */
#ifndef LL_IDENTIFY_NOISE_LAW_H
#define LL_IDENTIFY_NOISE_LAW_H

#include "release/law.h"

/* The law of the table under which the numbers x, of that mean and standard deviation, are likeliest; NULL: none that is
 * known, as for numbers that a bounded noise explains at least as well. *size: what its setting takes. */
const ll_law *ll_noise_law_find(double *size, const double *x, long count, double mean, double deviation);

#endif

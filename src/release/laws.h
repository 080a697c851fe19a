/* The rows of the table of laws, one per file, and what they share. */
#ifndef LL_RELEASE_LAWS_H
#define LL_RELEASE_LAWS_H

#include "release/law.h"

extern const ll_law ll_law_bounded, ll_law_gaussian, ll_law_laplace, ll_law_proportional;

double ll_gaussian_draw(ll_draw draw, uint64_t seed, uint64_t stream);
double ll_gaussian_tail(double x, long repeats);

#endif

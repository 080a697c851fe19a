/* What a scorer's released scores can be at all, with room to spare: a check of sanity, not a bound to prove with. */
#ifndef LL_CLI_SCORE_RANGE_H
#define LL_CLI_SCORE_RANGE_H

#include "lossleak.h"

/* Infinite where nothing is known. */
void ll_cli_score_range(double *low, double *high, const ll_scorer *scorer);

#endif

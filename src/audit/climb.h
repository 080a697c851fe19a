/* What climbing a Ladder gets, from sums of labels alone: N = 10^6 costs what its rows cost. */
#ifndef LL_AUDIT_CLIMB_H
#define LL_AUDIT_CLIMB_H

#include "audit/channel.h"

/* The best of several climbs with that step, that change few rows at once or many: share of the right labels of the
 * last submission, rows not tried guessed, and how many rows it changes. scorer: whose labels are drawn. */
LL_CHECK ll_status ll_climb_forecast(const ll_channel *channel, const ll_scorer *scorer, double *share, long *size,
                                     double step, double queries, uint64_t seed, ll_error *error);

/* The share that climbing is good for where it is too large to be run against a curator (trial.h): that forecast, less
 * two standard errors. The guessing share elsewhere: it is run, and the trial says what it gets. */
LL_CHECK ll_status ll_climb_share(double *out, const ll_channel *channel, const ll_scorer *scorer, uint64_t seed,
                                  ll_error *error);

#endif

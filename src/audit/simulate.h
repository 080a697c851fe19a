/* Simulated curators for whole attacks at once: answers are made from the sums of labels, not from predictions, so that
 * N = 10^6 costs what a transform costs. The tests compare them with real curators. */
#ifndef LL_AUDIT_SIMULATE_H
#define LL_AUDIT_SIMULATE_H

#include "audit/channel.h"

/* Averaging against a curator that adds the channel's noise and rounds: share of right labels of all rows, those not
 * asked about guessed. Two classes. */
LL_CHECK ll_status ll_simulate_averaging(const ll_channel *channel, double *share, double queries, uint64_t seed,
                                         ll_error *error);

/* Climbing the Ladder: change labels of a submission at random, keep what the Ladder calls an improvement. step: of the
 * Ladder. share: of the right labels of the last submission, rows not tried guessed; the best of several climbs that
 * change few rows at once, or many. */
LL_CHECK ll_status ll_simulate_ladder(const ll_channel *channel, double *share, double step, double queries,
                                      uint64_t seed, ll_error *error);

#endif

/* What a defence costs: measured against the error that a score has anyway, because its rows are a sample. */
#ifndef LL_AUDIT_USEFULNESS_H
#define LL_AUDIT_USEFULNESS_H

#include "audit/channel.h"

/* The standard deviation of the released score of a reference model over samples of that many rows. The model is
 * calibrated, and its confidence in a class is even between 0 and 1: a middling one. NAN where the loss of such a model
 * is not finite. */
LL_CHECK ll_status ll_sampling_error(double *out, const ll_channel *channel, const ll_scorer *scorer, ll_error *error);

/* What separates the released score of a perfect model from that of one that knows only the shares of the classes: the
 * spread among honest models. Where it is told (setting honest) it is that. Of counts and ranks whose reference model is
 * not known, the range of the metric; NAN where that has no end. */
LL_CHECK ll_status ll_honest_range(double *out, const ll_channel *channel, const ll_scorer *scorer, ll_error *error);

/* Half of the root of the sum of R_i^2 of that model's submission under noise of channel->proportion times that
 * (docs/proofs/proportional.md); NAN as above. */
LL_CHECK ll_status ll_middling_spread(double *out, const ll_channel *channel, const ll_scorer *scorer, ll_error *error);

#endif

/* What a defence costs scores of counts and ranks: the reference model of usefulness.h again, whose labels are even. */
#ifndef LL_AUDIT_VIEW_USEFULNESS_H
#define LL_AUDIT_VIEW_USEFULNESS_H

#include "audit/channel.h"

/* As ll_sampling_error and ll_middling_spread; NAN where not known. */
double ll_view_sampling_error(const ll_channel *channel, const ll_scorer *scorer);
double ll_view_middling_spread(const ll_channel *channel, const ll_scorer *scorer);

#endif

/* The weighted mean of the terms of all rows. */
#ifndef LL_METRIC_SCORE_WEIGHTED_H
#define LL_METRIC_SCORE_WEIGHTED_H

#include "metric/scoring.h"

/* As ll_score_any, where the computation is weighted. */
LL_CHECK ll_status ll_score_weighted(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                     slong bits, ll_error *error);

#endif

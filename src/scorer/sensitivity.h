/* A scorer's questions to the family of its metric (metric/asked.h). Resolved scorers only. */
#ifndef LL_SCORER_SENSITIVITY_H
#define LL_SCORER_SENSITIVITY_H

#include "metric/terms/shape.h"
#include "scorer/scorer.h"

ll_asked ll_scorer_asked(const ll_scorer *scorer, long rows, long classes);

/* Of a score over so many rows. */
ll_shape ll_scorer_shape(const ll_scorer *scorer, long rows);
LL_CHECK ll_status ll_scorer_check_spread(const ll_scorer *scorer, ll_error *error);
LL_CHECK ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                                        const ll_predictions *predictions, ll_error *error);
LL_CHECK ll_status ll_scorer_get_moves(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                                       const ll_predictions *predictions, ll_error *error);
ll_failure_kind ll_scorer_failures(const ll_scorer *scorer);

#endif

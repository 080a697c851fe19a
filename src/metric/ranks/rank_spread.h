/* What the family of ranks answers about released numbers: ll_asked_* of asked.h. */
#ifndef LL_METRIC_RANK_SPREAD_H
#define LL_METRIC_RANK_SPREAD_H

#include "metric/asked.h"
#include "metric/ranks/auc.h"

LL_CHECK ll_status ll_ranks_check_spread(const ll_asked *asked, ll_error *error);
LL_CHECK ll_status ll_ranks_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                   const ll_predictions *predictions, ll_error *error);
double ll_ranks_size_revealed(const ll_asked *asked);
void ll_ranks_reference(const ll_asked *asked, ll_reference *out);
double ll_ranks_middling_spread(const ll_asked *asked);
void ll_ranks_expose(const ll_asked *asked, ll_exposure *out);
ll_failure_kind ll_ranks_fails(const ll_asked *asked);

#endif

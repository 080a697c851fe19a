/* What the family of counts answers about released numbers: ll_asked_* of asked.h. */
#ifndef LL_METRIC_COUNT_SPREAD_H
#define LL_METRIC_COUNT_SPREAD_H

#include "metric/asked.h"
#include "metric/counts/counting.h"

LL_CHECK ll_status ll_counts_check_spread(const ll_asked *asked, ll_error *error);
LL_CHECK ll_status ll_counts_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                    const ll_predictions *predictions, ll_error *error);
double ll_counts_size_revealed(const ll_asked *asked);
void ll_counts_reference(const ll_asked *asked, ll_reference *out);
double ll_counts_middling_spread(const ll_asked *asked);
void ll_counts_expose(const ll_asked *asked, ll_exposure *out);
ll_failure_kind ll_counts_fails(const ll_asked *asked);

#endif

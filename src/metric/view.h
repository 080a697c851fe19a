/* What the number of a metric is a function of, beside sums of terms: counts (confusion.c) and ranks (ranks.c), and
 * what both share. */
#ifndef LL_METRIC_VIEW_H
#define LL_METRIC_VIEW_H

#include "metric/scoring.h"
#include "metric/worked.h"

LL_CHECK ll_status ll_score_confusion(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions,
                                      slong bits, ll_error *error);
LL_CHECK ll_status ll_score_ranks(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions, slong bits,
                                  ll_error *error);

/* The ways in which a computation's number is worked out: as a program does, or exactly, to 2^-bits. */
ll_work ll_view_work(const ll_computation *how, slong bits);
/* The number as it goes into the release. */
void ll_view_finish(const ll_computation *how, ll_raw *out, const ll_worked *number);

#endif

/* What a further number reads of a submission that was written for the first: classes of probabilities, the scores of
 * class 1, or the predictions as they are. */
#ifndef LL_SCORER_READING_H
#define LL_SCORER_READING_H

#include "scorer/scorer.h"

/* How `number` reads what the metric `first` takes. LL_DOMAIN where it cannot. */
LL_CHECK ll_status ll_reading_find(ll_reading_kind *out, const ll_metric *first, const ll_scorer *number,
                                   ll_error *error);

typedef struct {
    ll_reading_kind kind;
    const ll_predictions *all;
    ll_block block;
} ll_reading_view;

/* *out: the predictions as the number reads them; it must not outlive *view or *all. A row's class is its first largest
 * entry, of one column whether it is above a half (a logit: above 0). */
void ll_reading_view_init(ll_reading_view *view, ll_predictions *out, const ll_scorer *number,
                          const ll_predictions *all);
void ll_reading_view_clear(ll_reading_view *view);

#endif

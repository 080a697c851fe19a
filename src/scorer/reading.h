/* What a further number reads of a submission that was written for the first: classes of probabilities, the scores of
 * class 1, or the predictions as they are. */
#ifndef LL_SCORER_READING_H
#define LL_SCORER_READING_H

#include "scorer/scorer.h"

/* How `number` reads what the metric `first` takes. LL_DOMAIN where it cannot. */
LL_CHECK ll_status ll_reading_find(ll_reading_kind *out, const ll_metric *first, const ll_scorer *number,
                                   ll_error *error);

/* ---- which class a row is taken for ---- */

/* LL_DOMAIN says what the setting threshold takes. */
LL_CHECK ll_status ll_threshold_check(const char *text, ll_error *error);
/* LL_DOMAIN where the threshold of a number is one of two classes, and there are more. */
LL_CHECK ll_status ll_threshold_resolve(const ll_scorer *number, ll_error *error);

/* Do two numbers of an answer take every row for the same class, in whatever way? Numbers that read no classes take the
 * labels that are submitted. */
int ll_reading_is_shared(const ll_scorer *number, const ll_scorer *other);

/* Ways in which the program may take predictions for classes: 1 where the setting threshold leaves no choice, and for a
 * number that reads no classes; else 2 or 4. Way 0 is the one that a simulated curator goes; a way beyond the last is
 * the one with that remainder. */
enum { LL_MOST_WAYS = 4 };
long ll_reading_ways(const ll_scorer *number);
/* *same: do two ways take every row for the same class? */
LL_CHECK ll_status ll_reading_compare(const ll_scorer *number, const ll_predictions *all, long way, long other,
                                      int *same, ll_error *error);

typedef struct {
    int is_argmax;
    int takes_tie; /* at the threshold: class 1; among the greatest columns: the last */
    ll_exact at;
} ll_reading_rule;

typedef struct {
    ll_reading_kind kind;
    ll_reading_rule rule;
    int fraction_bits; /* of the program's predictions; 0: exact */
    const ll_predictions *all;
    ll_block block;
} ll_reading_view;

/* *out: the predictions as the number reads them in that way; it must not outlive *view or *all. */
void ll_reading_view_init(ll_reading_view *view, ll_predictions *out, const ll_scorer *number,
                          const ll_predictions *all, long way);
void ll_reading_view_clear(ll_reading_view *view);

#endif

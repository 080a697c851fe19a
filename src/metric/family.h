/* A family of metrics: one const struct of functions answers what is asked of any metric, so that nobody has to ask
 * which kind of metric it is. Each family is a folder (README.md). */
#ifndef LL_METRIC_FAMILY_H
#define LL_METRIC_FAMILY_H

#include "metric/asked.h"
#include "metric/scoring.h"
#include "metric/view.h"

struct ll_metric_family {
    int has_terms; /* is the number a function of the sum of one term per row? */

    /* The score of all rows, as an interval. score_weighted: where rows have weights; NULL: `score` takes them. */
    ll_status (*score)(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                       ll_error *error);
    ll_status (*score_weighted)(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                slong bits, ll_error *error);
    /* The score of two classes and two predictions, from its counts (ll_score_two). NULL: it is no function of them. */
    ll_status (*score_two)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two);

    /* Functions that may be NULL: there is nothing to do. */
    ll_status (*open)(ll_metric *metric, const char *parameter, ll_error *error); /* after a number was read */
    ll_status (*check_classes)(const ll_metric *metric, long classes, ll_error *error);
    ll_status (*check_targets)(const ll_metric *metric, const char *text, ll_error *error);
    ll_status (*resolve)(ll_computation *how,
                         ll_error *error);                   /* the arithmetic, where programs have one of their own */
    double (*most)(const ll_computation *how, long rows);    /* ll_computation_most; NULL: 1 */
    int (*takes_weights)(const ll_metric *metric);           /* may rows have weights? NULL: no */
    int (*is_of_table)(const ll_metric *metric, int labels); /* ll_metric_is_of_table; NULL: no */
    int (*takes_labels)(const ll_metric *metric); /* may predictions be labels? NULL: where the row says so */

    /* How far labels can move the released number, and whether they decide that there is none: ll_asked_* in asked.h.
     * spread NULL: that is not known. All but `fails` may be NULL. */
    ll_status (*check_spread)(const ll_asked *asked, ll_error *error);
    ll_status (*spread)(const ll_asked *asked, const ll_scoring *scoring, double *out,
                        const ll_predictions *predictions, ll_error *error);
    ll_status (*moves)(const ll_asked *asked, const ll_scoring *scoring, double *out, const ll_predictions *predictions,
                       ll_error *error); /* row by row; NULL: not known */
    double (*size_revealed)(const ll_asked *asked);
    void (*reference)(const ll_asked *asked, ll_reference *out);
    double (*middling_spread)(const ll_asked *asked);
    void (*expose)(const ll_asked *asked, ll_exposure *out);
    ll_failure_kind (*fails)(const ll_asked *asked);
};

extern const ll_metric_family ll_family_terms, ll_family_counts, ll_family_ranks, ll_family_fit, ll_family_gains;

#endif

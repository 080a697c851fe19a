/* Metrics that compare numeric targets y with predictions x over all rows together: R^2, explained variance, the
 * correlations of Pearson and Spearman. Each is a function of all y and x (fit_metrics.c), in which sums may be taken
 * in any order (docs/proofs/fit.md). */
#ifndef LL_METRIC_FIT_H
#define LL_METRIC_FIT_H

#include "metric/scoring.h"

typedef struct {
    const ll_scoring *scoring;
    long rows;
    slong prec;
    arb_ptr x, y;                    /* of all rows; targets as the program reads them */
    double *native_x, *native_y;     /* the same as doubles */
    ll_exact *exacts;                /* exact arithmetic: x */
    int is_flat, is_flat_prediction; /* all y are the same, all x */
} ll_fit;

/* Where every program's number lies, and what a simulated one gets. LL_DOMAIN: there is none. */
typedef struct {
    ll_status (*work)(const ll_fit *fit, arb_t out, double *native, ll_error *error);
    int is_squares; /* it is 1 - sum of squared errors / sum of squares about the mean */
    int is_centred; /* then: of errors less their mean */
} ll_fit_kind;

/* R^2 and explained variance of targets that are all the same, where programs give a number for them. */
LL_CHECK ll_status ll_fit_work_flat(const ll_fit *fit, arb_t out, double *native, int is_centred);

#endif

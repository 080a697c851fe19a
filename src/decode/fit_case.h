/* R^2 and explained variance of numeric targets: for given moments of the labels, A = sum of k and B = sum of k^2, the
 * sum of squares about the mean is known, and the number tells the sum of squared errors (docs/proofs/fit.md). All in
 * units of the square of the grid's step, whose targets and predictions doubles hold exactly. */
#ifndef LL_DECODE_FIT_CASE_H
#define LL_DECODE_FIT_CASE_H

#include "decode/ordered_case.h"

/* Of one query: 4 times what label 0 adds in all rows; have all rows one place, so that the moments tell its sum? What
 * ll_plan_fit_error says. */
typedef struct {
    int64_t base;
    int is_flat;
    int64_t place;
    double error;
    int is_centred; /* explained variance: */
    int64_t sum;    /* of all places */
    double shift;   /* what the mean of the errors is off by adds so much at most to their squares */
} ll_fit_query;

void ll_fit_ask(const ll_plan *plan, ll_fit_query *out, const ll_code *code);
/* The code's sums t whose number may lie in the interval; 0: none. */
int ll_fit_range(const ll_order_case *c, const ll_fit_query *q, double low, double high, int64_t *from, int64_t *to);
/* Every number that a program may get. */
void ll_fit_ball(const ll_order_case *c, const ll_fit_query *q, int64_t t, arb_t out, slong prec);

#endif

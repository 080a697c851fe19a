/* Ordered classes: one supposition about two moments of the labels, A = sum of y and B = sum of f(y). What labels and
 * predictions cost by chance is a linear function of both, so the metric's number tells what they do cost
 * (docs/proofs/ordered.md). f(y) is y^2 with squares, with lines the sum of |y - k| over the inner classes k. */
#ifndef LL_DECODE_ORDERED_CASE_H
#define LL_DECODE_ORDERED_CASE_H

#include "metric/view.h"
#include "plan/plan.h"

/* Of one query: what label 0 costs in all rows, and N times the cost of chance, constant + first * A + second * B. */
typedef struct {
    int64_t base, constant, first, second;
} ll_order_query;

typedef struct {
    const ll_plan *plan;
    int is_lines;
    int64_t first, second;     /* A, B */
    int64_t second_most, step; /* B goes by steps up to that */
    const int64_t *counts;     /* told, or NULL */
} ll_order_case;

/* From the rows that are predicted each class. */
void ll_order_ask(const ll_plan *plan, ll_order_query *out, const int64_t *guesses);

void ll_order_first(ll_order_case *c, const ll_plan *plan);
int ll_order_next(ll_order_case *c);

/* Costs are base + A + 2 t with a whole number t, whatever the query: the t whose number may lie in low .. high, which
 * are wider by 1e-9 than what was read. 0: none. */
int ll_order_range(const ll_order_case *c, const ll_order_query *q, double low, double high, int64_t *from,
                   int64_t *to);
/* Every number that a program may get. */
void ll_order_ball(const ll_order_case *c, const ll_order_query *q, int64_t t, arb_t out, slong prec);
/* What the labels cost beyond label 0: the code's sum. */
int64_t ll_order_sum(const ll_order_case *c, int64_t t);
/* Do the labels have these moments? */
int ll_order_fits(const ll_order_case *c, const int32_t *labels, long rows);

#endif

/* One supposition about the class counts, and the metric's number as a function of the one integer that is left. */
#ifndef LL_DECODE_COUNTS_CASE_H
#define LL_DECODE_COUNTS_CASE_H

#include "decode/fit_case.h"

/* What one query predicted. */
typedef struct {
    int64_t *guesses; /* rows predicted each class */
    ll_order_query order;
    ll_fit_query fit;
} ll_case_query;

typedef struct {
    const ll_plan *plan;
    const int64_t *counts; /* told: one a class; NULL: not */
    int is_ordered;        /* what is supposed is `order` */
    int is_fit;            /* the same, and numbers are R^2 */
    ll_order_case order;
    int is_matches;    /* the integer is the number of matches; else the hits of class 1 */
    int64_t positives; /* supposed, where it is not */
    ll_worked number;
} ll_case;

/* The query's predictions, from its code. LL_MEMORY. */
LL_CHECK ll_status ll_case_ask(const ll_plan *plan, ll_case_query *out, const ll_code *code, ll_error *error);

/* The first and the next case to try; 0: there is none more. Clear in every case. */
int ll_case_first(ll_case *c, const ll_plan *plan);
int ll_case_next(ll_case *c);
void ll_case_clear(ll_case *c);

/* Values from .. to of the integer, at least those whose number is in low .. high; 0: there is none. */
int ll_case_range(const ll_case *c, const ll_case_query *q, double low, double high, int64_t *from, int64_t *to);
/* Is that range final, so that each of its values is asked? */
int ll_case_is_ranged(const ll_case *c);
/* The number for t, in doubles; NaN where there is none. */
double ll_case_number(const ll_case *c, const ll_case_query *q, int64_t t);
/* Can a program have got a number of that interval for t? */
int ll_case_explains(const ll_case *c, const ll_case_query *q, int64_t t, const arb_t number);
/* The same of all other numbers of an answer, as far as t tells them; NULL: there are none. */
int ll_case_explains_others(const ll_case *c, const ll_case_query *q, int64_t t, arb_srcptr told);
/* The code's sum that t stands for: matches, or costs. */
int64_t ll_case_sum(const ll_case *c, const ll_case_query *q, int64_t t);
/* Do the labels have the counts that were supposed? */
int ll_case_counts(const ll_case *c, const int32_t *labels, long rows);

/* The interval's ends, widened by more than a metric that is evaluated in doubles is off by: what they let through is
 * decided by balls. */
void ll_case_widen(double *low, double *high, const arb_t number);

#endif

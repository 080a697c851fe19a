/* One supposition about the class counts, and the metric's number as a function of the one integer that is left. */
#ifndef LL_STRATEGY_COMMON_COUNTS_CASE_H
#define LL_STRATEGY_COMMON_COUNTS_CASE_H

#include "strategy/common/label_moments.h"

/* What is supposed, where it is two moments of the labels: the code's sum is a function of a whole number t, and so is
 * the metric's number. */
typedef struct ll_case_kind {
    size_t query_size; /* of what it keeps of a query */
    ll_status (*ask)(const ll_plan *plan, void *out, const ll_code *code, ll_error *error);
    /* The t whose number may lie in low .. high, which are wider by 1e-9 than what was read; 0: none. */
    int (*range)(const ll_moments *moments, const void *query, double low, double high, int64_t *from, int64_t *to);
    /* Every number that a program may get. */
    void (*ball)(const ll_moments *moments, const void *query, int64_t t, arb_t out, slong prec);
    int64_t (*sum)(const ll_moments *moments, int64_t t);
} ll_case_kind;

/* What one query predicted. */
typedef struct {
    int64_t *predicted; /* rows predicted each class; NULL where there is a kind, */
    void *own;          /* which has this */
} ll_case_query;

typedef struct {
    const ll_plan *plan;
    const ll_case_kind *kind; /* what is supposed is `moments`; NULL: the number of positives, or nothing */
    const int64_t *counts;    /* told: one a class; NULL: not */
    ll_moments moments;
    int is_matches;    /* the integer is the number of matches; else the true positives of class 1 */
    int64_t positives; /* supposed, where it is not */
    ll_worked number;
} ll_case;

/* The query's predictions, from its code. LL_MEMORY. */
LL_CHECK ll_status ll_case_ask(const ll_plan *plan, ll_case_query *out, const ll_code *code, ll_error *error);
void ll_case_query_clear(ll_case_query *query);

/* The first and the next case to try; 0: there is none more. Clear in every case. */
int ll_case_first(ll_case *c, const ll_plan *plan);
int ll_case_next(ll_case *c);
void ll_case_clear(ll_case *c);

/* Values from .. to of the integer, at least those whose number is in low .. high; 0: there is none. */
int ll_case_range(const ll_case *c, const ll_case_query *q, double low, double high, int64_t *from, int64_t *to);
/* Is that range final, so that each of its values is asked? */
int ll_case_is_ranged(const ll_case *c);
/* The values from .. to whose number, in doubles, is in low .. high, where numbers fall at first and then rise: those of
 * the rise, and those of the fall; from above to: none. */
typedef struct {
    int64_t from[2], to[2];
} ll_case_runs;
void ll_case_find(const ll_case *c, const ll_case_query *q, double low, double high, int64_t from, int64_t to,
                  ll_case_runs *out);
/* Can a program have got a number of that interval for t? */
int ll_case_explains(const ll_case *c, const ll_case_query *q, int64_t t, const arb_t number);
/* The same of all other numbers of an answer, as far as t tells them; NULL: there are none. */
int ll_case_explains_others(const ll_case *c, const ll_case_query *q, int64_t t, arb_srcptr observed);
/* The code's sum that t stands for: matches, or costs. */
int64_t ll_case_sum(const ll_case *c, const ll_case_query *q, int64_t t);
/* Do the labels have the counts that were supposed, as far as those of the rows that the code asks about tell? */
int ll_case_counts(const ll_case *c, const int32_t *labels, const ll_code *code);

/* The interval's ends, widened by more than a metric that is evaluated in doubles is off by: what they let through is
 * decided by balls. */
void ll_case_widen(double *low, double *high, const arb_t number);

#endif

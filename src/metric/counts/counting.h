/* What is asked of a metric of counts: its number from a few of them, and what has to be known for it. */
#ifndef LL_METRIC_COUNTING_H
#define LL_METRIC_COUNTING_H

#include "metric/counts/class_shares.h"
#include "metric/counts/confusion.h"
#include "metric/metric_private.h"

/* What must be known beside the predictions. */
typedef enum {
    LL_NEEDS_MATCHES, /* how many rows match, nothing else */
    LL_NEEDS_COUNTS,  /* that, and how many rows each class has */
    LL_NEEDS_TP,      /* that, and how many rows of each class match */
    LL_NEEDS_CELLS    /* more than that, with more than two classes */
} ll_needs;

ll_needs ll_counts_needs(const ll_computation *how);

/* How the rows of each class show in numbers that need no more than true positives, where those of predictions 0 and
 * one other class c are to be had (docs/proofs/contrast.md). */
typedef enum {
    LL_TELLS_NOT,    /* they must be told */
    LL_TELLS_TOTALS, /* all rows predicted c: the number is a function of the rows of c, and of how many classes are */
    LL_TELLS_FALLS /* rows of 0 and true positives given, the number falls with the rows of c, and knows no other class
                    */
} ll_tells;

ll_tells ll_counts_tells(const ll_computation *how);

/* Rows are predicted 0, and `guessed` of them class `other`: `zeros` and `others` have these labels, and of the guessed
 * rows from_zeros and true positives. `present` classes have rows at all. */
typedef struct {
    long classes, other, present;
    int64_t rows, guessed, zeros, others, from_zeros, tp;
} ll_contrast;

/* The number of a metric that needs no more than true positives. LL_DOMAIN: there is none, or there are no such labels.
 */
LL_CHECK ll_status ll_counts_score_contrast(const ll_computation *how, const ll_work *work, ll_worked *out,
                                            const ll_contrast *contrast);

/* Metrics of ordered classes: the number is 1 - sum of c(label, prediction) / the same of chance, with c a function of
 * the distance of two classes. */
typedef enum {
    LL_COSTS_NONE,   /* it is not */
    LL_COSTS_LINES,  /* the distance */
    LL_COSTS_SQUARES /* its square */
} ll_costs;

ll_costs ll_counts_costs(const ll_computation *how);
/* The number of a metric that needs no more than matches and counts (NULL: matches alone); guesses: rows predicted each
 * class. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_counts_score_matches(const ll_computation *how, const ll_work *work, ll_worked *out,
                                           int64_t matches, const int64_t *counts, const int64_t *predicted,
                                           long classes, int64_t rows);

/* The number of a metric of one class (ll_metric_class): of `support` rows of the class and `guessed` rows predicted
 * so, `tp` are both. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_counts_score_class(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t tp,
                                         int64_t guessed, int64_t support, int64_t rows);

/* Is the number 2 true positives / (guessed + positives), and 0 where that is 0/0? */
int ll_counts_is_f1(const ll_computation *how);

/* The number of a metric of counts; scratch is of two classes. LL_DOMAIN: there is none. LL_UNABLE: it may be any. */
LL_CHECK ll_status ll_counts_score_weighed(const ll_computation *how, const ll_work *work, ll_worked *out,
                                           ll_weighed *scratch, const ll_weighed_two *two);

/* May a difference of sums of weights be all rounding, so that the number is anything, or none? */
int ll_counts_cancel(const ll_computation *how);

/* The number of a metric, from the counts of its confusion matrix. LL_DOMAIN with the reason where there is none. */
typedef struct {
    ll_status (*work)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *counts,
                      ll_error *error);
    ll_needs needs;
    int (*is_zero_division)(const ll_confusion *counts); /* does a program that does not look out for 0/0 fail? */
    ll_costs costs;
    ll_tells tells;
    int cancels;                               /* rows that weigh: does it divide by a difference of squares? */
    int is_f1;                                 /* is it 2 tp / (predicted positives + support)? */
    int is_cell;                               /* of one cell of the matrix, by its parameter */
    ll_share of_class;                         /* of one class, by its parameter: its share; NULL: it is not */
    int (*is_none)(const ll_class_part *part); /* of one class: is it 0/0? NULL: never */
} ll_count_kind;

/* Of a metric of another family: NULL. */
const ll_count_kind *ll_counts_of(const ll_metric *metric);

#endif

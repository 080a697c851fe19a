/* What the number of a metric is a function of, beside sums of terms: counts (confusion.c) and ranks (ranks.c), and
 * what both share. */
#ifndef LL_METRIC_VIEW_H
#define LL_METRIC_VIEW_H

#include "metric/scoring.h"
#include "metric/weighed.h"
#include "metric/worked.h"

LL_CHECK ll_status ll_score_confusion(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions,
                                      slong bits, ll_error *error);
LL_CHECK ll_status ll_score_ranks(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions, slong bits,
                                  ll_error *error);
/* Of ranks, one column a class. */
LL_CHECK ll_status ll_score_one_vs_rest(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions,
                                        slong bits, ll_error *error);

/* Two classes, predictions 0 and 1 (or two levels): of `guessed` rows predicted 1 and `positives` with label 1, `hits`
 * are both. */
typedef struct {
    int64_t hits, guessed, positives, rows;
} ll_two;

/* Hits and guessed rows where all rows are predicted `base` but one, whose state is label 0, label 1, or 2: it is not
 * among the rows. */
void ll_view_flip(ll_two *two, int base, int state);

/* The number of a metric of counts or ranks, or of one whose terms count rows. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_view_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two);

/* What must be known beside the predictions. */
typedef enum {
    LL_NEEDS_MATCHES, /* how many rows match, nothing else */
    LL_NEEDS_COUNTS,  /* that, and how many rows each class has */
    LL_NEEDS_HITS,    /* that, and how many rows of each class match */
    LL_NEEDS_CELLS    /* more than that, with more than two classes */
} ll_needs;

ll_needs ll_view_needs(const ll_computation *how);

/* How the rows of each class show in numbers that need no more than hits, where those of predictions 0 and one other
 * class c are to be had (docs/proofs/contrast.md). */
typedef enum {
    LL_TELLS_NOT,    /* they must be told */
    LL_TELLS_TOTALS, /* all rows predicted c: the number is a function of the rows of c, and of how many classes are */
    LL_TELLS_FALLS   /* rows of 0 and hits given, the number falls with the rows of c, and knows no other class */
} ll_tells;

ll_tells ll_view_tells(const ll_computation *how);

/* Rows are predicted 0, and `guessed` of them class `other`: `zeros` and `others` have these labels, and of the guessed
 * rows from_zeros and hits. `present` classes have rows at all. */
typedef struct {
    long classes, other, present;
    int64_t rows, guessed, zeros, others, from_zeros, hits;
} ll_contrast;

/* The number of a metric that needs no more than hits. LL_DOMAIN: there is none, or there are no such labels. */
LL_CHECK ll_status ll_view_contrast(const ll_computation *how, const ll_work *work, ll_worked *out,
                                    const ll_contrast *contrast);

/* Metrics of ordered classes: the number is 1 - sum of c(label, prediction) / the same of chance, with c a function of
 * the distance of two classes. */
typedef enum {
    LL_COSTS_NONE,   /* it is not */
    LL_COSTS_LINES,  /* the distance */
    LL_COSTS_SQUARES /* its square */
} ll_costs;

ll_costs ll_view_costs(const ll_computation *how);
/* The number of a metric that needs no more than matches and counts (NULL: matches alone); guesses: rows predicted each
 * class. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_view_matches(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t matches,
                                   const int64_t *counts, const int64_t *guesses, long classes, int64_t rows);

/* The number of a metric of one class (ll_metric_class): of `truth` rows of the class and `guessed` rows predicted so,
 * `hits` are both. LL_DOMAIN: there is none. */
LL_CHECK ll_status ll_view_class(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t hits,
                                 int64_t guessed, int64_t truth, int64_t rows);

/* Is the number 2 hits / (guessed + positives), and 0 where that is 0/0? */
int ll_view_is_overlap(const ll_computation *how);

/* The number of a metric of counts; scratch is of two classes. LL_DOMAIN: there is none. LL_UNABLE: it may be any. */
LL_CHECK ll_status ll_view_weighed(const ll_computation *how, const ll_work *work, ll_worked *out, ll_weighed *scratch,
                                   const ll_weighed_two *two);

/* May a difference of sums of weights be all rounding, so that the number is anything, or none? */
int ll_view_cancels(const ll_computation *how);

/* Is the number a linear function of AUC? Its slope, or 0. */
int ll_view_area_slope(const ll_computation *how);
/* The same where one column alone may have different predictions, of so many classes: number = (slope * AUC + offset) /
 * parts, as each constant column has AUC 1/2. slope 0: it is not. */
typedef struct {
    long slope, offset, parts;
} ll_area_link;

ll_area_link ll_view_area_link(const ll_computation *how, long classes);
/* Then: how far a program's number of predictions with so many ties may be off. */
void ll_view_area_error(const ll_computation *how, mag_t out, long ties, long classes);
/* Every AUC that a program's number of that interval may stand for; out may be number. */
void ll_view_get_area(const ll_computation *how, arb_t out, const arb_t number, long ties, long classes, slong prec);

/* The number of an AUC, without any rounding; out may be area. */
void ll_view_set_area(const ll_computation *how, arb_t out, const arb_t area, slong prec);

/* The ways in which a computation's number is worked out: as a program does, or exactly, to 2^-bits. */
ll_work ll_view_work(const ll_computation *how, slong bits);
/* The number as it goes into the release. */
void ll_view_finish(const ll_computation *how, ll_raw *out, const ll_worked *number);

#endif

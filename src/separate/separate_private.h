/* Inside `separate`: from predictions to the least difference of two labellings' scores.
 *
 *   terms       what every row adds with every label, as balls                    (separate_terms.c)
 *   zero        is the difference of two labellings exactly 0?                    (separate_zero.c)
 *   spans       of a row: its least difference and its range; superincreasing rows (separate_spans.c)
 *   meet        least |difference| over all pairs of labellings of some rows      (separate_closest.c)
 *   core        all of that together, for the sum of the terms                    (separate_core.c)
 *   scores      all labellings scored one by one                                  (separate_scores.c)
 *
 * A *pair* is two labellings; its difference is the sum over rows of term(first) - term(second). docs/proofs/bounds.md
 * proves what is used here. */
#ifndef LL_SEPARATE_PRIVATE_H
#define LL_SEPARATE_PRIVATE_H

#include "scorer/scorer.h"

#include <flint/fmpq.h>

/* ---- effort ---- */

/* Seconds of predicted work that are left: numbers of operations, each at more than it takes. What is done next is
 * decided by this and never by a clock, so that one question has one answer, on a busy machine too. */
typedef struct {
    double left;
} ll_effort;

/* Nine tenths of the time that may pass. */
void ll_effort_set(ll_effort *effort, double max_seconds);
/* 0, and nothing taken, where less is left. */
int ll_effort_take(ll_effort *effort, double seconds);
/* Taken in any case: for work that every answer needs. */
void ll_effort_spend(ll_effort *effort, double seconds);

/* ---- terms ---- */

typedef struct {
    const ll_release *release;
    const ll_scoring *scoring;
    const ll_predictions *predictions; /* as given, for messages */
    ll_block block;                    /* all rows */
    long rows, classes;
    double max_memory;
    slong bits;    /* terms are good to 2^-bits; exact arithmetic only */
    slong prec;    /* so that sums of all terms are as good */
    arb_ptr terms; /* [row * classes + label]; floats: where the program's term must lie */
} ll_terms;

/* Reads all rows. LL_DOMAIN names the row: an entry outside the loss's domain, a term that is not finite. */
LL_CHECK ll_status ll_terms_init(ll_terms *terms, const ll_scorer *scorer, const ll_scoring *scoring,
                                 const ll_predictions *predictions, double max_memory, ll_error *error);
void ll_terms_clear(ll_terms *terms);

/* Compute all terms; exact ones to 2^-bits. LL_UNABLE beyond max_memory. */
LL_CHECK ll_status ll_terms_compute(ll_terms *terms, slong bits, ll_error *error);

/* The score of one labelling of all rows, before its transform, by the room scorer. */
LL_CHECK ll_status ll_terms_score(const ll_terms *terms, ll_unreleased *out, const int32_t *labels, slong bits,
                                  ll_error *error);

/* Seconds that computing all terms to 2^-bits takes at most. */
double ll_terms_cost(const ll_terms *terms, slong bits);

/* Exact arithmetic: is the sum over rows of term(first) - term(second), less `offset` (NULL: 0), exactly 0? Decided
 * where the terms are rational numbers or logarithms of such, or cancel row by row; else LL_UNKNOWN. */
ll_truth ll_terms_is_zero(const ll_terms *terms, const int32_t *first, const int32_t *second, const fmpq_t offset);

/* ---- spans ---- */

typedef struct {
    long row;
    int32_t low, high;           /* labels of the least and the greatest term */
    int32_t near_low, near_high; /* two labels of the least difference */
    arb_t delta, range;          /* their difference; that of low and high */
} ll_span;

typedef struct {
    long rows;
    ll_span *spans;  /* rows, by increasing delta */
    arb_ptr below;   /* rows + 1: below[i] is the sum of the ranges of spans 0 .. i-1 */
    int32_t *labels; /* scratch, one a class */
} ll_spans;

LL_CHECK ll_status ll_spans_init(ll_spans *spans, const ll_terms *terms);
void ll_spans_clear(ll_spans *spans);
/* Of the terms as they are now. */
void ll_spans_compute(ll_spans *spans, const ll_terms *terms);

/* ---- what is known of the least difference, in units of the sum ---- */

typedef struct {
    arf_t lower, upper;      /* lower <= least |difference| <= upper; upper may be infinite */
    int32_t *first, *second; /* a pair whose |difference| is at most upper; rows each */
    int has_pair;
    int open; /* more bits could tell more */
} ll_least_difference;

/* upper - lower <= 2^-digits * upper */
int ll_is_sharp(const arf_t lower, const arf_t upper, slong digits);

/* A pair with this difference was seen: its upper end is an upper bound. */
void ll_least_see(ll_least_difference *least, const arb_t difference, const int32_t *first, const int32_t *second,
                  long rows);

/* ---- meet in the middle ---- */

/* Pairs of labellings of some rows that may have the least |difference| of all of them. */
typedef struct {
    long rows;       /* how many */
    const long *row; /* which */
    long count, limit;
    int32_t *pairs; /* [pair][place] first labels, then [pair][place] second ones: 2 * rows a pair */
    int all;        /* is the pair of the least |difference| surely among them? */
    arf_t floor;    /* no |difference| is below it */
} ll_closest;

/* How many bytes and seconds it takes at most. */
void ll_closest_predict(double *bytes, double *seconds, long rows, long classes);

/* row: `rows` of them, in any order, kept by reference. LL_UNABLE where all terms of the rows are one number. */
LL_CHECK ll_status ll_closest_find(ll_closest *out, const ll_terms *terms, const long *row, long rows, long limit,
                                   ll_error *error);
void ll_closest_clear(ll_closest *meet);

/* ---- core ---- */

/* A bound that Lambda is compared with, in units of the sum: exactly where it is rational and short. */
typedef struct {
    int given, strict;
    arb_t ball;
    int is_rational;
    fmpq_t rational;
} ll_threshold;

typedef struct {
    const ll_threshold *threshold; /* set before ll_core_find; NULL: none */
    ll_truth reaches;              /* exact arithmetic: is no |difference| below it (at it, where strict)? */
    ll_least_difference least;
    arb_t range;    /* of the sum: its greatest value less its least */
    arb_t delta;    /* the least difference of one row */
    long meet_rows; /* rows that were searched; the others are superincreasing above them */
    int complete;   /* were all rows searched or superincreasing? */
    const char *method;
} ll_core;

LL_CHECK ll_status ll_core_init(ll_core *core, long rows);
void ll_core_clear(ll_core *core);
/* Exact terms are computed again with more bits while that tells more and effort is left; so far that lower and upper
 * agree to 2^-digits of themselves. */
LL_CHECK ll_status ll_core_find(ll_core *core, ll_terms *terms, slong digits, ll_effort *effort, ll_error *error);

/* ---- scores ---- */

/* Labellings scored as the scorer does, transform and all. */
typedef struct {
    uint64_t count;               /* of labellings: all, or those that differ in the first rows only */
    uint64_t scored;              /* how many have a score; where it is not all, the next is the first without */
    arf_ptr lower, upper, number; /* [labelling], row 0 its lowest digit */
} ll_scores;

/* Seconds that scoring `count` labellings takes at most; FPA computes the terms on its way. */
double ll_scores_cost(const ll_terms *terms, double count);

/* The first `most` labellings, or all. FPA computes the terms on its way. */
LL_CHECK ll_status ll_scores_init(ll_scores *scores, ll_terms *terms, uint64_t most, slong bits, ll_error *error);
void ll_scores_clear(ll_scores *scores);
/* Room for `count` scores, and none in it: count is 0, to be set back before ll_scores_clear. 0: no memory. */
int ll_scores_reserve(ll_scores *scores, uint64_t count);

typedef struct {
    arf_t lower, upper;     /* where the least difference of two real scores must lie */
    arf_t gap;              /* the least difference of two numbers of the simulated curator */
    uint64_t first, second; /* a pair of labellings that attains it */
} ll_scores_gap;

void ll_scores_gap_init(ll_scores_gap *gap);
void ll_scores_gap_clear(ll_scores_gap *gap);
LL_CHECK ll_status ll_scores_find(const ll_scores *scores, ll_scores_gap *out);
void ll_scores_unpack(int32_t *labels, uint64_t index, long rows, long classes);

/* ---- small things (separate_text.c) ---- */

/* Bits of a difference of two scores. Never "as many as it takes": 1 - 2^-(2^60) is a score too. */
#define LL_SEPARATE_PREC 512

/* x with so many digits, rounded as asked; by malloc, NULL where memory ended. */
char *ll_separate_text(const arf_t x, int digits, arf_rnd_t rounding);
/* The same, with the double beside it, rounded alike; no text where memory ended. */
ll_number ll_separate_number(const arf_t x, int digits, arf_rnd_t rounding);

#endif

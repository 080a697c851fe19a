/* The parts of a decoder: one score is read (read_score.c) and becomes an interval for a sum (decode_sum.c), an integer
 * of a block (decode_levels.c) or an interval for a sum of signs (decode_soft.c); decoder_verdict.c says what all of
 * them tell.
 */
#ifndef LL_PLAN_DECODER_H
#define LL_PLAN_DECODER_H

#include "plan/labels.h"

typedef struct {
    arb_t gap, noise, rounding, residual; /* of N * score */
} ll_margins;

/* A query of a level code whose block is not complete: what is known of its sum; base: that of its base labels. */
typedef struct {
    arb_t rest, noise, deviation, rounding, base;
} ll_pending;

struct ll_decoder {
    const ll_plan *plan;
    int32_t *labels;
    unsigned char *candidates;
    unsigned char *answered; /* one a query */
    long scores;             /* how many were read */
    int is_none;
    arb_t missing; /* LL_NONE: extra noise (of N * score) that would explain it; indeterminate where unknown */
    ll_margins tightest;
    int has_margins;
    ll_pending *pending;     /* [query] of a plan with a level code, else NULL */
    ll_sum_range *sums;      /* [query] of the same: what its sum may be */
    double *low, *high;      /* [query] of a plan with a soft code: where the sum of its signs must lie; else NULL */
    unsigned char *complete; /* [distinct query]: all its repeats are answered */
    long *heard;             /* [distinct query]: how many are; NULL without repeats */
    arb_ptr totals;          /* [distinct query]: of their scores; NULL without repeats */
    ll_release_texts texts;  /* of the scores that were read */
    ll_account account;      /* of the watched query */
    ll_predictions stored;
    long query;    /* watched, or -1 */
    long next_row; /* of it, in order; -1 where the order was broken */
};

/* The watched query, once all its scores are there. */
typedef struct {
    arb_t score;     /* the sum that it stands for, an interval: release and mean undone */
    arb_t noise;     /* how much of its half width the release states */
    arb_t offset;    /* what its rows add with base labels */
    arb_t deviation; /* low .. high of what labels add beyond the code's weights */
    arb_t rounding;  /* of the scorer's sum */
} ll_reading;

/* All initialised to 0. */
void ll_margins_init(ll_margins *m);
void ll_margins_clear(ll_margins *m);

/* The sum of the code's weights in the watched query were every label the base; LL_MEMORY. */
LL_CHECK ll_status ll_decoder_base_sum(const ll_decoder *d, arb_t out);
/* The sum of the code's weights that the score allows: rest = N * score - offset, an interval; base: as above. */
void ll_decoder_allowed_sum(const ll_plan *plan, arb_t out, const arb_t base, const arb_t rest, const arb_t deviation,
                            const arb_t rounding);
/* residual = |rest - (weights - base) * unit - deviation| */
void ll_decoder_residual(const ll_plan *plan, arb_t out, const arb_t base, const arb_t rest, const arb_t deviation,
                         const arb_t weights);
/* Does the only labelling that may fit really fit? Its residual, an interval, must not be surely larger than what is
 * allowed. */
int ll_decoder_explains(const arb_t residual, const arb_t rounding);
/* Keep the query that leaves the least of its gap. */
void ll_decoder_keep_margins(ll_decoder *d, const ll_code *code, const arb_t noise, const arb_t rounding,
                             const arb_t deviation, const arb_t residual);
/* The least noise beyond what is allowed that would make up for this residual. */
void ll_decoder_keep_missing(ll_decoder *d, const arb_t residual, const arb_t rounding);
/* For the rows of the watched query's block. */
LL_CHECK ll_status ll_decoder_init_decoded(const ll_decoder *d, ll_decoded *out, ll_error *error);

/* The watched query is a block of its own: all labellings in the interval. *decoded is initialised. */
LL_CHECK ll_status ll_decoder_decode_sum(ll_decoder *d, const ll_reading *reading, ll_decoded *decoded,
                                         ll_error *error);

/* A level code: keep which integers fit the watched query; then, where its block is complete, its labels.
 * decoded->count is -1 while it is not. */
LL_CHECK ll_status ll_decoder_keep_sum(ll_decoder *d, const ll_reading *reading);
LL_CHECK ll_status ll_decoder_decode_block(ll_decoder *d, ll_decoded *decoded, ll_error *error);

/* A soft code: keep the interval of the watched query's sum of signs. */
LL_CHECK ll_status ll_decoder_keep_interval(ll_decoder *d, const ll_reading *reading);

#endif

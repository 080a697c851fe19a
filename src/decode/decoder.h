/* A decoder watches the stored predictions of a plan, takes the scores, and says which labels are left.
 *
 * What all of them share is ll_decoder (decoder.c, decoder_verdict.c). How scores become labels is the strategy's
 * (plan/strategy.h), whose state is a struct that begins with an ll_decoder. */
#ifndef LL_DECODE_DECODER_H
#define LL_DECODE_DECODER_H

#include "plan/strategy.h"

typedef struct {
    arb_t gap, noise, rounding, residual; /* of N * score */
} ll_margins;

struct ll_decoder {
    const ll_plan *plan;
    int32_t *labels;
    unsigned char *candidates;
    unsigned char *answered; /* one a query */
    long scores;             /* how many were read */
    int is_none;
    int is_refuted; /* some score already contradicts every labelling, though its block is not complete */
    arb_t missing;  /* LL_NONE: extra noise (of N * score) that would explain it; indeterminate where unknown */
    ll_margins tightest;
    int has_margins;
    long counted;                 /* rows that a score is the mean of, as far as that is known */
    arb_ptr numbers;              /* [distinct query]: the interval of the metric's number; NULL: not kept */
    unsigned char *complete;      /* [distinct query]: all its repeats are answered */
    long *heard;                  /* [distinct query]: how many are; NULL without repeats */
    arb_ptr totals;               /* [distinct query]: of their scores; NULL without repeats */
    arb_ptr observed;             /* [number of the answer]: its interval, of the watched query; NULL: not kept */
    ll_release_texts texts;       /* of the scores that were read */
    ll_stored_error stored_error; /* of the watched query */
    ll_predictions stored;
    long query;    /* watched, or -1 */
    long next_row; /* of it, in order; -1 where the order was broken */
};

/* Has some score been read that no labelling explains? The second also where the block is not complete, so that nothing
 * is said of it yet. */
int ll_decoder_is_none(const ll_decoder *decoder);
int ll_decoder_is_refuted(const ll_decoder *decoder);

/* The watched query, its repeats counted once; and the first one of its block. */
long ll_decoder_query(const ll_decoder *d);
long ll_decoder_first_query(const ll_decoder *d);

/* Labels are certain under a description; does anything speak for that? Scores that have nothing to do with it fall
 * into what noise and rounding allow around a labelling's with the share 2 (noise + rounding) / gap, query by query: by
 * the one with the least room, and at most 1 each. Of all answers to the queries of one block together, few are those
 * of a labelling: 2^(bits of labels - bits of scores). NAN: not known. */
double ll_verdict_chance(const ll_plan *plan, const ll_verdict *verdict);

#endif

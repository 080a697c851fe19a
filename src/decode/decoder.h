/* A decoder watches the stored predictions of a plan, takes the scores, and says which labels are left.
 *
 * What all of them share is ll_decoder (decoder.c, decoder_verdict.c). How scores become labels is a row of one table
 * (decoder_table.c): one file a row, whose state is a struct that begins with an ll_decoder. Those that read a sum of
 * weights from a score share sum_reading.h. */
#ifndef LL_DECODE_DECODER_H
#define LL_DECODE_DECODER_H

#include "plan/plan.h"

typedef struct ll_decoding ll_decoding;

typedef struct {
    arb_t gap, noise, rounding, residual; /* of N * score */
} ll_margins;

struct ll_decoder {
    const ll_decoding *row;
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
    long counted;            /* rows that a score is the mean of, as far as that is known */
    arb_ptr numbers;         /* [distinct query]: the interval of the metric's number; NULL: not kept */
    unsigned char *complete; /* [distinct query]: all its repeats are answered */
    long *heard;             /* [distinct query]: how many are; NULL without repeats */
    arb_ptr totals;          /* [distinct query]: of their scores; NULL without repeats */
    arb_ptr told;            /* [number of the answer]: its interval, of the watched query; NULL: not kept */
    ll_release_texts texts;  /* of the scores that were read */
    ll_account account;      /* of the watched query */
    ll_predictions stored;
    long query;          /* watched, or -1 */
    long next_row;       /* of it, in order; -1 where the order was broken */
    ll_decoder **groups; /* scores of groups: one each, and all else but query, answers and verdict is theirs
                            (decode_groups.h) */
};

struct ll_decoding {
    const char *name;
    /* Does it decode this plan? The code's row and the metric tell; the first row of the table that does is taken. */
    int (*suits)(const ll_plan *plan);
    size_t size;       /* of its state, which is all zeros behind the ll_decoder */
    int keeps_numbers; /* d->numbers has the watched query's when `keep` is called */
    /* The rest of the state: 0 where memory ended. clear is called in every case. NULL: nothing to do. */
    int (*init)(ll_decoder *d);
    void (*clear)(ll_decoder *d);
    /* All scores of the watched query are there; NULL: nothing to do. released: the interval of the number that was
     * released, as read from its text, the mean of them where the query was repeated. What it says of the metric's own
     * number is told by ll_plan_read_number, of a sum of weights by ll_reading_take. LL_DOMAIN: no labelling explains
     * it. */
    ll_status (*keep)(ll_decoder *d, const arb_t released, ll_error *error);
    /* Every query of the watched query's block is kept: the block's labels. *out is initialised. NULL: labels are told
     * by `conclude` alone. */
    ll_status (*close)(ll_decoder *d, ll_decoded *out, ll_error *error);
    /* Change the verdict on the labels that were found, which is certified. LL_MEMORY. NULL: for decoders without
     * shares, whose bounds prove it, or are only likely to hold. */
    ll_status (*conclude)(const ll_decoder *d, ll_verdict *v);
};

extern const ll_decoding ll_decoding_sum, ll_decoding_levels, ll_decoding_soft, ll_decoding_counts, ll_decoding_ranks,
    ll_decoding_part, ll_decoding_cells, ll_decoding_contrast, ll_decoding_flip, ll_decoding_changes,
    ll_decoding_single;

/* The row that decodes the plan. */
const ll_decoding *ll_decoding_find(const ll_plan *plan);

/* Has some score been read that no labelling explains? The second also where the block is not complete, so that nothing
 * is said of it yet. */
int ll_decoder_is_none(const ll_decoder *decoder);
int ll_decoder_is_refuted(const ll_decoder *decoder);

/* The watched query, its repeats counted once; and the first one of its block. */
long ll_decoder_query(const ll_decoder *d);
long ll_decoder_first_query(const ll_decoder *d);

#endif

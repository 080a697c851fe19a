/* Numbers that counts of labels and predictions make: every supposition about the counts is tried
 * (docs/proofs/counts.md).
 */
#ifndef LL_STRATEGY_COMMON_DECODE_COUNTS_H
#define LL_STRATEGY_COMMON_DECODE_COUNTS_H

#include "decode/decoder.h"
#include "strategy/common/counts_case.h"

typedef struct {
    ll_decoder common;
    arb_ptr observed;     /* [query * numbers of an answer]: the same of every number; NULL: there is one */
    double *lows, *highs; /* the same, widened */
    ll_case_query *asked; /* [query]: what was predicted */
    int64_t *sums;        /* [query * MOST_SUMS + i]: matches that are left, in the case that is tried */
    int *left;            /* [query]: how many */
    int64_t *picked;      /* [query] */
    long tries;           /* decodings so far */
} ll_counts_decoder;

int ll_counts_begin(ll_decoder *d);
void ll_counts_end(ll_decoder *d);
LL_CHECK ll_status ll_counts_keep(ll_decoder *d, const arb_t released, ll_error *error);
LL_CHECK ll_status ll_counts_close(ll_decoder *d, ll_decoded *out, ll_error *error);

/* The decoding of a strategy, which says what is supposed in `cases`. */
#define LL_DECODES_COUNTS                                                                                              \
    .decoder_size = sizeof(ll_counts_decoder), .keeps_numbers = 1, .begin = ll_counts_begin, .end = ll_counts_end,     \
    .keep = ll_counts_keep, .close = ll_counts_close

#endif

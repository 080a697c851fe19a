/* Codes over integer levels: a query gives an integer, a block's integers give its labels. */
#ifndef LL_STRATEGY_COMMON_DECODE_LEVELS_H
#define LL_STRATEGY_COMMON_DECODE_LEVELS_H

#include "strategy/common/parity.h"
#include "strategy/common/sum_reading.h"

typedef struct {
    ll_decoder common;
    ll_reading *readings; /* [distinct query] */
    ll_sum_range *sums;   /* [distinct query]: what its sum may be */
} ll_levels_decoder;

int ll_levels_begin(ll_decoder *d);
void ll_levels_end(ll_decoder *d);
LL_CHECK ll_status ll_levels_keep(ll_decoder *d, const arb_t released, ll_error *error);
LL_CHECK ll_status ll_levels_close(ll_decoder *d, ll_decoded *decoded, ll_error *error);

/* The decoding of a strategy. */
#define LL_DECODES_LEVELS                                                                                              \
    .decoder_size = sizeof(ll_levels_decoder), .begin = ll_levels_begin, .end = ll_levels_end, .keep = ll_levels_keep, \
    .close = ll_levels_close

#endif

/* A decoder per group, which hears its own number of every answer and sees its own rows. */
#ifndef LL_STRATEGY_GROUPS_DECODE_GROUPS_H
#define LL_STRATEGY_GROUPS_DECODE_GROUPS_H

#include "decode/decoder.h"

typedef struct {
    ll_decoder common; /* its own are the query, the answers and whether some group is refuted */
    ll_decoder **of;   /* [group]; NULL: it is not read */
    ll_decoder *whole; /* of the number of all rows; NULL: groups are read */
} ll_groups_decoder;

int ll_groups_begin(ll_decoder *d);
void ll_groups_end(ll_decoder *d);
LL_CHECK ll_status ll_groups_hear(ll_decoder *d, const ll_answer *answer, ll_error *error);
LL_CHECK ll_status ll_groups_conclude(const ll_decoder *d, ll_verdict *v, ll_error *error);

#define LL_DECODES_GROUPS                                                                                              \
    .decoder_size = sizeof(ll_groups_decoder), .begin = ll_groups_begin, .end = ll_groups_end, .hear = ll_groups_hear, \
    .conclude = ll_groups_conclude

#endif

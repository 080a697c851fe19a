/* Scores of groups: a decoder for each, which hears its own number of every answer and sees its own rows. */
#ifndef LL_DECODE_DECODE_GROUPS_H
#define LL_DECODE_DECODE_GROUPS_H

#include "decode/decoder.h"

LL_CHECK ll_status ll_grouped_create(ll_decoder **out, const ll_plan *plan, ll_error *error);
void ll_grouped_destroy(ll_decoder *d);
LL_CHECK ll_status ll_grouped_score(ll_decoder *d, const char *text, ll_error *error);
LL_CHECK ll_status ll_grouped_verdict(const ll_decoder *d, ll_verdict *out, ll_error *error);

#endif

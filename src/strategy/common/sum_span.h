/* The sum of all terms as far as one score tells it, for codes whose other rows keep their prediction: an interval of
 * doubles, rounded outward. */
#ifndef LL_STRATEGY_COMMON_SUM_SPAN_H
#define LL_STRATEGY_COMMON_SUM_SPAN_H

#include "decode/decoder.h"

typedef struct {
    double low, high;
} ll_span;

/* Of the released number. size: at least the sizes of all terms together; NULL: no term is below 0. radius: at least
 * the sum over rows of how far a term may be off its middle. LL_DOMAIN: no number is released so. */
LL_CHECK ll_status ll_span_read(const ll_plan *plan, ll_span *out, const arb_t released, const mag_t size,
                                double radius);
ll_span ll_span_of(const arb_t x);
ll_span ll_span_add(ll_span a, ll_span b);
ll_span ll_span_sub(ll_span a, ll_span b);
int ll_span_meets(ll_span a, ll_span b);
/* About how likely labels whose sum is `all` have that score although one of them is wrong, which changes the sum by
 * about `step`. At most 1. */
double ll_span_chance(ll_span all, ll_span score, double step);

/* ---- a decoder that keeps them ---- */

typedef struct {
    ll_decoder common;
    ll_span *sums; /* [query] */
} ll_span_decoder;

int ll_span_decoder_begin(ll_decoder *decoder);
void ll_span_decoder_end(ll_decoder *decoder);

#define LL_KEEPS_SPANS                                                                                                 \
    .decoder_size = sizeof(ll_span_decoder), .begin = ll_span_decoder_begin, .end = ll_span_decoder_end

#endif

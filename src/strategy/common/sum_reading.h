/* One score as a sum of weights: the interval that it allows, and how much room the labels in it leave
 * (docs/proofs/separability.md).
 *
 * N * score = sum over rows of term(label) + e, where |e| is at most the noise plus the curator's own rounding. With
 * term(k) = term(base) + (weight(k) - weight(base)) * unit + deviation(k) for every stored row,
 *
 *     sum of weight(label) = (N * score - offset - e - deviations) / unit + sum of weight(base)
 *
 * lies in an interval that is known; the code gives all labellings whose sum lies in it. Just one: if any labelling
 * explains the score, it is that one; and it does explain it, or else the scorer is not what it was said to be. */
#ifndef LL_STRATEGY_COMMON_SUM_READING_H
#define LL_STRATEGY_COMMON_SUM_READING_H

#include "decode/decoder.h"

/* Of one query. All zeros are an initialised reading. */
typedef struct {
    arb_t rest;      /* the sum that the score stands for, an interval, less what the rows add with base labels */
    arb_t noise;     /* how much of its half width the release states */
    arb_t deviation; /* low .. high of what labels add beyond the code's weights */
    arb_t rounding;  /* of the scorer's sum */
    arb_t base;      /* the sum of the code's weights were every label the base */
} ll_reading;

void ll_reading_clear(ll_reading *r);

/* What the stored rows of the watched query add; its stored error is closed. rest: 0 less what they add with base
 * labels; noise is not set. LL_MEMORY. */
LL_CHECK ll_status ll_reading_take_stored_error(ll_decoder *d, ll_reading *r);

/* What a released number says of the watched query's sum; its stored error is closed. LL_DOMAIN: no sum is released so;
 * LL_MEMORY. */
LL_CHECK ll_status ll_reading_take(ll_decoder *d, ll_reading *r, const arb_t released);

/* The sum of the code's weights that the score allows. */
void ll_reading_allowed(const ll_plan *plan, arb_t out, const ll_reading *r);

/* The labels found for `code` have the sum `weights`: does their residual, |rest - (weights - base) * unit -
 * deviation|, explain the score? It must not be surely larger than the rounding. Where it does not: 0, and the least
 * noise that would make up for it is d->missing. Where it does: 1, and the query that leaves the least of its gap is
 * kept in d->tightest. */
int ll_reading_explains(ll_decoder *d, const ll_reading *r, const ll_code *code, const arb_t weights);

#endif

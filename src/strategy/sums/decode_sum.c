/* Codes whose block is one query: its score allows an interval of sums, and the code gives all labellings in it. */
#include "strategy/common/decode_levels.h"
#include "strategy/common/sum_reading.h"
#include "strategy/common/writers.h"
#include "strategy/sums/sums.h"

typedef struct {
    ll_decoder common;
    ll_reading reading; /* of the watched query */
} decoder;

static void clear(ll_decoder *d)
{
    ll_reading_clear(&((decoder *)d)->reading);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    ll_status status = ll_reading_take(d, &((decoder *)d)->reading, released);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a block's labels") : status;
}

/* The least extra noise (of N * score) with which some labelling would explain it, to about one part in a hundred: the
 * interval is widened until one fits, then halved back. Indeterminate where even the whole span does not do. LL_MEMORY.
 */
static ll_status fits_with(const ll_code *code, int *out, const arb_t sum, const arb_t extra, ll_decoded *scratch)
{
    arb_t wide;
    arb_init(wide);
    arb_set(wide, sum);
    arb_add_error(wide, extra);
    ll_status status = ll_code_decode(code, scratch, wide, NULL);
    *out = status == LL_OK && scratch->count > 0;
    arb_clear(wide);
    return status == LL_MEMORY ? status : LL_OK;
}

static ll_status least_extra(const ll_plan *plan, const ll_code *code, arb_t out, const arb_t sum, ll_decoded *scratch)
{
    enum { SMALLEST = 256, HALVINGS = 8 };
    arb_t fits, fails, extra, span;
    arb_init(fits);
    arb_init(fails);
    arb_init(extra);
    arb_init(span);
    ll_code_gap(code, extra, 64);
    ll_code_span(code, span, 64);
    arb_mul_2exp_si(span, span, 4);
    int found = 0;
    ll_status status = fits_with(code, &found, sum, extra, scratch);
    int small = found; /* then down to the first that does not fit, else up to the first that does */
    arb_set(found ? fits : fails, extra);
    for (int i = 0; status == LL_OK && i < SMALLEST && found == small && !arb_gt(extra, span); i++) {
        arb_mul_2exp_si(extra, extra, small ? -1 : 1);
        status = fits_with(code, &found, sum, extra, scratch);
        arb_set(found ? fits : fails, extra);
    }
    for (int i = 0; status == LL_OK && i < HALVINGS && !arb_is_zero(fits); i++) {
        arb_add(extra, fits, fails, 64);
        arb_mul_2exp_si(extra, extra, -1);
        status = fits_with(code, &found, sum, extra, scratch);
        arb_set(found ? fits : fails, extra);
    }
    arb_mul(out, fits, plan->state->unit, 64);
    if (!arb_is_finite(out) || arb_is_zero(fits))
        arb_indeterminate(out);
    arb_clear(fits);
    arb_clear(fails);
    arb_clear(extra);
    arb_clear(span);
    return status;
}

/* The labels of just one sum must explain the score; where no sum fits, how much noise would make one. */
static ll_status check(ll_decoder *d, ll_decoded *decoded, const arb_t allowed)
{
    const ll_reading *r = &((decoder *)d)->reading;
    const ll_code *code = ll_plan_code(d->plan, d->query);
    ll_status status = LL_OK;
    if (decoded->count == 1) {
        arb_t sum;
        arb_init(sum);
        ll_code_sum_labelling(code, sum, decoded->labels, d->plan->prec);
        if (!ll_reading_explains(d, r, code, sum))
            ll_decoded_set_none(decoded, code->rows, d->plan->classes);
        arb_clear(sum);
    } else if (decoded->count == 0) {
        status = least_extra(d->plan, code, d->missing, allowed, decoded);
        ll_decoded_set_none(decoded, code->rows, d->plan->classes);
    }
    return status;
}

static ll_status close_block(ll_decoder *d, ll_decoded *decoded, ll_error *error)
{
    const ll_code *code = ll_plan_code(d->plan, d->query);
    arb_t allowed;
    arb_init(allowed);
    ll_reading_allowed(d->plan, allowed, &((decoder *)d)->reading);
    ll_status status = ll_code_decode(code, decoded, allowed, error);
    if (status == LL_OK)
        status = check(d, decoded, allowed);
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for %ld labels", code->rows);
    arb_clear(allowed);
    return status;
}

/* ---- the strategies ---- */

static ll_status find_levels(ll_plan *plan, const ll_question *q, ll_error *error)
{
    (void)q;
    return plan->state->levels == 0 ? ll_plan_find_levels(plan, error) : LL_OK;
}

static const ll_writer *const sum_writers[] = {&ll_writer_exponents, &ll_writer_primes, &ll_writer_logits,
                                               &ll_writer_inverse,   &ll_writer_floats, NULL};

const ll_strategy ll_strategy_sums = {
    .name = "sums",
    .proof = "separability.md",
    .plan = ll_plan_find_block,
    .writers = sum_writers,
    .decoder_size = sizeof(decoder),
    .end = clear,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

const ll_strategy ll_strategy_levels = {
    .name = "levels",
    .proof = "detecting.md",
    .plan = ll_plan_find_block,
    .prepare = find_levels,
    .writer = &ll_writer_levels,
    LL_DECODES_LEVELS,
    LL_PLANS_BLOCKS,
};

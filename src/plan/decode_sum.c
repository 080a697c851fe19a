/* One score, one sum: the interval that it allows, the labellings in it, and how much room they leave. */
#include "plan/decoder.h"

void ll_margins_init(ll_margins *m)
{
    arb_init(m->gap);
    arb_init(m->noise);
    arb_init(m->rounding);
    arb_init(m->residual);
}

void ll_margins_clear(ll_margins *m)
{
    arb_clear(m->gap);
    arb_clear(m->noise);
    arb_clear(m->rounding);
    arb_clear(m->residual);
}

/* widen `ball` by the upper bound of `by` */
static void widen(arb_t ball, const arb_t by)
{
    arb_t most;
    arb_init(most);
    arb_get_abs_ubound_arf(arb_midref(most), by, 64);
    arb_add_error(ball, most);
    arb_clear(most);
}

/* Where every row is in every query, the account has counted it on its way; else label 0 adds 0 in most codes. */
ll_status ll_decoder_base_sum(const ll_decoder *d, arb_t out)
{
    if (!ll_plan_takes_labels(d->plan) && !d->plan->code->row->is_soft)
        return ll_code_sum_label(ll_plan_code(d->plan, d->query), out, d->plan->base, d->plan->prec);
    arb_set_si(out, d->account.based);
    return LL_OK;
}

/* The middle is divided at full precision and the half width apart, so that rounding widens it by parts in 2^29 only.
 */
void ll_decoder_allowed_sum(const ll_plan *plan, arb_t out, const arb_t base, const arb_t rest, const arb_t deviation,
                            const arb_t rounding)
{
    arb_t blur;
    arb_init(blur);
    arb_sub(out, rest, deviation, plan->prec);
    arb_get_rad_arb(blur, out);
    mag_zero(arb_radref(out));
    arb_add(blur, blur, rounding, 64);
    arb_div(blur, blur, plan->unit, 64);
    arb_div(out, out, plan->unit, plan->prec);
    widen(out, blur);
    arb_add(out, out, base, plan->prec);
    arb_clear(blur);
}

void ll_decoder_residual(const ll_plan *plan, arb_t out, const arb_t base, const arb_t rest, const arb_t deviation,
                         const arb_t weights)
{
    arb_t sum;
    arb_init(sum);
    arb_sub(sum, weights, base, plan->prec);
    arb_mul(sum, sum, plan->unit, plan->prec);
    arb_sub(out, rest, sum, plan->prec);
    arb_sub(out, out, deviation, plan->prec);
    arb_abs(out, out);
    arb_clear(sum);
}

void ll_decoder_keep_margins(ll_decoder *d, const ll_code *code, const arb_t noise, const arb_t rounding,
                             const arb_t deviation, const arb_t residual)
{
    const ll_plan *plan = d->plan;
    ll_margins m;
    ll_margins_init(&m);
    ll_code_gap(code, m.gap, 64);
    arb_mul(m.gap, m.gap, plan->unit, 64);
    arb_set(m.noise, noise);
    arb_get_rad_arb(m.rounding, deviation);
    arb_add(m.rounding, m.rounding, rounding, 64);
    arb_set_round(m.residual, residual, 64);
    mag_zero(arb_radref(m.residual));
    if (!d->has_margins || arf_cmp(arb_midref(m.residual), arb_midref(d->tightest.residual)) > 0) {
        ll_margins swap = d->tightest;
        d->tightest = m;
        m = swap;
        d->has_margins = 1;
    }
    ll_margins_clear(&m);
}

int ll_decoder_explains(const arb_t residual, const arb_t rounding)
{
    return !arb_gt(residual, rounding);
}

void ll_decoder_keep_missing(ll_decoder *d, const arb_t residual, const arb_t rounding)
{
    arb_sub(d->missing, residual, rounding, 64);
    arb_get_lbound_arf(arb_midref(d->missing), d->missing, 64);
    mag_zero(arb_radref(d->missing));
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
    arb_mul(out, fits, plan->unit, 64);
    if (!arb_is_finite(out) || arb_is_zero(fits))
        arb_indeterminate(out);
    arb_clear(fits);
    arb_clear(fails);
    arb_clear(extra);
    arb_clear(span);
    return status;
}

ll_status ll_decoder_init_decoded(const ll_decoder *d, ll_decoded *out, ll_error *error)
{
    if (ll_decoded_init(out, ll_plan_code(d->plan, d->query)->rows, d->plan->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a block's labels");
    return LL_OK;
}

ll_status ll_decoder_decode_sum(ll_decoder *d, const ll_reading *r, ll_decoded *decoded, ll_error *error)
{
    const ll_plan *plan = d->plan;
    const ll_code *code = ll_plan_code(plan, d->query);
    arb_t base, rest, sum, residual;
    arb_init(base);
    arb_init(rest);
    arb_init(sum);
    arb_init(residual);
    arb_sub(rest, r->score, r->offset, plan->prec);
    ll_status status = ll_decoder_base_sum(d, base);
    ll_decoder_allowed_sum(plan, sum, base, rest, r->deviation, r->rounding);
    if (status == LL_OK)
        status = ll_code_decode(code, decoded, sum, error);
    if (status == LL_OK && decoded->count == 1) {
        ll_code_sum_labelling(code, sum, decoded->labels, plan->prec);
        ll_decoder_residual(plan, residual, base, rest, r->deviation, sum);
    }
    if (status == LL_OK && decoded->count == 1 && ll_decoder_explains(residual, r->rounding)) {
        ll_decoder_keep_margins(d, code, r->noise, r->rounding, r->deviation, residual);
    } else if (status == LL_OK && decoded->count == 1) {
        ll_decoder_keep_missing(d, residual, r->rounding);
        ll_decoded_set_none(decoded, code->rows, plan->classes);
    } else if (status == LL_OK && decoded->count == 0) {
        status = least_extra(plan, code, d->missing, sum, decoded);
        ll_decoded_set_none(decoded, code->rows, plan->classes);
    }
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for %ld labels", code->rows);
    arb_clear(base);
    arb_clear(rest);
    arb_clear(sum);
    arb_clear(residual);
    return status;
}

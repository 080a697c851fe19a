#include "strategy/common/sum_reading.h"

void ll_reading_clear(ll_reading *r)
{
    arb_clear(r->rest);
    arb_clear(r->noise);
    arb_clear(r->deviation);
    arb_clear(r->rounding);
    arb_clear(r->base);
}

/* offset, and low .. high as one ball `deviation` */
static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error, arb_t offset, arb_t deviation)
{
    arb_t logs;
    arb_init(logs);
    if (plan->state->writer->close != NULL)
        plan->state->writer->close(plan, stored_error);
    ll_product_log(logs, stored_error->product, plan->prec);
    arb_sub(offset, stored_error->offset, logs, plan->prec);
    arb_union(deviation, stored_error->low, stored_error->high, plan->prec);
    arb_clear(logs);
}

/* Where the writer's stored error has counted it on its way there is nothing to add up. */
static ll_status base_sum(const ll_decoder *d, arb_t out)
{
    if (!d->plan->state->writer->counts_base)
        return ll_code_sum_label(ll_plan_code(d->plan, d->query), out, d->plan->state->base, d->plan->prec);
    arb_set_si(out, d->stored_error.based);
    return LL_OK;
}

ll_status ll_reading_take_stored_error(ll_decoder *d, ll_reading *r)
{
    close_stored_error(d->plan, &d->stored_error, r->rest, r->deviation);
    arb_neg(r->rest, r->rest);
    ll_plan_sum_rounding(d->plan, &d->stored_error, r->rounding);
    return base_sum(d, r->base);
}

ll_status ll_reading_take(ll_decoder *d, ll_reading *r, const arb_t released)
{
    const ll_plan *plan = d->plan;
    arb_t sum;
    arb_init(sum);
    ll_status status = ll_reading_take_stored_error(d, r);
    if (status == LL_OK)
        status = ll_plan_read_sum(plan, sum, r->noise, released);
    arb_add(r->rest, sum, r->rest, plan->prec);
    arb_clear(sum);
    return status;
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

/* The middle is divided at full precision and the half width apart, so that rounding widens it by parts in 2^29 only.
 */
void ll_reading_allowed(const ll_plan *plan, arb_t out, const ll_reading *r)
{
    arb_t blur;
    arb_init(blur);
    arb_sub(out, r->rest, r->deviation, plan->prec);
    arb_get_rad_arb(blur, out);
    mag_zero(arb_radref(out));
    arb_add(blur, blur, r->rounding, 64);
    arb_div(blur, blur, plan->state->unit, 64);
    arb_div(out, out, plan->state->unit, plan->prec);
    widen(out, blur);
    arb_add(out, out, r->base, plan->prec);
    arb_clear(blur);
}

static void set_residual(const ll_plan *plan, arb_t out, const ll_reading *r, const arb_t weights)
{
    arb_t sum;
    arb_init(sum);
    arb_sub(sum, weights, r->base, plan->prec);
    arb_mul(sum, sum, plan->state->unit, plan->prec);
    arb_sub(out, r->rest, sum, plan->prec);
    arb_sub(out, out, r->deviation, plan->prec);
    arb_abs(out, out);
    arb_clear(sum);
}

static void keep_margins(ll_decoder *d, const ll_reading *r, const ll_code *code, const arb_t residual)
{
    ll_margins *m = &d->tightest;
    arf_t middle;
    arf_init(middle);
    arf_set_round(middle, arb_midref(residual), 64, ARB_RND);
    if (!d->has_margins || arf_cmp(middle, arb_midref(m->residual)) > 0) {
        ll_code_gap(code, m->gap, 64);
        arb_mul(m->gap, m->gap, d->plan->state->unit, 64);
        arb_abs(m->gap, m->gap);
        arb_set(m->noise, r->noise);
        arb_get_rad_arb(m->rounding, r->deviation);
        arb_add(m->rounding, m->rounding, r->rounding, 64);
        arb_set_arf(m->residual, middle);
        d->has_margins = 1;
    }
    arf_clear(middle);
}

static void keep_missing(ll_decoder *d, const ll_reading *r, const arb_t residual)
{
    arb_sub(d->missing, residual, r->rounding, 64);
    arb_get_lbound_arf(arb_midref(d->missing), d->missing, 64);
    mag_zero(arb_radref(d->missing));
}

int ll_reading_explains(ll_decoder *d, const ll_reading *r, const ll_code *code, const arb_t weights)
{
    arb_t residual;
    arb_init(residual);
    set_residual(d->plan, residual, r, weights);
    int explains = !arb_gt(residual, r->rounding);
    if (explains)
        keep_margins(d, r, code, residual);
    else
        keep_missing(d, r, residual);
    arb_clear(residual);
    return explains;
}

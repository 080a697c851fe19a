/* Units of weights: how large one must be for the noise, how long sums are then, and how far the metric reaches. */
#include "number/ball_bits.h"
#include "strategy/common/writers.h"

void ll_plan_needed_unit(const ll_plan *plan, arb_t out)
{
    arb_t gap;
    arb_init(gap);
    ll_code_gap(plan->state->code, gap, 64);
    arb_mul_2exp_si(out, plan->state->noise, 1);
    arb_div(out, out, gap, 64);
    arb_set_d(gap, 1 + 0x1p-20);
    arb_mul(out, out, gap, 64);
    arf_t most;
    arf_init(most);
    arb_get_ubound_arf(most, out, 64);
    arf_set_round(most, most, 32, ARF_RND_CEIL);
    arb_set_arf(out, most);
    arf_clear(most);
    arb_clear(gap);
}

slong ll_plan_sum_bits(const ll_plan *plan)
{
    arb_t span;
    arb_init(span);
    ll_code_span(plan->state->code, span, 64);
    slong bits = ll_ball_bits(span) + 1;
    arb_clear(span);
    return bits;
}

/* Weights grow with the row, so the last one has the heaviest. */
void ll_plan_heaviest(const ll_plan *plan, arb_t out)
{
    arb_t least, weight;
    arb_init(least);
    arb_init(weight);
    ll_code_weight(plan->state->code, out, plan->block - 1, 0, 64);
    arb_set(least, out);
    for (long k = 1; k < plan->classes; k++) {
        ll_code_weight(plan->state->code, weight, plan->block - 1, k, 64);
        arb_max(out, out, weight, 64);
        arb_min(least, least, weight, 64);
    }
    arb_sub(out, out, least, 64);
    arb_clear(least);
    arb_clear(weight);
}

int ll_plan_is_foreign_closed(const ll_plan *plan)
{
    return ll_code_is_variant(plan->state->code, "closed") && !ll_metric_has_closed_powers(plan->scoring.how->metric);
}

ll_status ll_plan_fail_reach(const ll_plan *plan, const arb_t heaviest, const arb_t reach, ll_error *error)
{
    arb_t gap, tau;
    arb_init(gap);
    arb_init(tau);
    ll_code_gap(plan->state->code, gap, 64);
    arb_div(tau, reach, heaviest, 64);
    arb_mul(tau, tau, gap, 64);
    arb_mul_2exp_si(tau, tau, -1);
    arb_div_si(tau, tau, plan->rows, 64);
    char *text = arb_get_str(tau, 3, ARB_STR_NO_RADIUS);
    char *most = arb_get_str(reach, 6, ARB_STR_NO_RADIUS);
    ll_status status =
        ll_fail(error, LL_DOMAIN,
                "%s reaches weights up to %s, too little for %ld rows a query of the code %s with this noise: "
                "the largest noise that fits is %s; use less noise or smaller blocks",
                ll_plan_metric_name(plan), most, plan->block, plan->name, text);
    flint_free(text);
    flint_free(most);
    arb_clear(gap);
    arb_clear(tau);
    return status;
}

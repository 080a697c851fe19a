/* What is to be said of a plan. */
#include "number/ball_bits.h"
#include "number/value.h"
#include "plan/plan.h"

#include <math.h>

/* Bits of one score. */
static double score_bits(const ll_plan *plan)
{
    arb_t span, gap;
    arb_init(span);
    arb_init(gap);
    ll_code_span(plan->code, span, 64);
    ll_code_gap(plan->code, gap, 64);
    arb_div(span, span, gap, 64);
    slong bits = ll_ball_bits(span);
    arb_clear(span);
    arb_clear(gap);
    return (double)bits;
}

void(ll_plan_get_info)(const ll_plan *plan, ll_plan_info *out, size_t size)
{
    ll_plan_info info = {
        .code = plan->name,
        .writer = plan->writer->name,
        .rows = plan->rows,
        .classes = plan->scoring.classes,
        .columns = plan->columns,
        .block = plan->block,
        .queries = plan->queries,
        .entries = plan->entries,
        .score_bits = score_bits(plan) * (double)plan->queries,
        .guarantee = plan->guarantee,
        .allowed = plan->failure,
        .repeats = plan->repeats,
        .share = plan->forecast_share,
        .failure = plan->forecast_failure,
    };
    arf_t unit;
    arf_init(unit);
    arb_get_abs_ubound_arf(unit, plan->unit, 53);
    fmpz_t exponent;
    fmpz_init(exponent);
    arf_frexp(unit, exponent, unit);
    info.unit_bits = log2(arf_get_d(unit, ARF_RND_NEAR)) + fmpz_get_d(exponent);
    fmpz_clear(exponent);
    arf_clear(unit);
    ll_value_copy(out, size, &info, sizeof info);
}

/* Two classes, one column, exact arithmetic, any loss and any code: the loss inverts each weight, and the answer is
 * rounded to plan->bits bits. What the rounding costs is a deviation, found from the stored number.
 *
 * Bits. An x with relative error 2^-b is off in weight by |x w'(x)| 2^-b. For log-loss |x w'| = 1/(1-x) <= 2; for the
 * others at most about their heaviest weight (Itakura-Saito: 1/x) or a constant. With b above
 * log2(that / (gap unit)) + log2 N + 40 the deviations of all rows together stay below 2^-36 of the gap. */
#include "plan/plan.h"

#include <string.h>

static int suits(const ll_plan *plan)
{
    return plan->scoring.resolved.kind == LL_KIND_EXACT && plan->classes == 2 &&
           plan->scoring.scorer.clip_mode == LL_CLIP_NONE && strcmp(plan->code->row->name, "prime-rows") != 0 &&
           ll_loss_input(plan->scoring.resolved.loss) != LL_INPUT_LABEL;
}

/* min(needed or 1, what the loss reaches); LL_DOMAIN where it does not reach what the noise needs. */
static ll_status choose_unit(ll_plan *plan, const arb_t heaviest, ll_error *error)
{
    arb_t low, high, most;
    arb_init(low);
    arb_init(high);
    arb_init(most);
    ll_plan_needed_unit(plan, plan->unit);
    if (ll_code_has_fixed_unit(plan->code))
        arb_one(plan->unit);
    ll_status status = ll_loss_reach(plan->scoring.resolved.loss, low, high, NULL, 64);
    if (status == LL_OK && arb_is_finite(high)) {
        arb_div(most, high, heaviest, 64);
        arb_mul_ui(most, most, 1023, 64);
        arb_mul_2exp_si(most, most, -10);
        if (!arb_lt(plan->unit, most))
            status = LL_DOMAIN;
        else if (!ll_code_has_fixed_unit(plan->code))
            arb_set(plan->unit, most);
    } else if (status == LL_OK) {
        arb_one(most);
        if (arb_lt(plan->unit, most))
            arb_one(plan->unit);
    }
    if (status != LL_OK)
        (void)ll_plan_fail_reach(plan, heaviest, high, error);
    arb_clear(low);
    arb_clear(high);
    arb_clear(most);
    return status;
}

/* unit as a number of 32 bits, rounded up where it may be */
static void shorten_unit(ll_plan *plan)
{
    arf_t unit;
    arf_init(unit);
    arb_get_lbound_arf(unit, plan->unit, 64);
    arf_set_round(unit, unit, 32, ARF_RND_DOWN);
    arb_set_arf(plan->unit, unit);
    arf_clear(unit);
}

static slong log2_ceil(const arb_t x)
{
    return arf_abs_bound_lt_2exp_si(arb_midref(x)) + 1;
}

static ll_status invert(const ll_plan *plan, ll_exact *out, const arb_t weight, ll_error *error)
{
    arb_t x;
    arb_init(x);
    ll_status status = ll_loss_invert(plan->scoring.resolved.loss, x, NULL, weight, plan->bits + 16);
    if (status == LL_OK) {
        arf_set_round(arb_midref(x), arb_midref(x), plan->bits, ARF_RND_NEAR);
        status = ll_exact_set_arf(out, arb_midref(x));
    }
    arb_clear(x);
    if (status != LL_OK)
        return ll_fail(error, status, "a weight of the plan could not be inverted");
    return LL_OK;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    arb_t heaviest, gap;
    arb_init(heaviest);
    arb_init(gap);
    ll_plan_heaviest(plan, heaviest);
    plan->columns = 1;
    ll_status status = choose_unit(plan, heaviest, error);
    if (status == LL_OK) {
        shorten_unit(plan);
        ll_code_gap(plan->code, gap, 64);
        arb_mul(gap, gap, plan->unit, 64);
        arb_mul(heaviest, heaviest, plan->unit, 64);
        slong rows = FLINT_BIT_COUNT(plan->rows), fine = -log2_ceil(gap) + 2, coarse = log2_ceil(heaviest);
        slong condition = plan->scoring.resolved.kernel == LL_KERNEL_LOG ? 2 : coarse > 8 ? coarse + 8 : 16;
        plan->bits = rows + 40 + (condition + fine > 0 ? condition + fine : 0);
        plan->prec = rows + 64 + (coarse > 0 ? coarse : 0) + (fine > 0 ? fine : 0);
        arb_zero(gap);
        status = invert(plan, &plan->neutral, gap, error);
    }
    arb_clear(heaviest);
    arb_clear(gap);
    return status;
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    ll_exact *entry = to;
    if (row < 0) {
        ll_exact_set(entry, &plan->neutral);
        return LL_OK;
    }
    arb_t weight, other;
    arb_init(weight);
    arb_init(other);
    ll_code_weight(code, weight, row, 1, plan->prec);
    ll_code_weight(code, other, row, 0, plan->prec);
    arb_sub(weight, weight, other, plan->prec);
    arb_mul(weight, weight, plan->unit, plan->prec);
    ll_status status = invert(plan, entry, weight, error);
    arb_clear(weight);
    arb_clear(other);
    return status;
}

/* term(0) and term(1) = term(0) + weight, each to plan->prec bits */
static ll_status account(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_exact *entry = block->exacts + index;
    ll_arithmetic balls;
    ll_arithmetic_set_ball(&balls, plan->prec);
    ll_exact_get_ball(account->values[0].ball, entry, plan->prec);
    ll_status status = ll_loss_score(plan->scoring.resolved.loss, &balls, &account->values[1], account->values, 1, 0);
    if (status == LL_OK)
        status = ll_loss_weight_exact(plan->scoring.resolved.loss, account->terms + 1, entry, plan->prec);
    if (status != LL_OK)
        return ll_fail(error, LL_DOMAIN, "a stored prediction has no finite score for some label");
    arb_set(account->terms, account->values[1].ball);
    arb_add(account->terms + 1, account->terms + 1, account->terms, plan->prec);
    ll_account_add_terms(plan, code, account, row);
    return LL_OK;
}

const ll_writer ll_writer_inverse = {
    .name = "inverse of the weight",
    .suits = suits,
    .prepare = prepare,
    .write = write_row,
    .account = account,
};

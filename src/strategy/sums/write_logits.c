/* Logits in exact arithmetic: weights are differences of logits, so logits are -weight * unit, exactly, with a unit
 * that is a power of two: a small mantissa for any code of integers. */
#include "number/ball_bits.h"
#include "strategy/common/writers.h"
#include "strategy/sums/sums.h"

#include <stdlib.h>

typedef struct {
    long exponent; /* the unit is 2^this */
} state;

static int suits(const ll_plan *plan)
{
    return plan->scoring.how->kind == LL_KIND_EXACT && ll_metric_reads_logits(plan->scoring.how->metric) &&
           ll_code_is_integral(plan->state->code);
}

/* the least power of two >= needed, at least 1 */
static ll_status prepare(ll_plan *plan, ll_error *error)
{
    state *s = plan->state->data = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    arb_t needed;
    arb_init(needed);
    ll_plan_needed_unit(plan, needed);
    arb_get_ubound_arf(arb_midref(needed), needed, 64);
    slong exponent = arf_cmp_si(arb_midref(needed), 1) <= 0 ? 0 : ll_ball_bits(needed);
    arb_one(plan->state->unit);
    arb_mul_2exp_si(plan->state->unit, plan->state->unit, exponent);
    s->exponent = exponent;
    plan->columns = ll_metric_has_rows(plan->scoring.how->metric) && plan->scoring.how->columns != LL_COLUMNS_ONE
                        ? plan->classes
                        : 1;
    plan->prec = ll_plan_sum_bits(plan) + exponent + 192;
    arb_clear(needed);
    return LL_OK;
}

static void clear(ll_plan *plan)
{
    free(plan->state->data);
}

static long get_bits(const ll_plan *plan)
{
    return ((const state *)plan->state->data)->exponent;
}

/* -digit of the label; one column is the logit of class 1 against 0 */
static void set_mantissa(const ll_plan *plan, const ll_code *code, fmpz_t out, long column)
{
    fmpz_t base;
    fmpz_init(base);
    ll_code_digit(code, out, plan->columns == 1 ? 1 : column);
    if (plan->columns == 1)
        ll_code_digit(code, base, 0);
    fmpz_sub(out, base, out);
    fmpz_clear(base);
}

static void write_one(const ll_plan *plan, const ll_code *code, ll_exact *entry, long row, ll_code_power *last)
{
    for (long c = 0; c < plan->columns; c++, entry++) {
        ll_exact_set_si(entry, 0);
        if (row < 0)
            continue;
        set_mantissa(plan, code, entry->mantissa, c);
        if (code->row->digits.kind == LL_DIGITS_RADIX)
            ll_code_scale(code, entry->mantissa, entry->mantissa, row, last);
        else
            fmpz_set_ui(entry->two, ll_code_shift(code, row));
        fmpz_add_si(entry->two, entry->two, get_bits(plan));
    }
}

static ll_status write_rows(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error)
{
    (void)error;
    ll_code_power last = {0};
    for (long i = 0; i < rows; i++)
        write_one(plan, code, (ll_exact *)to + i * plan->columns, row + i, &last);
    fmpz_clear(last.power);
    return LL_OK;
}

/* term(k) = ln(sum exp z) - z_k as balls; one column is the logit of class 1 against 0. */
static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_exact *entry = block->exacts + index * plan->columns;
    ll_arithmetic balls;
    ll_arithmetic_set_ball(&balls, plan->prec);
    ll_value *values = stored_error->values;
    for (long c = 0; c < plan->columns; c++)
        ll_exact_get_ball(values[c].ball, entry + c, plan->prec);
    for (long k = 0; k < plan->classes; k++) {
        ll_status status =
            ll_metric_score(plan->scoring.how->metric, &balls, &values[plan->columns], values, plan->columns, k);
        if (status != LL_OK)
            return ll_fail(error, status, "a stored logit has no score");
        arb_set(stored_error->terms + k, values[plan->columns].ball);
    }
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

const ll_writer ll_writer_logits = {
    .name = "exact logits",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .get_bits = get_bits,
    .write_rows = write_rows,
    .measure = measure,
};

/* Gains of ranks, asked like labels: one class's score stands above the others', which are equal, or below them. Then
 * all other classes have one and the same gain, and a sum of gains counts the rows whose label is the class asked about
 * (docs/proofs/detecting.md). The unit is the difference of the two gains, below 0 where the class asked about loses.
 */
#include "strategy/matches/matches.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 192 };

typedef struct {
    int side; /* 1: above, -1: below */
    arb_t own, other;
} state;

static int suits(const ll_plan *plan)
{
    return ll_code_has_labels(plan->state->code) && ll_metric_match_side(plan->scoring.how->metric, plan->classes) != 0;
}

static void clear(ll_plan *plan)
{
    state *s = plan->state->data;
    if (s == NULL)
        return;
    arb_clear(s->own);
    arb_clear(s->other);
    free(s);
}

static void set_row(const ll_plan *plan, double *to, long predicted)
{
    const state *s = plan->state->data;
    for (long k = 0; k < plan->classes; k++)
        to[k] = (k == predicted) == (s->side > 0);
}

/* The gains of the class asked about and of another one. */
static ll_status find_gains(const ll_plan *plan, state *s, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    double *row = ll_block_reserve_doubles(&block, 1, plan->classes);
    ll_status status = row != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a row");
    if (status == LL_OK) {
        set_row(plan, row, 0);
        status = ll_scoring_term(&plan->scoring, s->own, &block, 0, 0, error);
    }
    if (status == LL_OK)
        status = ll_scoring_term(&plan->scoring, s->other, &block, 0, 1, error);
    ll_block_clear(&block);
    return status;
}

/* Counts are a unit apart: half of it must hold what the release hides, the scorer's rounding, and that of the terms.
 */
static ll_status check_room(ll_plan *plan, const state *s, ll_error *error)
{
    ll_stored_error all = {0};
    arb_t most, lost, half;
    arb_init(most);
    arb_init(lost);
    arb_init(half);
    mag_init(all.magnitude);
    mag_set_ui(all.magnitude, (ulong)plan->rows);
    arb_set_si(most, plan->rows); /* no gain is above 1 */
    ll_plan_set_noise(plan, most);
    ll_plan_rounding(plan, &all, lost);
    arb_add(lost, lost, plan->state->noise, 64);
    mag_add(all.magnitude, arb_radref(s->own), arb_radref(s->other));
    mag_mul_ui(all.magnitude, all.magnitude, 4 * (ulong)plan->rows);
    arf_set_mag(arb_midref(half), all.magnitude);
    arb_add(lost, lost, half, 64);
    arb_abs(half, plan->state->unit);
    arb_mul_2exp_si(half, half, -1);
    ll_status status =
        arb_lt(lost, half)
            ? LL_OK
            : ll_fail(error, LL_DOMAIN,
                      "what the release hides of the sum of %ld gains is more than half of what one label changes: "
                      "use less noise or more decimals",
                      plan->rows);
    arb_clear(most);
    arb_clear(lost);
    arb_clear(half);
    mag_clear(all.magnitude);
    return status;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    state *s = plan->state->data = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    s->side = ll_metric_match_side(plan->scoring.how->metric, plan->classes);
    arb_init(s->own);
    arb_init(s->other);
    plan->columns = plan->classes;
    plan->entries = LL_ENTRIES_DOUBLE;
    plan->prec = PREC;
    ll_status status = find_gains(plan, s, error);
    if (status != LL_OK)
        return status;
    arb_sub(plan->state->unit, s->own, s->other, PREC);
    mag_zero(arb_radref(plan->state->unit));
    return check_room(plan, s, error);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)error;
    set_row(plan, to, code->row->predict(code, row));
    return LL_OK;
}

static int is_planned(const ll_plan *plan, const double *row, long predicted)
{
    const state *s = plan->state->data;
    for (long k = 0; k < plan->classes; k++)
        if (row[k] != ((k == predicted) == (s->side > 0)))
            return 0;
    return 1;
}

/* Rows that ask about the base label are counted, and all others are alike. */
static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    long predicted = code->row->predict(code, row);
    if (!is_planned(plan, block->doubles + index * plan->columns, predicted))
        return ll_fail(error, LL_DOMAIN, "a stored prediction is not the one that was planned");
    stored_error->based += predicted == plan->state->base;
    stored_error->neutral++;
    return LL_OK;
}

/* With the base label a row adds the one gain or the other; with any other label it is off its weight by no more than
 * both balls and the unit's own rounding together. */
static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error)
{
    const state *s = plan->state->data;
    arb_t off;
    arb_init(off);
    arb_addmul_si(stored_error->offset, s->own, stored_error->based, PREC);
    arb_addmul_si(stored_error->offset, s->other, stored_error->neutral - stored_error->based, PREC);
    arb_sub(off, s->own, s->other, PREC);
    arb_sub(off, off, plan->state->unit, PREC);
    arb_abs(off, off);
    arb_get_ubound_arf(arb_midref(off), off, 64);
    mag_zero(arb_radref(off));
    arb_addmul_si(stored_error->high, off, stored_error->neutral, PREC);
    arb_neg(stored_error->low, stored_error->high);
    mag_set_ui(stored_error->magnitude, (ulong)stored_error->neutral);
    stored_error->neutral = 0;
    arb_clear(off);
}

const ll_writer ll_writer_one_hot = {
    .name = "one-hot",
    .counts_base = 1,
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .measure = measure,
    .close = close_stored_error,
};

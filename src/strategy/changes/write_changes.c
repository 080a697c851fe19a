/* Predictions of the code changes, and when it serves. */
#include "number/ball_bits.h"
#include "number/budget.h"
#include "strategy/changes/change_plan.h"
#include "strategy/changes/changes.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192 };

const ll_changes *ll_plan_changes(const ll_plan *plan)
{
    return plan->state->data;
}

static void clear(ll_plan *plan)
{
    ll_changes *c = plan->state->data;
    if (c == NULL)
        return;
    ll_change_menu_clear(&c->menu);
    free(c->first_row);
    free(c->first_query);
    free(c->choices);
    free(c);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    ll_changes *c = plan->state->data = calloc(1, sizeof *c);
    if (c == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->entries = LL_ENTRIES_DOUBLE;
    plan->prec = PREC;
    arb_one(plan->state->unit);
    ll_status status = ll_change_menu_init(&c->menu, plan, error);
    return status == LL_OK ? ll_changes_arrange(plan, c, error) : status;
}

/* ---- rows ---- */

/* The group that a query after the first asks about. */
static long group_of(const ll_changes *c, long query)
{
    long low = 0, high = c->groups;
    while (high - low > 1) {
        long middle = low + (high - low) / 2;
        if (c->first_query[middle] <= query)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static long choice_of(const ll_changes *c, long query, long row)
{
    if (query == 0)
        return 0;
    long group = group_of(c, query);
    int is_in = row >= c->first_row[group] && row < c->first_row[group + 1];
    return is_in ? c->choices[row * LL_CHANGES_STAGES + query - c->first_query[group]] : 0;
}

static double get_entry(const ll_plan *plan, const ll_code *code, long row, long column)
{
    const ll_changes *c = plan->state->data;
    return c->menu.entries[choice_of(c, code->query, row) * c->menu.columns + column];
}

const ll_writer ll_writer_changes = {
    .name = "changes",
    .prepare = prepare,
    .clear = clear,
    LL_WRITES_PLANNED(get_entry),
};

/* ---- what rows add ---- */

void ll_plan_row_weight(const ll_plan *plan, arb_t out, long row, long label)
{
    ll_computation_get_weight(plan->scoring.how, out, row, label);
}

void ll_changes_step(const ll_plan *plan, arb_t out, long row, long choice, long label)
{
    const ll_changes *c = plan->state->data;
    arb_t weight;
    arb_init(weight);
    arb_zero(out);
    if (choice > 0) {
        arb_sub(out, c->menu.terms + choice * c->menu.classes + label, c->menu.terms + label, PREC);
        ll_plan_row_weight(plan, weight, row, label);
        arb_mul(out, out, weight, PREC);
    }
    arb_clear(weight);
}

void ll_changes_kept(const ll_plan *plan, arb_t out, long row, long label)
{
    const ll_changes *c = plan->state->data;
    ll_plan_row_weight(plan, out, row, label);
    arb_mul(out, out, c->menu.terms + label, PREC);
}

static void add_largest(const ll_plan *plan, mag_t out, long row, long choice)
{
    const ll_changes *c = plan->state->data;
    mag_t most, size;
    arb_t weight;
    arb_init(weight);
    mag_init(most);
    mag_init(size);
    for (long k = 0; k < c->menu.classes; k++) {
        ll_plan_row_weight(plan, weight, row, k);
        arb_mul(weight, weight, c->menu.terms + choice * c->menu.classes + k, 64);
        arb_get_mag(size, weight);
        mag_max(most, most, size);
    }
    mag_add(out, out, most);
    arb_clear(weight);
    mag_clear(most);
    mag_clear(size);
}

void ll_changes_magnitude(const ll_plan *plan, mag_t out, long query)
{
    mag_zero(out);
    for (long row = 0; row < plan->rows; row++)
        add_largest(plan, out, row, choice_of(plan->state->data, query, row));
}

/* Of one row that weighs 1. */
static double radius_of(const ll_change_menu *m, long choice)
{
    double most = 0;
    for (long k = 0; k < m->classes; k++)
        most = fmax(most, mag_get_d(arb_radref(m->terms + choice * m->classes + k)));
    return most;
}

double ll_changes_radius(const ll_plan *plan, long query)
{
    const ll_changes *c = plan->state->data;
    const ll_computation *how = plan->scoring.how;
    double sum = 0, all = how->weights == NULL ? ll_computation_heaviest(how) : 0, kept = radius_of(&c->menu, 0);
    for (long row = 0; row < plan->rows; row++) {
        long choice = choice_of(c, query, row);
        sum += (how->weights != NULL ? how->weights[row] : all) * (choice == 0 ? kept : radius_of(&c->menu, choice));
    }
    return sum * (1 + 0x1p-20);
}

/* ---- when it applies ---- */

static ll_status check(const ll_plan *plan, ll_error *error)
{
    const ll_metric *metric = plan->scoring.how->metric;
    ll_status status = ll_metric_need_terms(metric, "the code changes", error);
    if (status != LL_OK)
        return status;
    if (!ll_plan_is_unplanned(plan))
        return ll_fail(error, LL_DOMAIN, "the code %s is for weighted scores, and for terms that no other code chooses",
                       plan->name);
    if (ll_metric_is_sum(metric) || plan->scoring.how->kind == LL_KIND_FORMAT)
        return ll_fail(error, LL_DOMAIN, "the code %s is for means in exact arithmetic, fp64 or fp32", plan->name);
    return LL_OK;
}

ll_status ll_changes_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check(plan, error);
    if (status == LL_OK)
        status = ll_change_menu_check(plan, ll_budget_memory(q->request->budget), error);
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

/* What stored rows add beyond the plan's weights. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

ll_status ll_stored_error_init(ll_stored_error *stored_error, const ll_plan *plan)
{
    *stored_error = (ll_stored_error){.product = ll_product_create()};
    stored_error->values = malloc(sizeof(ll_value) * (size_t)(plan->columns + 1));
    if (stored_error->product == NULL || stored_error->values == NULL) {
        ll_product_destroy(stored_error->product);
        free(stored_error->values);
        *stored_error = (ll_stored_error){0};
        return LL_MEMORY;
    }
    for (long c = 0; c <= plan->columns; c++)
        arb_init(stored_error->values[c].ball);
    stored_error->terms = _arb_vec_init(ll_plan_listed(plan));
    stored_error->weights = _arb_vec_init(ll_plan_listed(plan));
    arb_init(stored_error->offset);
    arb_init(stored_error->low);
    arb_init(stored_error->high);
    mag_init(stored_error->magnitude);
    return LL_OK;
}

void ll_stored_error_clear(ll_stored_error *stored_error, const ll_plan *plan)
{
    if (stored_error->values == NULL)
        return;
    for (long c = 0; c <= plan->columns; c++)
        arb_clear(stored_error->values[c].ball);
    free(stored_error->values);
    free(stored_error->counts);
    _arb_vec_clear(stored_error->terms, ll_plan_listed(plan));
    _arb_vec_clear(stored_error->weights, ll_plan_listed(plan));
    ll_product_destroy(stored_error->product);
    arb_clear(stored_error->offset);
    arb_clear(stored_error->low);
    arb_clear(stored_error->high);
    mag_clear(stored_error->magnitude);
    *stored_error = (ll_stored_error){0};
}

void ll_stored_error_reset(ll_stored_error *stored_error)
{
    arb_zero(stored_error->offset);
    arb_zero(stored_error->low);
    arb_zero(stored_error->high);
    mag_zero(stored_error->magnitude);
    ll_product_reset(stored_error->product);
    stored_error->neutral = 0;
    stored_error->based = 0;
    if (stored_error->counts != NULL)
        memset(stored_error->counts, 0, sizeof *stored_error->counts * (size_t)stored_error->counts_size);
}

/* term(k) - term(base) - (weight(k) - weight(base)) * unit */
static void deviation(const ll_plan *plan, const ll_stored_error *stored_error, arb_t out, long row, long k)
{
    arb_zero(out);
    if (row >= 0) {
        arb_sub(out, stored_error->weights + plan->state->base, stored_error->weights + k, plan->prec);
        arb_mul(out, out, plan->state->unit, plan->prec);
    }
    arb_add(out, out, stored_error->terms + k, plan->prec);
    arb_sub(out, out, stored_error->terms + plan->state->base, plan->prec);
}

void ll_stored_error_add_terms(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, long row)
{
    arb_t least, greatest, own;
    arb_init(least);
    arb_init(greatest);
    arb_init(own);
    if (row >= 0)
        ll_code_weights(code, stored_error->weights, row, plan->prec);
    for (long k = 0; k < plan->classes; k++) {
        if (k == plan->state->base)
            continue;
        deviation(plan, stored_error, own, row, k);
        arb_min(least, least, own, plan->prec);
        arb_max(greatest, greatest, own, plan->prec);
    }
    arb_add(stored_error->low, stored_error->low, least, plan->prec);
    arb_add(stored_error->high, stored_error->high, greatest, plan->prec);
    arb_add(stored_error->offset, stored_error->offset, stored_error->terms + plan->state->base, plan->prec);
    arb_clear(least);
    arb_clear(greatest);
    arb_clear(own);
}

ll_status ll_plan_measure_block(const ll_plan *plan, ll_stored_error *stored_error, ll_block *scratch, ll_error *error)
{
    ll_stored_error_reset(stored_error);
    ll_status status = LL_OK;
    for (long row = 0; row < plan->block && status == LL_OK; row++) {
        void *to = ll_plan_reserve(plan, scratch, 1);
        if (to == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for a row");
        status = ll_plan_write_row(plan, plan->state->code, to, row, error);
        if (status == LL_OK)
            status = plan->state->writer->measure(plan, plan->state->code, stored_error, scratch, 0, row, error);
    }
    stored_error->neutral = plan->rows - plan->block;
    if (status == LL_OK && plan->state->writer->close != NULL)
        plan->state->writer->close(plan, stored_error);
    return status;
}

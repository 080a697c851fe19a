/* What stored rows add beyond the plan's weights. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

ll_status ll_account_init(ll_account *account, const ll_plan *plan)
{
    *account = (ll_account){.product = ll_product_create()};
    account->values = malloc(sizeof(ll_value) * (size_t)(plan->columns + 1));
    if (account->product == NULL || account->values == NULL) {
        ll_product_destroy(account->product);
        free(account->values);
        *account = (ll_account){0};
        return LL_MEMORY;
    }
    for (long c = 0; c <= plan->columns; c++)
        arb_init(account->values[c].ball);
    account->terms = _arb_vec_init(plan->classes);
    account->weights = _arb_vec_init(plan->classes);
    arb_init(account->offset);
    arb_init(account->low);
    arb_init(account->high);
    mag_init(account->magnitude);
    return LL_OK;
}

void ll_account_clear(ll_account *account, const ll_plan *plan)
{
    if (account->values == NULL)
        return;
    for (long c = 0; c <= plan->columns; c++)
        arb_clear(account->values[c].ball);
    free(account->values);
    free(account->counts);
    _arb_vec_clear(account->terms, plan->classes);
    _arb_vec_clear(account->weights, plan->classes);
    ll_product_destroy(account->product);
    arb_clear(account->offset);
    arb_clear(account->low);
    arb_clear(account->high);
    mag_clear(account->magnitude);
    *account = (ll_account){0};
}

void ll_account_reset(ll_account *account)
{
    arb_zero(account->offset);
    arb_zero(account->low);
    arb_zero(account->high);
    mag_zero(account->magnitude);
    ll_product_reset(account->product);
    account->neutral = 0;
    account->based = 0;
    if (account->counts != NULL)
        memset(account->counts, 0, sizeof *account->counts * (size_t)account->counts_size);
}

/* term(k) - term(base) - (weight(k) - weight(base)) * unit */
static void deviation(const ll_plan *plan, const ll_account *account, arb_t out, long row, long k)
{
    arb_zero(out);
    if (row >= 0) {
        arb_sub(out, account->weights + plan->base, account->weights + k, plan->prec);
        arb_mul(out, out, plan->unit, plan->prec);
    }
    arb_add(out, out, account->terms + k, plan->prec);
    arb_sub(out, out, account->terms + plan->base, plan->prec);
}

void ll_account_add_terms(const ll_plan *plan, const ll_code *code, ll_account *account, long row)
{
    arb_t least, greatest, own;
    arb_init(least);
    arb_init(greatest);
    arb_init(own);
    if (row >= 0)
        ll_code_weights(code, account->weights, row, plan->prec);
    for (long k = 0; k < plan->classes; k++) {
        if (k == plan->base)
            continue;
        deviation(plan, account, own, row, k);
        arb_min(least, least, own, plan->prec);
        arb_max(greatest, greatest, own, plan->prec);
    }
    arb_add(account->low, account->low, least, plan->prec);
    arb_add(account->high, account->high, greatest, plan->prec);
    arb_add(account->offset, account->offset, account->terms + plan->base, plan->prec);
    arb_clear(least);
    arb_clear(greatest);
    arb_clear(own);
}

ll_status ll_plan_account_block(const ll_plan *plan, ll_account *account, ll_block *scratch, ll_error *error)
{
    ll_account_reset(account);
    ll_status status = LL_OK;
    for (long row = 0; row < plan->block && status == LL_OK; row++) {
        void *to = ll_plan_reserve(plan, scratch, 1);
        if (to == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for a row");
        status = ll_plan_write_row(plan, plan->code, to, row, error);
        if (status == LL_OK)
            status = plan->writer->account(plan, plan->code, account, scratch, 0, row, error);
    }
    account->neutral = plan->rows - plan->block;
    if (status == LL_OK && plan->writer->close != NULL)
        plan->writer->close(plan, account);
    return status;
}

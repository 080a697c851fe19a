/* A plan's geometry: which query asks about which rows. Finishing and destroying it. */
#include "plan/strategy.h"

#include <stdlib.h>

const ll_code *ll_plan_code(const ll_plan *plan, long query)
{
    return plan->views + query / plan->repeats;
}

long ll_plan_distinct(const ll_plan *plan)
{
    return plan->queries / plan->repeats;
}

long ll_plan_block(const ll_plan *plan, long query)
{
    long block = query / plan->repeats / plan->code->queries, last = (plan->rows - 1) / plan->block;
    return block < last ? block : last;
}

long ll_plan_first_query(const ll_plan *plan, long block)
{
    return block * plan->code->queries;
}

ll_status ll_plan_finish(ll_plan *plan, ll_error *error)
{
    if (plan->groups != NULL)
        return ll_plan_finish_grouped(plan, error);
    ll_code_prepare(plan->code, plan->prec);
    if (plan->last_code != NULL)
        ll_code_prepare(plan->last_code, plan->prec);
    ll_status status = plan->writer->finish != NULL ? plan->writer->finish(plan, error) : LL_OK;
    plan->is_finished = status == LL_OK;
    return status;
}

void ll_plan_destroy(ll_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->groups != NULL)
        ll_plan_destroy_grouped(plan);
    ll_plan_drop_code(plan);
    ll_code_destroy(plan->last_code);
    ll_scorer_leave(plan->scorer);
    ll_scorer_leave(plan->answer);
    arb_clear(plan->sign_weight);
    arb_clear(plan->noise);
    arb_clear(plan->unit);
    free(plan->sources);
    free(plan->views);
    free(plan->name);
    free(plan);
}

/* Predictions that are doubles and stored just as they were planned: the writer's `entry` says which. */
#include "strategy/common/writers.h"

ll_status ll_planned_prepare(ll_plan *plan, ll_error *error)
{
    (void)error;
    plan->entries = LL_ENTRIES_DOUBLE;
    return LL_OK;
}

ll_status ll_planned_write(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)error;
    for (long c = 0; c < plan->columns; c++)
        ((double *)to)[c] = plan->state->writer->entry(plan, code, row, c);
    return LL_OK;
}

ll_status ll_planned_measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                             const ll_block *block, long index, long row, ll_error *error)
{
    const double *stored = block->doubles + index * plan->columns;
    (void)stored_error;
    for (long c = 0; c < plan->columns; c++)
        if (stored[c] != plan->state->writer->entry(plan, code, row, c))
            return ll_fail(error, LL_DOMAIN, "a stored prediction is not the one that was planned");
    return LL_OK;
}

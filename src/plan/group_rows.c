/* Plans of groups: what a submission has of every row is what the plan of its group predicts there. */
#include "plan/plan.h"
#include "scorer/groups.h"

#include <stdlib.h>

static long count_groups(const ll_plan *plan)
{
    return plan->scorer->groups->count;
}

void ll_plan_destroy_grouped(ll_plan *plan)
{
    for (long g = 0; g < count_groups(plan); g++)
        ll_plan_destroy(plan->groups[g]);
    free(plan->groups);
    plan->code = NULL; /* they were the largest's */
    plan->writer = NULL;
}

ll_status ll_plan_finish_grouped(ll_plan *plan, ll_error *error)
{
    ll_status status = LL_OK;
    for (long g = 0; g < count_groups(plan) && status == LL_OK; g++)
        status = ll_plan_finish(plan->groups[g], error);
    plan->is_finished = status == LL_OK;
    return status;
}

/* ---- its predictions ---- */

static void copy_rows(void *to, const ll_block *from, long at, long entries)
{
    for (long e = 0; e < entries; e++)
        if (from->entries == LL_ENTRIES_EXACT)
            ll_exact_set((ll_exact *)to + at + e, from->exacts + e);
        else
            ((double *)to)[at + e] = from->doubles[e];
}

/* Rows that follow each other in their group are asked for together. */
static long run_length(const ll_row_groups *groups, long row, long most)
{
    long count = 1;
    while (count < most && groups->of[row + count] == groups->of[row])
        count++;
    return count;
}

ll_status ll_plan_get_grouped(const ll_plan *plan, long query, ll_block *out, long first, long count, ll_error *error)
{
    const ll_row_groups *groups = plan->scorer->groups;
    ll_block some;
    ll_status status = LL_OK;
    void *to = ll_plan_reserve(plan, out, count);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    ll_block_init(&some);
    for (long i = 0, rows; i < count && status == LL_OK; i += rows) {
        const ll_plan *own = plan->groups[groups->of[first + i]];
        ll_predictions predictions;
        rows = run_length(groups, first + i, count - i);
        status = ll_plan_predictions(own, &predictions, query < own->queries ? query : own->queries - 1, error);
        if (status == LL_OK)
            status = predictions.get(predictions.self, &some, groups->place[first + i], rows, error);
        if (status == LL_OK)
            copy_rows(to, &some, i * plan->columns, rows * plan->columns);
    }
    ll_block_clear(&some);
    return status;
}

/* The predictions of a plan: rows are written when they are asked for. */
#include "plan/plan.h"

#include <assert.h>

/* The row of query's block that row `row` of the data set is, or -1. */
long ll_plan_row(const ll_plan *plan, long query, long row)
{
    long first = ll_plan_block(plan, query) * plan->block;
    return row >= first && row < first + ll_plan_code(plan, query)->rows ? row - first : -1;
}

void *ll_plan_reserve(const ll_plan *plan, ll_block *block, long rows)
{
    if (plan->entries == LL_ENTRIES_EXACT)
        return ll_block_reserve_exacts(block, rows, plan->columns);
    return ll_block_reserve_doubles(block, rows, plan->columns);
}

ll_status ll_plan_write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    const ll_writer *w = plan->writer;
    return w->write != NULL ? w->write(plan, code, to, row, error) : w->write_rows(plan, code, to, row, 1, error);
}

static ll_status get_rows(const ll_plan *plan, long query, char *entry, long first, long count, ll_error *error)
{
    const ll_code *code = ll_plan_code(plan, query);
    const size_t size = plan->entries == LL_ENTRIES_EXACT ? sizeof(ll_exact) : sizeof(double);
    for (long i = 0; i < count;) {
        ll_status status;
        long rows = 1, row = ll_plan_row(plan, query, first + i);
        if (row >= 0 && plan->writer->write_rows != NULL) {
            rows = code->rows - row < count - i ? code->rows - row : count - i;
            status = plan->writer->write_rows(plan, code, entry, row, rows, error);
        } else {
            status = ll_plan_write_row(plan, code, entry, row, error);
        }
        if (status != LL_OK)
            return status;
        i += rows;
        entry += size * (size_t)(rows * plan->columns);
    }
    return LL_OK;
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_plan_source *source = self;
    const ll_plan *plan = source->plan;
    if (plan->groups != NULL)
        return ll_plan_get_grouped(plan, source->query, out, first, count, error);
    void *entries = ll_plan_reserve(plan, out, count);
    if (entries == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    return get_rows(plan, source->query, entries, first, count, error);
}

ll_status ll_plan_predictions(const ll_plan *plan, ll_predictions *out, long query, ll_error *error)
{
    if (query < 0 || query >= plan->queries)
        return ll_fail(error, LL_DOMAIN, "there is no query %ld: the plan has %ld", query, plan->queries);
    assert(plan->is_finished);
    *out = (ll_predictions){.self = plan->sources + query,
                            .rows = plan->rows,
                            .columns = plan->columns,
                            .entries = plan->entries,
                            .get = get};
    return LL_OK;
}

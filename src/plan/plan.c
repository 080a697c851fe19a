/* What is asked of every plan, whatever its strategy: its predictions, what is to be said of it, its end. */
#include "number/value.h"
#include "plan/strategy.h"

#include <assert.h>
#include <stdlib.h>

long ll_plan_distinct(const ll_plan *plan)
{
    return plan->queries / plan->bounds.repeats;
}

int ll_plan_has_absent(const ll_plan *plan)
{
    return plan->classes > plan->scoring.classes;
}

long ll_plan_listed(const ll_plan *plan)
{
    return plan->classes <= LL_LISTED_CLASSES ? plan->classes : 0;
}

int ll_plan_is_joint(const ll_plan *plan)
{
    return ll_plan_distinct(plan) > (plan->rows + plan->block - 1) / plan->block;
}

long ll_plan_rows_within(const ll_plan *plan, long limit)
{
    return plan->strategy->rows_within(plan, limit <= 0 || limit > plan->queries ? plan->queries : limit);
}

ll_status ll_plan_finish(ll_plan *plan, ll_error *error)
{
    ll_status status = plan->strategy->finish(plan, error);
    if (status != LL_OK)
        return status;
    plan->sources = malloc(sizeof *plan->sources * (size_t)plan->queries);
    if (plan->sources == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld queries", plan->queries);
    for (long q = 0; q < plan->queries; q++)
        plan->sources[q] = (ll_plan_source){plan, q};
    return LL_OK;
}

void ll_plan_destroy(ll_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->state != NULL)
        plan->strategy->forget(plan);
    ll_scorer_leave(plan->scorer);
    ll_scorer_leave(plan->answer);
    free(plan->state);
    free(plan->sources);
    free(plan->name);
    free(plan);
}

void *ll_plan_reserve(const ll_plan *plan, ll_block *block, long rows)
{
    if (plan->entries == LL_ENTRIES_EXACT)
        return ll_block_reserve_exacts(block, rows, plan->columns);
    return ll_block_reserve_doubles(block, rows, plan->columns);
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_plan_source *source = self;
    return source->plan->strategy->get(source->plan, source->query, out, first, count, error);
}

ll_status ll_plan_predictions(const ll_plan *plan, ll_predictions *out, long query, ll_error *error)
{
    if (query < 0 || query >= plan->queries)
        return ll_fail(error, LL_DOMAIN, "there is no query %ld: the plan has %ld", query, plan->queries);
    assert(plan->sources != NULL);
    *out = (ll_predictions){.self = plan->sources + query,
                            .rows = plan->rows,
                            .columns = plan->columns,
                            .entries = plan->entries,
                            .get = get};
    return LL_OK;
}

void(ll_plan_get_info)(const ll_plan *plan, ll_plan_info *out, size_t size)
{
    ll_plan_info info = {
        .code = plan->name,
        .rows = plan->rows,
        .classes = plan->scoring.classes,
        .columns = plan->columns,
        .block = plan->block,
        .queries = plan->queries,
        .entries = plan->entries,
        .guarantee = plan->bounds.guarantee,
        .allowed = plan->bounds.failure,
        .repeats = plan->bounds.repeats,
        .share = plan->expected.share,
        .failure = plan->expected.failure,
        .labels = ll_plan_rows_within(plan, 0),
    };
    plan->strategy->describe(plan, &info);
    info.score_bits *= (double)plan->queries;
    ll_value_copy(out, size, &info, sizeof info);
}

/* Scores of groups: each group's number is one of its own rows alone, so there is a plan for each of them, and a
 * submission has of every row what the plan of its group predicts there. All groups are read at once; the largest needs
 * the most queries, and the others repeat their last one meanwhile. The number of all rows is not read. */
#include "planner/planner.h"
#include "scorer/groups.h"

#include <stdlib.h>
#include <string.h>

static long count_groups(const ll_plan *plan)
{
    return plan->scorer->groups->count;
}

static ll_status fail_group(const ll_plan *plan, long group, const ll_error *why, ll_status status, ll_error *error)
{
    return ll_fail(error, status, "group %.40s of %ld rows: %s", plan->scorer->groups->names[group],
                   plan->scorer->groups->sizes[group], why->text);
}

static ll_status make_groups(ll_plan *plan, const ll_named_code *code, const ll_plan_request *request, long limit,
                             ll_error *error)
{
    ll_plan_request each = *request;
    ll_status status = LL_OK;
    each.block = 0;
    for (long g = 0; g < count_groups(plan) && status == LL_OK; g++) {
        ll_error why = {0};
        status = ll_plan_make(&plan->groups[g], ll_scorer_get_number(plan->scorer, 1 + g), code, &each, limit, &why);
        if (status != LL_OK)
            status = fail_group(plan, g, &why, status, error);
    }
    return status;
}

static const ll_plan *find_largest(const ll_plan *plan)
{
    const ll_plan *largest = plan->groups[0];
    for (long g = 1; g < count_groups(plan); g++)
        if (plan->groups[g]->queries > largest->queries ||
            (plan->groups[g]->queries == largest->queries && plan->groups[g]->rows > largest->rows))
            largest = plan->groups[g];
    return largest;
}

/* All that is said of the plan is what the largest group's says, of all rows. */
static ll_status join(ll_plan *plan, ll_error *error)
{
    const ll_plan *largest = find_largest(plan);
    plan->columns = largest->columns;
    plan->entries = largest->entries;
    plan->queries = largest->queries;
    plan->rows = plan->block = plan->scorer->rows;
    plan->classes = largest->classes;
    plan->scoring.classes = largest->scoring.classes;
    plan->code = largest->code;
    plan->writer = largest->writer;
    plan->levels = largest->levels;
    plan->prec = largest->prec;
    plan->forecast_share = largest->forecast_share;
    arb_set(plan->noise, largest->noise);
    arb_set(plan->unit, largest->unit);
    plan->candidate = largest->candidate;
    plan->strategy = largest->strategy;
    plan->sources = malloc(sizeof *plan->sources * (size_t)plan->queries);
    if (plan->sources == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    ll_status status = ll_plan_set_code(plan, largest->row, largest->variant, error);
    if (status != LL_OK)
        return status;
    for (long q = 0; q < plan->queries; q++)
        plan->sources[q] = (ll_plan_source){plan, q};
    for (long g = 0; g < count_groups(plan); g++)
        if (plan->groups[g]->columns != plan->columns || plan->groups[g]->entries != plan->entries)
            return ll_fail(error, LL_DOMAIN,
                           "the groups need predictions of different kinds; no attack is planned, "
                           "which does not mean they are safe");
    return LL_OK;
}

ll_status ll_plan_make_grouped(ll_plan **out, const ll_scorer *scorer, const ll_named_code *code,
                               const ll_plan_request *request, long limit, ll_error *error)
{
    if (request->guarantee == LL_LIKELY || code->candidate->averages)
        return ll_fail(error, LL_DOMAIN,
                       "scores of groups are read for certain or not at all; no other attack is planned");
    if (request->block > 0 && request->block != scorer->rows)
        return ll_fail(error, LL_DOMAIN, "blocks of %ld rows: groups have blocks of their own; leave the block out",
                       request->block);
    ll_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL || (plan->groups = calloc((size_t)scorer->groups->count, sizeof *plan->groups)) == NULL) {
        free(plan);
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    }
    plan->scorer = ll_scorer_share(scorer);
    plan->answer = ll_scorer_share(scorer);
    plan->scoring = (ll_scoring){.how = &scorer->computation, .rows = scorer->rows};
    plan->guarantee = request->guarantee;
    plan->limit = limit;
    plan->repeats = 1;
    plan->shared = 1;
    arb_init(plan->sign_weight);
    arb_init(plan->noise);
    arb_init(plan->unit);
    ll_status status = make_groups(plan, code, request, limit, error);
    if (status == LL_OK)
        status = join(plan, error);
    if (status == LL_OK)
        *out = plan;
    else
        ll_plan_destroy(plan);
    return status;
}

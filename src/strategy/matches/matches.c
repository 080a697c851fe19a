/* Predictions that are labels. A sum of terms counts the right ones; any other metric of two classes is a function of
 * the counts of a confusion matrix. Every row counts in every query, so one code applies, and no blocks; where fewer
 * queries are answered than all rows take, the code asks about some rows, and the others are predicted alike. */
#include "strategy/matches/matches.h"

#include "strategy/common/decode_counts.h"
#include "strategy/common/decode_levels.h"
#include "strategy/common/writers.h"

/* Labels of more than two classes whose counts are known: rows that are only counted do not show theirs. */
static ll_status check_part(const ll_plan *plan, const ll_question *q, ll_error *error)
{
    if (q->part == 0 || plan->classes == 2 || plan->scorer->counts == NULL)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "of %ld classes whose counts are known all rows are read, or none", plan->classes);
}

static ll_status plan_matches(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status whole = check_part(plan, q, error);
    if (whole != LL_OK)
        return whole;
    ll_status status = ll_plan_take_labels(plan, q, error);
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

static ll_status plan_counts(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = plan_matches(plan, q, error);
    return status == LL_OK ? ll_counts_check(plan, error) : status;
}

static const ll_writer *const writers[] = {&ll_writer_labels, &ll_writer_one_hot, NULL};

static const ll_strategy matches = {
    .name = "matches",
    .proof = "detecting.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = plan_matches,
    .writers = writers,
    LL_DECODES_LEVELS,
    LL_PLANS_BLOCKS,
};

static const ll_strategy counts = {
    .name = "counts",
    .proof = "counts.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = plan_counts,
    .writers = writers,
    LL_DECODES_COUNTS,
    LL_PLANS_BLOCKS_READING(ll_plan_state, ll_counts_rows_within),
};

const ll_strategy *ll_matches_pick(const ll_plan *plan)
{
    if (!ll_plan_asks_labels(plan))
        return NULL;
    return ll_metric_has_terms(plan->scoring.how->metric) ? &matches : &counts;
}

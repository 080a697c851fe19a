/* Plans where an answer has several numbers: one of them is read. Strategies that suppose class counts compare the
 * labels that it leaves with the other numbers; those of sums do not (docs/proofs/several.md). Numbers that do not read
 * a submission as it is written, but classes or ranks made of it, are not planned for. */
#include "planner/planner.h"

static void take_better(ll_plan **best, ll_plan *plan, const ll_question *q)
{
    ll_plan *worse = ll_plan_is_better(plan, *best, q->limit > 0 ? q->limit : q->within) ? *best : plan;
    *best = worse == *best ? plan : *best;
    ll_plan_destroy(worse);
}

/* A plan that reads all numbers together, where predictions are labels. */
static ll_status consider_joint(ll_plan **best, const ll_question *q, ll_error *error)
{
    const ll_metric *metric = q->scorer->computation.metric;
    ll_plan *plan = NULL;
    if (!ll_metric_takes_labels(metric) || q->request->guarantee != LL_CERTIFIED || ll_metric_has_terms(metric))
        return LL_OK;
    ll_status status = ll_plan_make_bounded(&plan, q, 0, 1, 1, error);
    if (status == LL_OK)
        take_better(best, plan, q);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Can a submission be written for this number? A program that counts labels refuses one that holds none. */
static int is_written(const ll_scorer *number, const ll_metric *first)
{
    const ll_metric *metric = number->computation.metric;
    int needs_labels = ll_metric_reads_labels(first) && !ll_metric_has_terms(first);
    return number->reading == LL_READ_ALL && (!needs_labels || ll_metric_reads_labels(metric));
}

ll_status ll_plan_make_number(ll_plan **out, const ll_question *q, long number, ll_error *error)
{
    ll_question one = *q;
    one.scorer = ll_scorer_get_number(q->scorer, number);
    ll_status status = ll_plan_make(out, &one, error);
    if (status != LL_OK)
        return status;
    ll_scorer_leave((*out)->answer);
    (*out)->answer = ll_scorer_share(q->scorer);
    (*out)->number = number;
    return LL_OK;
}

/* The best plan of those that read one number, or all of them. */
ll_status ll_plan_make_several(ll_plan **out, const ll_question *q, ll_error *error)
{
    ll_plan *best = NULL;
    ll_error why = {0};
    ll_status status = LL_OK;
    for (long i = 0; i < ll_scorer_count_numbers(q->scorer) && status != LL_MEMORY; i++) {
        ll_plan *plan = NULL;
        if (!is_written(ll_scorer_get_number(q->scorer, i), q->scorer->computation.metric))
            continue;
        status = ll_plan_make_number(&plan, q, i, i == 0 ? &why : NULL);
        if (status != LL_OK)
            continue;
        take_better(&best, plan, q);
    }
    if (status == LL_MEMORY) {
        ll_plan_destroy(best);
        return ll_fail(error, status, "no memory to try every number");
    }
    status = consider_joint(&best, q, &why);
    if (status == LL_MEMORY) {
        ll_plan_destroy(best);
        return ll_fail(error, status, "no memory to try all numbers");
    }
    if (best == NULL)
        return ll_fail(error, LL_DOMAIN, "%s", why.text);
    *out = best;
    return LL_OK;
}

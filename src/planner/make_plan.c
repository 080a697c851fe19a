/* Making a plan of one code: whether the scorer allows it, what the noise is, how many queries there are and what they
 * cost. */
#include "number/budget.h"
#include "number/value.h"
#include "planner/planner.h"
#include "strategy/groups/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scorer ---- */

static ll_status check_scorer(const ll_plan *plan, ll_error *error)
{
    const ll_release *release = &plan->scorer->release;
    if (plan->candidate->averages || !ll_release_is_bounded(release)) {
        ll_status status = ll_metric_need_terms(plan->scoring.how->metric, "an attack through random noise", error);
        if (status != LL_OK)
            return status;
    }
    if (plan->scorer->rows < 1)
        return ll_fail(error, LL_DOMAIN, "a plan needs the number of rows, at least 1");
    if (!ll_release_is_bounded(release) && plan->bounds.guarantee == LL_CERTIFIED)
        return ll_fail(
            error, LL_DOMAIN,
            "no label is certain under unbounded noise: give a bound, noise bounded:TAU, or take labels that "
            "are right with a probability, guarantee likely");
    if (ll_release_is_history(release))
        return ll_fail(error, LL_DOMAIN,
                       "this attack needs every score; the Ladder keeps back those that do not improve");
    if (ll_release_is_relative(release) && plan->candidate->averages)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s averages scores, but under a root, or with a fixed number of "
                       "significant digits, not all of them are equally precise",
                       plan->name);
    return LL_OK;
}

/* ---- budget ---- */

double ll_plan_seconds(const ll_plan *plan)
{
    double bits = (double)plan->prec, entries = (double)plan->rows * (double)plan->columns;
    double each = plan->entries == LL_ENTRIES_EXACT ? 2e-6 + bits / 64 * 0.6e-9 : plan->candidate->averages ? 3e-8 : 0;
    const ll_writer *writer = plan->state->writer;
    int is_known = writer != NULL && writer->get_seconds != NULL;
    return is_known ? writer->get_seconds(plan) : (double)plan->queries * entries * each;
}

static ll_status check_seconds(const ll_plan *plan, double max_seconds, ll_error *error)
{
    double seconds = ll_plan_seconds(plan);
    if (seconds > max_seconds)
        return ll_fail(
            error, LL_UNABLE,
            "scores of %.3g bits need about %.3g seconds, over the budget of %.3g: use smaller blocks or a code with "
            "fewer bits",
            (double)plan->prec, seconds, max_seconds);
    return LL_OK;
}

/* ---- create ---- */

static ll_status check_queries(const ll_plan *plan, double memory, ll_error *error)
{
    double bytes = (double)plan->queries * (double)(sizeof *plan->sources + sizeof *plan->state->views);
    return bytes <= memory
               ? LL_OK
               : ll_fail(error, LL_UNABLE, "a plan of %ld queries needs about %.3g bytes, over the budget of %.3g",
                         plan->queries, bytes, memory);
}

static ll_status set_views(ll_plan *plan, ll_error *error)
{
    long queries = ll_plan_distinct(plan);
    plan->state->views = malloc(sizeof *plan->state->views * (size_t)queries);
    if (plan->state->views == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld queries", queries);
    for (long q = 0; q < queries; q++) {
        long block = ll_plan_block(plan, q * plan->bounds.repeats);
        int is_last = plan->state->last_code != NULL && block == (plan->rows - 1) / plan->block;
        plan->state->views[q] = is_last ? *plan->state->last_code : *plan->state->code;
        plan->state->views[q].query = q - ll_plan_first_query(plan, block);
    }
    return LL_OK;
}

/* A row of weights is worked on in vectors of balls, which end the program where there is no room for them; a verdict
 * keeps a byte a row and class. */
static ll_status check_labels(const ll_plan *plan, double memory, ll_error *error)
{
    double classes = (double)ll_plan_listed(plan), bytes = 512.0 * classes + (double)plan->rows * fmax(8, classes);
    return bytes <= memory
               ? LL_OK
               : ll_fail(error, LL_UNABLE, "%ld rows of %ld classes need about %.3g bytes, over the budget of %.3g",
                         plan->rows, plan->classes, bytes, memory);
}

/* Sums of matches are at most N; other noises do not depend on the sum here (try_relative sets those that do). */
static void set_noise(ll_plan *plan)
{
    arb_t most;
    arb_init(most);
    if (ll_plan_takes_labels(plan))
        arb_set_si(most, plan->scoring.rows);
    ll_plan_set_noise(plan, most);
    arb_clear(most);
}

static ll_status set_queries(ll_plan *plan, const ll_question *q, ll_error *error)
{
    long rest = plan->rows % plan->block;
    ll_plan_state *s = plan->state;
    ll_status status = rest != 0 ? ll_plan_create_code(plan, &s->last_code, rest, error) : LL_OK;
    plan->queries = plan->rows / plan->block * s->code->queries + (s->last_code != NULL ? s->last_code->queries : 0);
    plan->queries *= plan->bounds.repeats;
    if (status == LL_OK)
        status = check_seconds(plan, ll_budget_seconds(q->request->budget), error);
    if (status == LL_OK)
        status = check_queries(plan, ll_budget_memory(q->request->budget), error);
    return status == LL_OK ? set_views(plan, error) : status;
}

static ll_status fill(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check_scorer(plan, error);
    if (status != LL_OK)
        return status;
    plan->rows = plan->scorer->rows;
    plan->scoring.classes = plan->scorer->classes > 0 ? plan->scorer->classes : 2;
    status = ll_metric_check_classes(plan->scoring.how->metric, plan->scoring.classes, error);
    if (status != LL_OK)
        return status;
    plan->scoring.rows = plan->scorer->counted_most; /* that a score is the mean of, at most */
    status = check_labels(plan, ll_budget_memory(q->request->budget), error);
    if (status == LL_OK)
        status = ll_plan_check_question(plan, q, error);
    if (status != LL_OK)
        return status;
    set_noise(plan);
    status = plan->strategy->plan(plan, q, error);
    return status == LL_OK && !q->is_forecast ? set_queries(plan, q, error) : status;
}

/* The question, and the strategy that this code takes for it. */
static ll_status set_question(ll_plan *plan, const ll_question *q, ll_error *error)
{
    const ll_scorer *scorer = q->scorer;
    plan->scorer = ll_scorer_share(scorer);
    plan->answer = ll_scorer_share(scorer);
    plan->scoring = (ll_scoring){.how = &scorer->computation, .rows = scorer->rows};
    plan->classes = scorer->states;
    plan->candidate = q->code.candidate;
    plan->strategy = scorer->groups != NULL ? &ll_strategy_groups : plan->candidate->strategy;
    if (plan->strategy == NULL)
        plan->strategy = plan->candidate->pick(plan);
    plan->state = calloc(1, plan->strategy->state_size);
    if (plan->state == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    arb_init(plan->state->noise);
    arb_init(plan->state->unit);
    if (plan->candidate->averages)
        plan->state->levels = q->request->queries;
    return ll_plan_set_code(plan, ll_candidate_row(&q->code), q->code.variant, error);
}

ll_status ll_plan_make_bounded(ll_plan **out, const ll_question *q, double bound, long repeats, double shared,
                               ll_error *error)
{
    ll_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    double failure = q->request->guarantee == LL_LIKELY ? q->request->failure : 0;
    plan->bounds = (ll_plan_bounds){q->request->guarantee, failure, repeats, shared, bound};
    plan->expected = (ll_forecast){.share = 1, .failure = failure};
    ll_status status = set_question(plan, q, error);
    if (status == LL_OK)
        status = q->scorer->groups != NULL ? plan->strategy->plan(plan, q, error) : fill(plan, q, error);
    if (status != LL_OK) {
        ll_plan_destroy(plan);
        return status;
    }
    *out = plan;
    return LL_OK;
}

ll_question ll_question_of(const ll_scorer *scorer, ll_named_code code, const ll_plan_request *request, long limit)
{
    return (ll_question){
        .scorer = scorer, .code = code, .request = request, .limit = limit, .make = ll_plan_make_fitted};
}

ll_status ll_plan_forecast(ll_forecast *out, long *queries, const ll_scorer *scorer, double failure, ll_error *error)
{
    ll_plan *plan = NULL;
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.guarantee = LL_LIKELY;
    request.failure = failure;
    request.queries = *queries;
    ll_budget unlimited;
    ll_budget_init(&unlimited);
    unlimited.memory = unlimited.seconds = 1e300;
    request.budget = &unlimited;
    ll_question q = ll_question_of(scorer, (ll_named_code){ll_candidate_averages(), NULL}, &request, 0);
    q.is_forecast = 1;
    ll_status status = ll_plan_make_bounded(&plan, &q, 0, 1, 1, error);
    if (status != LL_OK || plan == NULL)
        return status;
    *out = plan->expected;
    *queries = (long)plan->state->levels;
    ll_plan_destroy(plan);
    return LL_OK;
}

ll_status ll_plan_make(ll_plan **out, const ll_question *q, ll_error *error)
{
    const ll_scorer *scorer = q->scorer;
    int is_likely = q->request->guarantee == LL_LIKELY, has_terms = ll_metric_has_terms(scorer->computation.metric);
    if (scorer->groups != NULL && (q->code.candidate->averages || (is_likely && has_terms)))
        return ll_plan_make_number(out, q, 0, error); /* labels of groups are certain or not read at all */
    if (scorer->groups != NULL)
        return ll_plan_make_bounded(out, q, 0, 1, 1, error);
    if (ll_scorer_count_numbers(scorer) > 1)
        return ll_plan_make_several(out, q, error);
    if (is_likely && !(q->request->failure > 0 && q->request->failure < 1))
        return ll_fail(error, LL_DOMAIN, "a failure probability of %g: it must be above 0 and below 1",
                       q->request->failure);
    if (is_likely && !q->code.candidate->averages && has_terms)
        return ll_plan_make_likely(out, q, error);
    return ll_plan_make_bounded(out, q, 0, 1, 1, error);
}

ll_status ll_predict_share(ll_forecast *out, const ll_scorer *scorer, long queries, ll_error *error)
{
    if (queries < 1)
        return ll_fail(error, LL_DOMAIN, "a prediction needs a number of queries, at least 1");
    return ll_plan_forecast(out, &queries, scorer, LL_PLAN_FAILURE, error);
}

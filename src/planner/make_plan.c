/* Making a plan of one code: whether the scorer allows it, what the noise is, how many queries there are and what they
 * cost. */
#include "number/budget.h"
#include "number/value.h"
#include "planner/planner.h"

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
    if (!ll_release_is_bounded(release) && plan->guarantee == LL_CERTIFIED)
        return ll_fail(
            error, LL_DOMAIN,
            "no label is certain under unbounded noise: give a bound, noise bounded:TAU, or take labels that "
            "are right with a probability, guarantee likely");
    if (ll_release_is_history(release))
        return ll_fail(error, LL_DOMAIN,
                       "this attack needs every score; the Ladder keeps back those that do not improve");
    if (ll_release_is_relative(release) && plan->candidate->averages)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s averages scores, and those under a root or of so many digits are "
                       "not as good everywhere",
                       plan->name);
    return LL_OK;
}

/* ---- budget ---- */

static ll_status check_seconds(const ll_plan *plan, double max_seconds, ll_error *error)
{
    double bits = (double)plan->prec, entries = (double)plan->rows * (double)plan->columns;
    double each = plan->entries == LL_ENTRIES_EXACT ? 2e-6 + bits / 64 * 0.6e-9 : plan->candidate->averages ? 3e-8 : 0;
    double seconds = (double)plan->queries * entries * each;
    if (plan->writer->get_seconds != NULL)
        seconds = plan->writer->get_seconds(plan);
    if (seconds > max_seconds)
        return ll_fail(
            error, LL_UNABLE,
            "scores of %.3g bits need about %.3g seconds, over the budget of %.3g: use smaller blocks or a code with "
            "fewer bits",
            bits, seconds, max_seconds);
    return LL_OK;
}

/* ---- create ---- */

static ll_status check_queries(const ll_plan *plan, ll_error *error)
{
    double bytes = (double)plan->queries * (double)(sizeof *plan->sources + sizeof *plan->views);
    return bytes <= plan->max_memory
               ? LL_OK
               : ll_fail(error, LL_UNABLE, "a plan of %ld queries needs about %.3g bytes, over the budget of %.3g",
                         plan->queries, bytes, plan->max_memory);
}

static ll_status set_views(ll_plan *plan, ll_error *error)
{
    long queries = ll_plan_distinct(plan);
    plan->views = malloc(sizeof *plan->views * (size_t)queries);
    if (plan->views == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld queries", queries);
    for (long q = 0; q < queries; q++) {
        long block = ll_plan_block(plan, q * plan->repeats);
        int is_last = plan->last_code != NULL && block == (plan->rows - 1) / plan->block;
        plan->views[q] = is_last ? *plan->last_code : *plan->code;
        plan->views[q].query = q - ll_plan_first_query(plan, block);
    }
    return LL_OK;
}

/* A row of weights is worked on in vectors of balls, which end the program where there is no room for them; a verdict
 * keeps a byte a row and class. */
static ll_status check_labels(const ll_plan *plan, ll_error *error)
{
    double bytes = 512.0 * (double)plan->classes + (double)plan->rows * (double)plan->classes;
    return bytes <= plan->max_memory
               ? LL_OK
               : ll_fail(error, LL_UNABLE, "%ld rows of %ld classes need about %.3g bytes, over the budget of %.3g",
                         plan->rows, plan->classes, bytes, plan->max_memory);
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

/* Rows a query, as the caller wants them; 0: as many as it takes. */
static ll_status check_block(const ll_plan *plan, long block, ll_error *error)
{
    if (block < 0 || block > plan->rows)
        return ll_fail(error, LL_DOMAIN, "a block of %ld rows: it must be 1 to %ld", block, plan->rows);
    if (block == 0 || block == plan->rows)
        return LL_OK;
    if (plan->scorer->is_part)
        return ll_fail(error, LL_DOMAIN,
                       "blocks of %ld rows: no row of a part that is not told can be left alone; leave the block out",
                       block);
    if (ll_metric_view(plan->scoring.how->metric) == LL_VIEW_FIT)
        return ll_fail(error, LL_DOMAIN,
                       "blocks of %ld rows: every row counts in every query of %s; leave the block out", block,
                       ll_plan_metric_name(plan));
    if (plan->candidate->averages)
        return ll_fail(error, LL_DOMAIN, "the code %s asks about all rows in every query: leave the block out",
                       plan->name);
    return LL_OK;
}

static ll_status check_all(const ll_plan *plan, long block, ll_error *error)
{
    static ll_status (*const checks[])(const ll_plan *, ll_error *) = {check_labels, ll_plan_check_weights,
                                                                       ll_plan_check_part, ll_plan_check_targets};
    ll_status status = check_block(plan, block, error);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == LL_OK; i++)
        status = checks[i](plan, error);
    return status;
}

static ll_status set_queries(ll_plan *plan, double max_seconds, ll_error *error)
{
    long rest = plan->rows % plan->block;
    ll_status status = rest != 0 ? ll_plan_create_code(plan, &plan->last_code, rest, error) : LL_OK;
    plan->queries =
        plan->rows / plan->block * plan->code->queries + (plan->last_code != NULL ? plan->last_code->queries : 0);
    plan->queries *= plan->repeats;
    if (status == LL_OK)
        status = check_seconds(plan, max_seconds, error);
    if (status == LL_OK)
        status = check_queries(plan, error);
    if (status != LL_OK)
        return status;
    plan->sources = malloc(sizeof *plan->sources * (size_t)plan->queries);
    if (plan->sources == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld queries", plan->queries);
    for (long q = 0; q < plan->queries; q++)
        plan->sources[q] = (ll_plan_source){plan, q};
    return set_views(plan, error);
}

static ll_status fill(ll_plan *plan, long block, double max_seconds, ll_error *error)
{
    ll_status status = check_scorer(plan, error);
    if (status != LL_OK)
        return status;
    plan->rows = plan->scorer->rows;
    plan->scoring.classes = plan->scorer->classes > 0 ? plan->scorer->classes : 2;
    status = ll_metric_check_classes(plan->scoring.how->metric, plan->scoring.classes, error);
    if (status != LL_OK)
        return status;
    plan->classes = plan->scoring.classes + plan->scorer->is_part;
    if (plan->scorer->is_part)
        plan->scoring.rows = plan->scorer->part_most; /* that a score is the mean of, at most */
    status = check_all(plan, block, error);
    if (status != LL_OK)
        return status;
    set_noise(plan);
    status = ll_plan_check_input(plan, error);
    if (status == LL_OK)
        status = plan->strategy->plan(plan, block, error);
    return status == LL_OK && plan->code != NULL ? set_queries(plan, max_seconds, error) : status; /* or a forecast */
}

/* Treat random noise as bounded by `bound`; ask each query `repeats` times; split the failure probability over `shared`
 * queries. limit: queries that are answered, 0 for no limit. */
typedef struct {
    double bound, shared;
    long repeats, limit;
    int is_forecast;
} manner;

/* The question, and the strategy that this code takes for it. */
static ll_status set_question(ll_plan *plan, const ll_scorer *scorer, const ll_named_code *code, ll_error *error)
{
    plan->scorer = ll_scorer_share(scorer);
    plan->answer = ll_scorer_share(scorer);
    plan->scoring = (ll_scoring){.how = &scorer->computation, .rows = scorer->rows};
    plan->classes = (scorer->classes > 0 ? scorer->classes : 2) + scorer->is_part;
    plan->candidate = code->candidate;
    plan->strategy = code->candidate->pick(plan);
    return ll_plan_set_code(plan, ll_candidate_row(code), code->variant, error);
}

static ll_status make(ll_plan **out, const ll_scorer *scorer, const ll_named_code *code, const ll_plan_request *request,
                      const manner *how, ll_error *error)
{
    ll_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->is_forecast = how->is_forecast;
    plan->guarantee = request->guarantee;
    plan->failure = request->guarantee == LL_LIKELY ? request->failure : 0;
    plan->forecast_share = 1;
    plan->forecast_failure = plan->failure;
    plan->repeats = how->repeats;
    plan->bound = how->bound;
    plan->shared = how->shared;
    if (code->candidate->averages)
        plan->levels = request->queries;
    arb_init(plan->sign_weight);
    plan->max_memory = ll_budget_memory(request->budget);
    arb_init(plan->noise);
    arb_init(plan->unit);
    plan->limit = how->limit;
    ll_status status = set_question(plan, scorer, code, error);
    if (status == LL_OK)
        status = fill(plan, request->block, ll_budget_seconds(request->budget), error);
    if (status != LL_OK) {
        ll_plan_destroy(plan);
        return status;
    }
    *out = plan;
    return LL_OK;
}

ll_status ll_plan_make_bounded(ll_plan **out, const ll_scorer *scorer, const ll_named_code *code,
                               const ll_plan_request *request, long limit, double bound, long repeats, double shared,
                               ll_error *error)
{
    const manner how = {bound, shared, repeats, limit, 0};
    return make(out, scorer, code, request, &how, error);
}

ll_status ll_plan_forecast(ll_forecast *out, long *queries, const ll_scorer *scorer, double failure, ll_error *error)
{
    const manner how = {.shared = 1, .repeats = 1, .is_forecast = 1};
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
    const ll_named_code code = {ll_candidate_averages(), NULL};
    ll_status status = make(&plan, scorer, &code, &request, &how, error);
    if (status != LL_OK || plan == NULL)
        return status;
    *out = (ll_forecast){plan->forecast_share, plan->forecast_failure,
                         arf_get_d(arb_midref(plan->sign_weight), ARF_RND_NEAR)};
    *queries = (long)plan->levels;
    ll_plan_destroy(plan);
    return LL_OK;
}

ll_status ll_plan_make(ll_plan **out, const ll_scorer *scorer, const ll_named_code *code,
                       const ll_plan_request *request, long limit, ll_error *error)
{
    if (scorer->groups != NULL)
        return ll_plan_make_grouped(out, scorer, code, request, limit, error);
    if (ll_scorer_count_numbers(scorer) > 1)
        return ll_plan_make_several(out, scorer, code, request, limit, error);
    if (request->guarantee == LL_LIKELY && !(request->failure > 0 && request->failure < 1))
        return ll_fail(error, LL_DOMAIN, "a failure probability of %g: it must be above 0 and below 1",
                       request->failure);
    if (request->guarantee == LL_LIKELY && !code->candidate->averages &&
        ll_metric_view(scorer->computation.metric) == LL_VIEW_TERMS)
        return ll_plan_make_likely(out, scorer, code, request, limit, error);
    return ll_plan_make_bounded(out, scorer, code, request, limit, 0, 1, 1, error);
}

ll_status(ll_predict_share)(ll_forecast *out, const ll_scorer *scorer, long queries, size_t size, ll_error *error)
{
    ll_forecast made = {0};
    if (queries < 1)
        return ll_fail(error, LL_DOMAIN, "a prediction needs a number of queries, at least 1");
    ll_status status = ll_plan_forecast(&made, &queries, scorer, LL_PLAN_FAILURE, error);
    if (status == LL_OK)
        ll_value_copy(out, size, &made, sizeof made);
    return status;
}

/* The code auto: every code that may serve is planned, and the one that gives the most labels within the scorer's query
 * limit is taken; of several the best by ll_choice_is_better (compare.c), then the first. Codes with a gap of their own
 * (the primes) only where no other fits. Where labels need only be likely, hadamard is compared too, by the share of
 * labels expected. */
#include "planner/planner.h"
#include "number/value.h"

#include <string.h>

static ll_plan_choice worth_of(const ll_plan *plan, long limit)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    return (ll_plan_choice){
        .recovered = ll_plan_rows_within(plan, limit), .queries = info.queries, .score_bits = info.score_bits};
}

int ll_plan_is_better(const ll_plan *plan, const ll_plan *best, long limit)
{
    if (best == NULL)
        return 1;
    ll_plan_choice a = worth_of(plan, limit), b = worth_of(best, limit);
    return ll_choice_is_better(&a, &b);
}

/* The best of the codes of that rank; LL_DOMAIN where none applies. */
static ll_status choose(ll_plan **out, int rank, const ll_scorer *scorer, const ll_plan_request *request, long limit)
{
    ll_plan *best = NULL;
    for (long i = 0; i < ll_code_count(); i++) {
        ll_plan *plan;
        const ll_candidate *c = ll_candidate_get(i);
        if (c->rank != rank || c->averages || ll_candidate_takes_absent(c) != scorer->is_part)
            continue;
        const ll_question q = ll_question_of(scorer, (ll_named_code){c, c->variant}, request, limit);
        ll_status status = ll_plan_make(&plan, &q, NULL);
        if (status == LL_MEMORY) {
            ll_plan_destroy(best);
            return status;
        }
        if (status != LL_OK)
            continue;
        ll_plan *worse = ll_plan_is_better(plan, best, limit) ? best : plan;
        best = worse == best ? plan : best;
        ll_plan_destroy(worse);
    }
    *out = best;
    return best != NULL ? LL_OK : LL_DOMAIN;
}

/* The share of labels that a plan gives within the limit. */
static double expected_share(const ll_plan *plan, long limit)
{
    if (limit == 0 || plan->queries <= limit)
        return plan->expected.share > 1 - 1e-6 ? 1 : plan->expected.share;
    return (double)ll_plan_rows_within(plan, limit) / (double)plan->rows;
}

/* hadamard with as many queries as it needs, or as there are where it needs more. */
static ll_status make_likely(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request, long limit)
{
    ll_question q = ll_question_of(scorer, (ll_named_code){ll_candidate_averages(), NULL}, request, 0);
    ll_status status = ll_plan_make(out, &q, NULL);
    if (status == LL_OK && (limit == 0 || (*out)->queries <= limit))
        return LL_OK;
    if (status == LL_MEMORY)
        return status;
    if (status == LL_OK)
        ll_plan_destroy(*out);
    q.limit = limit;
    return limit > 0 ? ll_plan_make(out, &q, NULL) : LL_DOMAIN;
}

/* Take hadamard where labels need only be likely and it is expected to give more, or as many in fewer queries; and where
 * there is no other plan: its scores may still prove all labels. */
static ll_status consider_likely(ll_plan **best, const ll_scorer *scorer, const ll_plan_request *request, long limit)
{
    ll_plan *plan;
    int serves = request->guarantee == LL_LIKELY || *best == NULL;
    ll_status status = serves ? make_likely(&plan, scorer, request, limit) : LL_DOMAIN;
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    double soft = expected_share(plan, limit), hard = 0;
    int better = 1;
    if (*best != NULL) {
        hard = expected_share(*best, limit);
        better = soft != hard ? soft > hard : plan->queries < (*best)->queries;
    }
    ll_plan_destroy(better ? *best : plan);
    *best = better ? plan : *best;
    return LL_OK;
}

/* The code whose refusal people should read. */
static const ll_candidate *plainest_code(const ll_scorer *scorer)
{
    const ll_candidate *last = ll_candidate_get(0);
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_candidate *c = ll_candidate_get(i);
        last = c->claims != NULL && c->claims(scorer) ? c : last;
    }
    return last;
}

static ll_status choose_any(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request, long limit,
                            ll_error *error)
{
    ll_error first = {0}; /* what the plainest code says is what people should read */
    ll_plan *plan = NULL;
    ll_status status = choose(&plan, 1, scorer, request, limit);
    if (status == LL_DOMAIN)
        status = choose(&plan, 2, scorer, request, limit);
    if (status != LL_MEMORY)
        status = consider_likely(&plan, scorer, request, limit);
    if (status == LL_MEMORY) {
        ll_plan_destroy(plan);
        return ll_fail(error, status, "no memory to try every code");
    }
    if (plan != NULL) {
        *out = plan;
        return LL_OK;
    }
    const ll_question plainest = ll_question_of(scorer, (ll_named_code){plainest_code(scorer), NULL}, request, limit);
    status = ll_plan_make(&plan, &plainest, &first);
    if (status == LL_OK) { /* no code failed for good after all */
        *out = plan;
        return LL_OK;
    }
    return ll_fail(error, status, "%s", first.text);
}

ll_status ll_plan_read_request(ll_plan_request *out, const ll_plan_request *request, ll_error *error)
{
    ll_status status = ll_value_read(out, sizeof *out, request, "plan_request", error);
    if (status == LL_OK && out->failure == 0)
        out->failure = LL_PLAN_FAILURE;
    return status;
}

/* The variant in the plan's name, which for groups may be the name of another code than the one that was asked for. */
static const char *variant_of(const ll_plan *plan)
{
    const char *own = plan->candidate->code->info.name;
    size_t length = strlen(own);
    return strncmp(plan->name, own, length) == 0 && plan->name[length] == ':' ? plan->name + length + 1 : NULL;
}

/* Labels of a code over several queries are there when all of them are answered. Where the limit ends before that, a
 * block as large as the limit allows gives the most labels: the more queries it has, the more labels carries each.
 * A block of all rows, which is all that some metrics take, is no smaller one: plan.json states it of such a plan, and
 * the same plan must follow from it. */
static ll_status fit_limit(ll_plan **plan, const ll_scorer *scorer, const ll_plan_request *request, long limit)
{
    ll_plan *smaller;
    ll_plan_request part = *request;
    part.block = ll_plan_rows_within(*plan, limit);
    if ((request->block > 0 && request->block < (*plan)->rows) || (*plan)->candidate->averages ||
        !ll_plan_is_joint(*plan) || part.block == 0 || part.block == (*plan)->rows)
        return LL_OK;
    const ll_named_code code = {(*plan)->candidate, variant_of(*plan)};
    ll_question q = ll_question_of(scorer, code, &part, limit);
    q.part = part.block;
    ll_status status = ll_plan_make(&smaller, &q, NULL);
    if (status != LL_OK) /* rows cannot be left alone: all or none */
        return status == LL_MEMORY ? status : LL_OK;
    int is_better = ll_plan_rows_within(smaller, limit) >= part.block;
    ll_plan_destroy(is_better ? *plan : smaller);
    *plan = is_better ? smaller : *plan;
    return LL_OK;
}

ll_status ll_plan_make_fitted(ll_plan **out, const ll_question *q, ll_error *error)
{
    ll_status status = q->code.candidate != NULL ? ll_plan_make(out, q, error)
                                                 : choose_any(out, q->scorer, q->request, q->limit, error);
    if (status != LL_OK || q->limit == 0)
        return status;
    status = fit_limit(out, q->scorer, q->request, q->limit);
    if (status == LL_OK)
        return status;
    ll_plan_destroy(*out);
    *out = NULL;
    return ll_fail(error, status, "no memory for a plan of fewer rows");
}

ll_status ll_plan_create_within(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request, long limit,
                                ll_error *error)
{
    ll_plan *plan = NULL;
    int any = request->code == NULL || strcmp(request->code, "auto") == 0;
    ll_question q = ll_question_of(scorer, (ll_named_code){0}, request, limit);
    ll_status status = any ? LL_OK : ll_candidate_find(&q.code, request->code, error);
    if (status == LL_OK)
        status = any ? choose_any(&plan, scorer, request, limit, error) : ll_plan_make(&plan, &q, error);
    if (status != LL_OK || plan == NULL)
        return status;
    status = fit_limit(&plan, scorer, request, limit);
    if (status != LL_OK)
        (void)ll_fail(error, status, "no memory for a plan of fewer rows");
    else
        status = ll_plan_finish(plan, error);
    if (status == LL_OK)
        *out = plan;
    else
        ll_plan_destroy(plan);
    return status;
}

ll_status ll_plan_create(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request, ll_error *error)
{
    ll_plan_request asked;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_plan_read_request(&asked, request, error);
    return status == LL_OK ? ll_plan_create_within(out, scorer, &asked, scorer->queries, error) : status;
}

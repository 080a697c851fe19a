/* Random noise taken as bounded, with a probability: how often each query is asked (docs/proofs/noise.md). */
#include "planner/planner.h"

typedef struct {
    char text[64];
} code_name;

static code_name name_of(const ll_named_code *code)
{
    code_name name = {""};
    ll_code_write_name(name.text, sizeof name.text, code->candidate->code, code->variant);
    return name;
}

static int has_noise(const ll_scorer *scorer)
{
    return !ll_release_is_bounded(&scorer->release);
}

/* Without the plan that was there: with more memory another would have been made. */
static ll_status fail_memory(ll_plan *plan, ll_error *error)
{
    ll_plan_destroy(plan);
    return ll_fail(error, LL_MEMORY, "no memory for a plan");
}

/* A plan whose every query is asked `repeats` times. The more queries share the failure, the larger the bound, and the
 * bound decides how many there are: begin with one a row, and tighten while that holds. */
static ll_status plan_repeats(const ll_question *q, ll_plan **out, long repeats, ll_error *error)
{
    double shared = (double)q->scorer->rows;
    ll_plan *best = NULL;
    for (int i = 0; i < 3; i++) {
        ll_plan *plan;
        double part = q->request->failure / shared / 2; /* the other half is for the scorer's rounding */
        double bound = ll_release_quantile(&q->scorer->release, repeats, part);
        ll_status status = ll_plan_make_bounded(&plan, q, bound, repeats, shared, best == NULL ? error : NULL);
        if (status != LL_OK && best == NULL)
            return status;
        if (status == LL_MEMORY)
            return fail_memory(best, error);
        if (status != LL_OK)
            break;
        double asked = (double)ll_plan_distinct(plan);
        if (asked > shared) { /* the bounds would hold with less */
            ll_plan_destroy(plan);
            if (best == NULL)
                shared = asked;
            else
                break;
            continue;
        }
        int done = asked > 0.7 * shared;
        ll_plan_destroy(best);
        best = plan;
        if (done)
            break;
        shared = asked;
    }
    if (best == NULL)
        return ll_fail(error, LL_UNABLE, "no bound on the noise was found for the code %s", name_of(&q->code).text);
    *out = best;
    return LL_OK;
}

/* The fewest repeats that have a plan, by doubling and halving back; 0 where none has. */
static ll_status first_plan(const ll_question *q, ll_plan **out, long *repeats, ll_error *error)
{
    long fails = 0, fits = 1;
    ll_error first = {0};
    ll_plan *plan = NULL;
    for (;; fits *= 2) {
        ll_status status = fits <= LL_LAW_REPEATS ? plan_repeats(q, &plan, fits, &first) : LL_DOMAIN;
        if (status == LL_OK)
            break;
        if (status != LL_DOMAIN || fits > LL_LAW_REPEATS)
            return ll_fail(error, status, "%s", first.text);
        fails = fits;
    }
    while (fits - fails > 1) {
        long middle = fails + (fits - fails) / 2;
        ll_plan *fewer;
        ll_status status = plan_repeats(q, &fewer, middle, NULL);
        if (status == LL_MEMORY)
            return fail_memory(plan, error);
        if (status == LL_OK) {
            ll_plan_destroy(plan);
            plan = fewer;
            fits = middle;
        } else {
            fails = middle;
        }
    }
    *out = plan;
    *repeats = fits;
    return LL_OK;
}

/* More repeats carry more labels a query: go on while that takes fewer queries in all. */
static ll_status try_more(const ll_question *q, ll_plan **best, long repeats, ll_error *error)
{
    for (int worse = 0; worse < 2 && repeats < LL_LAW_REPEATS;) {
        ll_plan *plan = NULL;
        repeats += 1 + repeats / 2;
        ll_status status = repeats > LL_LAW_REPEATS ? LL_DOMAIN : plan_repeats(q, &plan, repeats, NULL);
        if (status == LL_MEMORY)
            return fail_memory(*best, error);
        if (status != LL_OK || plan == NULL)
            return LL_OK;
        int better = plan->queries < (*best)->queries;
        worse = better ? 0 : worse + 1;
        ll_plan_destroy(better ? *best : plan);
        *best = better ? plan : *best;
    }
    return LL_OK;
}

/* Bounds that hold with a probability, unless proved ones take no more queries. */
static ll_status plan_rounding(const ll_question *q, ll_plan **out, ll_error *error)
{
    ll_plan *proved;
    ll_plan_request certified = *q->request;
    ll_question sure = *q;
    certified.guarantee = LL_CERTIFIED;
    sure.request = &certified;
    ll_status status = plan_repeats(q, out, 1, error);
    if (status == LL_MEMORY)
        return status;
    ll_status second = ll_plan_make_bounded(&proved, &sure, 0, 1, 1, NULL);
    if (second == LL_MEMORY)
        return fail_memory(status == LL_OK ? *out : NULL, error);
    if (second != LL_OK)
        return status;
    if (status == LL_OK && (*out)->queries < proved->queries) {
        ll_plan_destroy(proved);
        return LL_OK;
    }
    if (status == LL_OK)
        ll_plan_destroy(*out);
    *out = proved;
    return LL_OK;
}

ll_status ll_plan_make_likely(ll_plan **out, const ll_question *q, ll_error *error)
{
    long repeats = 1;
    if (ll_release_follows_spread(&q->scorer->release))
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion to a submission's own spread is as large as what the submission tells "
                       "apart: the code %s cannot read through it, averages can",
                       name_of(&q->code).text);
    if (q->request->repeats > LL_LAW_REPEATS)
        return ll_fail(error, LL_DOMAIN, "a query is repeated at most %d times", LL_LAW_REPEATS);
    if (q->request->repeats > 0)
        return plan_repeats(q, out, q->request->repeats, error);
    if (!has_noise(q->scorer))
        return plan_rounding(q, out, error);
    ll_status status = first_plan(q, out, &repeats, error);
    return status == LL_OK && *out != NULL ? try_more(q, out, repeats, error) : status;
}

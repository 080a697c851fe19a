/* Every code of the table against one scorer: what it takes, and what it gives within the query limit. */
#include "number/budget.h"
#include "number/value.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Queries for the labels of `rows` rows alone. */
static long queries_for(const ll_plan *plan, long rows)
{
    long fits = plan->queries, fails = 0;
    while (fits - fails > 1) {
        long middle = fails + (fits - fails) / 2;
        if (ll_plan_rows_within(plan, middle) >= rows)
            fits = middle;
        else
            fails = middle;
    }
    return fits;
}

static double guess_of(const ll_scorer *scorer, long classes)
{
    double most = 1 / (double)classes;
    for (long k = 0; scorer->prior != NULL && k < scorer->prior_count; k++)
        most = k == 0 ? scorer->prior[0] : fmax(most, scorer->prior[k]);
    return most;
}

/* Where every query asks about every row: as many labels as would, the rest guessed, give the same share of right ones;
 * none where no forecast can be made. */
static ll_status worth_within(const ll_plan *plan, long *out, long limit)
{
    const ll_scorer *scorer = plan->scorer;
    ll_forecast forecast = {.share = plan->expected.share};
    double guess = guess_of(scorer, plan->classes);
    ll_status status = LL_OK;
    if (limit > 0 && limit < plan->queries)
        status = ll_predict_share(&forecast, scorer, limit, NULL);
    double labels = (forecast.share - guess) / (1 - guess) * (double)plan->rows * (1 + 1e-12);
    *out = status == LL_OK ? (long)fmax(0, labels) : 0;
    return status == LL_MEMORY ? status : LL_OK;
}

static ll_status fill_choice(ll_plan_choice *out, const ll_plan *plan, long limit)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    out->queries = info.queries;
    out->block = info.block;
    out->score_bits = info.score_bits;
    out->labels_per_query = (double)ll_plan_rows_within(plan, 0) / (double)info.queries;
    /* Some of the answers of an average are a forecast: what they give is not certain. */
    int is_part = plan->candidate->averages && limit > 0 && limit < plan->queries;
    out->guarantee = is_part ? LL_LIKELY : plan->bounds.guarantee;
    long rows = ll_plan_rows_within(plan, limit);
    ll_status status = plan->candidate->averages ? worth_within(plan, &rows, limit) : LL_OK;
    out->recovered = rows;
    out->limit_block =
        !ll_plan_is_joint(plan) || plan->candidate->averages || rows == plan->rows || rows == 0 ? info.block : rows;
    return status;
}

ll_status ll_plan_compare_code(ll_plan_choice *out, const char *code, const ll_scorer *scorer,
                               const ll_plan_request *request)
{
    ll_plan *plan;
    ll_question q = ll_question_of(scorer, (ll_named_code){0}, request, 0);
    ll_error why = {0};
    q.within = scorer->queries;
    *out = (ll_plan_choice){.code = code, .guarantee = LL_CERTIFIED};
    out->status = ll_candidate_find(&q.code, code, &why);
    if (out->status == LL_OK && ll_budget_is_stopped(request->budget))
        out->status = ll_fail(&why, LL_UNABLE, "not looked at: the comparison was stopped before");
    if (out->status == LL_OK)
        out->status = ll_plan_make(&plan, &q, &why);
    if (out->status != LL_OK) {
        (void)snprintf(out->why, sizeof out->why, "%s", why.text);
        return out->status == LL_MEMORY ? LL_MEMORY : LL_OK;
    }
    ll_status status = fill_choice(out, plan, scorer->queries);
    ll_plan_destroy(plan);
    return status;
}

ll_status(ll_plan_compare)(ll_plan_choice *choices, const ll_scorer *scorer, const ll_plan_request *request,
                           size_t size, ll_error *error)
{
    ll_plan_request asked;
    if (ll_scorer_need(scorer, error) != LL_OK || ll_plan_read_request(&asked, request, error) != LL_OK)
        return LL_DOMAIN;
    for (long i = 0; i < ll_code_count(); i++) {
        ll_plan_choice made;
        ll_status status = ll_plan_compare_code(&made, ll_code_get_info(i)->name, scorer, &asked);
        if (status != LL_OK)
            return ll_fail(error, status, "no memory to compare codes");
        ll_value_copy((char *)choices + (size_t)i * size, size, &made, sizeof made);
    }
    return LL_OK;
}

int ll_choice_is_better(const ll_plan_choice *a, const ll_plan_choice *b)
{
    if (b == NULL || a->recovered != b->recovered)
        return b == NULL || a->recovered > b->recovered;
    return a->queries != b->queries ? a->queries < b->queries : a->score_bits < b->score_bits;
}

long(ll_plan_choose)(const ll_plan_choice *choices, long count, size_t size)
{
    const ll_plan_choice *best = NULL;
    long place = -1;
    for (long i = 0; i < count; i++) {
        const ll_plan_choice *choice = LL_AT(ll_plan_choice, choices, i, size);
        if (choice->status == LL_OK && ll_choice_is_better(choice, best)) {
            best = choice;
            place = i;
        }
    }
    return place;
}

ll_status ll_plan_count(long *queries, const long *rows, long count, const ll_scorer *scorer,
                        const ll_plan_request *request, ll_error *error)
{
    ll_plan *plan;
    ll_plan_request asked;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_plan_read_request(&asked, request, error);
    if (status == LL_OK)
        status = ll_plan_create_within(&plan, scorer, &asked, 0, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < count; i++)
        queries[i] = rows[i] >= plan->rows ? plan->queries : queries_for(plan, rows[i]);
    ll_plan_destroy(plan);
    return LL_OK;
}

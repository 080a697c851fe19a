/* Metrics that are a linear function of AUC, asked by the order of the predictions: by how much must twice a sum of
 * ranks differ to be seen? AUC = (2 S - P (P+1)) / (2 P (N-P)), S the sum of the ranks of the P rows of class 1: what
 * noise, rounding and the program leave open of AUC, times 2 P (N-P), for the P that leaves the most. Of K classes,
 * each asked about in its column, the one whose P leaves the most. */
#include "metric/ranks/auc.h"
#include "strategy/ranks/ranks.h"

#include <math.h>

static ll_auc_link link_of(const ll_plan *plan)
{
    return ll_auc_get_link(plan->scoring.how, plan->classes);
}

static ll_status check(const ll_plan *plan, ll_error *error)
{
    if (link_of(plan).slope == 0)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s is for metrics that add up ranks (auc, gini, macro-auc); %s is not one of them",
                       plan->name, ll_plan_metric_name(plan));
    return LL_OK;
}

/* P (N - P) at most, over the classes that are asked about. */
static double most_pairs(const ll_plan *plan)
{
    const int64_t *counts = plan->scorer->counts;
    double rows = (double)plan->rows, half = floor(rows / 2), most = 0;
    for (long k = 1; k < plan->classes && counts != NULL; k++)
        most = fmax(most, (double)counts[k] * (rows - (double)counts[k]));
    return counts != NULL ? most : half * (rows - half);
}

/* The width of what is open, of twice a sum of ranks. */
static double find_width(const ll_plan *plan)
{
    arb_t half, one;
    mag_t error;
    arb_init(half);
    arb_init(one);
    mag_init(error);
    arb_one(one);
    ll_release_get_bound(&plan->scorer->release, half, one, plan->bounds.bound, LL_STATED_AND_OWN);
    ll_auc_error(plan->scoring.how, error, plan->rows, plan->classes);
    arb_add_error_mag(half, error);
    arb_mul_si(half, half, 4 * link_of(plan).parts, 64);
    arb_div_si(half, half, link_of(plan).slope, 64);
    arf_t most;
    arf_init(most);
    arb_get_ubound_arf(most, half, 64);
    double width = arf_get_d(most, ARF_RND_CEIL) * most_pairs(plan) * (1 + 0x1p-40);
    arf_clear(most);
    mag_clear(error);
    arb_clear(half);
    arb_clear(one);
    return width;
}

ll_status ll_ranks_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check(plan, error);
    if (status != LL_OK)
        return status;
    double width = find_width(plan);
    if (!(width < (double)plan->rows))
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned: a row moves %s by at most 1/%ld of what noise and rounding leave open; "
                       "that does not mean it is safe",
                       ll_plan_metric_name(plan), (long)fmin(width / (double)plan->rows, 1e9));
    plan->state->levels = ll_ranks_levels(plan->rows, (int64_t)width + 1, q->part > 0 ? q->part : plan->rows);
    return ll_plan_try_block(plan, plan->rows, q, error);
}

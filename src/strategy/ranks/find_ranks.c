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

/* The width of what is open of AUC. */
static double find_open(const ll_plan *plan)
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
    arb_mul_si(half, half, 2 * link_of(plan).parts, 64);
    arb_div_si(half, half, link_of(plan).slope, 64);
    arf_t most;
    arf_init(most);
    arb_get_ubound_arf(most, half, 64);
    double open = arf_get_d(most, ARF_RND_CEIL) * (1 + 0x1p-40);
    arf_clear(most);
    mag_clear(error);
    arb_clear(half);
    arb_clear(one);
    return open;
}

/* Where scores are so coarse that labels with one positive more may explain them all, checks follow. With n rows on top,
 * such labels move twice a sum of ranks by N - n, about, if P is N / 2 (docs/proofs/ranks.md). */
static long choose_check(const ll_plan *plan, const ll_rank_design *d)
{
    long most = (long)(d->rows - d->least_step);
    return plan->scorer->counts != NULL || 3 * d->least_step <= d->rows ? 0 : most > 0 ? most : 1;
}

/* Of few rows whose number of positives is not told. */
static ll_status try_design(ll_plan *plan, const ll_rank_design *d, const ll_question *q, double open, int *are_apart,
                            ll_error *error)
{
    plan->state->levels = ll_ranks_levels(d);
    ll_status status = ll_plan_try_block(plan, plan->rows, q, error);
    if (status != LL_OK)
        return status;
    status = ll_ranks_look(plan->state->code, d->read, open, are_apart);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for the labellings of %ld rows", d->rows);
}

/* Of few rows as many checks as it takes, up to one per row. */
static ll_status try_designs(ll_plan *plan, ll_rank_design *d, const ll_question *q, double open, ll_error *error)
{
    int are_apart = 0;
    ll_status status = LL_OK;
    for (long checks = 0; checks <= d->read && !are_apart && status == LL_OK; checks += checks > 0 ? 1 : 2) {
        d->check_rows = checks > 0 ? (d->read + checks - 1) / checks : 0;
        status = try_design(plan, d, q, open, &are_apart, error);
    }
    if (status != LL_OK || are_apart)
        return status;
    return ll_fail(error, LL_DOMAIN,
                   "no attack is planned: noise and rounding leave %.2g of the AUC of %ld rows open, and all scores of "
                   "some labels may be those of others; that does not mean it is safe",
                   open, d->rows);
}

ll_status ll_ranks_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check(plan, error);
    if (status != LL_OK)
        return status;
    double open = find_open(plan), width = 2 * open * most_pairs(plan);
    if (!(width < (double)plan->rows))
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned: a row moves %s by at most 1/%ld of what noise and rounding leave open; "
                       "that does not mean it is safe",
                       ll_plan_metric_name(plan), (long)fmin(width / (double)plan->rows, 1e9));
    ll_rank_design design = {
        .rows = plan->rows, .read = q->part > 0 ? q->part : plan->rows, .least_step = (int64_t)width + 1};
    if (plan->scorer->counts == NULL && ll_ranks_are_few(plan->rows, plan->classes))
        return try_designs(plan, &design, q, open, error);
    design.check_rows = choose_check(plan, &design);
    plan->state->levels = ll_ranks_levels(&design);
    return ll_plan_try_block(plan, plan->rows, q, error);
}

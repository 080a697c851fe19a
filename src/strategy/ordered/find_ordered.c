/* Metrics of ordered classes: is the step from one sum of costs to the next wider than what noise and rounding leave
 * open? With labels and predictions that have no relation and use all classes alike: an expectation, of a plan; what
 * scores prove is the decoder's (docs/proofs/ordered.md). */
#include "metric/counts/counting.h"
#include "strategy/common/decode_counts.h"
#include "strategy/common/writers.h"
#include "strategy/ordered/ordered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums up to (N (K-1))^2 are kept in 64 bits; so many pairs of moments are tried. */
#define MOST_PRODUCT 0x1p31
#define MOST_CASES 0x1p34
enum { MOST_CLASSES = 256 };

static ll_status check(const ll_plan *plan, ll_error *error)
{
    if (ll_counts_costs(plan->scoring.how) == LL_COSTS_NONE)
        return ll_fail(error, LL_DOMAIN, "the code %s is for costs of ordered classes (quadratic-kappa); %s has none",
                       plan->name, ll_plan_metric_name(plan));
    if (plan->classes > MOST_CLASSES || (double)plan->rows * (double)(plan->classes - 1) > MOST_PRODUCT)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s of %ld rows of %ld classes; that does not mean it is safe",
                       ll_plan_metric_name(plan), plan->rows, plan->classes);
    return LL_OK;
}

/* sum y has (K-1) N values, the other moment about (K-1)^2/6 times N beside each. */
static ll_status check_cases(const ll_plan *plan, ll_error *error)
{
    double last = (double)plan->classes - 1, rows = (double)plan->rows;
    if (plan->scorer->counts != NULL || last * rows * last * last / 6 * rows <= MOST_CASES)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned for %s of %ld rows whose class counts are not told: there are too many to try; "
        "that does not mean it is safe",
        ll_plan_metric_name(plan), plan->rows);
}

/* Sums of costs are 2 apart: what all labels cost by chance is about N (K^2-1)/6, of lines N (K-1)/2. */
static ll_status check_step(const ll_plan *plan, ll_error *error)
{
    double classes = (double)plan->classes, rows = (double)plan->rows;
    int is_lines = ll_counts_costs(plan->scoring.how) == LL_COSTS_LINES;
    double step = 2 / (rows * (is_lines ? (classes - 1) / 2 : (classes * classes - 1) / 6));
    double blur = ll_plan_number_blur(plan);
    if (step > blur)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "no attack is planned: one class more moves %s of %ld rows by %.2g, and noise and rounding leave "
                   "%.2g open; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->rows, step, blur);
}

static ll_status plan_ordered(ll_plan *plan, const ll_question *q, ll_error *error)
{
    int is_lines = ll_counts_costs(plan->scoring.how) == LL_COSTS_LINES;
    ll_status status = check(plan, error);
    if (status == LL_OK)
        status = check_cases(plan, error);
    if (status == LL_OK)
        status = check_step(plan, error);
    if (status == LL_OK)
        status = ll_plan_choose_variant(plan, is_lines ? "lines" : NULL, error);
    plan->state->levels = q->part > 0 ? q->part + 1 : 1;
    if (status == LL_OK)
        status = ll_plan_try_block(plan, plan->rows, q, error);
    return status == LL_OK && ll_scorer_count_numbers(plan->scorer) > 1 ? ll_counts_check_joint(plan, error) : status;
}

static const ll_strategy strategy = {
    .name = "ordered",
    .proof = "ordered.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = plan_ordered,
    .writer = &ll_writer_labels,
    .cases = &ll_case_ordered,
    LL_DECODES_COUNTS,
    LL_PLANS_BLOCKS,
};

const ll_candidate ll_candidate_ordered = {.code = &ll_code_ordered, .rank = 1, .strategy = &strategy};

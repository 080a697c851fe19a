/* The code cells for one number: class 0 against one other in every query, where the number is a function of the right
 * predictions of both and of how many rows each class has (docs/proofs/contrast.md). */
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/cells/cells.h"
#include "strategy/cells/cells_code.h"

#include <math.h>

/* Every number of rows that class 0 can have is tried, each with the small sets: minutes beyond that. */
enum { MOST_ROWS = 1 << 15, MOST_CLASSES = 64 };

static ll_status fail_unplanned(const ll_plan *plan, const char *why, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN, "no attack is planned for %s of %ld classes%s; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->classes, why);
}

static ll_status check(const ll_plan *plan, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    ll_needs needs = ll_counts_needs(how);
    if (needs != LL_NEEDS_TP && needs != LL_NEEDS_COUNTS)
        return fail_unplanned(plan, " by counts of class and prediction", error);
    if (plan->classes < 3)
        return ll_fail(error, LL_DOMAIN, "the code %s is for 3 classes or more; use detecting for two", plan->name);
    if (plan->classes > MOST_CLASSES)
        return fail_unplanned(plan, "", error);
    if (how->zero_division == LL_ZERO_RAISE)
        return fail_unplanned(plan, " that fails where one is not predicted", error);
    if (plan->scorer->counts == NULL && ll_counts_tells(how) == LL_TELLS_NOT)
        return fail_unplanned(plan, " whose counts are not told", error);
    if (plan->scorer->counts == NULL && plan->rows > MOST_ROWS)
        return fail_unplanned(plan, " whose counts are not told: there are too many to try", error);
    return LL_OK;
}

static double number_of(const ll_plan *plan, int64_t from_zeros, int64_t tp)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    int64_t each = plan->rows / plan->classes;
    const ll_contrast contrast = {plan->classes, 1,    plan->classes, plan->rows, plan->rows / 2,
                                  each,          each, from_zeros,    tp};
    ll_worked number;
    ll_worked_init(&number);
    double x = (double)NAN;
    if (ll_counts_score_contrast(plan->scoring.how, &doubles, &number, &contrast) == LL_OK)
        x = number.native;
    ll_worked_clear(&number);
    return x;
}

/* One row of class 0 or 1 more among half of the rows, all classes alike: an expectation; what scores prove is the
 * decoder's. NaN, of a few rows: not known, and tried. */
static ll_status check_step(const ll_plan *plan, ll_error *error)
{
    int64_t some = plan->rows / plan->classes / 2;
    double here = number_of(plan, some, some), blur = ll_plan_number_blur(plan);
    double step = fmin(here - number_of(plan, some + 1, some), number_of(plan, some, some + 1) - here);
    if (!(step <= blur) || plan->rows < 4 * plan->classes)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "no attack is planned: one label more moves %s of %ld rows by %.2g, and noise and rounding leave "
                   "%.2g open; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->rows, step, blur);
}

ll_status ll_contrast_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    int by_samples = plan->scorer->counts == NULL && ll_counts_tells(plan->scoring.how) == LL_TELLS_FALLS;
    ll_status status = check(plan, error);
    if (status == LL_OK)
        status = check_step(plan, error);
    if (status == LL_OK)
        status = ll_plan_choose_variant(plan, LL_CELLS_CONTRAST, error);
    plan->state->levels = ll_cells_levels(plan->rows, by_samples ? 2 : 1, q->part);
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

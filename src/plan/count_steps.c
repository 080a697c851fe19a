/* Metrics of counts and ranks: is the step from one count to the next wider than what noise and rounding leave open?
 * For half of the rows of each class, half of them predicted so, as labels and predictions without any relation have
 * it: an expectation, of a plan; what scores prove is the decoder's. */
#include "metric/view.h"
#include "plan/plan.h"

#include <math.h>

/* |G(t + 1) - G(t)| in doubles; NaN where one has no value. */
static double step_at(const ll_plan *plan, int64_t positives, int64_t guessed)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    const ll_computation *how = plan->scoring.how;
    ll_two two = {positives * guessed / plan->rows, guessed, positives, plan->rows};
    ll_worked number;
    ll_worked_init(&number);
    double one = (double)NAN, next = (double)NAN;
    if (ll_view_two(how, &doubles, &number, &two) == LL_OK)
        one = number.native;
    two.hits++;
    if (ll_view_two(how, &doubles, &number, &two) == LL_OK)
        next = number.native;
    ll_worked_clear(&number);
    return fabs(next - one);
}

static ll_status fail_classes(const ll_plan *plan, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN, "no attack is planned for %s of %ld classes%s; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->classes,
                   ll_view_needs(plan->scoring.how) == LL_NEEDS_COUNTS ? " whose counts are not told" : "");
}

ll_status ll_plan_check_counts(const ll_plan *plan, ll_error *error)
{
    arb_t half, one;
    ll_needs needs = ll_view_needs(plan->scoring.how);
    if (plan->code->row->is_ordered) /* find_ordered.c looked */
        return LL_OK;
    if (plan->classes > 2 && needs != LL_NEEDS_MATCHES && (needs == LL_NEEDS_CELLS || plan->scorer->counts == NULL))
        return fail_classes(plan, error);
    if (plan->classes > 2 || plan->rows < 4)
        return LL_OK;
    arb_init(half);
    arb_init(one);
    arb_one(one);
    ll_release_get_bound(&plan->scorer->release, half, one, plan->bound, LL_STATED);
    double blur = 2 * arf_get_d(arb_midref(half), ARF_RND_NEAR);
    arb_clear(half);
    arb_clear(one);
    double step = step_at(plan, plan->rows / 2, plan->rows / 2);
    if (!(step <= blur))
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: one label more moves %s of %ld rows by %.2g, and noise and rounding leave %.2g "
        "open; that does not mean it is safe",
        ll_plan_metric_name(plan), plan->rows, step, blur);
}

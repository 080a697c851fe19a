/* Metrics of counts and ranks: is the step from one count to the next wider than what noise and rounding leave open?
 * For half of the rows of each class, half of them predicted so, as labels and predictions without any relation have
 * it: an expectation, of a plan; what scores prove is the decoder's. */
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_OPEN = 6 };                        /* queries, of which each doubles what a decoder tries */
enum { MOST_WRONG = 10000, FEW_QUERIES = 30 }; /* numbers of positives that are tried in vain */

static const ll_work doubles = {LL_WORK_DOUBLES, 0};

/* The number of so many true positives of two classes, or so many matches of more; NaN where there is none. */
static double number_at(const ll_plan *plan, int64_t right, const int64_t *predicted)
{
    const ll_computation *how = plan->scoring.how;
    int64_t half = plan->rows / 2;
    ll_worked number;
    ll_worked_init(&number);
    ll_status status = plan->classes > 2
                           ? ll_counts_score_matches(how, &doubles, &number, right, plan->scorer->counts, predicted,
                                                     plan->classes, plan->rows)
                           : ll_score_two(how, &doubles, &number, &(ll_two){right, half, half, plan->rows});
    double x = status == LL_OK ? number.native : (double)NAN;
    ll_worked_clear(&number);
    return x;
}

/* |G(t + 1) - G(t)| in doubles; NaN where one has no value. */
static double middle_step(const ll_plan *plan)
{
    int64_t *predicted = malloc(sizeof *predicted * (size_t)plan->classes), half = plan->rows / 2;
    int64_t right = plan->classes > 2 ? plan->rows / plan->classes : half * half / plan->rows;
    if (predicted == NULL)
        return (double)NAN;
    for (long k = 0; k < plan->classes; k++)
        predicted[k] = plan->rows / plan->classes + (k < plan->rows % plan->classes);
    double step = fabs(number_at(plan, right + 1, predicted) - number_at(plan, right, predicted));
    free(predicted);
    return step;
}

/* ---- several numbers ---- */

/* What the number becomes when it is rounded: which step of its grid it is on. NaN: it has no grid. */
static double cell_of(const ll_scorer *number, const ll_two *two)
{
    double boundary = 0, grid = ll_release_grid(&number->release, &boundary);
    ll_worked worked;
    ll_worked_init(&worked);
    double x = (double)NAN;
    if (ll_score_two(&number->computation, &doubles, &worked, two) == LL_OK)
        x = grid > 0 ? floor(worked.native / grid + boundary) : worked.native;
    ll_worked_clear(&worked);
    return x;
}

/* Does some number tell t from t + 1? */
static int is_apart(const ll_plan *plan, const ll_two *two)
{
    ll_two next = *two;
    next.tp++;
    for (long i = 0; i < ll_scorer_count_numbers(plan->scorer); i++) {
        const ll_scorer *number = ll_scorer_get_number(plan->scorer, i);
        if (ll_score_two_applies(&number->computation) && ll_release_has_no_noise(&number->release) &&
            cell_of(number, two) != cell_of(number, &next))
            return 1;
    }
    return 0;
}

/* The share of neighbours, within four deviations of what labels without any relation give, that all numbers together
 * leave alike. */
static double share_alike(const ll_plan *plan)
{
    int64_t half = plan->rows / 2, middle = half * half / plan->rows, alike = 0, tried = 0;
    int64_t reach = (int64_t)(2 * sqrt((double)plan->rows)) + 1;
    for (int64_t t = middle > reach ? middle - reach : 0; t <= middle + reach && t < half; t++, tried++)
        alike += !is_apart(plan, &(ll_two){t, half, half, plan->rows});
    return tried > 0 ? (double)alike / (double)tried : 1;
}

/* What is left open is tried, every way of it: few queries may leave anything. */
ll_status ll_counts_check_joint(const ll_plan *plan, ll_error *error)
{
    double open = plan->classes > 2 ? INFINITY : share_alike(plan) * (double)plan->state->code->queries;
    if (open <= MOST_OPEN)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: not even all %ld numbers of an answer together tell one label more; that does "
        "not mean they are safe",
        ll_scorer_count_numbers(plan->scorer));
}

static ll_status fail_classes(const ll_plan *plan, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN, "no attack is planned for %s of %ld classes%s; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->classes,
                   ll_counts_needs(plan->scoring.how) == LL_NEEDS_COUNTS ? " whose counts are not told" : "");
}

/* ---- how many rows are positive ---- */

/* Counts are shown as they are. */
static double blur_of(const ll_plan *plan)
{
    double blur = ll_plan_number_blur(plan);
    return ll_metric_is_whole(plan->scoring.how->metric) && blur <= 1 ? 0 : blur;
}

/* How many wrong numbers of positives explain so many scores, about: each leaves that part of them open, which is all
 * where a step is as wide as what is left open. */
static double count_wrong(const ll_plan *plan, double open, long queries)
{
    int is_told = plan->classes > 2 || plan->scorer->counts != NULL;
    int asks_counts = ll_counts_needs(plan->scoring.how) == LL_NEEDS_MATCHES || plan->state->code->counted > 0;
    return is_told || asks_counts ? 0 : (double)plan->rows * pow(open, (double)queries);
}

/* With a wrong number every sum of asked labels is off by one at most. log2 of how many labellings have such sums: of
 * all those of so many labels, half of which a query asks about, a normal law's part in each of the three to be met. */
static double count_near(long labels, long queries)
{
    return (double)labels + (double)queries * fmin(log2(0.8 / sqrt((double)labels)), 0);
}

/* A part of the rows: where rounding leaves little open, differences of scores tell labels whatever the number of
 * positives is; elsewhere few scores may leave numbers of positives that speak for other labels. */
static int tells_part(const ll_plan *plan, long labels, long queries)
{
    const double little = 0.25, most = 0.1;
    double open = blur_of(plan) / middle_step(plan);
    if (!(open > little) || ll_scorer_count_numbers(plan->scorer) > 1)
        return 1;
    double wrong = count_wrong(plan, open, queries);
    return wrong <= MOST_WRONG && log2(wrong) + count_near(labels, queries) <= log2(most);
}

long ll_counts_rows_within(const ll_plan *plan, long queries)
{
    long labels = ll_blocks_rows_within(plan, queries);
    return labels == 0 || labels == plan->rows || tells_part(plan, labels, queries) ? labels : 0;
}

ll_status ll_counts_check(const ll_plan *plan, ll_error *error)
{
    if (ll_scorer_count_numbers(plan->scorer) > 1)
        return ll_counts_check_joint(plan, error);
    ll_needs needs = ll_counts_needs(plan->scoring.how);
    if (plan->classes > 2 && needs != LL_NEEDS_MATCHES && (needs != LL_NEEDS_COUNTS || plan->scorer->counts == NULL))
        return fail_classes(plan, error);
    double blur = blur_of(plan), step = middle_step(plan);
    long few = plan->state->code->queries < FEW_QUERIES ? plan->state->code->queries : FEW_QUERIES;
    if (!(step <= blur) && count_wrong(plan, blur / step, few) > MOST_WRONG)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned: one label more moves %s of %ld rows by no more than noise and rounding "
                       "leave open, so that scores do not tell how many rows are positive; that does not mean it is "
                       "safe",
                       ll_plan_metric_name(plan), plan->rows);
    if (!(step <= blur))
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: one label more moves %s of %ld rows by %.2g, and noise and rounding leave %.2g "
        "open; that does not mean it is safe",
        ll_plan_metric_name(plan), plan->rows, step, blur);
}

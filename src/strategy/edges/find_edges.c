/* How many neighbouring counts look alike at most, so that a few rows that move tell them apart? Around what labels
 * without any relation to the predictions give: an expectation, of a plan; what scores prove is the decoder's
 * (docs/proofs/edges.md). */
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/common/writers.h"
#include "strategy/edges/edges.h"

#include <math.h>

enum { MOST_RUN = 64, DEVIATIONS = 6 };
/* An edge that near to a count may round it to either side. */
#define NEAR 1e-6
/* Suppositions about the number of rows of class 1 that are left after one query, times queries. */
#define MOST_CASES 4e6

static int is_of_matches(const ll_plan *plan)
{
    const ll_computation *how = plan->scoring.how;
    return ll_metric_has_terms(how->metric) || ll_counts_needs(how) == LL_NEEDS_MATCHES;
}

static int is_supposed(const ll_plan *plan)
{
    return !is_of_matches(plan) && plan->scorer->counts == NULL;
}

/* NaN: there is none. */
static double number_of_two(const ll_plan *plan, const ll_two *two)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    ll_worked number;
    ll_worked_init(&number);
    double x = ll_score_two(plan->scoring.how, &doubles, &number, two) == LL_OK ? number.native : (double)NAN;
    ll_worked_clear(&number);
    return x;
}

static double number_of_all(const ll_plan *plan, int64_t positives)
{
    return number_of_two(plan, &(ll_two){positives, plan->rows, positives, plan->rows});
}

/* The number of t matches; of metrics that know more, of t true positives where half of the rows are predicted 1, and
 * nearly half are of class 1: of balanced ones numbers lie on edges of rounding as those of other labels do not. */
static double number_of(const ll_plan *plan, int64_t t)
{
    int64_t half = plan->rows / 2, ones = plan->scorer->counts != NULL ? plan->scorer->counts[1] : half - half / 32;
    if (is_of_matches(plan))
        return (double)t / (double)plan->rows;
    return number_of_two(plan, &(ll_two){t, half, ones, plan->rows});
}

/* Is there an edge between them that is on neither? */
static int are_apart(double a, double b)
{
    return floor(fmin(a, b) + NEAR) + 1 < fmax(a, b) - NEAR;
}

static int knows_counts(const ll_plan *plan)
{
    return !is_of_matches(plan) && plan->scorer->counts != NULL;
}

/* Of labels without any relation to the predictions. */
static double middle_count(const ll_plan *plan)
{
    double rows = (double)plan->rows;
    long half = plan->rows / 2;
    if (knows_counts(plan))
        return (double)half * (double)plan->scorer->counts[1] / rows;
    return is_of_matches(plan) ? rows / (double)plan->classes : rows / 4;
}

/* True positives are no more than the rows predicted 1, and than the rows of class 1, and false ones likewise. */
static void keep_possible(const ll_plan *plan, int64_t *from, int64_t *to)
{
    if (!knows_counts(plan))
        return;
    int64_t half = plan->rows / 2, ones = plan->scorer->counts[1], most = half < ones ? half : ones;
    int64_t least = half + ones - plan->rows;
    *from = *from < least ? least : *from;
    *to = *to > most ? most : *to;
}

/* The most neighbouring counts of which none is told from the one `step` further on, and `step`; MOST_RUN + 1: there is
 * no number, or there are more. Moving rows add 0, 1, .., so that with one less of them every count is told. */
static long longest_run(const ll_plan *plan, double grid, double boundary, long step)
{
    double rows = (double)plan->rows, middle = middle_count(plan), reach = fmin(middle, DEVIATIONS * sqrt(rows));
    int64_t from = (int64_t)(middle - reach), to = (int64_t)(middle + reach);
    keep_possible(plan, &from, &to);
    long longest = step, run = step;
    double before[2] = {0}, next = 0;
    for (int64_t t = from; t <= to && longest <= MOST_RUN; t++) {
        next = number_of(plan, t) / grid + boundary;
        if (t >= from + step) {
            run = are_apart(before[t % step], next) ? step : run + 1;
            longest = run > longest ? run : longest;
        }
        before[t % step] = next;
    }
    return isnan(next) ? MOST_RUN + 1 : longest;
}

/* Two classes: all matches of a query have one parity, so that each is told from the next but one or from none. */
static long find_run(const ll_plan *plan, double grid, double boundary)
{
    long run = longest_run(plan, grid, boundary, 1);
    if (!is_of_matches(plan))
        return 2 * run;
    return run > 1 && plan->classes == 2 ? longest_run(plan, grid, boundary, 2) : run;
}

/* Of metrics whose neighbouring counts are shown as one only where a class count is supposed, a score that is not rounded
 * at all tells no less than one with many decimals. */
static double grid_of(const ll_plan *plan, double *boundary)
{
    const ll_release *release = &plan->scorer->release;
    double grid = ll_release_grid(release, boundary);
    return ll_release_is_rounded(release) || is_of_matches(plan) ? grid : 1e-9;
}

static ll_status check(const ll_plan *plan, const ll_question *q, double grid, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    if (!ll_plan_takes_labels(plan))
        return ll_fail(error, LL_DOMAIN, "the code %s is for metrics that take labels", plan->name);
    if (!(grid > 0) || !ll_release_has_no_noise(&plan->scorer->release))
        return ll_fail(error, LL_DOMAIN,
                       "the code %s is for scores that are rounded to a number of decimals, and have no noise",
                       plan->name);
    if (q->part > 0 && plan->classes > 2 && plan->scorer->counts != NULL)
        return ll_fail(error, LL_DOMAIN, "of %ld classes whose counts are known all rows are read, or none",
                       plan->classes);
    if (ll_metric_has_terms(how->metric) ? !ll_metric_is_mean(how->metric)
                                         : !ll_score_two_applies(how) || (plan->classes > 2 && !is_of_matches(plan)))
        return ll_fail(error, LL_DOMAIN, "no attack is planned for %s, which does not make it safe",
                       ll_plan_metric_name(plan));
    return LL_OK;
}

/* How many suppositions the number of all rows predicted 1 leaves, were half of the rows of class 1. */
static double count_cases(const ll_plan *plan, double grid)
{
    double own = number_of_all(plan, plan->rows / 2), cases = 0;
    if (!is_supposed(plan))
        return 0;
    for (int64_t positives = 0; positives <= plan->rows; positives++)
        cases += !(fabs(number_of_all(plan, positives) - own) > 2 * grid);
    return cases;
}

/* Every supposition is tried on the scores of all queries. */
static ll_status check_cases(const ll_plan *plan, double grid, ll_error *error)
{
    if (count_cases(plan, grid) * (double)plan->state->code->queries <= MOST_CASES)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned for %s of %ld rows, some of which are rounded to one number: there are too many "
        "suppositions to try; that does not mean it is safe",
        ll_plan_metric_name(plan), plan->rows);
}

ll_status ll_edges_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    double boundary = 0, grid = grid_of(plan, &boundary);
    ll_status status = check(plan, q, grid, error);
    if (status != LL_OK)
        return status;
    long run = find_run(plan, grid, boundary);
    if (run < 2 || run > MOST_RUN)
        return ll_fail(error, LL_DOMAIN, "the code %s is for counts of which 2 to %d neighbours are shown as one",
                       plan->name, MOST_RUN);
    plan->state->levels = ll_edges_levels(run, q->part, is_supposed(plan));
    status = ll_plan_try_block(plan, plan->rows, q, error);
    return status == LL_OK ? check_cases(plan, grid, error) : status;
}

/* Metrics of counts whose rows have weights: one row a query is predicted 1, all others 0. Which rows weigh enough for
 * their label to show, were half of the weight of class 1? An expectation, of a plan; what scores prove is the
 * decoder's (docs/proofs/weighed-counts.md). */
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/single/single.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 128 };

/* The weight of class 1 is not known better than a score tells it: so many times what a score leaves open must lie
 * between the numbers of two labels. */
static const double margin = 4;

/* ---- which rows ---- */

typedef struct {
    const ll_plan *plan;
    ll_weighed scratch;
    ll_weighed_two two;
    ll_worked number;
} asking;

static double work_out(asking *a)
{
    static const ll_work balls = {LL_WORK_BALLS, PREC};
    ll_status status = ll_counts_score_weighed(a->plan->scoring.how, &balls, &a->number, &a->scratch, &a->two);
    return status == LL_OK ? arf_get_d(arb_midref(a->number.ball), ARF_RND_NEAR) : (double)NAN;
}

/* The number where rows of that weight in all are predicted 1, and are of this label but for `share` of it; and `share`
 * of the others' is of class 1. */
static double number_of(asking *a, const arb_t weight, double label, double share)
{
    arb_struct *cells = a->two.cells;
    arb_t part;
    arb_init(part);
    arb_sub(&a->two.predicted[0], &a->two.total, weight, PREC);
    arb_set(&a->two.predicted[1], weight);
    for (int predicted = 0; predicted < 2; predicted++) {
        arb_set_d(part, predicted == 1 ? label : share);
        arb_mul(&cells[2 + predicted], &a->two.predicted[predicted], part, PREC);
        arb_sub(&cells[predicted], &a->two.predicted[predicted], &cells[2 + predicted], PREC);
    }
    for (int i = 0; i < 4; i++)
        a->two.is_some[i] = arb_is_positive(&cells[i]);
    arb_clear(part);
    return work_out(a);
}

/* Does query 0, all rows predicted 1, show the weight of class 1? */
static int shows_weight(asking *a, double blur)
{
    return fabs(number_of(a, &a->two.total, 0.5, 0) - number_of(a, &a->two.total, 0.6, 0)) > 10 * blur;
}

/* How far apart the numbers of both labels are: for one weight of class 1, or, where nothing shows it, for any from a
 * quarter to three quarters of all. */
static double step_of(asking *a, double weight, int is_shown)
{
    static const double shares[] = {0.5, 0.25, 0.75};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    arb_t own;
    arb_init(own);
    arb_set_d(own, weight);
    for (int label = 0; label < 2; label++)
        for (int i = 0; i < (is_shown ? 1 : 3); i++) {
            double x = number_of(a, own, label, shares[i]);
            low[label] = isnan(x) ? -INFINITY : fmin(low[label], x);
            high[label] = isnan(x) ? INFINITY : fmax(high[label], x);
        }
    arb_clear(own);
    return fmax(0, fmax(low[0] - high[1], low[1] - high[0]));
}

static long choose_rows(asking *a, long *rows, double blur, double *most)
{
    const double *weights = a->plan->scoring.how->weights;
    int is_shown = shows_weight(a, blur);
    double last = -1, step = 0;
    long count = 0;
    *most = 0;
    for (long i = 0; i < a->plan->rows; i++) {
        if (weights[i] != last)
            step = weights[i] > 0 ? step_of(a, weights[i], is_shown) : 0;
        last = weights[i];
        *most = fmax(*most, step);
        if (step > margin * blur)
            rows[count++] = i;
    }
    return count;
}

static ll_status find_rows(const ll_plan *plan, long **rows, long *count, ll_error *error)
{
    asking a = {.plan = plan};
    double blur = ll_plan_number_blur(plan), most = 0;
    *rows = malloc(sizeof **rows * (size_t)plan->rows);
    ll_status status = *rows != NULL ? ll_weighed_init(&a.scratch, 2, 0, error)
                                     : ll_fail(error, LL_MEMORY, "no memory for %ld rows", plan->rows);
    if (status != LL_OK)
        return status;
    ll_worked_init(&a.number);
    ll_weighed_two_init(&a.two, plan->rows);
    arb_set(&a.two.total, plan->scoring.how->weight_total);
    a.two.seen[0] = a.two.seen[1] = 1;
    *count = choose_rows(&a, *rows, blur, &most);
    ll_weighed_two_clear(&a.two);
    ll_worked_clear(&a.number);
    ll_weighed_clear(&a.scratch);
    if (*count > 0)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: one row moves %s of %ld rows with these weights by %.2g, and noise and rounding "
        "leave %.2g open; that does not mean it is safe",
        ll_plan_metric_name(plan), plan->rows, most, blur);
}

ll_status ll_single_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    long *rows = NULL, count = 0;
    plan->state->levels = 1;
    ll_status status = find_rows(plan, &rows, &count, error);
    if (status == LL_OK)
        status = ll_plan_try_block(plan, plan->rows, q, error);
    if (status != LL_OK) {
        free(rows);
        return status;
    }
    ll_single_set(plan->state->code, rows, count);
    return LL_OK;
}

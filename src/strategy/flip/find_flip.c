/* Metrics of counts over a hidden public split, asked by one row a query that is predicted otherwise than
 * all the others: from which base, all rows predicted 1 or all 0, do the three states of a row differ, by more than
 * noise and rounding leave open? For as many public rows as there may be, half of them of class 1: an expectation, of a
 * plan; what scores prove is the decoder's (docs/proofs/public.md). */
#include "metric/view.h"
#include "strategy/flip/flip.h"

#include <math.h>
#include <string.h>

/* So many pairs of a size and a number of rows of class 1 are tried. */
#define MOST_PAIRS 0x1p26

enum { STATES = 3, LEAST_ROWS = 4 };

static ll_status check_pairs(const ll_plan *plan, ll_error *error)
{
    double least = (double)plan->scorer->counted_least, most = (double)plan->scorer->counted_most;
    if ((most - least + 1) * (most + least + 2) / 2 <= MOST_PAIRS)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned for %s over a part of %.0f to %.0f rows: there are too many sizes to try; that "
        "does not mean it is safe",
        ll_plan_metric_name(plan), least, most);
}

static double number_of(const ll_computation *how, const ll_two *two)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    ll_worked number;
    ll_worked_init(&number);
    double x = ll_score_two(how, &doubles, &number, two) == LL_OK ? number.native : (double)NAN;
    ll_worked_clear(&number);
    return x;
}

/* The least difference of the numbers of two states of the flipped row; 0 where one has none. */
static double least_step(const ll_plan *plan, int base)
{
    int64_t rows = plan->scorer->counted_most > LEAST_ROWS ? plan->scorer->counted_most : LEAST_ROWS;
    const ll_two all = {0, 0, rows / 2, rows};
    double numbers[STATES], least = INFINITY;
    for (int state = 0; state < STATES; state++) {
        ll_two two = all;
        ll_two_flip(&two, base, state);
        numbers[state] = number_of(plan->scoring.how, &two);
    }
    for (int i = 0; i < STATES; i++) {
        double step = fabs(numbers[i] - numbers[(i + 1) % STATES]);
        least = step < least ? step : isnan(step) ? 0 : least;
    }
    return least;
}

static ll_status fail_step(const ll_plan *plan, double step, double blur, ll_error *error)
{
    if (step == 0)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned for %s over a hidden public split: if all rows but one have the same "
            "prediction, its score does not show whether that row is absent, has label 0 or has label 1; that does not mean it is safe",
            ll_plan_metric_name(plan));
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: one row moves %s of %ld rows by %.2g, and noise and rounding leave %.2g open; "
        "that does not mean it is safe",
        ll_plan_metric_name(plan), plan->scorer->counted_most, step, blur);
}

/* Where no base was named, the one whose states differ most. */
static ll_status choose_base(ll_plan *plan, ll_error *error)
{
    double steps[] = {least_step(plan, 0), least_step(plan, 1)}, blur = ll_plan_number_blur(plan);
    int base = plan->state->variant == NULL ? steps[1] * (1 + 1e-9) >= steps[0]
                                            : strcmp(plan->state->variant, LL_FLIP_ZEROS) != 0;
    if (!(steps[base] > blur))
        return fail_step(plan, steps[base], blur, error);
    return base == 1 ? LL_OK : ll_plan_set_code(plan, plan->state->row, LL_FLIP_ZEROS, error);
}

ll_status ll_flip_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check_pairs(plan, error);
    if (status == LL_OK)
        status = choose_base(plan, error);
    plan->state->levels = 1;
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

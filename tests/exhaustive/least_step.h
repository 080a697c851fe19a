/* Plans for metrics of matches are made where the step in the middle is wider than what the release hides, and of fewer
 * than 4 rows whatever it hides (src/strategy/common/count_steps.c): an expectation. All labels are promised only where
 * the least of all steps is wider. */
#ifndef LL_TESTS_LEAST_STEP_H
#define LL_TESTS_LEAST_STEP_H

#include "metric/counts/counting.h"
#include "metric/view.h"
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>

/* From one number of matches to the next, of rows that are all predicted class 0; of metrics that need no more. */
static inline double least_step(const ll_plan *plan)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    int64_t *guesses = calloc((size_t)plan->classes, sizeof *guesses);
    double least = INFINITY, before = 0;
    ll_worked number;
    ll_worked_init(&number);
    if (guesses != NULL)
        guesses[0] = plan->rows;
    for (long t = 0; t <= plan->rows && guesses != NULL; t++, before = number.native) {
        ll_status status =
            ll_counts_score_matches(plan->scoring.how, &doubles, &number, t, NULL, guesses, plan->classes, plan->rows);
        double step = status == LL_OK ? fabs(number.native - before) : 0;
        least = t > 0 ? fmin(least, step) : least;
    }
    ll_worked_clear(&number);
    free(guesses);
    return least;
}

static inline int hides_a_match(const ll_plan *plan)
{
    return ll_counts_needs(plan->scoring.how) == LL_NEEDS_MATCHES && least_step(plan) <= ll_plan_number_blur(plan);
}

#endif

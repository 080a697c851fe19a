/* The code cells: do answers show the counts that it reads? All columns but the first of a confusion matrix; or, of
 * every class but the first, one number that tells how many rows predicted so are right. */
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/cells/cells.h"
#include "strategy/cells/cells_code.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <string.h>

long ll_plan_find_cell(const ll_plan *plan, long label, long predicted)
{
    for (long i = 0; i < ll_scorer_count_numbers(plan->answer); i++)
        if (ll_metric_cell(ll_scorer_get_number(plan->answer, i)->computation.metric) ==
            label * plan->classes + predicted)
            return i;
    return -1;
}

static int shows_matrix(const ll_plan *plan)
{
    for (long label = 0; label < plan->classes; label++)
        for (long predicted = 1; predicted < plan->classes; predicted++)
            if (ll_plan_find_cell(plan, label, predicted) < 0)
                return 0;
    return 1;
}

/* ---- one class ---- */

/* Does one hit more, of so many rows predicted the class and as many rows of each class, move the number by more than
 * its rounding? An expectation; what answers prove is the decoder's. */
static int tells_tp(const ll_plan *plan, const ll_scorer *number, int64_t guessed)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    int64_t support = plan->rows / plan->classes + 1, tp = guessed / 4;
    ll_worked one, next;
    double boundary, grid = ll_release_grid(&number->release, &boundary);
    ll_worked_init(&one);
    ll_worked_init(&next);
    int tells =
        ll_counts_score_class(&number->computation, &doubles, &one, tp, guessed, support, plan->rows) == LL_OK &&
        ll_counts_score_class(&number->computation, &doubles, &next, tp + 1, guessed, support, plan->rows) == LL_OK &&
        next.native - one.native > grid;
    ll_worked_clear(&one);
    ll_worked_clear(&next);
    return tells;
}

static int shows_tp(const ll_plan *plan, long label, int64_t guessed)
{
    for (long i = 0; i < ll_scorer_count_numbers(plan->answer); i++) {
        const ll_scorer *number = ll_scorer_get_number(plan->answer, i);
        if (ll_metric_class(number->computation.metric) == label && tells_tp(plan, number, guessed))
            return 1;
    }
    return ll_plan_find_cell(plan, label, label) >= 0;
}

static int shows_diagonal(const ll_plan *plan, int64_t size)
{
    for (long label = 1; label < plan->classes; label++)
        if (!shows_tp(plan, label, size))
            return 0;
    return 1;
}

/* The most rows of a group, in which single true positives are told; 0: not even in a few. */
static int64_t find_size(const ll_plan *plan)
{
    enum { FEWEST = 8 };
    int64_t size = (plan->rows + plan->classes - 2) / (plan->classes - 1);
    while (size >= FEWEST && !shows_diagonal(plan, size))
        size -= size / 64 + 1;
    return size >= FEWEST || shows_diagonal(plan, size) ? size : 0;
}

/* ---- the plan ---- */

static ll_status check_noise(const ll_plan *plan, ll_error *error)
{
    for (long i = 0; i < ll_scorer_count_numbers(plan->answer); i++)
        if (!ll_release_has_no_noise(&ll_scorer_get_number(plan->answer, i)->release))
            return ll_fail(error, LL_DOMAIN,
                           "no attack on counts through noise is planned; that does not mean they are safe");
    return LL_OK;
}

/* The variant that the answers allow, which a name that was given must be. */
static ll_status set_name(ll_plan *plan, const char *variant, ll_error *error)
{
    char name[64];
    ll_code_write_name(name, sizeof name, plan->state->row, variant);
    if (plan->state->variant != NULL && strcmp(plan->name, name) != 0)
        return ll_fail(error, LL_DOMAIN, "the code %s does not fit these answers; %s does", plan->name, name);
    return ll_plan_set_code(plan, plan->state->row, variant, error);
}

ll_status ll_cells_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = check_noise(plan, error);
    int matrix = status == LL_OK && shows_matrix(plan);
    plan->state->levels = status != LL_OK || matrix ? 1 : find_size(plan);
    if (status == LL_OK && plan->state->levels == 0)
        status =
            ll_fail(error, LL_DOMAIN, "the code %s needs counts of every class, and these answers do not show them",
                    plan->state->row->info.name);
    if (status == LL_OK)
        status = set_name(plan, matrix ? LL_CELLS_MATRIX : LL_CELLS_DIAGONAL, error);
    plan->state->levels = ll_cells_levels(plan->rows, plan->state->levels, q->part);
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

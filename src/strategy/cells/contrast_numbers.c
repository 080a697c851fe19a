/* The numbers that were read, and those that supposed labels would have. */
#include "metric/counts/counting.h"
#include "strategy/cells/cells_code.h"
#include "strategy/cells/contrast.h"
#include "strategy/common/counts_case.h"

#include <math.h>
#include <stdlib.h>

ll_status ll_contrast_init(ll_contrast_view *view, const ll_plan *plan, ll_error *error)
{
    const ll_code *code = plan->state->code;
    size_t sets = (size_t)ll_cells_queries(code), numbers = sets * (size_t)(plan->classes - 1);
    *view = (ll_contrast_view){
        .plan = plan, .classes = plan->classes, .sets = (long)sets, .samples = ll_cells_samples(code)};
    ll_worked_init(&view->scratch);
    view->sizes = calloc(sets, sizeof *view->sizes);
    view->lows = calloc(numbers, sizeof *view->lows);
    view->highs = calloc(numbers, sizeof *view->highs);
    if (view->sizes == NULL || view->lows == NULL || view->highs == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld sets", (long)sets);
    for (long t = 0; t < view->sets; t++) {
        const ll_code *one = ll_plan_code(plan, t * plan->bounds.repeats);
        for (long row = 0; row < plan->rows; row++)
            view->sizes[t] += one->row->predict(one, row) != 0;
    }
    return LL_OK;
}

void ll_contrast_clear(ll_contrast_view *view)
{
    ll_worked_clear(&view->scratch);
    free(view->sizes);
    free(view->lows);
    free(view->highs);
}

void ll_contrast_keep(ll_contrast_view *view, long query, const arb_t number)
{
    ll_case_widen(&view->lows[query], &view->highs[query], number);
}

static double number_of(const ll_contrast_view *view, const ll_contrast *contrast)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    ll_worked *scratch = (ll_worked *)&view->scratch;
    ll_status status = ll_counts_score_contrast(view->plan->scoring.how, &doubles, scratch, contrast);
    return status == LL_OK ? scratch->native : (double)NAN;
}

double ll_contrast_number(const ll_contrast_view *view, const ll_supposed *labels, long other, int64_t others, long set,
                          int64_t from_zeros, int64_t tp)
{
    int64_t rows = view->plan->rows, rest = rows - labels->zeros - others;
    long present = labels->present > 0 ? labels->present : (labels->zeros > 0) + (others > 0) + (rest > 0);
    return number_of(view, &(ll_contrast){view->classes, other, present, rows, view->sizes[set], labels->zeros, others,
                                          from_zeros, tp});
}

/* The rows that are not of the class stand for class 0, but one for each further class. */
double ll_contrast_total(const ll_contrast_view *view, long other, int64_t others, long present)
{
    int64_t rows = view->plan->rows;
    long rest = present > 0 ? present - (others > 0) : others < rows;
    int64_t zeros = rest > 0 ? rows - others - (rest - 1) : 0;
    return number_of(
        view, &(ll_contrast){view->classes, other, rest + (others > 0), rows, rows, zeros, others, zeros, others});
}

int ll_contrast_allows(const ll_contrast_view *view, long other, long set, double number)
{
    long at = (other - 1) * view->sets + set;
    return number >= view->lows[at] && number <= view->highs[at];
}

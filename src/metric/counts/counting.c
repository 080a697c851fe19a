/* Metrics that are a function of the confusion matrix: what decoders ask of them. */
#include "metric/counts/counting.h"

/* No row that weighs at all weighs less than this of all together: squares of sums lose no more than a millionth where
 * they cancel (docs/proofs/weighed-counts.md). */
#define EVEN 1e-9

const ll_count_kind *ll_counts_of(const ll_metric *metric)
{
    return metric->row->family == &ll_family_counts ? metric->row->own : NULL;
}

int ll_metric_is_counts(const ll_metric *metric)
{
    return ll_counts_of(metric) != NULL;
}

/* ---- the number, from a few counts ---- */

ll_status ll_counts_score_weighed(const ll_computation *how, const ll_work *work, ll_worked *out, ll_weighed *scratch,
                                  const ll_weighed_two *two)
{
    int64_t cells[8];
    ll_confusion counts = {
        .classes = 2, .cells = cells, .support = cells + 4, .predicted = cells + 6, .weighed = scratch};
    for (int i = 0; i < 4; i++)
        cells[i] = two->is_some[i];
    ll_confusion_close(&counts);
    ll_weighed_suppose(work, scratch, two);
    return counts.rows > 0 ? ll_confusion_work(how, work, out, &counts, NULL) : LL_DOMAIN;
}

/* Cells of the right sums on and beside the diagonal, at classes that there are; margins as they are known: no such
 * metric looks at more. */
static void set_cells(ll_confusion *counts, int64_t matches)
{
    long one = 0, other, k = counts->classes;
    while (one < k - 2 && counts->support[one] + counts->predicted[one] == 0)
        one++;
    for (other = one + 1; other < k - 1 && counts->support[other] + counts->predicted[other] == 0;)
        other++;
    counts->cells[one * k + one] = matches;
    counts->cells[one * k + other] = counts->rows - matches;
}

ll_status ll_counts_score_matches(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t matches,
                                  const int64_t *support, const int64_t *predicted, long classes, int64_t rows)
{
    ll_confusion counts;
    ll_status status = ll_confusion_init(&counts, classes, NULL);
    if (status != LL_OK)
        return status;
    counts.rows = rows;
    for (long k = 0; k < classes; k++) {
        counts.predicted[k] = predicted[k];
        counts.support[k] = support != NULL ? support[k] : predicted[k];
    }
    set_cells(&counts, matches);
    status = ll_confusion_work(how, work, out, &counts, NULL);
    ll_confusion_clear(&counts);
    return status;
}

/* ---- what has to be known for it ---- */

ll_needs ll_counts_needs(const ll_computation *how)
{
    return ll_counts_of(how->metric) != NULL ? ll_counts_of(how->metric)->needs : LL_NEEDS_CELLS;
}

ll_tells ll_counts_tells(const ll_computation *how)
{
    return ll_counts_of(how->metric) != NULL ? ll_counts_of(how->metric)->tells : LL_TELLS_NOT;
}

ll_costs ll_counts_costs(const ll_computation *how)
{
    return ll_counts_of(how->metric) != NULL ? ll_counts_of(how->metric)->costs : LL_COSTS_NONE;
}

int ll_computation_is_counts(const ll_computation *how)
{
    return ll_metric_is_counts(how->metric) && !how->is_weighted;
}

int ll_counts_is_f1(const ll_computation *how)
{
    const ll_count_kind *kind = ll_counts_of(how->metric);
    return kind != NULL && kind->is_f1 && how->zero_division == 0 && !how->is_weighted;
}

int ll_counts_cancel(const ll_computation *how)
{
    const ll_count_kind *count = ll_counts_of(how->metric);
    int may = how->is_weighted && how->kind != LL_KIND_EXACT && count != NULL && count->cancels;
    return may && !(ll_computation_lightest(how) > EVEN);
}

/* ---- class and cell ---- */

static long place_of(const ll_metric *metric)
{
    return (long)ll_exact_get_d(&metric->parameter);
}

long ll_metric_cell(const ll_metric *metric)
{
    const ll_count_kind *kind = ll_counts_of(metric);
    return kind != NULL && kind->is_cell ? place_of(metric) : -1;
}

long ll_metric_class(const ll_metric *metric)
{
    const ll_count_kind *kind = ll_counts_of(metric);
    return kind != NULL && kind->of_class != NULL ? place_of(metric) : -1;
}

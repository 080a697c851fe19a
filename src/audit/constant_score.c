/* What the shares of the classes score as every row's answer: the best that predictions without knowledge can do, by
 * log-loss and by squared error. */
#include "audit/weights.h"

#include <math.h>
#include <stdlib.h>

static ll_status give_row(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_predictions *row = self;
    (void)first;
    (void)error;
    out->rows = count;
    out->columns = row->columns;
    out->entries = LL_ENTRIES_DOUBLE;
    out->doubles = (const double *)(row + 1);
    return LL_OK;
}

static double answer(const ll_weights *w, long column)
{
    double share = fmax(ll_weights_share(w, w->columns == 1 ? 1 : column), 1e-12);
    return ll_metric_of_share(w->scoring.how->metric, share, w->columns);
}

ll_status ll_weights_constant_score(double *out, const ll_weights *w, ll_error *error)
{
    const ll_metric *metric = w->scoring.how->metric;
    int is_proper = ll_metric_reads_probabilities(metric) || ll_metric_reads_logits(metric);
    *out = NAN;
    if (!is_proper || (w->columns == 1 && w->classes != 2))
        return LL_OK;
    ll_predictions *row = calloc(1, sizeof *row + sizeof(double) * (size_t)w->columns);
    double *terms = calloc((size_t)w->classes, sizeof *terms), sum = 0;
    ll_status status = row != NULL && terms != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a row");
    if (status == LL_OK) {
        *row = (ll_predictions){.self = row, .rows = 1, .columns = w->columns, .get = give_row};
        row->entries = LL_ENTRIES_DOUBLE;
        for (long c = 0; c < w->columns; c++)
            ((double *)(row + 1))[c] = answer(w, c);
        ll_scoring one = w->scoring;
        one.rows = 1;
        status = ll_score_all_terms(&one, terms, row, error);
    }
    for (long k = 0; status == LL_OK && k < w->classes; k++)
        sum += ll_weights_share(w, k) * terms[k];
    if (status == LL_OK)
        *out = sum;
    free(row);
    free(terms);
    return status;
}

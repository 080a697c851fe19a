#include "audit/usefulness.h"

#include "audit/row_terms.h"

#include <math.h>

enum { POINTS = 128, MOST_CLASSES = 64 };

/* The loss of the reference model where it gives class 1 the probability p and the others equal parts. */
static ll_status add_point(const ll_scoring *s, double *mean, double *square, double p)
{
    double row[MOST_CLASSES], terms[MOST_CLASSES];
    long classes = s->classes, columns = classes > 2 ? classes : 1;
    ll_input input = ll_metric_input(s->how->metric);
    for (long c = 0; c < columns; c++) {
        double q = columns == 1 || c == 1 ? p : (1 - p) / (double)(classes - 1);
        row[c] = input == LL_INPUT_LABEL ? (p >= 0.5 ? 1 : 0) : input == LL_INPUT_LOGIT ? log(q / (1 - q)) : q;
        if (input == LL_INPUT_LOGIT && columns > 1)
            row[c] = log(q);
    }
    if (input == LL_INPUT_LABEL)
        columns = 1;
    ll_status status = ll_row_terms(s, terms, row, columns);
    for (long k = 0; k < classes && status == LL_OK; k++) {
        double q = k == 1 ? p : (1 - p) / (double)(classes - 1);
        *mean += q * terms[k] / POINTS;
        *square += q * terms[k] * terms[k] / POINTS;
    }
    return status;
}

ll_status ll_sampling_error(double *out, const ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    const ll_scoring s = {
        .how = &scorer->computation, .rows = 1, .classes = c->classes < MOST_CLASSES ? c->classes : MOST_CLASSES};
    double mean = 0, square = 0;
    ll_status status = LL_OK;
    (void)error;
    for (int i = 0; i < POINTS && status == LL_OK; i++)
        status = add_point(&s, &mean, &square, (i + 0.5) / POINTS);
    double each = sqrt(fmax(0, square - mean * mean) / (double)c->rows);
    *out = status != LL_OK ? (double)NAN : c->is_linear ? c->scale * each : each / (2 * sqrt(mean));
    return status == LL_MEMORY ? status : LL_OK;
}

#include "experiment/experiment.h"

#include <stdlib.h>

static ll_status fill(ll_weighing *w, const ll_construction *c, double scale, ll_error *error)
{
    double row[LL_EXPERIMENT_CLASSES];
    ll_status status = LL_OK;
    for (long i = 0; i < w->rows && status == LL_OK; i++) {
        status = c->fill(row, w->classes, i + 1, scale, error);
        for (long k = 0; k < w->classes; k++)
            w->terms[i * w->classes + k] = c->term(row, w->classes, k);
    }
    c->neutral(row, w->classes);
    w->constant = c->term(row, w->classes, 0);
    return status;
}

ll_status ll_weighing_init(ll_weighing *w, const ll_construction *construction, long rows, long classes, double scale,
                           double divisor, ll_error *error)
{
    *w = (ll_weighing){.rows = rows, .classes = classes, .divisor = divisor};
    w->terms = calloc((size_t)rows * (size_t)classes, sizeof *w->terms);
    if (!w->terms)
        return ll_fail(error, LL_MEMORY, "out of memory for %ld rows", rows);
    ll_status status = fill(w, construction, scale, error);
    if (status != LL_OK)
        ll_weighing_clear(w);
    return status;
}

void ll_weighing_clear(ll_weighing *w)
{
    free(w->terms);
    w->terms = NULL;
}

double ll_weighing_finish(const ll_weighing *w, const int32_t *labels, double sum, long first)
{
    for (long i = first; i < w->rows; i++)
        sum += w->terms[i * w->classes + labels[i]];
    return ll_repeated_sum(sum, w->constant, w->after) / w->divisor;
}

double ll_weighing_score(const ll_weighing *w, const int32_t *labels)
{
    return ll_weighing_finish(w, labels, w->before, 0);
}

/* The last few labels: message passing may settle with a row or two on the wrong side. Where the labels do not explain
 * every score, the change of one label that points best along what is missing is made, again and again, while what is
 * missing becomes less. What is missing in query q is e(q), the way from its sum to the interval; a label that moves
 * the sums by d(q) takes off about sum of d e, which for all rows is one transform of e. */
#include "posterior/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 256 };

typedef struct {
    const ll_posterior_problem *problem;
    size_t n;
    int label_bits;
    double *sums;     /* [query] */
    double *missing;  /* [group * n + line], then its transform */
    double *evidence; /* scratch, 2^label_bits */
} work;

/* e(q) at its line; the sum of squares. */
static ll_status miss(work *w, double *total, const int32_t *labels)
{
    const ll_posterior_problem *s = w->problem;
    *total = 0;
    memset(w->missing, 0, sizeof *w->missing * w->n * (size_t)s->groups);
    if (ll_posterior_sums(s, w->sums, labels) != LL_OK)
        return LL_MEMORY;
    for (long q = 0; q < s->queries; q++) {
        double z = w->sums[q] / 2, e = fmax(s->low[q] - z, 0) + fmin(s->high[q] - z, 0);
        if (!s->answered[q])
            continue;
        w->missing[(size_t)(q % s->groups) * w->n + s->lines[q]] = e;
        *total += e * e;
    }
    return LL_OK;
}

/* The row and label that go best along what is missing. */
static double best_change(work *w, const int32_t *labels, long *row, int32_t *label)
{
    const ll_posterior_problem *s = w->problem;
    double best = 0;
    for (int t = 0; t < s->groups; t++)
        ll_posterior_transform(w->missing + (size_t)t * w->n, s->bits);
    for (long i = 0; i < s->rows; i++) {
        w->evidence[0] = 0;
        for (int t = 0; t < s->groups; t++) {
            uint32_t column = s->columns[(size_t)t * (size_t)s->rows + (size_t)i];
            double along = w->missing[(size_t)t * w->n + (column >> 1)];
            w->evidence[t + 1] = column & 1 ? -along : along;
        }
        ll_posterior_transform(w->evidence, w->label_bits); /* label k is worth -evidence[k] / 2 */
        for (int32_t k = 0; k < s->classes; k++) {
            double gain = (w->evidence[labels[i]] - w->evidence[k]) / 2;
            if (gain > best) {
                best = gain;
                *row = i;
                *label = k;
            }
        }
    }
    return best;
}

static ll_status improve(work *w, int32_t *labels)
{
    double missing, next;
    ll_status status = miss(w, &missing, labels);
    for (int i = 0; i < CHANGES && status == LL_OK && missing > 0; i++) {
        long row = 0;
        int32_t label = 0;
        if (!(best_change(w, labels, &row, &label) > 0))
            break;
        int32_t before = labels[row];
        labels[row] = label;
        status = miss(w, &next, labels);
        if (!(next < missing)) {
            labels[row] = before;
            break;
        }
        missing = next;
    }
    return status;
}

ll_status ll_posterior_polish(const ll_posterior_problem *problem, int32_t *labels)
{
    work w = {.problem = problem, .n = (size_t)1 << problem->bits, .label_bits = ll_posterior_bits(problem->classes)};
    w.sums = malloc(sizeof *w.sums * (size_t)problem->queries);
    w.missing = malloc(sizeof *w.missing * w.n * (size_t)problem->groups);
    w.evidence = malloc(sizeof *w.evidence << w.label_bits);
    ll_status status = w.sums != NULL && w.missing != NULL && w.evidence != NULL ? improve(&w, labels) : LL_MEMORY;
    free(w.sums);
    free(w.missing);
    free(w.evidence);
    return status;
}

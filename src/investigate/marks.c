/* What submissions look like beside each other.
 *
 * Weak: predictions of models have something in common, the labels; each is correlated with the mean of all others. A
 * submission whose correlation is below 4 standard errors of none shares nothing with them.
 */
#include "investigate/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- weak ---- */

static long count_cells(const ll_history *h, long item)
{
    return h->rows * h->items[item].columns;
}

/* Mean 0 and length 1; a constant becomes 0. */
static void standardise(double *out, const double *values, long count)
{
    double mean = 0, square = 0;
    for (long i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (long i = 0; i < count; i++) {
        out[i] = values[i] - mean;
        square += out[i] * out[i];
    }
    double scale = square > 0 && isfinite(square) ? 1 / sqrt(square) : 0;
    for (long i = 0; i < count; i++)
        out[i] = scale > 0 ? out[i] * scale : 0;
}

/* Correlation of `one` with `all` less itself. */
static double correlate(const double *one, const double *all, long count)
{
    double product = 0, square = 0;
    for (long i = 0; i < count; i++) {
        double rest = all[i] - one[i];
        product += rest * one[i];
        square += rest * rest;
    }
    return square > 0 ? product / sqrt(square) : 0;
}

static ll_status find_weak(ll_history_marks *out, const ll_history *h)
{
    long cells = h->count > 0 ? count_cells(h, 0) : 0;
    double *all = calloc((size_t)cells + 1, sizeof *all), *one = malloc(sizeof *one * (size_t)cells + 1);
    ll_status status = all != NULL && one != NULL ? LL_OK : LL_MEMORY;
    for (long s = 0; status == LL_OK && s < h->count; s++) {
        if (count_cells(h, s) != cells)
            continue;
        standardise(one, h->items[s].values, cells);
        for (long i = 0; i < cells; i++)
            all[i] += one[i];
    }
    for (long s = 0; status == LL_OK && s < h->count; s++) {
        int comparable = count_cells(h, s) == cells;
        if (comparable)
            standardise(one, h->items[s].values, cells);
        out->is_weak[s] = !comparable || correlate(one, all, cells) < 4 / sqrt((double)h->rows);
        out->weak += out->is_weak[s];
    }
    free(all);
    free(one);
    return status;
}

ll_status ll_history_marks_find(ll_history_marks *out, const ll_history *h)
{
    *out = (ll_history_marks){.is_weak = calloc((size_t)h->count + 1, 1),
                              .is_blind = calloc((size_t)h->count + 1, 1),
                              .is_step = calloc((size_t)h->count + 1, 1)};
    if (out->is_weak == NULL || out->is_blind == NULL || out->is_step == NULL)
        return LL_MEMORY;
    ll_status status = find_weak(out, h);
    if (status == LL_OK)
        status = ll_history_find_blind(out, h);
    return status == LL_OK ? ll_history_find_steps(out, h) : status;
}

void ll_history_marks_clear(ll_history_marks *marks)
{
    free(marks->is_weak);
    free(marks->is_blind);
    free(marks->is_step);
    *marks = (ll_history_marks){0};
}

/* What submissions look like beside each other.
 *
 * Weak: predictions of models have something in common, the labels; each is correlated with the mean of all others. A
 * submission whose correlation is below 4 standard errors of none shares nothing with them.
 *
 * Steps: submissions that differ from their nearest neighbour in one row. The neighbours of honest hard predictions
 * differ in numbers of rows that vary, since nobody chooses them: of a sweep of thresholds a step flips Poisson many
 * rows, of which at most 37% are 1. Of 16 such neighbours 15 are with a probability below 10^-5. */
#include "investigate/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 16, NEAR_ROWS = 5 };

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

/* ---- steps ---- */

/* Rows in which two submissions differ, up to NEAR_ROWS + 1; *row: the last of them. */
static long count_different(const ll_history *h, long a, long b, long *row)
{
    const ll_history_item *x = &h->items[a], *y = &h->items[b];
    long count = 0;
    if (x->columns != y->columns)
        return NEAR_ROWS + 1;
    for (long i = 0; i < h->rows && count <= NEAR_ROWS; i++)
        if (memcmp(x->values + i * x->columns, y->values + i * x->columns, sizeof(double) * (size_t)x->columns) != 0) {
            count++;
            *row = i;
        }
    return count;
}

/* Is every other submission, and which row, one row away from s? */
static long find_nearest(const ll_history *h, long s, long *row)
{
    long nearest = NEAR_ROWS + 1;
    for (long other = 0; other < s; other++) {
        long at = 0, count = count_different(h, s, other, &at);
        if (count < nearest) {
            nearest = count;
            *row = at;
        }
    }
    return nearest;
}

static ll_status find_steps(ll_history_marks *out, const ll_history *h)
{
    long near = 0, touched_rows = 0;
    unsigned char *touched = calloc((size_t)h->rows, 1);
    if (touched == NULL)
        return LL_MEMORY;
    for (long s = 1; s < h->count; s++) {
        long row = 0, nearest = find_nearest(h, s, &row);
        near += nearest <= NEAR_ROWS;
        out->is_step[s] = nearest == 1;
        out->steps += nearest == 1;
        touched_rows += nearest == 1 && !touched[row];
        touched[row] |= nearest == 1;
    }
    free(touched);
    if (out->steps < LEAST_STEPS || 10 * out->steps < 9 * near || 10 * touched_rows < 9 * out->steps) {
        memset(out->is_step, 0, (size_t)h->count);
        out->steps = 0;
    }
    return LL_OK;
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
    return status == LL_OK ? find_steps(out, h) : status;
}

void ll_history_marks_clear(ll_history_marks *marks)
{
    free(marks->is_weak);
    free(marks->is_blind);
    free(marks->is_step);
    *marks = (ll_history_marks){0};
}

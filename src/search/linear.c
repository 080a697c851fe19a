/* Equations in labels, and the groups of rows that they cannot tell apart. */
#include "search/linear.h"

#include <flint/fmpz_vec.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ll_status ll_linear_init(ll_linear *s, long rows, long classes, long scores)
{
    *s = (ll_linear){.rows = rows, .classes = classes, .scores = scores};
    size_t cells = (size_t)rows * (size_t)classes;
    if (cells > (size_t)1 << 40 || cells * (size_t)scores > (size_t)1 << 40)
        return LL_MEMORY;
    s->weights = calloc(cells * (size_t)scores, sizeof *s->weights); /* all-zero is an fmpz of 0 */
    s->allowed = malloc(cells);
    s->targets = calloc((size_t)scores, sizeof *s->targets);
    s->tolerances = calloc((size_t)scores, sizeof *s->tolerances);
    if (!s->weights || !s->allowed || !s->targets || !s->tolerances) {
        ll_linear_clear(s);
        return LL_MEMORY;
    }
    memset(s->allowed, 1, cells);
    return LL_OK;
}

static void clear_numbers(fmpz *numbers, long n)
{
    for (long i = 0; numbers != NULL && i < n; i++)
        fmpz_clear(numbers + i);
    free(numbers);
}

void ll_linear_clear(ll_linear *s)
{
    clear_numbers(s->weights, s->scores * s->rows * s->classes);
    clear_numbers(s->targets, s->scores);
    clear_numbers(s->tolerances, s->scores);
    free(s->allowed);
    *s = (ll_linear){0};
}

void ll_linear_residual(fmpz_t out, const ll_linear *s, const int32_t *labels, long score)
{
    fmpz_neg(out, s->targets + score);
    for (long i = 0; i < s->rows; i++)
        fmpz_add(out, out, ll_linear_weight(s, score, i, labels[i]));
}

int ll_linear_fits(const ll_linear *s, const int32_t *labels)
{
    for (long i = 0; i < s->rows; i++)
        if (!s->allowed[i * s->classes + labels[i]])
            return 0;
    fmpz_t residual;
    fmpz_init(residual);
    int fits = 1;
    for (long q = 0; q < s->scores && fits; q++) {
        ll_linear_residual(residual, s, labels, q);
        fits = fmpz_cmpabs(residual, s->tolerances + q) <= 0;
    }
    fmpz_clear(residual);
    return fits;
}

/* ---- groups ---- */

static int compare_rows(const ll_linear *s, long a, long b)
{
    int order = memcmp(s->allowed + a * s->classes, s->allowed + b * s->classes, (size_t)s->classes);
    for (long q = 0; q < s->scores && order == 0; q++)
        for (long k = 0; k < s->classes && order == 0; k++)
            order = fmpz_cmp(ll_linear_weight(s, q, a, k), ll_linear_weight(s, q, b, k));
    return order;
}

static int by_weights(const void *a, const void *b, void *system)
{
    long x = *(const long *)a, y = *(const long *)b;
    int order = compare_rows(system, x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int by_first_row(const void *a, const void *b, void *order)
{
    const long *rows = order;
    long x = rows[((const long *)a)[0]], y = rows[((const long *)b)[0]];
    return (x > y) - (x < y);
}

/* Groups in the order of their first rows: sorted holds the groups' starts and ends in `order`. */
static void arrange(ll_groups *g, long *sorted, const long *order)
{
    qsort_r(sorted, (size_t)g->count, 2 * sizeof *sorted, by_first_row, (void *)order);
    long at = 0;
    for (long i = 0; i < g->count; i++) {
        long size = sorted[2 * i + 1] - sorted[2 * i];
        g->first[i] = at;
        memcpy(g->order + at, order + sorted[2 * i], sizeof *order * (size_t)size);
        at += size;
    }
    g->first[g->count] = at;
}

ll_status ll_groups_init(ll_groups *g, const ll_linear *s)
{
    size_t rows = (size_t)s->rows;
    *g = (ll_groups){.order = calloc(rows, sizeof(long)), .first = calloc(rows + 1, sizeof(long))};
    long *order = malloc(sizeof(long) * rows), *sorted = malloc(sizeof(long) * 2 * rows);
    if (!g->order || !g->first || !order || !sorted) {
        free(order);
        free(sorted);
        ll_groups_clear(g);
        return LL_MEMORY;
    }
    for (long i = 0; i < s->rows; i++)
        order[i] = i;
    qsort_r(order, rows, sizeof *order, by_weights, (void *)s);
    for (long i = 0; i < s->rows; i++) {
        if (i == 0 || compare_rows(s, order[i - 1], order[i]) != 0)
            sorted[2 * g->count++] = i;
        sorted[2 * g->count - 1] = i + 1;
    }
    arrange(g, sorted, order);
    free(order);
    free(sorted);
    return LL_OK;
}

void ll_groups_clear(ll_groups *g)
{
    free(g->order);
    free(g->first);
    *g = (ll_groups){0};
}

/* out *= the ways to give `size` rows these counts */
static void multiply_arrangements(fmpz_t out, const long *counts, long classes, long size)
{
    fmpz_t ways;
    fmpz_init(ways);
    for (long k = 0; k < classes; k++) {
        fmpz_bin_uiui(ways, (ulong)size, (ulong)counts[k]);
        fmpz_mul(out, out, ways);
        size -= counts[k];
    }
    fmpz_clear(ways);
}

void ll_groups_arrangements(fmpz_t out, const ll_groups *g, const ll_linear *s, const int32_t *labels)
{
    fmpz_one(out);
    for (long i = 0; i < g->count; i++) {
        long size = g->first[i + 1] - g->first[i], left = size, run = 0;
        for (long k = 0; size > 1 && k < s->classes && left > 0; k++, left -= run) {
            run = 0;
            for (long j = g->first[i]; j < g->first[i + 1]; j++)
                run += labels[g->order[j]] == k;
            long counts[2] = {run, left - run};
            multiply_arrangements(out, counts, 2, left);
        }
    }
}

long ll_linear_count_allowed(const ll_linear *s, long row)
{
    long count = 0;
    for (long k = 0; k < s->classes; k++)
        count += s->allowed[row * s->classes + k];
    return count;
}

double ll_linear_labelling_bits(const ll_linear *s)
{
    double bits = 0;
    for (long i = 0; i < s->rows; i++)
        bits += log2((double)ll_linear_count_allowed(s, i));
    return bits;
}

/* m rows of a group with n labels have C(m+n-1, n-1) patterns. */
double ll_groups_bits(const ll_groups *g, const ll_linear *s)
{
    double bits = 0;
    for (long i = 0; i < g->count; i++) {
        double size = (double)(g->first[i + 1] - g->first[i]),
               n = (double)ll_linear_count_allowed(s, g->order[g->first[i]]);
        bits += (lgamma(size + n) - lgamma(size + 1) - lgamma(n)) / M_LN2;
    }
    return bits;
}

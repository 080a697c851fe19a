/* One number a row, by which rows can be told apart.
 *
 * A runtime adds the d products of a row in an order of its own, fused or not: its result is within d u S of the true
 * one (u = 2^-53 or 2^-24, S the sum of the products' sizes), and so is ours. Rows keep their order under that as long
 * as the intervals of neighbours do not touch; the ramps of lookup.c want a little more room, ROOM units of u times the
 * largest projection. Random directions are drawn until all neighbours have it. */
#include "mutnet/mutnet.h"
#include "number/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { ROOM = 256, TRIES = 48 };

typedef struct {
    double low, high;
    long row;
} span;

static int compare(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* |t - true| <= g S for both, g = (d+2) u / (1 - (d+2) u), with S rounded up by the same. */
static span project(const ll_matrix *features, const double *direction, long row, int type)
{
    const double *x = features->x + row * features->columns;
    double t = 0, size = 0, n = (double)features->columns + 2;
    for (long j = 0; j < features->columns; j++) {
        double product = x[j] * direction[j];
        t += product;
        size += fabs(product);
    }
    double error = 2 * n * ll_mutnet_unit(type) * size * 1.01;
    return (span){t - error, t + error, row};
}

/* Two rows that look equal: whether they are, or only too close for the format. */
static ll_status fail_pair(const ll_matrix *features, long a, long b, int type, ll_error *error)
{
    const char *format = type == LL_TYPE_DOUBLE ? "float64" : "float32";
    if (ll_matrix_same_rows(features, a, b))
        return ll_fail(error, LL_DOMAIN,
                       "rows %ld and %ld have the same features (in %s): no network can say different things of them",
                       a < b ? a : b, a < b ? b : a, format);
    return ll_fail(error, LL_DOMAIN,
                   "rows %ld and %ld are too close to be told apart in %s: %d random projections of %ld rows did not "
                   "find one where rounding cannot confuse two%s",
                   a < b ? a : b, a < b ? b : a, format, (int)TRIES, features->rows,
                   type == LL_TYPE_DOUBLE ? "" : "; use float64");
}

/* The least room between neighbours that must be told apart; *a and *b: which. */
static double least_gap(const span *spans, const ll_matrix *targets, long rows, long *a, long *b)
{
    double least = INFINITY, reach = spans[0].high;
    for (long i = 1; i < rows; i++) {
        double gap = spans[i].low - reach;
        if (gap < least && !ll_matrix_same_rows(targets, spans[i - 1].row, spans[i].row)) {
            least = gap;
            *a = spans[i - 1].row;
            *b = spans[i].row;
        }
        reach = fmax(reach, spans[i].high);
    }
    return least;
}

static void draw_direction(ll_projection *p, long columns, int type, uint64_t seed)
{
    for (long j = 0; j < columns; j++)
        p->direction[j] =
            ll_mutnet_round(ll_random_gaussian(seed, LL_DRAW_PROJECTION, (uint64_t)p->tries << 40 | (uint64_t)j), type);
}

/* Draw, project, sort; does it serve? */
static int attempt(ll_projection *p, span *spans, const ll_matrix *features, const ll_matrix *targets, int type,
                   uint64_t seed, long *a, long *b)
{
    draw_direction(p, features->columns, type, seed);
    p->tries++;
    p->largest = 0;
    for (long i = 0; i < features->rows; i++) {
        spans[i] = project(features, p->direction, i, type);
        p->largest = fmax(p->largest, fmax(fabs(spans[i].low), fabs(spans[i].high)));
    }
    qsort(spans, (size_t)features->rows, sizeof *spans, compare);
    double step = ll_mutnet_unit(type) * p->largest, gap = least_gap(spans, targets, features->rows, a, b);
    p->distance = gap / step;
    double most = type == LL_TYPE_DOUBLE ? DBL_MAX : (double)FLT_MAX;
    return isfinite(p->largest) && gap >= ROOM * step && (isinf(gap) || p->largest / gap < most / 1e6);
}

static void store(ll_projection *p, const span *spans, long rows)
{
    for (long i = 0; i < rows; i++) {
        p->order[i] = spans[i].row;
        p->low[spans[i].row] = spans[i].low;
        p->high[spans[i].row] = spans[i].high;
    }
}

ll_status ll_projection_find(ll_projection *out, const ll_matrix *features, const ll_matrix *targets, int type,
                             uint64_t seed, ll_error *error)
{
    size_t rows = (size_t)features->rows;
    long a = 0, b = 0;
    int found = 0;
    span *spans = calloc(rows, sizeof *spans);
    *out = (ll_projection){.direction = calloc((size_t)features->columns, sizeof *out->direction),
                           .order = calloc(rows, sizeof *out->order),
                           .low = calloc(rows, sizeof *out->low),
                           .high = calloc(rows, sizeof *out->high)};
    int complete = spans && out->direction && out->order && out->low && out->high;
    while (complete && !found && out->tries < TRIES)
        found = attempt(out, spans, features, targets, type, seed, &a, &b);
    if (found)
        store(out, spans, features->rows);
    free(spans);
    if (found)
        return LL_OK;
    ll_projection_clear(out);
    return complete ? fail_pair(features, a, b, type, error)
                    : ll_fail(error, LL_MEMORY, "no memory to project %ld rows", features->rows);
}

void ll_projection_clear(ll_projection *projection)
{
    free(projection->direction);
    free(projection->order);
    free(projection->low);
    free(projection->high);
    *projection = (ll_projection){0};
}

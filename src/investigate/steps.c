/* Submissions that touch one row after the other.
 *
 * Chain: each differs in one row from an earlier submission. The neighbours of honest hard predictions differ in numbers of
 * rows that vary, since nobody chooses them: of a sweep of thresholds a step flips Poisson many rows, of which at most 37%
 * are 1. Of 16 such neighbours 15 are with a probability below 10^-5.
 *
 * Star: each differs in one row from a centre that need not have been submitted, so two of them differ in two rows. Two
 * submissions at this distance leave two places where the centre can be: one of them, with either row of the other. In a
 * history of n submissions at most 2 n centres are tried, and all together find a star among honest submissions with a
 * probability of at most MOST_CHANCE (docs/proofs/investigate.md, Stars). */
#include "investigate/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 16, NEAR_ROWS = 5 };

/* A Poisson number that is at most NEAR_ROWS is 1 with at most this probability. */
static const double single_row = 0.37;
static const double most_chance = 1e-4; /* MOST_CHANCE */

/* A submission, with one row (-1: none) taken from another. */
typedef struct {
    const ll_history_item *base, *other;
    long row;
} centre;

/* Rows in which a submission differs from a centre, up to NEAR_ROWS + 1; *first and *last of them. */
static long count_different(const ll_history *h, const centre *c, const ll_history_item *x, long *first, long *last)
{
    long count = 0, columns = x->columns;
    if (columns != c->base->columns)
        return NEAR_ROWS + 1;
    for (long i = 0; i < h->rows && count <= NEAR_ROWS; i++) {
        const double *there = i == c->row ? c->other->values : c->base->values;
        if (memcmp(x->values + i * columns, there + i * columns, sizeof(double) * (size_t)columns) == 0)
            continue;
        *first = count++ == 0 ? i : *first;
        *last = i;
    }
    return count;
}

/* ---- chains ---- */

/* How many rows is the nearest earlier submission away from s, and which row is the last of them? */
static long find_nearest(const ll_history *h, long s, long *row)
{
    long nearest = NEAR_ROWS + 1;
    for (long other = 0; other < s; other++) {
        centre c = {.base = &h->items[other], .row = -1};
        long first = 0, last = 0, count = count_different(h, &c, &h->items[s], &first, &last);
        if (count < nearest) {
            nearest = count;
            *row = last;
        }
    }
    return nearest;
}

static void find_chain(ll_history_marks *out, const ll_history *h, unsigned char *touched)
{
    long near = 0, touched_rows = 0;
    for (long s = 1; s < h->count; s++) {
        long row = 0, nearest = find_nearest(h, s, &row);
        near += nearest <= NEAR_ROWS;
        out->is_step[s] = nearest == 1;
        out->steps += nearest == 1;
        touched_rows += nearest == 1 && !touched[row];
        touched[row] |= nearest == 1;
    }
    if (out->steps < LEAST_STEPS || 10 * out->steps < 9 * near || 10 * touched_rows < 9 * out->steps) {
        memset(out->is_step, 0, (size_t)h->count);
        out->steps = 0;
    }
}

/* ---- stars ---- */

/* The logarithm of a bound on the probability that of `near` independent numbers at least `ones` are 1 (Chernoff). */
static double log_chance(long ones, long near)
{
    double x = (double)ones / (double)near;
    if (x <= single_row)
        return 0;
    double rest = x < 1 ? (1 - x) * log((1 - x) / (1 - single_row)) : 0;
    return -(double)near * (x * log(x / single_row) + rest);
}

/* The two submissions behind the centre are near it by construction, so they do not count. */
static int is_star(const ll_history *h, long ones, long near, long touched_rows)
{
    return ones > 2 && 10 * touched_rows >= 9 * ones &&
           log(2. * (double)h->count) + log_chance(ones - 2, near - 2) <= log(most_chance);
}

/* Which submissions are one row away from the centre? */
static void try_centre(ll_history_marks *out, const ll_history *h, const centre *c, unsigned char *touched)
{
    long ones = 0, near = 0, touched_rows = 0, first = 0, last = 0;
    memset(touched, 0, (size_t)h->rows);
    for (long s = 0; s < h->count; s++) {
        long count = count_different(h, c, &h->items[s], &first, &last);
        near += count <= NEAR_ROWS;
        ones += count == 1;
        touched_rows += count == 1 && !touched[last];
        touched[last] |= count == 1;
    }
    for (long s = 0; s < h->count && is_star(h, ones, near, touched_rows); s++) {
        int is_new = !out->is_step[s] && count_different(h, c, &h->items[s], &first, &last) == 1;
        out->is_step[s] |= (unsigned char)is_new;
        out->steps += is_new;
    }
}

/* The centres between s and one earlier submission that is two rows away, if no star has s yet. */
static void try_pair(ll_history_marks *out, const ll_history *h, long s, unsigned char *touched)
{
    for (long other = 0; other < s && !out->is_step[s]; other++) {
        long first = 0, last = 0;
        centre c = {.base = &h->items[other], .other = &h->items[s], .row = -1};
        if (count_different(h, &c, &h->items[s], &first, &last) != 2)
            continue;
        c.row = first;
        try_centre(out, h, &c, touched);
        c.row = last;
        try_centre(out, h, &c, touched);
        return;
    }
}

ll_status ll_history_find_steps(ll_history_marks *out, const ll_history *h)
{
    unsigned char *touched = calloc((size_t)h->rows, 1);
    if (touched == NULL)
        return LL_MEMORY;
    find_chain(out, h, touched);
    for (long s = 1; s < h->count; s++)
        try_pair(out, h, s, touched);
    free(touched);
    return LL_OK;
}

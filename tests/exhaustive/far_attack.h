/* An attack that knows nothing of codes: a few rows are predicted with numbers of any size, and the answer is compared
 * with what a curator of one's own, without noise and rounding, says for every labelling of these rows. Whatever labels
 * do to the number, by the metric or by the rounding of floats, it sees. */
#ifndef LL_TESTS_FAR_ATTACK_H
#define LL_TESTS_FAR_ATTACK_H

#include "../unit/curator_tools.h"
#include "worlds.h"

#include <math.h>

enum { FAR_ROWS = 64, FAR_CLASSES = 4, FAR_TRIED = 16, FAR_CARRY = 2 };

typedef struct {
    const ll_scorer *scorer;
    long rows, classes, queries, columns;
    long guess;       /* the likeliest class */
    double low, high; /* where predictions are honest */
} far_world;

/* ---- predictions: x[row in block] of so many, and one of another row ---- */

typedef struct {
    const char *name;
    long most; /* rows a block */
    void (*set)(double *x, double *other, long count, double size);
} far_kind;

/* Each row weighs more than all before it. */
static inline void far_powers(double *x, double *other, long count, double size)
{
    (void)other;
    for (long i = 0; i < count; i++)
        x[i] = ldexp(size, (int)(2 * i));
}

static inline void far_below(double *x, double *other, long count, double size)
{
    far_powers(x, other, count, size);
    for (long i = 0; i < count; i++)
        x[i] = -x[i];
}

/* Next to half a unit in the last place of a large term: a label decides how the sum is rounded. A tie stays, as the
 * large term is even. */
static inline void far_carry(double *x, double *other, long count, double size)
{
    (void)count;
    *other = ldexp(1, 53 + ilogb(size));
    x[0] = ldexp(1, ilogb(size)) + 1;
}

/* The same where terms are squares. */
static inline void far_square_carry(double *x, double *other, long count, double size)
{
    (void)count;
    int half = ilogb(size) / 2;
    *other = ldexp(M_SQRT2, half + 26);
    x[0] = ldexp(1, half) + 0.25;
}

static const far_kind far_kinds[] = {
    {"far predictions", 4, far_powers},
    {"far predictions below", 4, far_below},
    [FAR_CARRY] = {"a carry", 1, far_carry},
    {"a carry of squares", 1, far_square_carry},
};

/* ---- one block ---- */

typedef struct {
    long first, count, tried; /* rows; labellings of them */
    double entries[FAR_ROWS * FAR_CLASSES];
    double numbers[FAR_TRIED]; /* [labelling] */
} far_block;

static inline void far_write(const far_world *w, double *row, double x)
{
    for (long c = 0; c < w->columns; c++)
        row[c] = w->columns == 1 ? x : x * (double)c;
}

static inline void far_predict(const far_world *w, far_block *b, const far_kind *kind, double size)
{
    double x[FAR_ROWS], middle = w->columns == 1 ? (w->low + w->high) / 2 : 0, other = middle;
    kind->set(x, &other, b->count, size);
    for (long i = 0; i < w->rows; i++)
        far_write(w, b->entries + i * w->columns, middle);
    far_write(w, b->entries + (b->first + b->count) % w->rows * w->columns, other);
    for (long i = 0; i < b->count; i++)
        far_write(w, b->entries + (b->first + i) * w->columns, x[i]);
}

/* The number of these predictions; NAN where there is none. */
static inline double far_number(const ll_scorer *scorer, ll_curator *curator, const far_world *w, far_block *b,
                                const int32_t *labels)
{
    table t;
    ll_score score;
    ll_error error = {0};
    ll_curator *own = NULL;
    double number = (double)NAN;
    table_set(&t, b->entries, w->rows, w->columns, LL_ENTRIES_DOUBLE);
    ll_score_init(&score);
    if (curator == NULL)
        assert_int_equal(ll_curator_create(&own, scorer, labels, w->rows, &error), LL_OK);
    if (ll_curator_score(curator ? curator : own, &score, &t.source, &error) == LL_OK)
        number = strtod(score.text, NULL);
    ll_score_clear(&score);
    ll_curator_destroy(own);
    return number;
}

/* What every labelling of the block would show, the others being mixed. */
static inline void far_expect(const far_world *w, far_block *b, const ll_scorer *plain)
{
    int32_t labels[FAR_ROWS];
    b->tried = world_power(w->classes, b->count);
    for (long l = 0; l < b->tried; l++) {
        for (long i = 0; i < w->rows; i++)
            labels[i] = (int32_t)(i % w->classes);
        world_labelling(labels + b->first, l, b->count, w->classes);
        b->numbers[l] = far_number(plain, NULL, w, b, labels);
    }
}

/* The labelling that is nearest; a submission that fails where some would not is one of those that do. */
static inline long far_read(const far_block *b, double answer)
{
    long best = -1;
    for (long l = 0; l < b->tried; l++) {
        int same = isnan(answer) == isnan(b->numbers[l]);
        if (same && (best < 0 || fabs(answer - b->numbers[l]) < fabs(answer - b->numbers[best])))
            best = l;
    }
    return best;
}

/* ---- all blocks ---- */

typedef struct {
    long count;
    far_block blocks[FAR_ROWS];
} far_plan;

/* Blocks of at most FAR_TRIED labellings, one a query. */
static inline void far_make(const far_world *w, far_plan *plan, const far_kind *kind, double size)
{
    ll_scorer *plain = vary_scorer(w->scorer, "noise=none; decimals=none; digits=none; truncate=no");
    long each = kind->most;
    while (world_power(w->classes, each) > FAR_TRIED)
        each--;
    plan->count = 0;
    for (long first = 0; first < w->rows && plan->count < w->queries; first += each) {
        far_block *b = &plan->blocks[plan->count++];
        b->first = first;
        b->count = first + each <= w->rows ? each : w->rows - first;
        far_predict(w, b, kind, size);
        far_expect(w, b, plain);
    }
    ll_scorer_destroy(plain);
}

/* The share of right labels, those that are not read guessed. */
static inline double far_run(const far_world *w, far_plan *plan, const int32_t *truth)
{
    int32_t said[FAR_ROWS];
    ll_curator *curator;
    ll_error error = {0};
    double right = 0;
    for (long i = 0; i < w->rows; i++)
        said[i] = (int32_t)w->guess;
    assert_int_equal(ll_curator_create(&curator, w->scorer, truth, w->rows, &error), LL_OK);
    for (long i = 0; i < plan->count; i++) {
        far_block *b = &plan->blocks[i];
        long read = far_read(b, far_number(NULL, curator, w, b, NULL));
        if (read >= 0)
            world_labelling(said + b->first, read, b->count, w->classes);
    }
    ll_curator_destroy(curator);
    for (long i = 0; i < w->rows; i++)
        right += said[i] == truth[i];
    return right / (double)w->rows;
}

#endif

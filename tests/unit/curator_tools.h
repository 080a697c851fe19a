/* What the tests of the curator share: predictions out of arrays, and one score in one call. */
#ifndef LL_TEST_CURATOR_TOOLS_H
#define LL_TEST_CURATOR_TOOLS_H

#include "curator/curator.h"
#include "number/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328, drawn;
static long multiplier = 1;

static inline void read_environment(const char *name)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    if (text)
        seed = strtoull(text, NULL, 0);
    if (times)
        multiplier = atol(times) > 0 ? atol(times) : 1;
    printf("%s: seed %llu\n", name, (unsigned long long)seed);
}

static inline long below(long n)
{
    return (long)ll_random_below(seed, 0, drawn++, (uint64_t)n);
}

static inline double uniform(void)
{
    return ll_random_uniform(seed, 1, drawn++);
}

/* A probability, often at a corner. */
static inline double probability(void)
{
    static const double corners[] = {0,     1,     5e-324, 1 - 0x1p-53, 0x1p-52, 1 - 0x1p-52, 1e-15,
                                     1e-16, 1e-17, 1e-300, 1e-7,        0.5,     0x1p-24,     1 - 0x1p-24};
    return below(3) ? uniform() : corners[below((long)(sizeof corners / sizeof *corners))];
}

typedef struct {
    ll_predictions source;
    const double *doubles;
    const float *floats;
    long columns;
    int counts; /* blocks given */
} table;

static inline ll_status table_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    table *t = self;
    (void)error;
    ++t->counts;
    out->rows = count;
    out->columns = t->columns;
    out->entries = t->source.entries;
    out->doubles = t->doubles ? t->doubles + first * t->columns : NULL;
    out->floats = t->floats ? t->floats + first * t->columns : NULL;
    if (t->source.entries != LL_ENTRIES_EXACT)
        return LL_OK;
    ll_exact *numbers = ll_block_reserve_exacts(out, count, t->columns);
    for (long i = 0; numbers && i < count * t->columns; ++i)
        ll_exact_set_d(&numbers[i], t->doubles[first * t->columns + i]);
    return numbers ? LL_OK : LL_MEMORY;
}

static inline void table_where(void *self, char *text, size_t size, long row)
{
    (void)self;
    (void)snprintf(text, size, "sub.csv:%ld", row + 2);
}

static inline void table_set(table *t, const double *x, long rows, long columns, ll_entries entries)
{
    *t = (table){.doubles = x, .columns = columns};
    t->source = (ll_predictions){.self = t, .rows = rows, .columns = columns, .entries = entries, .get = table_get};
}

static inline ll_status score_table(ll_score *out, const ll_scorer *scorer, const int32_t *labels, table *t,
                                    ll_error *error)
{
    ll_curator *curator;
    ll_status status = ll_curator_create(&curator, scorer, labels, t->source.rows, error);
    if (status != LL_OK)
        return status;
    status = ll_curator_score(curator, out, &t->source, error);
    ll_curator_destroy(curator);
    return status;
}

static inline ll_status score_doubles(ll_score *out, const ll_scorer *scorer, const int32_t *labels, const double *x,
                                      long rows, long columns, ll_error *error)
{
    table t;
    table_set(&t, x, rows, columns, LL_ENTRIES_DOUBLE);
    return score_table(out, scorer, labels, &t, error);
}

/* -1, 0, 1: decimal texts compared as exact numbers. */
static inline int compare_texts(const char *a, const char *b)
{
    ll_exact x, y;
    ll_exact_init(&x);
    ll_exact_init(&y);
    assert_int_equal(ll_exact_set_text(&x, a, strlen(a)), LL_OK);
    assert_int_equal(ll_exact_set_text(&y, b, strlen(b)), LL_OK);
    int side = ll_exact_cmp(&x, &y);
    ll_exact_clear(&x);
    ll_exact_clear(&y);
    return side;
}

static inline int is_inside(const char *text, const ll_score *score)
{
    return compare_texts(score->lower, text) <= 0 && compare_texts(text, score->upper) <= 0;
}

#endif

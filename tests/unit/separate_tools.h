/* What the tests of separate share: every labelling scored by a curator, predictions as texts, one call. */
#ifndef LL_TEST_SEPARATE_TOOLS_H
#define LL_TEST_SEPARATE_TOOLS_H

#include "curator_tools.h"
#include "scorer_tools.h"
#include "separate/separate_private.h"

#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

enum { MOST_ROWS = 10, MOST_LABELLINGS = 4096 };

/* ---- brute force ---- */

typedef struct {
    long count;
    ll_score scores[MOST_LABELLINGS];
    int is_exact;
} brute;

static brute reference __attribute__((unused));

static inline void unpack(int32_t *labels, long n, long rows, long classes)
{
    for (long i = 0; i < rows; i++, n /= classes)
        labels[i] = (int32_t)(n % classes);
}

static inline long power(long base, long exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Bits of an exact score; a root costs half of those below it. */
static inline long exact_bits(const ll_scorer *scorer)
{
    return ll_release_is_linear(&scorer->release) ? 200 : 110;
}

static inline ll_status score_all(brute *b, const ll_scorer *given, const double *x, long rows, long classes,
                                  long columns)
{
    ll_error error;
    int32_t labels[MOST_ROWS];
    b->is_exact = given->computation.kind == LL_KIND_EXACT;
    ll_scorer *scorer = b->is_exact ? vary_scorer(given, "classes=%ld; precision=%ld", classes, exact_bits(given))
                                    : vary_scorer(given, "classes=%ld", classes);
    ll_status status = LL_OK;
    b->count = power(classes, rows);
    for (long n = 0; n < b->count; n++) {
        ll_score_init(&b->scores[n]);
        unpack(labels, n, rows, classes);
        table t;
        table_set(&t, x, rows, columns, b->is_exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        status = score_table(&b->scores[n], scorer, labels, &t, &error);
        if (status != LL_OK)
            b->count = n;
    }
    ll_scorer_destroy(scorer);
    return status;
}

static inline void forget(brute *b)
{
    for (long n = 0; n < b->count; n++)
        ll_score_clear(&b->scores[n]);
    b->count = 0;
}

static inline ll_status separate(ll_separation *out, const ll_scorer *scorer, const double *x, long rows, long columns,
                                 int exact, ll_error *error)
{
    table t;
    table_set(&t, x, rows, columns, exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
    return ll_separate(out, scorer, &t.source, NULL, error);
}

/* ---- predictions as texts ---- */

typedef struct {
    const char *loss;
    const char *mode;
    const char *clip;
    long rows, columns;
    const char *entries[6];
    int32_t first[5], second[5];
    const char *offset;
    ll_truth zero;
} zero_case;

static inline ll_status get_texts(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const zero_case *c = self;
    (void)error;
    ll_exact *array = ll_block_reserve_exacts(out, count, c->columns);
    for (long i = 0; i < count * c->columns; i++) {
        const char *text = c->entries[first * c->columns + i];
        assert_int_equal(ll_exact_read(array, i, text, strlen(text)), LL_OK);
    }
    return LL_OK;
}

static inline void random_rows(double *x, long rows)
{
    for (long i = 0; i < rows; i++)
        x[i] = uniform();
}

#endif

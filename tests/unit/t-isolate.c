/* Combinations of scores against every labelling of small worlds: no label that some labelling that fits has is
 * excluded, and nothing is said to fit nothing unless that is so. Weights are multiples of a unit, exactly or nearly,
 * signs, large, or anything; tolerances hold one integer number of units, or two, or many. Then larger worlds that nobody
 * could go through, of which all labels must be found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "search/isolate.h"
#include "search/linear_forms.h"

enum { ROWS = 9, CLASSES = 3, LARGE_ROWS = 96 };

static uint64_t seed = 20220328, at;
static long multiplier = 1;

static long below(long n)
{
    return (long)ll_random_below(seed, 0, at++, (uint64_t)n);
}

/* ---- small worlds ---- */

typedef struct {
    ll_linear system;
    int32_t truth[LARGE_ROWS];
} world;

/* One score whose weights are count * unit + an error, its target that of the truth, moved. */
static void draw_score(world *w, long q, long kind)
{
    ll_linear *s = &w->system;
    long unit = kind == 0 || kind == 3 ? 1 : 1000 + below(100000),
         most = kind == 1 ? 1 : 1 + below(kind == 3 ? 1L << 40 : 60);
    long off = kind == 2 ? below(8) : 0;
    fmpz *target = s->targets + q;
    for (long i = 0; i < s->rows; i++)
        for (long k = 0; k < s->classes; k++) {
            long count = kind == 1 && s->classes == 2 ? (k > 0 ? 1 - 2 * below(2) : 0) : below(2 * most + 1) - most;
            fmpz_set_si(ll_linear_weight(s, q, i, k), count * unit + below(2 * off + 1) - off);
        }
    for (long i = 0; i < s->rows; i++)
        fmpz_add(target, target, ll_linear_weight(s, q, i, w->truth[i]));
    long near = unit / 2 + below(unit / 2 + 1) - below(2) * unit / 4;
    long tolerance = kind == 3 ? 0 : kind == 0 ? below(6) : below(5) == 0 ? below(4 * unit) : near;
    fmpz_set_si(s->tolerances + q, tolerance);
    fmpz_add_si(target, target, below(2 * tolerance + 1) - tolerance);
    if (below(40) == 0)
        fmpz_add_si(target, target, below(8 * unit));
}

static void draw(world *w, long rows, long classes, long scores)
{
    assert_int_equal(ll_linear_init(&w->system, rows, classes, scores), LL_OK);
    for (long i = 0; i < rows; i++) {
        w->truth[i] = (int32_t)below(classes);
        for (long k = 0; k < classes; k++)
            w->system.allowed[i * classes + k] = k == w->truth[i] || below(9) > 0;
    }
    for (long q = 0, kind = below(5); q < scores; q++)
        draw_score(w, q, kind < 4 ? kind : below(4));
}

/* possible: what labellings that fit have. */
static long count_all(const ll_linear *s, unsigned char *possible)
{
    int32_t labels[ROWS] = {0};
    long count = 0, i = 0;
    memset(possible, 0, (size_t)(s->rows * s->classes));
    do {
        if (ll_linear_fits(s, labels)) {
            count++;
            for (i = 0; i < s->rows; i++)
                possible[i * s->classes + labels[i]] = 1;
        }
        for (i = 0; i < s->rows && ++labels[i] == s->classes; i++)
            labels[i] = 0;
    } while (i < s->rows);
    return count;
}

static void test_small(void **state)
{
    long excluded = 0, right = 0, none = 0;
    (void)state;
    for (long run = 0; run < 9000 * multiplier; run++) {
        world w;
        unsigned char possible[ROWS * CLASSES], all[ROWS * CLASSES];
        int fits;
        long classes = 2 + (below(4) == 0);
        draw(&w, 2 + below(classes == 2 ? ROWS - 1 : 5), classes, 1 + below(6));
        memcpy(possible, w.system.allowed, (size_t)(w.system.rows * classes));
        assert_int_equal(ll_linear_isolate(&w.system, possible, &fits, 60), LL_OK);
        long count = count_all(&w.system, all);
        assert_true(fits || count == 0);
        none += !fits;
        for (long i = 0; i < w.system.rows * classes; i++) {
            assert_true(possible[i] >= all[i]);
            right += w.system.allowed[i] && !all[i];
            excluded += w.system.allowed[i] && !possible[i];
        }
        ll_linear_clear(&w.system);
    }
    printf("%ld of %ld labels that no labelling has were excluded, nothing fitted %ld times\n", excluded, right, none);
    assert_true(excluded > right / 2 && none > 0);
}

/* ---- larger ones ---- */

/* Lindstroem's weighing: in query j a row of mask i and value v weighs its share of v over the submasks of i. */
static int64_t share(long query, long mask, int64_t v)
{
    long ones = __builtin_popcountl((unsigned long)mask), rank = 0, bit = 1;
    for (long b = 0; b < 8; b++)
        if (mask >> b & 1) {
            rank += query >> b & 1 ? bit : 0;
            bit *= 2;
        }
    int64_t part = v / bit + (rank < v % bit);
    return (ones - __builtin_popcountl((unsigned long)(query & mask))) % 2 == 0 ? part : -part;
}

static void test_designed(void **state)
{
    enum { QUERIES = 16, UNIT = 1000003 };
    (void)state;
    for (int wide = 0; wide < 2; wide++) { /* intervals that may hold just one integer, and wider ones */
        world w;
        unsigned char possible[2 * LARGE_ROWS];
        int fits;
        long row = 0;
        assert_int_equal(ll_linear_init(&w.system, LARGE_ROWS, 2, QUERIES), LL_OK);
        for (long mask = 0; mask < QUERIES; mask++)
            for (long t = 0; t < 6; t++, row++) {
                w.truth[row] = (int32_t)below(2);
                for (long q = 0; q < QUERIES; q++)
                    fmpz_set_si(ll_linear_weight(&w.system, q, row, 1), UNIT * share(q, mask, 1 << t) + below(9) - 4);
            }
        for (long q = 0; q < QUERIES; q++) {
            for (long i = 0; i < LARGE_ROWS; i++)
                fmpz_add(w.system.targets + q, w.system.targets + q, ll_linear_weight(&w.system, q, i, w.truth[i]));
            fmpz_set_si(w.system.tolerances + q, wide ? UNIT / 2 - 1000 : UNIT / 3);
        }
        memset(possible, 1, sizeof possible);
        assert_int_equal(ll_linear_isolate(&w.system, possible, &fits, 60), LL_OK);
        assert_true(fits);
        for (long i = 0; i < LARGE_ROWS; i++) {
            assert_true(possible[2 * i + w.truth[i]]);
            assert_false(possible[2 * i + 1 - w.truth[i]]);
        }
        ll_linear_clear(&w.system);
    }
}

/* A unit is found of large numbers that are close together, and of weights by powers of two. */
static void test_units(void **state)
{
    long found = 0;
    (void)state;
    for (long run = 0; run < 40 * multiplier; run++) {
        world w;
        unsigned char possible[2 * 60];
        ll_forms forms;
        long unit = 1L << 20 | (below(1 << 20) + 1), kind = run % 2;
        assert_int_equal(ll_linear_init(&w.system, 60, 2, 1), LL_OK);
        for (long i = 0; i < 60; i++) {
            fmpz *weight = ll_linear_weight(&w.system, 0, i, 1);
            fmpz_set_si(weight, kind ? 1L << (i % 40) : (1L << 38) + below(1L << 38));
            fmpz_mul_si(weight, weight, unit);
            fmpz_add_si(weight, weight, below(unit / 20000) - unit / 40000);
        }
        fmpz_set_si(w.system.tolerances, unit * 2 / 5);
        memset(possible, 1, sizeof possible);
        assert_int_equal(ll_forms_init(&forms, &w.system, possible), LL_OK);
        found += forms.is_whole[0];
        ll_forms_clear(&forms);
        ll_linear_clear(&w.system);
    }
    assert_true(found >= 38 * multiplier); /* nothing promises it */
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times && atol(times) > 0 ? atol(times) : 1;
    printf("t-isolate: seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_designed),
                                       cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

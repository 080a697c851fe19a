/* Lattice reduction and enumeration, linear algebra, LabelInf and meet in the middle on the same equations: where the
 * enumeration ends, its set must be the very set that meet in the middle finds (t-meet.c holds that against a plain
 * recursion). Enumeration alone against all integer vectors of a small box. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "search/lattice_private.h"

static uint64_t seed(void)
{
    const char *text = getenv("LL_TEST_SEED");
    return text != NULL ? strtoull(text, NULL, 0) : 20220328;
}

static uint64_t multiplier(void)
{
    const char *text = getenv("LL_TEST_MULTIPLIER");
    return text != NULL ? strtoull(text, NULL, 0) : 1;
}

static uint64_t below(uint64_t round, uint64_t *at, uint64_t n)
{
    return ll_random_below(seed(), round, (*at)++, n);
}

/* ---- worlds ---- */

/* Weights of `bits` bits, tolerance 2^loose; every fifth row a copy, now and then a label that is not allowed. The
 * target is that of `truth`, moved within the tolerance. */
static void draw(ll_linear *s, int32_t *truth, uint64_t round, long rows, long classes, long scores, int bits,
                 int loose)
{
    uint64_t at = 0;
    assert_int_equal(ll_linear_init(s, rows, classes, scores), LL_OK);
    for (long i = 0; i < rows; i++) {
        long copy = i > 0 && below(round, &at, 5) == 0 ? (long)below(round, &at, (uint64_t)i) : -1;
        truth[i] = (int32_t)below(round, &at, (uint64_t)classes);
        for (long k = 0; k < classes; k++)
            for (long q = 0; q < scores; q++) {
                fmpz *w = ll_linear_weight(s, q, i, k);
                fmpz_set_ui(w, below(round, &at, 1UL << bits));
                if (copy >= 0)
                    fmpz_set(w, ll_linear_weight(s, q, copy, k));
            }
        for (long k = 0; k < classes; k++) {
            unsigned char *allowed = s->allowed + i * classes + k;
            *allowed = k == truth[i] || below(round, &at, 10) > 0;
            if (copy >= 0) /* a copy may have what its original may */
                *allowed |= s->allowed[copy * classes + k];
        }
    }
    for (long q = 0; q < scores; q++) {
        fmpz_set_ui(s->tolerances + q, 1UL << loose);
        fmpz_set_si(s->targets + q, (slong)below(round, &at, (2UL << loose) + 1) - (1L << loose));
        for (long i = 0; i < rows; i++)
            fmpz_add(s->targets + q, s->targets + q, ll_linear_weight(s, q, i, truth[i]));
    }
}

static int contains(const ll_search_set *set, const int32_t *labels)
{
    for (long i = 0; i < set->kept; i++)
        if (memcmp(set->labellings + i * set->rows, labels, sizeof *labels * (size_t)set->rows) == 0)
            return 1;
    return 0;
}

/* One set is the other. Both list patterns; for the exhaustive search every arrangement is one. */
static void same_set(const ll_search_set *a, const ll_search_set *b)
{
    assert_true(fmpz_equal(a->count, b->count));
    assert_memory_equal(a->possible, b->possible, (size_t)a->rows * (size_t)a->classes);
    for (long i = 0; i < a->kept; i++)
        assert_true(contains(b, a->labellings + i * a->rows));
}

typedef struct {
    ll_search_set meet, lattice, all;
} sets;

static void sets_init(sets *s, long rows, long classes, long limit)
{
    assert_int_equal(ll_search_set_init(&s->meet, rows, classes, limit), LL_OK);
    assert_int_equal(ll_search_set_init(&s->lattice, rows, classes, limit), LL_OK);
    assert_int_equal(ll_search_set_init(&s->all, rows, classes, limit), LL_OK);
}

static void sets_clear(sets *s)
{
    ll_search_set_clear(&s->meet);
    ll_search_set_clear(&s->lattice);
    ll_search_set_clear(&s->all);
}

static void sets_agree(void **state)
{
    (void)state;
    long proofs = 0, several = 0, rounds = 120 * (long)multiplier();
    for (long round = 0; round < rounds; round++) {
        enum { LIMIT = 20000 };
        ll_linear s;
        sets found;
        int32_t truth[32];
        ll_error error = {0};
        int proved = 0;
        long classes = 2 + round % 2, rows = 2 + round % (classes == 2 ? 15 : 7), scores = 1 + round % 3;
        int bits = 8 + (int)(round % 30);
        draw(&s, truth, (uint64_t)round, rows, classes, scores, bits,
             bits - 2 - (int)(round % 11 < bits - 2 ? round % 11 : 6));
        sets_init(&found, rows, classes, LIMIT);
        assert_int_equal(ll_search_meet(&found.meet, &s, LIMIT, 1e9, 60, 1, -1, &error), LL_OK);
        assert_int_equal(ll_search_lattice(&found.lattice, &proved, &s, LIMIT, LL_LATTICE_PASSES, 60, &error), LL_OK);
        assert_int_equal(ll_search_all(&found.all, &s, LIMIT, 60, 1, &error), LL_OK);
        assert_true(fmpz_sgn(found.meet.count) > 0);
        same_set(&found.meet, &found.all);
        assert_true(contains(&found.all, truth));
        if (proved)
            same_set(&found.lattice, &found.meet);
        proofs += proved;
        several += found.meet.kept > 1;
        sets_clear(&found);
        ll_linear_clear(&s);
    }
    assert_true(proofs > rounds * 9 / 10);
    assert_true(several > rounds / 5);
}

/* A target that nothing reaches: proved empty. */
static void proves_none(void **state)
{
    (void)state;
    for (uint64_t round = 1000; round < 1010; round++) {
        ll_linear s;
        ll_search_set set;
        int32_t truth[40];
        ll_error error;
        int proved = 0;
        draw(&s, truth, round, 40, 2, 4, 40, 3);
        fmpz_add_ui(s.targets, s.targets, 100);
        assert_int_equal(ll_search_set_init(&set, 40, 2, 10), LL_OK);
        assert_int_equal(ll_search_lattice(&set, &proved, &s, 10, LL_LATTICE_PASSES, 60, &error), LL_OK);
        assert_true(proved);
        assert_true(fmpz_is_zero(set.count));
        ll_search_set_clear(&set);
        ll_linear_clear(&s);
    }
}

/* 70 rows, 5 scores of 40 bits; 60 rows of 3 classes from 12: far beyond meeting in the middle. */
static void finds_many(void **state)
{
    (void)state;
    const long sizes[][3] = {{70, 2, 5}, {36, 3, 8}};
    for (int i = 0; i < 2; i++) {
        ll_linear s;
        ll_search_set set;
        int32_t truth[80];
        ll_error error;
        int proved = 0;
        draw(&s, truth, 2000 + (uint64_t)i, sizes[i][0], sizes[i][1], sizes[i][2], 46, 6);
        assert_int_equal(ll_search_set_init(&set, sizes[i][0], sizes[i][1], 10), LL_OK);
        assert_int_equal(ll_search_lattice(&set, &proved, &s, 10, LL_LATTICE_PASSES, 60, &error), LL_OK);
        assert_true(proved);
        assert_in_range(set.kept, 1, 8); /* copies whose allowed labels differ are no group, and may swap labels */
        for (long row = 0; row < sizes[i][0]; row++)
            assert_true(set.possible[row * sizes[i][1] + truth[row]]);
        assert_true(ll_linear_spurious_bits(&s) < -60);
        ll_search_set_clear(&set);
        ll_linear_clear(&s);
    }
}

/* Too few scores: what is found is not called proved, and finding nothing neither. */
static void hopeless_is_not_proved(void **state)
{
    (void)state;
    ll_linear s;
    ll_search_set set;
    int32_t truth[80];
    ll_error error;
    int proved = 0;
    draw(&s, truth, 3000, 60, 2, 1, 40, 3);
    assert_int_equal(ll_search_set_init(&set, 60, 2, 10), LL_OK);
    assert_int_equal(ll_search_lattice(&set, &proved, &s, 10, LL_LATTICE_PASSES, 1, &error), LL_OK);
    assert_false(proved);
    assert_true(ll_linear_spurious_bits(&s) > 10);
    ll_search_set_clear(&set);
    ll_linear_clear(&s);
}

static void over_budget(void **state)
{
    (void)state;
    ll_linear s;
    ll_search_set set;
    ll_error error = {0};
    int proved = 0;
    assert_int_equal(ll_linear_init(&s, 2000, 2, 2), LL_OK);
    assert_int_equal(ll_search_set_init(&set, 2000, 2, 10), LL_OK);
    assert_int_equal(ll_search_lattice(&set, &proved, &s, 10, LL_LATTICE_PASSES, 600, &error), LL_UNABLE);
    assert_non_null(strstr(error.text, "over the budget"));
    ll_search_set_clear(&set);
    ll_linear_clear(&s);
}

/* ---- linear algebra ---- */

/* As many scores as rows pin every label; with the target off by more than the tolerance some row is left without any,
 * or with labels that do not fit. */
static void solve_pins(void **state)
{
    (void)state;
    for (uint64_t round = 4000; round < 4030; round++) {
        ll_linear s;
        int32_t truth[16];
        unsigned char possible[48];
        ll_error error;
        int pinned = 0;
        long rows = 3 + (long)(round % 8), classes = 2 + (long)(round % 2);
        assert_int_equal(ll_linear_init(&s, rows, classes, rows * (classes - 1) + (long)(round % 3)), LL_OK);
        for (long i = 0; i < s.scores * rows * classes; i++)
            fmpz_set_ui(s.weights + i, ll_random_below(seed(), round, (uint64_t)i, 1UL << 40));
        for (long i = 0; i < rows; i++)
            truth[i] = (int32_t)ll_random_below(seed(), round, 5000 + (uint64_t)i, (uint64_t)classes);
        for (long q = 0; q < s.scores; q++) {
            fmpz_set_ui(s.tolerances + q, 1000);
            fmpz_set_si(s.targets + q, (slong)ll_random_below(seed(), round, 6000 + (uint64_t)q, 2001) - 1000);
            for (long i = 0; i < rows; i++)
                fmpz_add(s.targets + q, s.targets + q, ll_linear_weight(&s, q, i, truth[i]));
        }
        assert_int_equal(ll_linear_solve(&s, possible, &pinned, 60, &error), LL_OK);
        assert_true(pinned);
        for (long i = 0; i < rows; i++)
            for (long k = 0; k < classes; k++)
                assert_int_equal(possible[i * classes + k], k == truth[i]);
        ll_linear_clear(&s);
    }
}

/* Equations that depend on each other pin nothing that is open, and never forbid the truth. */
static void solve_never_lies(void **state)
{
    (void)state;
    for (uint64_t round = 5000; round < 5060; round++) {
        ll_linear s;
        int32_t truth[16];
        unsigned char possible[32];
        ll_error error;
        int pinned;
        long rows = 2 + (long)(round % 7);
        draw(&s, truth, round, rows, 2, rows + 1, 6, (int)(round % 8));
        assert_int_equal(ll_linear_solve(&s, possible, &pinned, 60, &error), LL_OK);
        for (long i = 0; i < rows; i++)
            assert_true(possible[i * 2 + truth[i]]);
        ll_linear_clear(&s);
    }
}

/* ---- enumeration ---- */

typedef struct {
    long visited;
    double mu[9], offsets[3], squares[3], bound;
} box;

static double norm_of(const box *b, const long *w)
{
    double sum = 0;
    for (long i = 0; i < 3; i++) {
        double x = b->offsets[i] - (double)w[i];
        for (long j = i + 1; j < 3; j++)
            x -= (double)w[j] * b->mu[j * 3 + i];
        sum += x * x * b->squares[i];
    }
    return sum;
}

static int count_visit(void *self, const long *w, double norm)
{
    box *b = self;
    assert_true(norm <= b->bound);
    b->visited += norm_of(b, w) <= b->bound * (1 - 1e-6);
    return 1;
}

static void enumeration_is_complete(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 200; round++) {
        box b = {.bound = 1 + ll_random_uniform(seed(), round, 1) * 30};
        for (int i = 0; i < 9; i++)
            b.mu[i] = 2 * ll_random_uniform(seed(), round, 10 + (uint64_t)i) - 1;
        for (int i = 0; i < 3; i++) {
            b.offsets[i] = ll_random_uniform(seed(), round, 20 + (uint64_t)i) - 0.5;
            b.squares[i] = 0.3 + 5 * ll_random_uniform(seed(), round, 30 + (uint64_t)i);
        }
        long expected = 0;
        for (long x = -40; x <= 40; x++)
            for (long y = -24; y <= 24; y++)
                for (long z = -12; z <= 12; z++)
                    expected += norm_of(&b, (long[]){x, y, z}) <= b.bound * (1 - 1e-6);
        ll_enumeration e = {.n = 3,
                            .mu = b.mu,
                            .offsets = b.offsets,
                            .squares = b.squares,
                            .bound = b.bound,
                            .slack = ll_enumerate_slack(3),
                            .nodes = 10000000,
                            .self = &b,
                            .visit = count_visit};
        assert_int_equal(ll_enumerate(&e), 1);
        assert_int_equal(b.visited, expected);
    }
}

/* ---- the model of spurious labellings ---- */

/* Uniform weights and a tolerance that lets some hundred labellings through: the model is within a factor of two of the
 * count, on average over targets. */
static void model_matches_counts(void **state)
{
    (void)state;
    for (long scores = 1; scores <= 2; scores++) {
        double expected = 0, counted = 0;
        for (uint64_t round = 6000; round < 6040; round++) {
            ll_linear s;
            ll_search_set set;
            int32_t truth[20];
            ll_error error;
            assert_int_equal(ll_linear_init(&s, 20, 2, scores), LL_OK);
            for (long i = 0; i < 20; i++) {
                truth[i] = (int32_t)ll_random_below(seed(), round, 900 + (uint64_t)i, 2);
                for (long q = 0; q < scores; q++) /* nearly parallel scores, as of one model in training */
                    fmpz_set_ui(ll_linear_weight(&s, q, i, 1),
                                (ll_random_below(seed(), round, (uint64_t)i, 1UL << 40) << (q == 1 ? 1 : 0)) +
                                    ll_random_below(seed(), round, 100 + (uint64_t)(q * 20 + i), 1UL << 36));
            }
            for (long q = 0; q < scores; q++) {
                fmpz_set_ui(s.tolerances + q, 1UL << (scores == 1 ? 28 : 31));
                for (long i = 0; i < 20; i++)
                    fmpz_add(s.targets + q, s.targets + q, ll_linear_weight(&s, q, i, truth[i]));
            }
            assert_int_equal(ll_search_set_init(&set, 20, 2, 1), LL_OK);
            assert_int_equal(ll_search_meet(&set, &s, 1, 1e9, 60, 1, -1, &error), LL_OK);
            counted += fmpz_get_d(set.count) - 1;
            expected += exp2(ll_linear_spurious_bits(&s));
            ll_search_set_clear(&set);
            ll_linear_clear(&s);
        }
        assert_true(counted > 100);
        assert_true(expected > counted / 2 && expected < counted * 2);
    }
}

int main(void)
{
    printf("seed %llu\n", (unsigned long long)seed());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_agree),           cmocka_unit_test(proves_none),
        cmocka_unit_test(finds_many),           cmocka_unit_test(hopeless_is_not_proved),
        cmocka_unit_test(over_budget),          cmocka_unit_test(solve_pins),
        cmocka_unit_test(solve_never_lies),     cmocka_unit_test(enumeration_is_complete),
        cmocka_unit_test(model_matches_counts),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

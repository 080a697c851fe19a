/* Meet in the middle, lists and heaps, against a plain recursion over all labellings that shares nothing with it:
 * counts, lists, and which labels are possible. Weights are drawn so that ties, equal rows and sums just on the border
 * of the tolerance are common; big ones, so that they must be rounded to 64 bits and the margin decided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "search/meet.h"

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

/* ---- the slow way: 128-bit integers, every labelling ---- */

typedef __int128 wide;

typedef struct {
    long rows, classes, scores;
    wide weights[3][16][4], targets[3], tolerances[3];
    unsigned char allowed[16][4];
    long count;
    unsigned char possible[16][4];
    int32_t labels[16];
} world;

static int slow_fits(const world *w)
{
    for (long q = 0; q < w->scores; q++) {
        wide sum = -w->targets[q];
        for (long i = 0; i < w->rows; i++)
            sum += w->weights[q][i][w->labels[i]];
        if (sum > w->tolerances[q] || -sum > w->tolerances[q])
            return 0;
    }
    return 1;
}

static void slow_search(world *w, long row)
{
    if (row == w->rows) {
        if (!slow_fits(w))
            return;
        w->count++;
        for (long i = 0; i < w->rows; i++)
            w->possible[i][w->labels[i]] = 1;
        return;
    }
    for (int32_t k = 0; k < w->classes; k++) {
        w->labels[row] = k;
        if (w->allowed[row][k])
            slow_search(w, row + 1);
    }
}

/* ---- worlds ---- */

static uint64_t below(uint64_t round, uint64_t *at, uint64_t n)
{
    return ll_random_below(seed(), round, (*at)++, n);
}

/* size: bits of a weight. Every third row is a copy of an earlier one; the target is the sum of some labelling, moved
 * to the border of the tolerance now and then. */
static void draw(world *w, uint64_t round, int bits)
{
    uint64_t at = 0;
    memset(w, 0, sizeof *w);
    w->classes = 2 + (long)(round % 3);
    w->rows = 1 + (long)below(round, &at, w->classes == 2 ? 13 : w->classes == 3 ? 8 : 6);
    w->scores = 1 + (long)below(round, &at, 3);
    for (long i = 0; i < w->rows; i++) {
        long copy = i > 0 && below(round, &at, 3) == 0 ? (long)below(round, &at, (uint64_t)i) : -1;
        for (long k = 0; k < w->classes; k++) {
            w->allowed[i][k] = copy >= 0 ? w->allowed[copy][k] : (unsigned char)(k == 0 || below(round, &at, 8) > 0);
            for (long q = 0; q < w->scores; q++) {
                wide x = (wide)below(round, &at, 41) - 20;
                if (bits > 20)
                    x = x * ((wide)1 << (bits - 6)) + (wide)below(round, &at, 7) - 3;
                w->weights[q][i][k] = copy >= 0 ? w->weights[q][copy][k] : x;
            }
        }
    }
    for (long q = 0; q < w->scores; q++) {
        w->tolerances[q] = (wide)below(round, &at, 9);
        if (bits > 20 && below(round, &at, 2))
            w->tolerances[q] = ((wide)below(round, &at, 5) << (bits - 6)) + (wide)below(round, &at, 5);
        for (long i = 0; i < w->rows; i++)
            w->targets[q] += w->weights[q][i][0];
        w->targets[q] += ((wide)below(round, &at, 5) - 2) * w->tolerances[q] / 2 + (wide)below(round, &at, 3) - 1;
    }
}

static void set_wide(fmpz_t out, wide x)
{
    fmpz_set_si(out, (slong)(x >> 62));
    fmpz_mul_2exp(out, out, 62);
    fmpz_add_ui(out, out, (ulong)(x & (((wide)1 << 62) - 1)));
}

static void make_system(ll_linear *s, const world *w)
{
    assert_int_equal(ll_linear_init(s, w->rows, w->classes, w->scores), LL_OK);
    for (long q = 0; q < w->scores; q++) {
        set_wide(s->targets + q, w->targets[q]);
        set_wide(s->tolerances + q, w->tolerances[q]);
        for (long i = 0; i < w->rows; i++)
            for (long k = 0; k < w->classes; k++)
                set_wide(ll_linear_weight(s, q, i, k), w->weights[q][i][k]);
    }
    for (long i = 0; i < w->rows; i++)
        memcpy(s->allowed + i * w->classes, w->allowed[i], (size_t)w->classes);
}

/* ---- comparing ---- */

static void check_listed(const ll_search_set *set, const ll_linear *s, const world *w)
{
    fmpz_t sum;
    fmpz_init(sum);
    for (long i = 0; i < set->kept; i++) {
        assert_true(ll_linear_fits(s, set->labellings + i * w->rows));
        fmpz_add(sum, sum, set->arrangements + i);
        for (long j = 0; j < i; j++)
            assert_memory_not_equal(set->labellings + i * w->rows, set->labellings + j * w->rows,
                                    sizeof(int32_t) * (size_t)w->rows);
    }
    if (set->complete)
        assert_true(fmpz_equal(sum, set->count));
    fmpz_clear(sum);
}

static void check_world(world *w, long limit, int threads, int lists)
{
    ll_linear s;
    ll_search_set set;
    ll_error error;
    make_system(&s, w);
    assert_int_equal(ll_search_set_init(&set, w->rows, w->classes, limit), LL_OK);
    assert_int_equal(ll_search_meet(&set, &s, limit, 1e9, 60, threads, lists, &error), LL_OK);
    assert_true(fmpz_equal_si(set.count, w->count));
    for (long i = 0; i < w->rows; i++)
        assert_memory_equal(set.possible + i * w->classes, w->possible[i], (size_t)w->classes);
    check_listed(&set, &s, w);
    if (limit >= 10000)
        assert_true(set.complete);
    ll_search_set_clear(&set);
    ll_linear_clear(&s);
}

static void agrees(int bits, uint64_t rounds)
{
    long found = 0;
    for (uint64_t round = 0; round < rounds * multiplier(); round++) {
        world w;
        draw(&w, round + (uint64_t)bits * 100000, bits);
        slow_search(&w, 0);
        found += w.count > 0;
        check_world(&w, round % 4 == 0 ? 2 : 10000, 1 + (int)(round % 3), (int)(round / 2 % 2));
    }
    assert_true(found > (long)rounds / 3);
}

static void small_weights(void **state)
{
    (void)state;
    agrees(6, 300);
}

/* 90-bit weights whose low bits decide: 64 bits cannot tell, the exact sums must. */
static void margin_is_decided(void **state)
{
    (void)state;
    agrees(90, 300);
}

/* Half of 40 rows have one weight, half another: C(20,a) C(20,b), far too many to list. */
static void equal_rows_are_counted(void **state)
{
    (void)state;
    ll_linear s;
    ll_search_set set;
    ll_error error;
    assert_int_equal(ll_linear_init(&s, 40, 2, 1), LL_OK);
    for (long i = 0; i < 40; i++)
        fmpz_set_si(ll_linear_weight(&s, 0, i, 1), i % 2 ? 100 : 7);
    fmpz_set_si(s.targets, 9 * 100 + 4 * 7);
    assert_int_equal(ll_search_set_init(&set, 40, 2, 10), LL_OK);
    assert_int_equal(ll_search_meet(&set, &s, 10, 1e9, 60, 2, -1, &error), LL_OK);
    fmpz_t a, b;
    fmpz_init(a);
    fmpz_init(b);
    fmpz_bin_uiui(a, 20, 9);
    fmpz_bin_uiui(b, 20, 4);
    fmpz_mul(a, a, b);
    assert_true(fmpz_equal(a, set.count));
    assert_int_equal(set.kept, 1);
    fmpz_clear(a);
    fmpz_clear(b);
    ll_search_set_clear(&set);
    ll_linear_clear(&s);
}

static void random_system(ll_linear *s, int32_t *truth, long rows, uint64_t stream)
{
    assert_int_equal(ll_linear_init(s, rows, 2, 1), LL_OK);
    for (long i = 0; i < rows; i++) {
        truth[i] = (int32_t)ll_random_below(seed(), stream, (uint64_t)i, 2);
        fmpz_set_ui(ll_linear_weight(s, 0, i, 1), ll_random_below(seed(), stream, 1000 + (uint64_t)i, 1ULL << 50));
        fmpz_add(s->targets, s->targets, ll_linear_weight(s, 0, i, truth[i]));
    }
}

/* 2^34 labellings of 50-bit weights: just the true one, by both forms. */
static void finds_the_truth(void **state)
{
    (void)state;
    for (int lists = 0; lists < 2; lists++) {
        ll_linear s;
        ll_search_set set;
        int32_t truth[34];
        ll_error error;
        random_system(&s, truth, 34, 77);
        assert_int_equal(ll_search_set_init(&set, 34, 2, 10), LL_OK);
        assert_int_equal(ll_search_meet(&set, &s, 10, 1e9, 60, 2, lists, &error), LL_OK);
        assert_true(fmpz_is_one(set.count));
        assert_memory_equal(set.labellings, truth, sizeof truth);
        ll_search_set_clear(&set);
        ll_linear_clear(&s);
    }
}

/* A wide tolerance: millions fit, every label is possible, and all are counted though few are listed. */
static void many_are_counted(void **state)
{
    (void)state;
    for (int lists = 0; lists < 2; lists++) {
        ll_linear s;
        ll_search_set set;
        int32_t truth[20];
        ll_error error;
        random_system(&s, truth, 20, 78);
        fmpz_set_ui(s.tolerances, 1ULL << 48);
        long count = 0;
        for (uint32_t code = 0; code < 1U << 20; code++) {
            static int64_t sums[1 << 20];
            if (code > 0)
                sums[code] = sums[code & (code - 1)] + fmpz_get_si(ll_linear_weight(&s, 0, __builtin_ctz(code), 1));
            count += llabs(sums[code] - fmpz_get_si(s.targets)) <= 1LL << 48;
        }
        assert_int_equal(ll_search_set_init(&set, 20, 2, 5), LL_OK);
        assert_int_equal(ll_search_meet(&set, &s, 5, 1e9, 60, 2, lists, &error), LL_OK);
        assert_true(fmpz_equal_si(set.count, count));
        assert_false(set.complete);
        assert_int_equal(set.kept, 5);
        ll_search_set_clear(&set);
        ll_linear_clear(&s);
    }
}

static void over_budget(void **state)
{
    (void)state;
    ll_linear s;
    ll_search_set set;
    int32_t truth[90];
    ll_error error = {0};
    random_system(&s, truth, 90, 79);
    assert_int_equal(ll_search_set_init(&set, 90, 2, 10), LL_OK);
    assert_int_equal(ll_search_meet(&set, &s, 10, 8e9, 600, 2, -1, &error), LL_UNABLE);
    assert_non_null(strstr(error.text, "90 rows are too many"));
    ll_meet_cost cost;
    assert_int_equal(ll_search_meet_cost(&cost, &s, 8e9, 2), LL_OK);
    assert_true(cost.seconds > 600 && !cost.lists);
    ll_search_set_clear(&set);
    ll_linear_clear(&s);
}

int main(void)
{
    printf("seed %llu\n", (unsigned long long)seed());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_weights),          cmocka_unit_test(margin_is_decided),
        cmocka_unit_test(equal_rows_are_counted), cmocka_unit_test(finds_the_truth),
        cmocka_unit_test(many_are_counted),       cmocka_unit_test(over_budget),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

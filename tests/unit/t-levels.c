/* Codes over bounded integers: no weight above the levels, and the labels come back from exact sums; every labelling of
 * small worlds, random ones of large, and sums that no labelling has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/code.h"
#include "code/distinct_pairs.h"
#include "code/distinct_sums.h"
#include "code_tools.h"
#include "number/random.h"

static const char *const names[] = {"sum-distinct", "detecting", "detecting:odd"};

static void sum_up(ll_code *code, int64_t *sums, const int32_t *labels)
{
    for (code->query = 0; code->query < code->queries; code->query++) {
        sums[code->query] = 0;
        for (long row = 0; row < code->rows; row++) {
            int64_t weight = code->row->bounded.level(code, row, labels[row]);
            assert_true(llabs(weight) <= code->levels);
            sums[code->query] += weight;
        }
    }
    code->query = 0;
}

static void check(ll_code *code, const int32_t *labels, int64_t *sums, ll_decoded *decoded)
{
    sum_up(code, sums, labels);
    assert_int_equal(ll_code_decode_levels(code, decoded, sums, NULL), LL_OK);
    assert_int_equal(decoded->count, 1);
    assert_memory_equal(decoded->labels, labels, sizeof *labels * (size_t)code->rows);
}

static void every_labelling(void **state)
{
    (void)state;
    long worlds = 0;
    for (int n = 0; n < 3; n++)
        for (long classes = 2; classes <= 5; classes++)
            for (long rows = 1; rows <= (classes == 2 ? 10 : classes == 3 ? 6 : 4); rows++)
                for (int64_t levels = 1; levels <= 41; levels += levels < 6 ? 1 : 5) {
                    ll_code *code;
                    if (create_code(&code, names[n], rows, classes, NULL, levels, NULL) != LL_OK)
                        continue;
                    int64_t sums[64];
                    int32_t labels[16];
                    ll_decoded decoded;
                    assert_int_equal(ll_decoded_init(&decoded, rows, classes), LL_OK);
                    long count = 1;
                    for (long i = 0; i < rows; i++)
                        count *= classes;
                    for (long s = 0; s < count; s++) {
                        for (long i = 0, rest = s; i < rows; i++, rest /= classes)
                            labels[i] = (int32_t)(rest % classes);
                        check(code, labels, sums, &decoded);
                    }
                    ll_decoded_clear(&decoded);
                    ll_code_destroy(code);
                    worlds++;
                }
    print_message("%ld worlds\n", worlds);
    assert_true(worlds > 250);
}

/* Half levels: the sums of any two labellings are 2 or more apart in some query, though all of them may be odd in one
 * and even in the other; and the neighbours that the wrong one of the two would pick are no labelling's. */
static void odd_gap(void **state)
{
    (void)state;
    int64_t sums[256][16];
    ll_decoded decoded;
    for (long rows = 1; rows <= 8; rows++)
        for (int64_t levels = 3; levels <= 11; levels += 2) {
            ll_code *code;
            int32_t labels[8];
            assert_int_equal(create_code(&code, "detecting:odd", rows, 2, NULL, levels, NULL), LL_OK);
            assert_int_equal(ll_code_parity(code), 0);
            assert_int_equal(ll_decoded_init(&decoded, rows, 2), LL_OK);
            for (long a = 0; a < 1L << rows; a++) {
                for (long i = 0; i < rows; i++)
                    labels[i] = (int32_t)(a >> i & 1);
                sum_up(code, sums[a], labels);
                for (long q = 0; q < code->queries; q++)
                    assert_int_equal(sums[a][q] & 1, sums[a][0] & 1);
            }
            for (long a = 0; a < 1L << rows; a++)
                for (long b = 0; b < a; b++) {
                    int64_t most = 0;
                    for (long q = 0; q < code->queries; q++)
                        most = llabs(sums[a][q] - sums[b][q]) > most ? llabs(sums[a][q] - sums[b][q]) : most;
                    assert_true(most >= 2);
                }
            for (long a = 0; a < 1L << rows; a++)
                for (long wrong = 0; wrong < 1L << code->queries; wrong++) {
                    int64_t near[16];
                    for (long q = 0; q < code->queries; q++)
                        near[q] = sums[a][q] + (wrong >> q & 1 ? 1 : -1);
                    assert_int_equal(ll_code_decode_levels(code, &decoded, near, NULL), LL_OK);
                    assert_int_equal(decoded.count, 0);
                }
            ll_decoded_clear(&decoded);
            ll_code_destroy(code);
        }
    ll_code *code;
    assert_int_equal(create_code(&code, "detecting:odd", 3, 2, NULL, 4, NULL), LL_DOMAIN);
    assert_int_equal(create_code(&code, "detecting:odd", 3, 2, NULL, 1, NULL), LL_DOMAIN);
    assert_int_equal(create_code(&code, "detecting:odd", 3, 3, NULL, 5, NULL), LL_DOMAIN);
}

/* The counts of math: labels that Q queries carry with A levels. */
static void counts(void **state)
{
    (void)state;
    static const struct {
        long rows;
        int64_t levels;
        long queries;
    } rows[] = {{198, 17391, 12},  {418, 8238, 26},    {512, 6725, 32},    {1000, 3443, 63},
                {2201, 1564, 143}, {25000, 137, 1849}, {1000000, 3, 90579}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ll_code *code;
        assert_int_equal(create_code(&code, "detecting", rows[i].rows, 2, NULL, rows[i].levels, NULL), LL_OK);
        assert_int_equal(code->queries, rows[i].queries);
        ll_code_destroy(code);
    }
    assert_int_equal(ll_distinct_greatest(12), 1164);
    assert_int_equal(ll_distinct_count(1564), 12);
}

static void large_worlds(void **state)
{
    (void)state;
    static const struct {
        long rows, classes;
        int64_t levels;
        const char *name;
    } rows[] = {{198, 2, 17391, "detecting"},  {2201, 2, 1564, "detecting"}, {6430, 6, 500, "detecting"},
                {3000, 10, 48, "detecting"},   {500, 3, 2, "detecting"},     {1000, 2, 1, "detecting"},
                {3000, 2, 3, "detecting:odd"}, {700, 2, 5, "detecting"},     {700, 2, 21, "detecting:odd"},
                {2000, 2, 11, "detecting:odd"}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        ll_code *code;
        ll_decoded decoded;
        assert_int_equal(create_code(&code, rows[n].name, rows[n].rows, rows[n].classes, NULL, rows[n].levels, NULL),
                         LL_OK);
        assert_int_equal(ll_decoded_init(&decoded, code->rows, code->classes), LL_OK);
        int32_t *labels = malloc(sizeof *labels * (size_t)code->rows);
        int64_t *sums = malloc(sizeof *sums * (size_t)code->queries);
        for (long i = 0; i < code->rows; i++)
            labels[i] = (int32_t)ll_random_below(5, n, (uint64_t)i, (uint64_t)code->classes);
        check(code, labels, sums, &decoded);
        print_message("%ld x %ld, %ld levels: %ld queries\n", code->rows, code->classes, (long)code->levels,
                      code->queries);
        /* a sum off by one is either no labelling's or another's: never the same labels */
        sums[code->queries / 2]++;
        assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
        assert_true(decoded.count == 0 || memcmp(decoded.labels, labels, sizeof *labels * (size_t)code->rows) != 0);
        free(labels);
        free(sums);
        ll_decoded_clear(&decoded);
        ll_code_destroy(code);
    }
}

/* Rows with the same number have the same levels in all queries. */
static void kinds(void **state)
{
    (void)state;
    static const struct {
        long rows, classes;
        int64_t levels;
        const char *name;
    } worlds[] = {{198, 2, 17391, "detecting"},  {5000, 2, 3, "detecting"}, {1200, 6, 500, "detecting"},
                  {3000, 10, 48, "detecting"},   {500, 3, 2, "detecting"},  {7, 2, 1, "detecting"},
                  {2000, 2, 3, "detecting:odd"}, {900, 2, 5, "detecting"},  {900, 2, 21, "detecting:odd"}};
    for (size_t n = 0; n < sizeof worlds / sizeof worlds[0]; n++) {
        ll_code *code;
        assert_int_equal(
            create_code(&code, worlds[n].name, worlds[n].rows, worlds[n].classes, NULL, worlds[n].levels, NULL), LL_OK);
        int64_t *seen = malloc(sizeof *seen * (size_t)(code->kinds * code->classes));
        int32_t *numbers = malloc(sizeof *numbers * (size_t)code->rows);
        for (long i = 0; i < code->kinds; i++)
            seen[i * code->classes] = INT64_MAX;
        for (code->query = 0; code->query < code->queries; code->query++) {
            long cut = (long)ll_random_below(6, n, (uint64_t)code->query, (uint64_t)code->rows);
            code->row->bounded.get_kinds(code, numbers, 0, cut);
            code->row->bounded.get_kinds(code, numbers + cut, cut, code->rows - cut);
            for (long row = 0; row < code->rows; row++) {
                assert_in_range(numbers[row], 0, code->kinds - 1);
                int64_t *known = seen + numbers[row] * code->classes;
                int is_new = known[0] == INT64_MAX;
                for (long k = 0; k < code->classes; k++) {
                    int64_t level = code->row->bounded.level(code, row, k);
                    assert_true(is_new || known[k] == level);
                    known[k] = level;
                }
            }
        }
        code->query = 0;
        free(seen);
        free(numbers);
        ll_code_destroy(code);
    }
}

/* Distinct subset sums, checked on every subset; and the subset found for every sum. */
static void distinct_sets(void **state)
{
    (void)state;
    for (long n = 1; n <= 16; n++) {
        long total = 0;
        for (long i = 0; i < n; i++)
            total += ll_distinct_element(n, i);
        long found = 0;
        for (long sum = -1; sum <= total + 1; sum++) {
            int64_t mask = ll_distinct_subset(n, sum, NULL), again = 0;
            for (long i = 0; i < n && mask >= 0; i++)
                again += mask >> i & 1 ? ll_distinct_element(n, i) : 0;
            assert_true(mask < 0 || again == sum);
            found += mask >= 0;
        }
        assert_int_equal(found, 1L << n); /* as many sums as subsets */
    }
}

/* Larger sets: every subset is found in few steps, and so is it that a neighbour of its sum has none or another. */
static void distinct_steps(void **state)
{
    (void)state;
    for (long n = 17; n <= LL_DISTINCT_MOST; n++)
        for (uint64_t i = 0; i < 400; i++) {
            const int64_t subset = (int64_t)ll_random_below(7, (uint64_t)n, i, (uint64_t)1 << n);
            int64_t sum = 0, near = (int64_t)ll_random_below(8, (uint64_t)n, i, 2001) - 1000, again = 0;
            long steps, more;
            for (long t = 0; t < n; t++)
                sum += subset >> t & 1 ? ll_distinct_element(n, t) : 0;
            assert_int_equal(ll_distinct_subset(n, sum, &steps), subset);
            int64_t mask = ll_distinct_subset(n, sum + near, &more);
            for (long t = 0; t < n && mask >= 0; t++)
                again += mask >> t & 1 ? ll_distinct_element(n, t) : 0;
            assert_true(mask < 0 || again == sum + near);
            assert_true(steps <= 16 * n && more <= 16 * n);
        }
}

/* Sums of k_t v_t all different, checked on every labelling, and read back; no value is above what was asked for. */
static void check_digits(long classes, int64_t most)
{
    int64_t values[LL_DIGITS_MOST], total = 0, count = 1;
    long m = ll_digits_fill(values, classes, most);
    for (long t = 0; t < m; t++) {
        assert_true(values[t] * (classes - 1) <= most);
        total += values[t] * (classes - 1);
        count *= classes;
    }
    unsigned char *seen = calloc((size_t)total + 1, 1);
    assert_non_null(seen);
    for (int64_t code = 0; code < count; code++) {
        int64_t sum = 0, rest = code;
        for (long t = 0; t < m; t++, rest /= classes)
            sum += rest % classes * values[t];
        assert_false(seen[sum]);
        seen[sum] = 1;
        int32_t labels[LL_DIGITS_MOST];
        if (code % (1 + count / 50) != 0)
            continue;
        assert_true(ll_digits_read(labels, m, classes, sum));
        rest = code;
        for (long t = 0; t < m; t++, rest /= classes)
            assert_int_equal(labels[t], rest % classes);
    }
    for (int64_t sum = -1; sum <= total + 1; sum += 1 + total / 100) {
        int32_t labels[LL_DIGITS_MOST];
        int is_sum = sum >= 0 && sum <= total && seen[sum];
        assert_int_equal(ll_digits_read(labels, m, classes, sum), is_sum);
    }
    free(seen);
}

static void digit_sets(void **state)
{
    (void)state;
    for (long classes = 3; classes <= 12; classes++)
        for (int64_t most = classes - 1; most < 40000; most += 1 + most / 3)
            check_digits(classes, most);
}

/* ---- pairs of values */

typedef struct {
    int64_t first, second;
} pair_sum;

static int by_pair(const void *a, const void *b)
{
    const pair_sum *x = a, *y = b;
    int order = (x->first > y->first) - (x->first < y->first);
    return order != 0 ? order : (x->second > y->second) - (x->second < y->second);
}

/* Every subset of a set of at most 18 pairs: all sums differ, and are read back; their neighbours are read as what they
 * are. */
static void check_pairs(const ll_pairs *pairs, int64_t most)
{
    long count = 1L << pairs->labels;
    pair_sum *sums = malloc(sizeof *sums * (size_t)count);
    ll_subset_table *seed = ll_pairs_create(pairs);
    assert_true(sums != NULL && seed != NULL);
    for (long s = 0; s < count; s++) {
        sums[s] = (pair_sum){0, 0};
        for (long t = 0; t < pairs->labels; t++) {
            assert_true(llabs(pairs->values[0][t]) <= most && llabs(pairs->values[1][t]) <= most);
            sums[s].first += (s >> t & 1) * pairs->values[0][t];
            sums[s].second += (s >> t & 1) * pairs->values[1][t];
        }
        int32_t labels[LL_PAIRS_MOST];
        if (s % (1 + count / 200) != 0)
            continue;
        assert_true(ll_pairs_read(pairs, seed, labels, sums[s].first, sums[s].second));
        for (long t = 0; t < pairs->labels; t++)
            assert_int_equal(labels[t], s >> t & 1);
    }
    qsort(sums, (size_t)count, sizeof *sums, by_pair);
    for (long s = 1; s < count; s++)
        assert_true(by_pair(sums + s - 1, sums + s) < 0);
    for (long s = 0; s < count; s += 1 + count / 200) {
        pair_sum near = {sums[s].first + 1, sums[s].second};
        int32_t labels[LL_PAIRS_MOST];
        int is_sum = bsearch(&near, sums, (size_t)count, sizeof *sums, by_pair) != NULL;
        assert_int_equal(ll_pairs_read(pairs, seed, labels, near.first, near.second), is_sum);
    }
    ll_subset_table_destroy(seed);
    free(sums);
}

static void pair_sets(void **state)
{
    (void)state;
    long last = 0;
    for (int64_t most = 1; most < 160; most++) {
        ll_pairs pairs;
        ll_pairs_fill(&pairs, most);
        if (pairs.labels > last && pairs.labels <= 18)
            check_pairs(&pairs, most);
        assert_true(pairs.labels >= last);
        last = pairs.labels;
    }
    assert_true(last > 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_labelling), cmocka_unit_test(odd_gap),      cmocka_unit_test(kinds),
        cmocka_unit_test(counts),          cmocka_unit_test(large_worlds), cmocka_unit_test(distinct_sets),
        cmocka_unit_test(distinct_steps),  cmocka_unit_test(digit_sets),   cmocka_unit_test(pair_sets)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

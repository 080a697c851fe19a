/* Small worlds of accuracy, exhaustively: every N up to 8 and K = 2 .. 4, every labelling. The counts of matches are
 * taken from the plan's predictions by hand. LabelInf compares them with those of every other labelling: where they are
 * all different, it finds the truth, and so must the decoder, from the scores that a curator releases. Then every
 * vector of counts that no labelling has (small worlds): the decoder must say none.
 *
 * LL_TEST_LONG=1 sends every labelling through a curator and takes K = 5 too; without it every labelling is decoded
 * from its counts, and one in `step` goes through a curator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"
#include "plan/plan.h"

enum { MOST_ROWS = 8, MOST_QUERIES = 32 };

typedef struct {
    ll_scorer *scorer;
    ll_plan *plan;
    long rows, classes, queries, count; /* count: of labellings */
    int32_t predicted[MOST_QUERIES][MOST_ROWS];
    unsigned char (*counts)[MOST_QUERIES]; /* [labelling][query] */
} world;

static long labellings, attacks, impossible;

static void set_labels(const world *w, int32_t *labels, long s)
{
    for (long i = 0; i < w->rows; i++, s /= w->classes)
        labels[i] = (int32_t)(s % w->classes);
}

static void read_predictions(world *w)
{
    ll_block block;
    ll_block_init(&block);
    for (long q = 0; q < w->queries; q++) {
        ll_predictions predictions;
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
        assert_int_equal(predictions.get(predictions.self, &block, 0, w->rows, NULL), LL_OK);
        for (long i = 0; i < w->rows; i++) {
            w->predicted[q][i] = (int32_t)block.doubles[i];
            assert_true(block.doubles[i] == (double)w->predicted[q][i]);
        }
    }
    ll_block_clear(&block);
}

static void count_all(world *w)
{
    w->counts = calloc((size_t)w->count, sizeof *w->counts);
    assert_non_null(w->counts);
    for (long s = 0; s < w->count; s++) {
        int32_t labels[MOST_ROWS];
        set_labels(w, labels, s);
        for (long q = 0; q < w->queries; q++)
            for (long i = 0; i < w->rows; i++)
                w->counts[s][q] = (unsigned char)(w->counts[s][q] + (w->predicted[q][i] == labels[i]));
    }
}

/* LabelInf: the labelling whose worst distance over all queries is least; -1 where two are as near. */
static long label_inf(const world *w, const unsigned char *counts)
{
    long best = -1;
    int nearest = 255, twice = 0;
    for (long s = 0; s < w->count; s++) {
        int worst = 0;
        for (long q = 0; q < w->queries && worst <= nearest; q++) {
            int distance = abs((int)w->counts[s][q] - (int)counts[q]);
            worst = distance > worst ? distance : worst;
        }
        twice = worst == nearest ? 1 : worst < nearest ? 0 : twice;
        if (worst < nearest) {
            nearest = worst;
            best = s;
        }
    }
    return twice ? -1 : best;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, MOST_QUERIES);
}

/* All vectors of counts differ, so that LabelInf is right for every labelling; it is asked where that is cheap. */
static void check_label_inf(const world *w)
{
    for (long s = 0; s < w->count; s += w->count <= 1024 ? 1 : w->count / 64)
        assert_int_equal(label_inf(w, w->counts[s]), s);
    unsigned char(*sorted)[MOST_QUERIES] = malloc((size_t)w->count * sizeof *sorted);
    assert_non_null(sorted);
    memcpy(sorted, w->counts, (size_t)w->count * sizeof *sorted);
    qsort(sorted, (size_t)w->count, sizeof *sorted, compare);
    for (long s = 1; s < w->count; s++)
        assert_true(compare(sorted[s - 1], sorted[s]) < 0);
    free(sorted);
}

static void check_decoder(const world *w)
{
    const ll_code *code = ll_plan_code(w->plan, 0);
    ll_decoded decoded;
    assert_int_equal(ll_decoded_init(&decoded, w->rows, w->classes), LL_OK);
    for (long s = 0; s < w->count; s++) {
        int64_t sums[MOST_QUERIES];
        int32_t labels[MOST_ROWS];
        set_labels(w, labels, s);
        for (long q = 0; q < w->queries; q++)
            sums[q] = w->counts[s][q];
        assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
        assert_int_equal(decoded.count, 1);
        assert_memory_equal(decoded.labels, labels, sizeof *labels * (size_t)w->rows);
        labellings++;
    }
    ll_decoded_clear(&decoded);
}

/* Every vector of counts 0 .. rows: decoded to the labelling that has it, or to none. */
static void check_impossible(const world *w)
{
    const ll_code *code = ll_plan_code(w->plan, 0);
    ll_decoded decoded;
    long vectors = 1, found = 0;
    for (long q = 0; q < w->queries; q++)
        vectors *= w->rows + 1;
    assert_int_equal(ll_decoded_init(&decoded, w->rows, w->classes), LL_OK);
    for (long v = 0; v < vectors; v++) {
        int64_t sums[MOST_QUERIES];
        for (long q = 0, rest = v; q < w->queries; q++, rest /= w->rows + 1)
            sums[q] = rest % (w->rows + 1);
        assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
        for (long q = 0; q < w->queries && decoded.count == 1; q++) {
            int64_t sum = 0;
            for (long i = 0; i < w->rows; i++)
                sum += w->predicted[q][i] == decoded.labels[i];
            assert_int_equal(sum, sums[q]);
        }
        found += decoded.count == 1;
    }
    assert_int_equal(found, w->count);
    impossible += vectors - found;
    ll_decoded_clear(&decoded);
}

static void attack(const world *w, long s)
{
    ll_curator *curator;
    ll_verdict verdict;
    int32_t labels[MOST_ROWS];
    set_labels(w, labels, s);
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, w->scorer, labels, w->rows, NULL), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    assert_int_equal(ll_attack_run(w->plan, &verdict, &oracle, NULL, NULL), LL_OK);
    assert_int_equal(verdict.kind, LL_UNIQUE);
    assert_memory_equal(verdict.labels, labels, sizeof *labels * (size_t)w->rows);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    attacks++;
}

static void run_world(long rows, long classes, int is_long)
{
    world w = {.rows = rows, .classes = classes, .count = 1};
    ll_plan_request request;
    ll_plan_info info;
    ll_plan_request_init(&request);
    w.scorer = scorer_of_text("scorer=sklearn/accuracy; rows=%ld; classes=%ld", rows, classes);
    assert_int_equal(ll_plan_create(&w.plan, w.scorer, &request, NULL), LL_OK);
    ll_plan_get_info(w.plan, &info);
    w.queries = info.queries;
    assert_in_range(w.queries, 1, MOST_QUERIES);
    for (long i = 0; i < rows; i++)
        w.count *= classes;
    read_predictions(&w);
    count_all(&w);
    check_label_inf(&w);
    check_decoder(&w);
    double vectors = 1;
    for (long q = 0; q < w.queries; q++)
        vectors *= (double)(rows + 1);
    if (vectors < 1e5)
        check_impossible(&w);
    for (long s = 0; s < w.count; s += is_long || w.count <= 256 ? 1 : w.count / 64)
        attack(&w, s);
    free(w.counts);
    ll_plan_destroy(w.plan);
    ll_scorer_destroy(w.scorer);
}

static void small_worlds(void **state)
{
    (void)state;
    const char *text = getenv("LL_TEST_LONG");
    int is_long = text != NULL && strcmp(text, "1") == 0;
    for (long classes = 2; classes <= (is_long ? 5 : 4); classes++)
        for (long rows = 1; rows <= MOST_ROWS; rows++)
            run_world(rows, classes, is_long);
    print_message("%ld labellings decoded, %ld of them through a curator; %ld vectors of counts that nobody has\n",
                  labellings, attacks, impossible);
    assert_true(labellings > 90000 && attacks > 1000 && impossible > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_worlds)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

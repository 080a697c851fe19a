/* Laws of inference from several scores of the same rows, each of which sees some of them (docs/proofs/meet.md).
 *   In small worlds the blocks are held against every labelling: none that explains the scores is excluded, and the
 *   count is never below theirs.
 *   In larger ones: with more scores never fewer labels are certain, a certain label stays certain, and none is wrong.
 * LL_TEST_LONG=1: fifty times as many worlds. */
#include "../unit/curator_tools.h"
#include "../unit/scorer_tools.h"

#include "infer/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 150, MOST_SCORES = 12, SMALL_ROWS = 9 };
#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

/* Metrics that are sums of terms, and a prediction that weighs the same with every label. */
static const struct {
    const char *settings;
    double neutral;
    int labels; /* predictions are labels: none is neutral */
} kinds[] = {
    {"metric=log-loss; arithmetic=fp64; clip=auto", 0.5, 0},
    {"scorer=sklearn/log_loss", 0.5, 0},
    {"metric=squared; arithmetic=fp64", 0.5, 0},
    {"metric=sigmoid-ce; arithmetic=fp32", 0, 0},
    {"metric=norm:3; arithmetic=fp64", 0.5, 0},
    {"metric=accuracy; arithmetic=fp64", 0, 1},
    {"metric=log-loss; arithmetic=exact", 0.5, 0},
};

typedef struct {
    long rows, scores, kind;
    ll_scorer *scorer;
    ll_curator *curator;
    int32_t truth[MOST_ROWS];
    double x[MOST_SCORES][MOST_ROWS];
    ll_evidence *evidence;
} world;

static double draw_entry(long kind)
{
    if (kinds[kind].labels)
        return (double)below(2);
    double fine = (double)(1 + below(998)) / 1000;
    return kinds[kind].neutral == 0 ? 12 * fine - 6 : fine;
}

/* A score sees a stretch of rows, and a few others. */
static void draw_score(world *w, long q, long seen)
{
    long first = below(w->rows);
    for (long i = 0; i < w->rows; i++)
        w->x[q][i] = kinds[w->kind].labels ? draw_entry(w->kind) : kinds[w->kind].neutral;
    for (long i = 0; i < seen; i++) {
        long row = below(8) == 0 ? below(w->rows) : (first + i) % w->rows;
        w->x[q][row] = draw_entry(w->kind);
    }
}

static void draw_world(world *w, long rows, long scores, long seen)
{
    ll_error error = {0};
    *w = (world){.rows = rows, .scores = scores, .kind = below(COUNT(kinds))};
    w->scorer = scorer_of_text("%s; rows=%ld; classes=2; decimals=%d; columns=1", kinds[w->kind].settings, rows,
                               (int)(2 + below(6)));
    for (long i = 0; i < rows; i++)
        w->truth[i] = (int32_t)below(2);
    for (long q = 0; q < scores; q++)
        draw_score(w, q, 1 + below(seen));
    assert_int_equal(ll_curator_create(&w->curator, w->scorer, w->truth, rows, &error), LL_OK);
    assert_int_equal(ll_evidence_create(&w->evidence, w->scorer, &error), LL_OK);
}

static void clear_world(world *w)
{
    ll_evidence_destroy(w->evidence);
    ll_curator_destroy(w->curator);
    ll_scorer_destroy(w->scorer);
}

static void add_next_score(world *w, long q)
{
    ll_error error = {0};
    ll_score score;
    ll_score_init(&score);
    table t;
    table_set(&t, w->x[q], w->rows, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_score(w->curator, &score, &t.source, &error), LL_OK);
    assert_int_equal(ll_evidence_add(w->evidence, &t.source, score.text, &error), LL_OK);
    ll_score_clear(&score);
}

/* ---- every labelling ---- */

static long count_labellings(const world *w, unsigned char *candidates)
{
    long count = 0;
    memset(candidates, 0, 2 * SMALL_ROWS);
    for (long code = 0; code < 1L << w->rows; code++) {
        int32_t labels[SMALL_ROWS];
        for (long i = 0; i < w->rows; i++)
            labels[i] = (int32_t)(code >> i & 1);
        if (!ll_evidence_explains(w->evidence, labels))
            continue;
        count++;
        for (long i = 0; i < w->rows; i++)
            candidates[2 * i + labels[i]] = 1;
    }
    return count;
}

static void hold_against_all(world *w)
{
    ll_linear system;
    ll_blocks blocks;
    ll_error error = {0};
    unsigned char right[2 * SMALL_ROWS];
    long count = count_labellings(w, right);
    assert_true(count > 0);
    assert_int_equal(ll_evidence_equations(w->evidence, &system, &error), LL_OK);
    assert_int_equal(ll_blocks_find(&blocks, w->evidence, &system, (int)below(2), 60, NULL, &error), LL_OK);
    for (long i = 0; i < 2 * w->rows; i++)
        assert_true(blocks.candidates[i] >= right[i]);
    assert_false(blocks.is_none);
    if (!blocks.is_whole) {
        assert_true(blocks.is_counted);
        assert_true(fmpz_cmp_si(blocks.count, count) >= 0);
    }
    ll_blocks_clear(&blocks);
    ll_linear_clear(&system);
}

static void test_small(void **state)
{
    (void)state;
    for (long run = 0; run < 25 * multiplier; run++) {
        world w;
        draw_world(&w, 3 + below(SMALL_ROWS - 2), 1 + below(4), SMALL_ROWS / 2);
        for (long q = 0; q < w.scores; q++) {
            add_next_score(&w, q);
            hold_against_all(&w);
        }
        clear_world(&w);
    }
}

/* ---- more scores ---- */

/* Certain labels, right ones, among them all that were certain before. */
static long check_certain(const world *w, const ll_inference *found, int32_t *before)
{
    long certain = 0;
    const ll_verdict *v = found->verdict;
    for (long i = 0; i < w->rows; i++) {
        int32_t label = found->is_likely ? -1 : v->labels[i];
        assert_true(label < 0 || label == w->truth[i]);
        assert_true(found->is_likely || before[i] < 0 || label >= 0);
        before[i] = label >= 0 ? label : before[i];
        certain += label >= 0;
    }
    assert_true(found->is_likely || certain == v->certain);
    return v->certain;
}

static long infer_each(world *w)
{
    static const ll_budget little = {.size = sizeof little, .memory = 1e8, .seconds = 4, .threads = 1};
    int32_t before[MOST_ROWS];
    long certain = 0;
    memset(before, -1, sizeof before);
    for (long q = 0; q < w->scores; q++) {
        ll_inference found;
        ll_error error = {0};
        ll_inference_init(&found);
        add_next_score(w, q);
        ll_status status = ll_evidence_infer(w->evidence, &found, LL_METHOD_AUTO, &little, &error);
        if (status != LL_OK)
            print_message("%s, %ld rows, %ld scores: %s\n", kinds[w->kind].settings, w->rows, q + 1, error.text);
        assert_true(status == LL_OK || (status == LL_UNABLE && certain == 0));
        long now = status == LL_OK ? check_certain(w, &found, before) : 0;
        assert_true(now >= certain);
        certain = now;
        ll_inference_clear(&found);
    }
    return certain;
}

static void test_more_scores(void **state)
{
    (void)state;
    long total = 0;
    for (long run = 0; run < 8 * multiplier; run++) {
        world w;
        do
            draw_world(&w, 60 + below(MOST_ROWS - 59), 2 + below(MOST_SCORES - 1), 8);
        while (kinds[w.kind].labels && (clear_world(&w), 1)); /* every row takes part in every such score */
        total += infer_each(&w);
        clear_world(&w);
    }
    print_message("%ld certain labels\n", total);
    assert_true(total > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_more_scores)};
    read_environment("x-infer-blocks");
    multiplier = getenv("LL_TEST_LONG") != NULL ? 50 : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

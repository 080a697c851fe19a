/* Labels from failures alone: every labelling of a few rows, every way of asking, and simulated curators that fail. */
#include "attack/failure_reader.h"
#include "scorer_tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 9 };

typedef struct {
    ll_failure_kind kind;
    unsigned labels;
    long failed, counted;
} world;

static ll_status ask(void *self, int *failed, const int8_t *guesses, long first, long count, ll_error *error)
{
    world *w = self;
    long hits = 0;
    (void)error;
    for (long i = 0; i < count; i++)
        hits += (int)(w->labels >> (first + i) & 1) == guesses[i];
    *failed = w->kind == LL_FAILS_ON_MISS ? hits < count : hits == 0;
    *(*failed ? &w->failed : &w->counted) += 1;
    return LL_OK;
}

static void check_world(const ll_failure_way *way, unsigned labels, long rows, long limit, double share)
{
    world w = {.kind = way->kind, .labels = labels};
    ll_failure_oracle oracle = {&w, ask};
    ll_failure_cost cost;
    int32_t read[MOST];
    long known = 0;
    assert_int_equal(ll_failure_read(read, &cost, way, &oracle, rows, limit, share, NULL), LL_OK);
    for (long i = 0; i < rows; i++) {
        assert_true(read[i] == -1 || read[i] == (int)(labels >> i & 1));
        known += read[i] >= 0;
    }
    assert_true(limit == 0 ? known == rows : w.counted <= limit);
    assert_true(cost.labels == (double)known && cost.counted == (double)w.counted);
    assert_true(cost.submissions == (double)(w.counted + w.failed));
}

static void test_every_labelling(void **state)
{
    (void)state;
    for (long rows = 1; rows <= MOST; rows++)
        for (unsigned labels = 0; labels < 1U << rows; labels++)
            for (long group = 1; group <= rows; group++)
                for (long limit = 0; limit <= 3; limit++) {
                    check_world(&(ll_failure_way){LL_FAILS_WITHOUT_HIT, group, 0}, labels, rows, limit, 0.5);
                    check_world(&(ll_failure_way){LL_FAILS_WITHOUT_HIT, group, 1}, labels, rows, limit, 0.1);
                    check_world(&(ll_failure_way){LL_FAILS_ON_MISS, group, 0}, labels, rows, limit, 0.9);
                }
}

/* What is chosen keeps to the limit where something does. */
static void test_choice(void **state)
{
    (void)state;
    ll_failure_way way;
    ll_failure_cost cost, loose;
    assert_int_equal(ll_failure_choose(&way, &cost, LL_FAILS_WITHOUT_HIT, 1000, 60, 0.01, 1, NULL), LL_OK);
    assert_true(cost.counted <= 60 && cost.labels == 1000 && cost.submissions < 400);
    assert_int_equal(ll_failure_choose(&way, &loose, LL_FAILS_WITHOUT_HIT, 1000, 0, 0.01, 1, NULL), LL_OK);
    assert_true(loose.submissions <= cost.submissions);
    assert_int_equal(ll_failure_choose(&way, &cost, LL_FAILS_ON_MISS, 100, 40, 0.5, 1, NULL), LL_OK);
    assert_true(way.group >= 3 && cost.counted <= 40 && cost.labels == 100);
    assert_int_equal(ll_failure_choose(&way, &cost, LL_FAILS_ON_MISS, 1000, 3, 0.5, 1, NULL), LL_OK);
    assert_true(cost.labels < 1000 && cost.counted <= 3);
}

/* ---- curators ---- */

static void check_curator(const char *settings, ll_failure_kind kind, long limit)
{
    enum { ROWS = 5 };
    ll_scorer *scorer = scorer_of_text("%s", settings);
    assert_int_equal(ll_scorer_failures(scorer), kind);
    for (unsigned labels = 0; labels < 1U << ROWS; labels++) {
        ll_curator *curator;
        ll_verdict verdict;
        ll_failures told;
        int32_t truth[ROWS];
        for (int i = 0; i < ROWS; i++)
            truth[i] = (int32_t)(labels >> i & 1);
        ll_verdict_init(&verdict);
        assert_int_equal(ll_curator_create(&curator, scorer, truth, ROWS, NULL), LL_OK);
        ll_oracle oracle = ll_curator_oracle(curator);
        assert_int_equal(ll_attack_failures(scorer, &verdict, &told, &oracle, NULL, NULL), LL_OK);
        assert_true(limit == 0 ? verdict.kind == LL_UNIQUE : told.counted <= limit);
        assert_int_equal(told.labels, verdict.certain);
        for (int i = 0; i < ROWS; i++)
            assert_true(verdict.labels[i] < 0 || verdict.labels[i] == truth[i]);
        ll_verdict_clear(&verdict);
        ll_curator_destroy(curator);
    }
    ll_scorer_destroy(scorer);
}

static void test_curators(void **state)
{
    (void)state;
    check_curator("scorer=sklearn/f1; zero-division=raise; failures=free; rows=5; decimals=2", LL_FAILS_WITHOUT_HIT, 0);
    check_curator("metric=fbeta:2; zero-division=raise; failures=free; rows=5; queries=2", LL_FAILS_WITHOUT_HIT, 2);
    check_curator("clip=none; failures=free; rows=5; decimals=0", LL_FAILS_ON_MISS, 0);
    check_curator("clip=none; arithmetic=fp64; columns=1; failures=free; rows=5; queries=2", LL_FAILS_ON_MISS, 2);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        ll_failure_kind kind;
    } rows[] = {
        {"scorer=sklearn/f1; rows=5", LL_FAILS_NEVER},
        {"scorer=sklearn-1.2/log_loss; rows=5", LL_FAILS_NEVER},
        {"scorer=sklearn/brier; rows=5", LL_FAILS_NEVER},
        {"scorer=sklearn/accuracy; rows=5", LL_FAILS_NEVER},
        {"metric=precision; zero-division=raise; rows=5", LL_FAILS_NEVER},
        {"metric=recall; zero-division=raise; rows=5", LL_FAILS_SOMEHOW},
        {"metric=macro-f1; zero-division=raise; rows=5; classes=3", LL_FAILS_SOMEHOW},
        {"scorer=sklearn/roc_auc; rows=5", LL_FAILS_SOMEHOW},
        {"clip=none; rows=5; classes=3", LL_FAILS_SOMEHOW},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ll_scorer *scorer = scorer_of_text("%s", rows[i].settings);
        assert_int_equal(ll_scorer_failures(scorer), rows[i].kind);
        ll_scorer_destroy(scorer);
    }
}

/* A failure counts, unless it is said to be free. */
static ll_status get_zero(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)self;
    (void)first;
    (void)error;
    double *to = ll_block_reserve_doubles(out, count, 1);
    for (long i = 0; i < count; i++)
        to[i] = 0;
    return LL_OK;
}

static void test_counting(void **state)
{
    (void)state;
    for (int is_free = 0; is_free < 2; is_free++) {
        ll_scorer *scorer = scorer_of_text("clip=none; rows=2; queries=2; failures=%s", is_free ? "free" : "counted");
        ll_curator *curator;
        ll_score score;
        ll_error error = {0};
        ll_predictions zeros = {.rows = 2, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_zero};
        assert_int_equal(ll_curator_create(&curator, scorer, (int32_t[]){0, 1}, 2, NULL), LL_OK);
        ll_score_init(&score);
        for (int i = 0; i < 3; i++)
            assert_int_equal(ll_curator_score(curator, &score, &zeros, &error), LL_DOMAIN);
        assert_true((strstr(error.text, "have been answered") != NULL) == !is_free);
        ll_score_clear(&score);
        ll_curator_destroy(curator);
        ll_scorer_destroy(scorer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_labelling), cmocka_unit_test(test_choice),   cmocka_unit_test(test_curators),
        cmocka_unit_test(test_kinds),           cmocka_unit_test(test_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

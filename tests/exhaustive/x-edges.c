/* The code edges, exhaustively: scores that round several counts to one number, every labelling of a few rows. All
 * labellings are scored with the plan's predictions. Those whose scores read the same are what the scores leave: all of
 * them must be candidates, and a label is certain only where they agree. Then scores that were changed in one place:
 * what still explains them must still be left. Larger worlds, at random: the labels that are read (LL_TEST_LONG=1: all
 * of them with all limits). */
#include "worlds.h"

#include "number/random.h"
#include "plan/plan.h"

enum { MOST_ROWS = 10, MOST_COUNT = 1024, MOST_QUERIES = 256 };

typedef struct {
    ll_scorer *scorer;
    ll_plan *plan;
    long rows, classes, queries, count;
    char *scores[MOST_COUNT][MOST_QUERIES];
} world;

static struct {
    long attacks, alone, read, certain, loose, changed, none;
} counts;

static ll_plan *plan_of(const ll_scorer *scorer)
{
    ll_error error = {0};
    ll_plan *plan = plan_of_code(scorer, "edges", &error);
    if (plan == NULL)
        fail_msg("%s", error.text);
    return plan;
}

static void score_all(world *w)
{
    for (long s = 0; s < w->count; s++) {
        int32_t labels[MOST_ROWS];
        ll_curator *curator;
        world_labelling(labels, s, w->rows, w->classes);
        assert_int_equal(ll_curator_create(&curator, w->scorer, labels, w->rows, NULL), LL_OK);
        for (long q = 0; q < w->queries; q++) {
            ll_score score;
            ll_predictions predictions;
            ll_score_init(&score);
            assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
            assert_int_equal(ll_curator_score(curator, &score, &predictions, NULL), LL_OK);
            w->scores[s][q] = strdup(score.text);
            ll_score_clear(&score);
        }
        ll_curator_destroy(curator);
    }
}

/* ---- what scores leave, and what the decoder says ---- */

static ll_status say(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    (void)predictions;
    (void)error;
    *score = strdup(((char **)self)[query]);
    return LL_OK;
}

static int is_explained(const world *w, long s, char *const *scores)
{
    for (long q = 0; q < w->queries; q++)
        if (strcmp(w->scores[s][q], scores[q]) != 0)
            return 0;
    return 1;
}

/* Returns how many labellings explain the scores. */
static long check(world *w, char **scores, ll_verdict *verdict)
{
    ll_oracle oracle = {.self = scores, .ask = say};
    long explained = 0;
    assert_int_equal(ll_attack_run(w->plan, verdict, &oracle, NULL, NULL), LL_OK);
    for (long s = 0; s < w->count; s++) {
        int32_t labels[MOST_ROWS];
        if (!is_explained(w, s, scores))
            continue;
        explained++;
        world_labelling(labels, s, w->rows, w->classes);
        const char *fault = world_fault(verdict, labels, w->rows, w->classes);
        if (fault != NULL)
            fail_msg("labelling %ld of %ld rows, %ld classes: %s", s, w->rows, w->classes, fault);
    }
    return explained;
}

static void try_changed(world *w, long s, long q)
{
    ll_verdict verdict;
    char *scores[MOST_QUERIES];
    memcpy(scores, w->scores[s], sizeof scores);
    scores[q] = w->scores[(s * 7 + 1) % w->count][q];
    ll_verdict_init(&verdict);
    (void)check(w, scores, &verdict);
    counts.none += verdict.kind == LL_NONE;
    counts.changed++;
    ll_verdict_clear(&verdict);
}

static void try_world(const char *text, long rows, long classes)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->scorer = scorer_of_text("%s; arithmetic=fp64; rows=%ld; classes=%ld", text, rows, classes);
    w->plan = plan_of(w->scorer);
    w->rows = rows;
    w->classes = classes;
    w->queries = w->plan->queries;
    w->count = world_power(classes, rows);
    assert_true(w->queries <= MOST_QUERIES && w->count <= MOST_COUNT && rows <= MOST_ROWS);
    score_all(w);
    long alone = counts.alone, read = counts.read;
    for (long s = 0; s < w->count; s++) {
        ll_verdict verdict;
        ll_verdict_init(&verdict);
        int is_alone = check(w, w->scores[s], &verdict) == 1;
        counts.attacks++;
        counts.alone += is_alone;
        counts.read += verdict.kind == LL_UNIQUE;
        counts.certain += verdict.certain;
        counts.loose += is_alone && verdict.kind != LL_UNIQUE;
        ll_verdict_clear(&verdict);
        for (long q = 0; q < w->queries; q += 1 + w->queries / 8)
            try_changed(w, s, q);
    }
    printf("%s, %ld rows of %ld classes, %ld queries: %ld labellings told by their scores, %ld read\n", text, rows,
           classes, w->queries, counts.alone - alone, counts.read - read);
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < w->queries; q++)
            free(w->scores[s][q]);
    ll_plan_destroy(w->plan);
    ll_scorer_destroy(w->scorer);
    free(w);
}

/* One row moves the number by less than a unit of what is shown. */
static const struct {
    const char *text;
    long rows, classes;
} worlds[] = {
    {"metric=accuracy; transform=scale:5; decimals=0", 9, 2},
    {"metric=accuracy; transform=scale:3.25; decimals=0", 10, 2},
    {"metric=zero-one; transform=scale:5.25; decimals=0", 8, 2},
    {"metric=accuracy; transform=scale:4; decimals=0; truncate=yes", 9, 2},
    {"metric=accuracy; transform=scale:4.375; decimals=0", 6, 3},
    {"metric=accuracy; transform=scale:3.75; decimals=0", 5, 4},
    {"metric=accuracy; transform=scale:5; decimals=0", 10, 2}, /* every second count is on an edge */
    {"metric=accuracy; transform=scale:4.5; decimals=0; truncate=yes", 9, 2},
    {"metric=accuracy; transform=scale:2.5; decimals=0", 10, 2},
    {"metric=micro-f1; transform=scale:5; decimals=0", 9, 2},
    {"metric=f1; transform=scale:3.5; decimals=0", 9, 2},
    {"metric=jaccard; transform=scale:4.5; decimals=0", 9, 2},
    {"metric=recall; transform=scale:1.75; decimals=0", 8, 2},
    {"metric=balanced-accuracy; transform=scale:2.625; decimals=0", 8, 2},
};

static void test_small(void **state)
{
    (void)state;
    for (long i = 0; i < WORLDS_COUNT(worlds); i++)
        try_world(worlds[i].text, worlds[i].rows, worlds[i].classes);
    printf(
        "%ld attacks: %ld labellings told by their scores, %ld read, %ld of those left open; %ld changed, %ld of no labels\n",
        counts.attacks, counts.alone, counts.read, counts.loose, counts.changed, counts.none);
    assert_true(counts.read > 0 && counts.certain > 0 && counts.none > 0);
}

/* ---- larger worlds ---- */

/* The share of promised labels that are certain, for plans of all labels and of some of them. */
static double read_share(const char *text, long rows, long classes, long part)
{
    long certain = 0, promised = 0;
    ll_scorer *all = scorer_of_text("%s; arithmetic=fp64; rows=%ld; classes=%ld", text, rows, classes);
    ll_plan *whole = plan_of(all);
    ll_scorer *scorer = scorer_of_text("%s; arithmetic=fp64; rows=%ld; classes=%ld; queries=%ld", text, rows, classes,
                                       whole->queries * part / 100);
    ll_plan *plan = plan_of(scorer);
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    assert_non_null(labels);
    assert_true(plan->queries <= whole->queries * part / 100);
    for (uint64_t run = 0; run < 2; run++) {
        ll_verdict verdict;
        ll_curator *curator;
        ll_verdict_init(&verdict);
        for (long i = 0; i < rows; i++)
            labels[i] = (int32_t)ll_random_below(run, 1, (uint64_t)i, (uint64_t)classes);
        assert_int_equal(ll_curator_create(&curator, scorer, labels, rows, NULL), LL_OK);
        ll_oracle oracle = ll_curator_oracle(curator);
        assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, NULL), LL_OK);
        assert_null(world_fault(&verdict, labels, rows, classes));
        certain += verdict.certain;
        promised += ll_plan_rows_within(plan, 0);
        ll_verdict_clear(&verdict);
        ll_curator_destroy(curator);
    }
    ll_plan_destroy(plan);
    ll_plan_destroy(whole);
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(all);
    free(labels);
    assert_true(promised > 0);
    return (double)certain / (double)promised;
}

static void test_larger(void **state)
{
    static const struct {
        const char *text;
        long rows, classes;
    } larger[] = {
        {"metric=accuracy; transform=percent; decimals=1", 1534, 4},
        {"metric=accuracy; decimals=2", 160, 4},
        {"metric=accuracy; decimals=2", 310, 3},
        {"metric=accuracy; decimals=2", 430, 2},
        {"metric=accuracy; decimals=2", 930, 2},
        {"metric=f1; decimals=2", 260, 2},
        {"metric=accuracy; decimals=2", 200, 2},
        {"metric=accuracy; transform=percent; decimals=1", 4000, 2},
        {"metric=f1; decimals=2", 400, 2},
        {"metric=accuracy; decimals=1", 57, 3},
        {"metric=accuracy; decimals=2", 1250, 3},
        {"metric=balanced-accuracy; decimals=2", 260, 2},
        {"metric=mcc; decimals=2", 500, 2},
    };
    static const long parts[] = {100, 60, 20};
    (void)state;
    for (long i = 0; i < WORLDS_COUNT(larger); i++)
        for (long p = 0; p < WORLDS_COUNT(parts); p++) {
            if (getenv("LL_TEST_LONG") == NULL && (i + p) % WORLDS_COUNT(parts) != 0)
                continue;
            double share = read_share(larger[i].text, larger[i].rows, larger[i].classes, parts[p]);
            printf("%s, %ld rows of %ld classes, %ld%% of the submissions: %.1f%% of what was promised\n",
                   larger[i].text, larger[i].rows, larger[i].classes, parts[p], 100 * share);
            assert_true(share > 0.9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_larger)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Grids of numeric targets of any number of values: no label that is certain is wrong, no true label is outside of what
 * is left of an open row, and what a plan promises is read, whether the oracle answers as the curator does or with either
 * end of where the real program's number may lie. Laws: one value more or less changes no number of submissions by more
 * than its logarithm does, and a finer grid never has more labels read within the same number of submissions. */
#include "number/random.h"
#include "worlds.h"

#include <math.h>

enum { ROWS = 12, GRIDS = 6 };

static const char *const metrics[] = {"mae",  "mse",   "rmse", "huber:1", "quantile:0.5",
                                      "mape", "smape", "msle", "rmsle"};
static const char *const grids[GRIDS] = {"0:1000000:0.01", "1:65536:1",      "1:65537:1",
                                         "0.01:900:0.01",  "0:2000000000:1", "100000:100010:0.0001"};
static const char *const others[] = {"decimals=5",
                                     "decimals=9",
                                     "decimals=7; transform=percent",
                                     "arithmetic=exact; decimals=6",
                                     "clip-targets=yes; decimals=8",
                                     "arithmetic=fp32; decimals=3"};

static long plans, certain, opened;

static ll_plan *plan_of(const ll_scorer *scorer)
{
    ll_error error = {0};
    ll_plan *plan = plan_of_code(scorer, "shifts", &error);
    if (plan == NULL)
        assert_true(strlen(error.text) > 20);
    return plan;
}

static ll_scorer *scorer_of(const char *metric, const char *grid, const char *other, long rows)
{
    ll_scorer *scorer = scorer_of_text("metric=%s; targets=%s; rows=%ld; %s", metric, grid, rows, other);
    return scorer;
}

static void draw(int32_t *truth, long classes, uint64_t seed)
{
    for (long i = 0; i < ROWS; i++) {
        uint64_t any = ll_random_below(seed, 1, (uint64_t)i, (uint64_t)classes),
                 near = ll_random_below(seed, 2, (uint64_t)i, classes < 3 ? (uint64_t)classes : 3);
        truth[i] = (int32_t)(i % 3 == 0 ? any : i % 3 == 1 ? near : (uint64_t)classes - 1 - near);
    }
}

/* Query 0 is answered with one end of where the program's number may lie, the others with the other. */
enum { MIXED = WORLD_ANSWERS, MIXED_DOWN, MIXED_ANSWERS };

static ll_status answer_mixed(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    world_oracle *o = self, one = *o;
    one.which = (query == 0) == (o->which == MIXED) ? WORLD_LOWER : WORLD_UPPER;
    return world_answer(&one, score, predictions, query, error);
}

static void attack(const ll_scorer *scorer, const ll_plan *plan, long classes, uint64_t seed, int which)
{
    int32_t truth[ROWS];
    ll_verdict verdict;
    ll_error error = {0};
    world_oracle self = {.which = which};
    draw(truth, classes, seed);
    ll_verdict_init(&verdict);
    const long rows = ll_scorer_get_count(scorer, "rows");
    assert_int_equal(ll_curator_create(&self.curator, scorer, truth, rows, &error), LL_OK);
    ll_oracle oracle = {.self = &self, .ask = which < WORLD_ANSWERS ? world_answer : answer_mixed};
    ll_status status = ll_attack_run(plan, &verdict, &oracle, NULL, &error);
    if (status != LL_OK && strstr(error.text, "shortened") == NULL)
        fail_msg("%s", error.text);
    for (long i = 0; i < rows && status == LL_OK; i++) {
        if (verdict.labels[i] >= 0)
            assert_int_equal(verdict.labels[i], truth[i]);
        if (verdict.lowest != NULL)
            assert_true(verdict.lowest[i] <= truth[i] && truth[i] <= verdict.highest[i]);
        else
            assert_true(verdict.candidates[i * classes + truth[i]]);
        certain += verdict.labels[i] >= 0;
        opened += verdict.labels[i] < 0;
    }
    if (status == LL_OK && verdict.kind != LL_UNIQUE) {
        char text[200];
        long row = 0;
        while (row < rows - 1 && verdict.labels[row] >= 0)
            row++;
        (void)snprintf(text, sizeof text, "%s %s decimals %s %s", ll_scorer_get(scorer, "metric"),
                       ll_scorer_get(scorer, "targets"), ll_scorer_get(scorer, "decimals"),
                       ll_scorer_get(scorer, "arithmetic"));
        fail_msg("%s: a label is open that the plan promised: row %ld of label %d, verdict %d, oracle %d", text, row,
                 truth[row], (int)verdict.kind, which);
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(self.curator);
}

static void test_attacks(void **state)
{
    (void)state;
    const uint64_t times = getenv("LL_TEST_LONG") != NULL ? 20 : 1;
    for (long m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long g = 0; g < GRIDS; g++)
            for (long o = 0; o < WORLDS_COUNT(others); o++) {
                ll_scorer *scorer = NULL;
                if (strstr(others[o], "fp32") != NULL && strcmp(grids[g], "1:65537:1") != 0)
                    continue;
                scorer = scorer_of(metrics[m], grids[g], others[o], ROWS);
                ll_plan *plan = plan_of(scorer);
                for (uint64_t seed = 0; plan != NULL && seed < times; seed++)
                    for (int which = 0; which < WORLD_ANSWERS; which++)
                        attack(scorer, plan, ll_scorer_count_targets(scorer), seed, which);
                plans += plan != NULL;
                ll_plan_destroy(plan);
                ll_scorer_destroy(scorer);
            }
    printf("%ld plans: %ld labels certain, %ld open\n", plans, certain, opened);
    assert_true(plans > 100 && certain > 1000);
}

/* Floats of 32 bits and short grids: there computed logarithms leave more open than rounding does. */
static void test_floats(void **state)
{
    (void)state;
    static const char *const short_grids[] = {"0:1:1", "1:2:1", "0:9:1", "1:33:1"};
    static const char *const releases[] = {"arithmetic=fp32; decimals=10", "arithmetic=fp32; decimals=7",
                                           "arithmetic=fp32; decimals=4"};
    const uint64_t times = getenv("LL_TEST_LONG") != NULL ? 100 : 6;
    long found = 0;
    for (long m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long g = 0; g < WORLDS_COUNT(short_grids); g++)
            for (long r = 0; r < WORLDS_COUNT(releases); r++) {
                ll_scorer *scorer = scorer_of(metrics[m], short_grids[g], releases[r], ROWS);
                ll_plan *plan = plan_of(scorer);
                for (uint64_t seed = 0; plan != NULL && seed < times; seed++)
                    attack(scorer, plan, ll_scorer_count_targets(scorer), seed, (int)(seed % WORLD_ANSWERS));
                found += plan != NULL;
                ll_plan_destroy(plan);
                ll_scorer_destroy(scorer);
            }
    printf("%ld plans in floats of 32 bits\n", found);
    assert_true(found > 40);
}

/* Where a query moves all rows, no two queries have a term in common, and the errors of the program may be any: query 0
 * and the other one are answered with opposite ends. Steps of the grid below those of doubles, and logarithms that are
 * far off. */
static void test_mixed(void **state)
{
    (void)state;
    static const char *const narrow[] = {"0:1:1", "1:9:1", "1:33:1", "0:1000:0.01", "0.1:0.10000000000000002:1e-18"};
    static const char *const releases[] = {"arithmetic=fp64; log-ulps=1; decimals=17",
                                           "arithmetic=fp64; log-ulps=1000; decimals=17",
                                           "arithmetic=fp32; log-ulps=1; decimals=12",
                                           "arithmetic=fp32; log-ulps=100; decimals=12",
                                           "arithmetic=fp32; log-ulps=3000; decimals=12",
                                           "arithmetic=fp32; log-ulps=30000; decimals=12",
                                           "arithmetic=exact; decimals=24"};
    const uint64_t times = getenv("LL_TEST_LONG") != NULL ? 100 : 5;
    long found = 0;
    for (long m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long g = 0; g < WORLDS_COUNT(narrow); g++)
            for (long r = 0; r < WORLDS_COUNT(releases); r++)
                for (long rows = 1; rows <= 4; rows++) {
                    char text[200];
                    ll_scorer *scorer = NULL;
                    (void)snprintf(text, sizeof text, "metric=%s; targets=%s; rows=%ld; %s", metrics[m], narrow[g],
                                   rows, releases[r]);
                    ll_plan *plan = try_scorer_text(&scorer, text, NULL) == LL_OK ? plan_of(scorer) : NULL;
                    ll_plan_info info = {0};
                    if (plan != NULL)
                        ll_plan_get_info(plan, &info);
                    for (uint64_t seed = 0; plan != NULL && seed < times; seed++)
                        for (int which = 0; which < (info.queries == 2 ? MIXED_ANSWERS : WORLD_ANSWERS); which++)
                            attack(scorer, plan, ll_scorer_count_targets(scorer), seed, which);
                    found += plan != NULL;
                    ll_plan_destroy(plan);
                    ll_scorer_destroy(scorer);
                }
    printf("%ld plans whose answers are of opposite ends\n", found);
    assert_true(found > 100);
}

/* Submissions for all labels; INFINITY: no plan. */
static double queries_of(const char *metric, const char *grid, const char *other, long rows)
{
    ll_plan_info info;
    ll_scorer *scorer = scorer_of(metric, grid, other, rows);
    ll_plan *plan = plan_of(scorer);
    double queries = INFINITY;
    if (plan != NULL) {
        ll_plan_get_info(plan, &info);
        queries = (double)info.queries;
    }
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
    return queries;
}

static void test_laws(void **state)
{
    (void)state;
    static const char *const steps[] = {"1:4001:1",    "1:4001:0.5",   "1:4001:0.1",    "1:4001:0.05",
                                        "1:4001:0.01", "1:4001:0.001", "1:4001:0.00001"};
    static const long sizes[] = {50, 1000, 20000};
    for (long m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long n = 0; n < 3; n++) {
            double finite = queries_of(metrics[m], "1:65536:1", "decimals=6", sizes[n]);
            double more = queries_of(metrics[m], "1:65537:1", "decimals=6", sizes[n]);
            assert_true(isinf(finite) == isinf(more) && (isinf(more) || fabs(more - finite) <= 0.01 * finite + 1));
            double before = 0;
            for (long s = 0; s < WORLDS_COUNT(steps); s++) {
                double queries = queries_of(metrics[m], steps[s], "decimals=6", sizes[n]);
                if (queries < before)
                    fail_msg("%s, %ld rows: %s takes %g submissions, the coarser grid %g", metrics[m], sizes[n],
                             steps[s], queries, before);
                before = queries;
            }
        }
}

/* What cannot be listed is said, once and in words. */
static void test_refusals(void **state)
{
    (void)state;
    ll_error error = {0};
    ll_plan *plan = NULL;
    ll_plan_request request;
    ll_scorer *scorer = scorer_of("r2", "0:1000000:0.01", "decimals=5", 20);
    ll_plan_request_init(&request);
    assert_int_equal(ll_plan_create(&plan, scorer, &request, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "does not make it safe"));
    ll_scorer_destroy(scorer);
    scorer = NULL;
    assert_int_equal(ll_scorer_create(&scorer, NULL), LL_OK);
    assert_int_equal(ll_scorer_set(scorer, "targets", "0:3000000000:1", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "does not make them safe"));
    ll_scorer_destroy(scorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attacks), cmocka_unit_test(test_floats),
                                       cmocka_unit_test(test_mixed), cmocka_unit_test(test_laws),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Numeric targets that lie between two numbers of the grid that a plan is made for: a curator of a finer grid answers a
 * plan for a coarse one, every labelling of up to three rows.
 *
 * Law 1: where the code shifts asks about one row per query, a certain label is less than a step off, and what is left
 * of an open row ends less than a step beside it. Law 2: of all other plans a label that is a step off or more is called
 * certain in less than one attack of a hundred, but for verdicts that say that they are conditional. Law 3: targets that
 * are on the coarse grid after all are never refused. */
#include "number/random.h"
#include "worlds.h"

#include <math.h>

enum { FINER = 4, MOST_ROWS = 3, MOST_LABELLINGS = 2500 };

static const char *const metrics[] = {"mae",  "mse",   "rmse", "huber:1", "quantile:0.3",
                                      "mape", "smape", "msle", "rmsle",   "r2"};

typedef struct {
    const char *coarse, *fine;
    long last; /* label of the coarse one */
} grid;

static const grid grids[] = {{"0:3:1", "0:3:0.25", 3}, {"1:4:1", "1:4:0.25", 3}, {"10:10.2:0.1", "10:10.2:0.025", 2}};

static const char *const releases[] = {
    "arithmetic=fp64; decimals=5",
    "arithmetic=fp64; decimals=2",
    "arithmetic=fp64; decimals=4; queries=2",
    "arithmetic=fp64; decimals=1",
    "arithmetic=fp64; noise=bounded:0.01; decimals=4",
    "arithmetic=fp64; transform=percent; decimals=3; truncate=yes",
    "arithmetic=fp32; decimals=6",
    "arithmetic=fp32; log-ulps=1000; decimals=12; queries=2",
    "arithmetic=exact; decimals=3",
    "arithmetic=fp64; clip-targets=yes; decimals=4",
};

static const char *const codes[] = {"shifts:each", "shifts", "grades", "changes"};

typedef struct {
    ll_scorer *fine;
    ll_plan *plan;
    const grid *grid;
    long rows;
    int is_each; /* one row per query? */
} world;

static long plans, attacks, certain, near, wrong, on_grid;

static double off(const world *w, const int32_t *truth, long row, long label)
{
    (void)w;
    return fabs((double)truth[row] / FINER - (double)label);
}

static void check_near(const world *w, const ll_verdict *v, const int32_t *truth)
{
    for (long i = 0; i < w->rows && v->kind != LL_NONE; i++) {
        double nearest = INFINITY;
        for (long k = 0; k <= w->grid->last; k++)
            if (v->candidates[i * v->classes + k])
                nearest = fmin(nearest, off(w, truth, i, k));
        if (!(nearest < 1))
            fail_msg("every label that is left is a step off, or more");
        near += v->labels[i] >= 0 && nearest > 0;
    }
}

static void attack(const world *w, long number, int which)
{
    int32_t truth[MOST_ROWS];
    ll_verdict v;
    ll_error error = {0};
    world_oracle self = {.which = which};
    int is_on_grid = 1, is_wrong = 0;
    world_labelling(truth, number, w->rows, w->grid->last * FINER + 1);
    ll_verdict_init(&v);
    assert_int_equal(ll_curator_create(&self.curator, w->fine, truth, w->rows, &error), LL_OK);
    ll_oracle oracle = {.self = &self, .ask = world_answer};
    ll_status status = ll_attack_run(w->plan, &v, &oracle, NULL, &error);
    for (long i = 0; i < w->rows && status == LL_OK; i++) {
        is_on_grid &= truth[i] % FINER == 0;
        is_wrong |= v.labels[i] >= 0 && off(w, truth, i, v.labels[i]) >= 1;
        certain += v.labels[i] >= 0;
    }
    if (status == LL_OK) {
        if (w->is_each)
            check_near(w, &v, truth);
        if (is_on_grid && (v.kind == LL_NONE || is_wrong))
            fail_msg("targets on the grid: verdict %d", (int)v.kind);
        wrong += is_wrong && !ll_verdict_is_conditional(&v);
        on_grid += is_on_grid;
        attacks++;
    }
    ll_verdict_clear(&v);
    ll_curator_destroy(self.curator);
}

/* NULL: there is no such scorer. */
static ll_scorer *scorer_of(const char *metric, const char *targets, const char *release, long rows)
{
    char text[300];
    ll_scorer *scorer = NULL;
    (void)snprintf(text, sizeof text, "metric=%s; targets=%s; rows=%ld; %s", metric, targets, rows, release);
    return try_scorer_text(&scorer, text, NULL) == LL_OK ? scorer : NULL;
}

static void try_world(const char *metric, const grid *g, const char *release, const char *code, long rows)
{
    ll_plan_request request;
    ll_plan_info info;
    ll_error error = {0};
    world w = {.grid = g, .rows = rows};
    ll_scorer *coarse = scorer_of(metric, g->coarse, release, rows);
    w.fine = scorer_of(metric, g->fine, release, rows);
    ll_plan_request_init(&request);
    request.code = code;
    if (coarse != NULL && ll_plan_create(&w.plan, coarse, &request, &error) == LL_OK) {
        const long all = world_power(g->last * FINER + 1, rows);
        const long most = getenv("LL_TEST_LONG") != NULL ? MOST_LABELLINGS : 50, step = all > most ? all / most + 1 : 1;
        ll_plan_get_info(w.plan, &info);
        w.is_each = strncmp(info.code, "shifts", 6) == 0 && info.queries > rows;
        if (strcmp(code, "shifts:each") == 0)
            assert_true(w.is_each);
        for (long n = 0; n < all; n += step)
            for (int which = 0; which < WORLD_ANSWERS; which++)
                attack(&w, n, which);
        plans++;
    }
    ll_plan_destroy(w.plan);
    ll_scorer_destroy(w.fine);
    ll_scorer_destroy(coarse);
}

static void test_off_grid(void **state)
{
    (void)state;
    for (long c = 0; c < WORLDS_COUNT(codes); c++)
        for (long r = 0; r < WORLDS_COUNT(releases); r++) {
            long before = wrong, tried = attacks;
            for (long m = 0; m < WORLDS_COUNT(metrics); m++)
                for (long g = 0; g < WORLDS_COUNT(grids); g++)
                    for (long rows = 1; rows <= MOST_ROWS; rows++)
                        try_world(metrics[m], &grids[g], releases[r], codes[c], rows);
            printf("%s, %s: %ld attacks, %ld with a wrong label that is certain without a condition\n", codes[c],
                   releases[r], attacks - tried, wrong - before);
            assert_true((double)(wrong - before) <= (c == 0 ? 0 : 0.001 * (double)(attacks - tried)));
        }
    printf("%ld plans, %ld attacks, %ld of targets on the grid; %ld labels certain, %ld of targets beside them\n",
           plans, attacks, on_grid, certain, near);
    assert_true(plans > 500 && attacks > 10000 && on_grid > 1000 && near > 1000);
}

/* ---- long grids, at random ---- */

typedef struct {
    const char *coarse, *fine;
    long finer, last;
} long_grid;

/* Every target is near a number of the coarse grid, by a thousandth or up to a half of a step, or is one. */
static int attack_long(const ll_scorer *fine, const ll_plan *plan, const long_grid *g, long rows, uint64_t seed,
                       int is_each)
{
    int32_t truth[6];
    ll_verdict v;
    ll_error error = {0};
    world_oracle self = {.which = (int)(seed / 3 % WORLD_ANSWERS)};
    const uint64_t offs[] = {(uint64_t)g->finer / 1000, (uint64_t)g->finer / 2, 0}, off = offs[seed % 3];
    int is_wrong = 0;
    for (long i = 0; i < rows; i++) {
        int64_t at = (int64_t)ll_random_below(seed, 1, (uint64_t)i, (uint64_t)g->last) * g->finer;
        truth[i] = (int32_t)(at + (int64_t)ll_random_below(seed, 2, (uint64_t)i, 2 * off + 1));
    }
    ll_verdict_init(&v);
    assert_int_equal(ll_curator_create(&self.curator, fine, truth, rows, &error), LL_OK);
    ll_oracle oracle = {.self = &self, .ask = world_answer};
    assert_int_equal(ll_attack_run(plan, &v, &oracle, NULL, &error), LL_OK);
    for (long i = 0; i < rows; i++)
        is_wrong |= v.labels[i] >= 0 && labs(truth[i] - v.labels[i] * g->finer) >= g->finer;
    assert_true(!is_wrong || !is_each);
    assert_true(off > 0 || (!is_wrong && v.kind != LL_NONE));
    if (off == 0 && v.kind == LL_UNIQUE && strcmp(ll_scorer_get(fine, "metric"), "mse") == 0 &&
        ll_scorer_get_count(fine, "decimals") > 3)
        assert_false(ll_verdict_is_conditional(&v)); /* query 0 was looked at */
    is_wrong = is_wrong && !ll_verdict_is_conditional(&v);
    ll_verdict_clear(&v);
    ll_curator_destroy(self.curator);
    return is_wrong;
}

static void test_long_grids(void **state)
{
    (void)state;
    static const long_grid all[] = {{"0:1000:0.01", "0:1000:0.00001", 1000, 100000},
                                    {"1:100000:1", "1:100000:0.001", 1000, 99999},
                                    {"1:4001:0.1", "1:4001:0.0001", 1000, 40000}};
    static const char *const more[] = {"decimals=5", "decimals=3", "decimals=5; queries=2", "decimals=9"};
    const uint64_t times = getenv("LL_TEST_LONG") != NULL ? 400 : 20;
    for (long m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long o = 0; o < WORLDS_COUNT(more); o++) {
            long tried = 0, mistaken = 0;
            for (long g = 0; g < WORLDS_COUNT(all); g++)
                for (long rows = 2; rows <= 6; rows += 2) {
                    char release[100];
                    ll_plan *plan = NULL;
                    ll_plan_request request;
                    ll_plan_info info;
                    (void)snprintf(release, sizeof release, "arithmetic=fp64; %s", more[o]);
                    ll_scorer *coarse = scorer_of(metrics[m], all[g].coarse, release, rows);
                    ll_scorer *fine = scorer_of(metrics[m], all[g].fine, release, rows);
                    ll_plan_request_init(&request);
                    request.code = "shifts";
                    int made = ll_plan_create(&plan, coarse, &request, NULL) == LL_OK;
                    if (made)
                        ll_plan_get_info(plan, &info);
                    for (uint64_t seed = 0; made && seed < times; seed++, tried++)
                        mistaken += attack_long(fine, plan, &all[g], rows, seed, info.queries > rows);
                    ll_plan_destroy(plan);
                    ll_scorer_destroy(coarse);
                    ll_scorer_destroy(fine);
                }
            if ((double)mistaken > 0.01 * (double)tried)
                fail_msg("%s, %s: %ld of %ld attacks", metrics[m], more[o], mistaken, tried);
        }
}

/* A score of query 0 that leaves more open than a step of one target is no check. */
static void test_condition(void **state)
{
    (void)state;
    static const char *const decimals[] = {"decimals=1", "decimals=5"};
    for (int d = 0; d < 2; d++) {
        enum { ROWS = 100 };
        int32_t truth[ROWS];
        ll_verdict v;
        ll_plan *plan = NULL;
        ll_plan_request request;
        ll_error error = {0};
        world_oracle self = {0};
        ll_scorer *scorer = scorer_of("mse", "0:9:1", decimals[d], ROWS);
        for (long i = 0; i < ROWS; i++)
            truth[i] = (int32_t)(i * i % 10);
        ll_plan_request_init(&request);
        request.code = "shifts";
        ll_verdict_init(&v);
        assert_int_equal(ll_plan_create(&plan, scorer, &request, &error), LL_OK);
        assert_int_equal(ll_curator_create(&self.curator, scorer, truth, ROWS, &error), LL_OK);
        ll_oracle oracle = {.self = &self, .ask = world_answer};
        assert_int_equal(ll_attack_run(plan, &v, &oracle, NULL, &error), LL_OK);
        assert_int_equal(v.kind, LL_UNIQUE);
        assert_int_equal(ll_verdict_is_conditional(&v), d == 0);
        ll_verdict_clear(&v);
        ll_curator_destroy(self.curator);
        ll_plan_destroy(plan);
        ll_scorer_destroy(scorer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_off_grid), cmocka_unit_test(test_long_grids),
                                       cmocka_unit_test(test_condition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

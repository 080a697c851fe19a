/* Numeric targets, exhaustively: grids of two to four numbers, whole, broken and below 0, up to six rows, every
 * labelling. An attack reads every label of every plan, numbers with all their digits and with noise of a few of their
 * last places among them, whose texts may be as short as 1 or 0.5 though nothing was cut; and no other labelling has
 * the same texts, as those of all labellings side by side show. Blocks too, whose other rows weigh something. x-attack
 * has the same metrics with targets 0 .. K-1 and more releases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"

enum { MOST_ROWS = 6, MOST_QUERIES = 32 };

static const char *const grids[] = {"0:1:1", "0:2:1", "-1:1:1", "0.1:0.4:0.1", "-30:60:30", "0.5:2:0.5"};
static const char *const metrics[] = {"mse", "rmse", "mae", "huber:0.7", "neg_root_mean_squared_error"};
static const char *const releases[] = {"",
                                       "decimals=4",
                                       "decimals=5",
                                       "decimals=6; truncate=yes",
                                       "decimals=16",
                                       "digits=7",
                                       "noise=bounded:1e-15",
                                       "noise=bounded:1e-13",
                                       "noise=bounded:1e-4",
                                       "decimals=0",
                                       "noise=bounded:5000"};
static const char *const clips[] = {"", "clip-targets=yes"};

static long worlds, plans, attacks;

typedef struct {
    ll_scorer *scorer;
    ll_plan *plan;
    long rows, classes, queries, count;
    char *(*texts)[MOST_QUERIES]; /* [labelling] */
} world;

static void set_labels(const world *w, int32_t *labels, long s)
{
    for (long i = 0; i < w->rows; i++, s /= w->classes)
        labels[i] = (int32_t)(s % w->classes);
}

/* Asks the curator, and keeps what it answers. */
typedef struct {
    ll_oracle curator;
    char **texts;
} listener;

static ll_status listen(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    listener *l = self;
    ll_status status = l->curator.ask(l->curator.self, score, predictions, query, error);
    if (status == LL_OK)
        l->texts[query] = strdup(*score);
    return status;
}

/* Is the score released with all its digits, or so many of them that zeros at the end are left out? */
static int is_whole(const world *w)
{
    const char *decimals = ll_scorer_get(w->scorer, "decimals");
    return decimals == NULL || strcmp(decimals, "none") == 0;
}

static void attack(const world *w, long s)
{
    int32_t truth[MOST_ROWS];
    ll_curator *curator;
    ll_verdict verdict;
    ll_error error = {0};
    set_labels(w, truth, s);
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, w->scorer, truth, w->rows, &error), LL_OK);
    listener l = {ll_curator_oracle(curator), w->texts[s]};
    ll_oracle oracle = {.self = &l, .ask = listen};
    ll_status status = ll_attack_run(w->plan, &verdict, &oracle, NULL, &error);
    if (status != LL_OK || verdict.kind != LL_UNIQUE)
        fail_msg("%s of %s, %s, %s, %ld rows, labelling %ld, %s: %s", ll_scorer_get(w->scorer, "metric"),
                 ll_scorer_get(w->scorer, "targets"), ll_scorer_get(w->scorer, "noise"),
                 ll_scorer_get(w->scorer, "arithmetic"), w->rows, s, w->texts[s][0],
                 status != LL_OK ? error.text : "labels stay open");
    for (long i = 0; i < w->rows; i++)
        assert_int_equal(verdict.labels[i], truth[i]);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    attacks++;
}

/* Noise is drawn anew, so that texts of two labellings differ for other reasons: nothing to compare. */
static void compare(const world *w)
{
    if (strcmp(ll_scorer_get(w->scorer, "noise"), "none") != 0 || is_whole(w))
        return;
    for (long a = 0; a < w->count; a++)
        for (long b = 0; b < a; b++) {
            int same = 1;
            for (long q = 0; q < w->queries && same; q++)
                same = strcmp(w->texts[a][q], w->texts[b][q]) == 0;
            assert_false(same);
        }
}

static void check_world(world *w)
{
    w->texts = calloc((size_t)w->count, sizeof *w->texts);
    assert_non_null(w->texts);
    for (long s = 0; s < w->count; s++)
        attack(w, s);
    compare(w);
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < w->queries; q++)
            free(w->texts[s][q]);
    free(w->texts);
}

static void try_world(const char *text, long rows, long block)
{
    world w = {.rows = rows, .scorer = scorer_of_text("%s", text)};
    ll_plan_request request;
    ll_plan_info info;
    ll_error error = {0};
    ll_plan_request_init(&request);
    request.block = block;
    request.code = "grades"; /* of shifts: x-changes, x-long-grids */
    worlds++;
    if (ll_plan_create(&w.plan, w.scorer, &request, &error) == LL_OK) {
        ll_plan_get_info(w.plan, &info);
        w.classes = info.classes;
        w.queries = info.queries;
        assert_true(w.queries <= MOST_QUERIES);
        for (w.count = 1; rows > 0; rows--)
            w.count *= w.classes;
        check_world(&w);
        plans++;
        ll_plan_destroy(w.plan);
    } else
        assert_true(strlen(error.text) > 20);
    ll_scorer_destroy(w.scorer);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* One description, by its number in a list of all of them. */
static void try_description(long number, long rows, int single)
{
    char text[200];
    const char *grid = grids[number % (long)COUNT(grids)], *metric, *release;
    number /= (long)COUNT(grids);
    metric = metrics[number % (long)COUNT(metrics)];
    number /= (long)COUNT(metrics);
    release = releases[number % (long)COUNT(releases)];
    number /= (long)COUNT(releases);
    (void)snprintf(text, sizeof text, "metric=%s; targets=%s; rows=%ld; arithmetic=%s; sum=pairwise; %s; %s", metric,
                   grid, rows, single ? "fp32" : "fp64", release, clips[number % (long)COUNT(clips)]);
    try_world(text, rows, 0);
    if (rows > 1 && number % 2 == 0)
        try_world(text, rows, rows - 1);
}

static void test_worlds(void **state)
{
    (void)state;
    const long all = COUNT(grids) * COUNT(metrics) * COUNT(releases) * COUNT(clips);
    const long step = getenv("LL_TEST_LONG") != NULL ? 1 : getenv("LL_TEST_LIGHT") == NULL ? 61 : 101;
    for (long number = 0; number < all; number++)
        for (long rows = 1; rows <= MOST_ROWS; rows++)
            if (rows <= 2 || (number + rows) % step == 0)
                try_description(number, rows, (number + rows) % 5 == 0);
    print_message("%ld worlds, %ld with a plan, %ld attacks\n", worlds, plans, attacks);
    assert_true(plans > worlds / 2 && attacks > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

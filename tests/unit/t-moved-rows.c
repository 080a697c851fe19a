/* What audits say of R^2 on grids that are too long for a plan: with enough decimals all rows are read in one
 * submission each and three more, fewer submissions read as many fewer, and less is read the more is hidden. Metrics
 * that are the same for shifted targets are not attacked so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scorer_tools.h"

#include "audit/trial.h"
#include "planner/planner.h"

/* -1: the attack does not apply. */
static double share_of(const char *metric, const char *grid, const char *more, long rows, long queries)
{
    char text[300];
    ll_error error = {0};
    ll_scorer *scorer = NULL;
    ll_channel channel;
    ll_plan_request request;
    ll_tried tried = {.share = -1};
    (void)snprintf(text, sizeof text, "metric=%s; targets=%s; rows=%ld; queries=%ld; %s", metric, grid, rows, queries,
                   more);
    assert_int_equal(try_scorer_text(&scorer, text, &error), LL_OK);
    assert_int_equal(ll_channel_init(&channel, scorer, &error), LL_OK);
    ll_plan_request_init(&request);
    ll_trial trial = {.scorer = scorer, .channel = &channel, .request = &request, .seed = 20261119};
    ll_status status = ll_moved_rows_work(&trial) > 0 ? ll_moved_rows_run(&trial, &tried, &error) : LL_UNABLE;
    assert_true(status == LL_OK || status == LL_UNABLE);
    ll_scorer_destroy(scorer);
    return status == LL_OK ? tried.share : -1;
}

static void test_all(void **state)
{
    (void)state;
    static const char *const grids[] = {"0:1000:0.01", "100000:100010:0.0001", "-500000:500000:1", "0:1:1", "-1:8:1"};
    static const char *const releases[] = {"decimals=5",
                                           "",
                                           "decimals=2",
                                           "digits=12",
                                           "transform=percent; decimals=3",
                                           "noise=gaussian:0.001; decimals=6",
                                           "transform=negate; decimals=5"};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t r = 0; r < sizeof releases / sizeof *releases; r++) {
            double share = share_of("r2", grids[g], releases[r], 60, 63);
            if (!(share > 0.99))
                fail_msg("%s, %s: %g of the labels", grids[g], releases[r], share);
        }
}

static void test_limits(void **state)
{
    (void)state;
    double before = 0;
    for (long queries = 4; queries <= 43; queries += 13) {
        double share = share_of("r2", "0:1000:0.01", "decimals=5", 40, queries);
        assert_true(fabs(share - (double)(queries - 3) / 40) < 1e-3 && share > before);
        before = share;
    }
    double some = share_of("r2", "0:1000:0.01", "decimals=5; clip-targets=yes", 100, 200);
    double more = share_of("r2", "0:1000:0.01", "decimals=9; clip-targets=yes", 100, 200);
    double none = share_of("r2", "0:1000:0.01", "decimals=1; clip-targets=yes", 100, 200);
    assert_true(none < 0.02 && some > 0.1 && some < 0.5 && more > 0.95);
}

static void test_others(void **state)
{
    (void)state;
    static const char *const metrics[] = {"explained-variance", "pearson", "spearman", "mse", "mae"};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
        assert_true(share_of(metrics[m], "0:1000:0.01", "decimals=5", 30, 60) == -1);
    assert_true(share_of("r2", "0:1000:0.01", "decimals=5", 30, 3) == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

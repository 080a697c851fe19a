/* Releases by levels: lists of levels, what a curator answers, and where a Ladder begins. */
#include "curator_tools.h"
#include "scorer_tools.h"

#include "number/whole.h"
#include "scorer/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static void read_levels(ll_levels *levels, double *unit, const char *text)
{
    ll_exact exact;
    ll_error error = {0};
    ll_exact_init(&exact);
    memset(levels, 0, sizeof *levels);
    if (ll_levels_read(levels, &exact, text, &error) != LL_OK)
        fail_msg("%s: %s", text, error.text);
    *unit = ll_exact_get_d(&exact);
    ll_exact_clear(&exact);
}

static double level(const ll_levels *levels, double unit, long j)
{
    fmpz_t at;
    fmpz_init(at);
    ll_levels_get(levels, at, j);
    double value = fmpz_get_d(at) * unit * (levels->is_high ? -1 : 1);
    fmpz_clear(at);
    return value;
}

static void test_lists(void **state)
{
    static const struct {
        const char *text;
        double base, best;
        long count;
    } cases[] = {{"0.5:1:50", 0.5, 1, 50},  {"0.693:0.3:43", 0.693, 0.3, 43}, {"-1:1:1000000", -1, 1, 1000000},
                 {"100:90:3", 100, 90, 3},  {"0:1e-9:7", 0, 1e-9, 7},         {"0.1,0.2,0.25", 0.1, 0.25, 2},
                 {"3,2.5,-1e2", 3, -100, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_levels levels;
        double unit, step = (cases[i].best - cases[i].base) / (double)cases[i].count;
        read_levels(&levels, &unit, cases[i].text);
        assert_int_equal(levels.count, cases[i].count);
        assert_true(fabs(level(&levels, unit, 0) - cases[i].base) < 1e-12);
        assert_true(fabs(level(&levels, unit, levels.count) - cases[i].best) < 1e-12);
        for (long j = 1; j <= levels.count && strchr(cases[i].text, ':'); j += 1 + levels.count / 100)
            assert_true(fabs(level(&levels, unit, j) - cases[i].base - step * (double)j) <=
                        0.0501 * fabs(step) + 1e-15);
        ll_levels_clear(&levels);
    }
}

/* ---- answers ---- */

enum { ROWS = 8 };

/* A curator of eight labels 1, of which so many are predicted wrong. */
static void ask(ll_curator *curator, char *text, size_t size, long wrong)
{
    double x[ROWS];
    table t;
    ll_score score;
    ll_error error = {0};
    for (long i = 0; i < ROWS; i++)
        x[i] = i < wrong ? 0 : 1;
    table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
    ll_score_init(&score);
    if (ll_curator_score(curator, &score, &t.source, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(score.text, score.lower);
    assert_string_equal(score.text, score.upper);
    (void)snprintf(text, size, "%s", score.text);
    ll_score_clear(&score);
}

static void compare_answers(const char *settings, const char *answers)
{
    static const long wrong[] = {8, 6, 4, 5, 3, 7, 2, 2, 0, 8, 0};
    const int32_t labels[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1};
    ll_error error = {0};
    ll_curator *curator;
    char all[200] = "", text[40];
    ll_scorer *s = scorer_of_text("rows=8; classes=2; %s", settings);
    assert_int_equal(ll_curator_create(&curator, s, labels, ROWS, &error), LL_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ask(curator, text, sizeof text, wrong[i]);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", text);
    }
    if (strcmp(all, answers) != 0)
        fail_msg("%s: %s, not %s", settings, all, answers);
    ll_curator_destroy(curator);
    ll_scorer_destroy(s);
}

static void test_answers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[200];
        const char *arithmetic = i ? "arithmetic=fp64" : "arithmetic=exact";
#define CASE(settings, answers)                                                                                        \
    (void)snprintf(text, sizeof text, "%s; %s", arithmetic, settings);                                                 \
    compare_answers(text, answers)
        CASE("metric=accuracy; release=levels:0.5:1:4", "0.5 0.5 0.5 0.5 0.625 0.625 0.75 0.75 1 1 1");
        CASE("metric=zero-one; release=levels:0.5,0.3,0.25,0", "0.5 0.5 0.5 0.5 0.5 0.5 0.25 0.25 0 0 0");
        CASE("metric=accuracy; release=ladder:0.25", "0.5 0.5 0.5 0.5 0.5 0.5 0.75 0.75 1 1 1");
        CASE("metric=accuracy; release=ladder:0.25; start=0", "0 0.25 0.5 0.5 0.5 0.5 0.75 0.75 1 1 1");
        CASE("metric=accuracy; release=ladder:0.25; start=0; improvements=2",
             "0 0.25 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5");
        CASE("metric=zero-one; transform=percent; release=ladder:25; start=100", "100 75 50 50 50 50 25 25 0 0 0");
        CASE("metric=zero-one; transform=negate; release=levels:-1:0:2", "-1 -1 -0.5 -0.5 -0.5 -0.5 -0.5 -0.5 0 0 0");
#undef CASE
    }
}

/* What fails is answered like what does not improve: a loss that is infinite, AUC of one class. */
static void test_failures(void **state)
{
    (void)state;
    compare_answers("metric=log-loss; clip=none; release=levels:0.7:0:7", "0.7 0.7 0.7 0.7 0.7 0.7 0.7 0.7 0 0 0");
    compare_answers("metric=auc; release=levels:0.5:1:5", "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5");
}

/* ---- the baseline ---- */

static void test_baseline(void **state)
{
    static const struct {
        const char *settings;
        double score;
    } cases[] = {{"metric=log-loss", M_LN2},
                 {"metric=log-loss; prior=0.7,0.3", 0.610864},
                 {"metric=log-loss; classes=3", 1.098612},
                 {"metric=squared; prior=0.8,0.2", 0.16},
                 {"metric=accuracy; prior=0.7,0.3", 0.7},
                 {"metric=accuracy; transform=percent; prior=0.7,0.3", 70},
                 {"metric=zero-one; classes=4", 0.75},
                 {"metric=f1", 2.0 / 3},
                 {"metric=auc", 0.5},
                 {"metric=mcc", 0},
                 {"metric=kappa; classes=3", 0},
                 {"metric=rmse; targets=0:2:1", 0.816497},
                 {"metric=mae; targets=0:1:1", 0.5},
                 {"metric=r2; targets=0:4:1", 0},
                 {"metric=sigmoid-ce; prior=0.9,0.1", 0.325083}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_scorer *s = scorer_of_text("%s", cases[i].settings);
        double found = ll_scorer_baseline(s);
        if (!(fabs(found - cases[i].score) < 1e-3 * fmax(1, fabs(cases[i].score))))
            fail_msg("%s: %.6f, not %.6f", cases[i].settings, found, cases[i].score);
        ll_scorer_destroy(s);
    }
}

/* Every metric of the table: where a baseline is known, the list goes from there to the best score. */
static void test_every_metric(void **state)
{
    long known = 0;
    (void)state;
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        char text[200];
        ll_scorer *s = NULL;
        ll_error error = {0};
        if (strchr(info->name, ':') != NULL)
            continue;
        (void)snprintf(text, sizeof text, "metric=%s; arithmetic=fp64; rows=100; release=ladder:0.01; classes=%s",
                       info->name, strcmp(info->classes, "2") == 0 ? "2" : "5");
        if (try_scorer_text(&s, text, &error) != LL_OK) /* several numbers, which no Ladder tells */
            continue;
        const ll_release *r = &s->release;
        known += ll_release_has_levels(r);
        if (ll_release_has_levels(r))
            assert_true(r->levels.count >= 1 && r->levels.count < 100000);
        ll_scorer_destroy(s);
    }
    assert_true(known >= 20);
}

/* ---- sizes ---- */

static void test_sizes(void **state)
{
    static const struct {
        const char *text;
        long number; /* -1: not whole, -2: beyond */
    } cases[] = {{"20k", 20000},
                 {"1.5M", 1500000},
                 {"2G", 2000000000},
                 {"0k", 0},
                 {"1.2345k", -1},
                 {"1.k", -1},
                 {".5k", -1},
                 {"k", -1},
                 {"1kk", -1},
                 {"1.5", -1},
                 {"-1k", -1},
                 {"1 k", -1},
                 {"99999999999999G", -2},
                 {"7K", 7000},
                 {"0.5k", 500},
                 {"12", 12},
                 {"1e3", -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        long number = 0;
        ll_whole whole = ll_whole_read(&number, cases[i].text);
        long found = whole == LL_WHOLE ? number : whole == LL_WHOLE_NOT ? -1 : -2;
        if (found != cases[i].number)
            fail_msg("%s: %ld, not %ld", cases[i].text, found, cases[i].number);
    }
}

static void test_accounts(void **state)
{
    static const struct {
        const char *settings;
        long queries, accounts;
    } cases[] = {{"queries=150", 150, 1},
                 {"queries=150; accounts=3", 450, 3},
                 {"per-day=5; days=60; teams=100", 30000, 100},
                 {"queries=2k; teams=5", 10000, 5},
                 {"accounts=5", 0, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_scorer *s = scorer_of_text("rows=20k; %s", cases[i].settings);
        assert_int_equal(s->queries, cases[i].queries);
        assert_int_equal(s->accounts, cases[i].accounts);
        assert_int_equal(s->rows, 20000);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),    cmocka_unit_test(test_answers),      cmocka_unit_test(test_failures),
        cmocka_unit_test(test_baseline), cmocka_unit_test(test_every_metric), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_accounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the audit says of a Ladder, and what climbing it gets. */
#include "audit/climb.h"
#include "audit/trial.h"
#include "audit_tools.h"
#include "planner/planner.h"

/* ---- the Ladder ---- */

/* Eight rows of label 1 under zero-one loss: n wrong labels are n/8. */
static double ask_wrong(ll_curator *curator, long wrong)
{
    double x[8], answer;
    table t;
    ll_score score;
    ll_error error = {0};
    for (long i = 0; i < 8; i++)
        x[i] = i >= wrong;
    table_set(&t, x, 8, 1, LL_ENTRIES_DOUBLE);
    ll_score_init(&score);
    if (ll_curator_score(curator, &score, &t.source, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_true(is_inside(score.text, &score));
    assert_true(compare_texts(score.lower, score.upper) == 0); /* nothing is left open of counts */
    answer = strtod(score.text, NULL);
    ll_score_clear(&score);
    return answer;
}

/* A worse score, and one that is better by less than a step, are answered with the old best, however often. */
static void test_ladder_remembers(void **state)
{
    (void)state;
    static const struct {
        long wrong;
        double answer;
    } asked[] = {{6, 0.75}, {8, 0.75}, {7, 0.75}, {5, 0.75}, {4, 0.5}, {6, 0.5}, {8, 0.5}, {3, 0.5},
                 {2, 0.25}, {8, 0.25}, {3, 0.25}, {1, 0.25}, {0, 0},   {8, 0},   {0, 0}};
    const int32_t labels[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const char *const arithmetics[] = {"exact", "fp64"};
    for (int i = 0; i < 2; i++) {
        ll_error error = {0};
        ll_curator *curator;
        ll_scorer *s = scorer_of_text("metric=zero-one; arithmetic=%s; rows=8; classes=2; release=ladder:0.25; "
                                      "start=none",
                                      arithmetics[i]);
        assert_int_equal(ll_curator_create(&curator, s, labels, 8, &error), LL_OK);
        for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++)
            assert_true(ask_wrong(curator, asked[k].wrong) == asked[k].answer);
        ll_curator_destroy(curator);
        ll_scorer_destroy(s);
    }
}

/* An answer that moves says that a change was right only where the old best is remembered: a climb by sums and one
 * against curators both get there, and get the same. */
static void test_ladder_climbed(void **state)
{
    (void)state;
    static const char *const steps[] = {"0.00390625", "0.0107", "0.03"}; /* the first is one label */
    for (int i = 0; i < 3; i++) {
        ll_channel c;
        ll_tried tried;
        ll_error error = {0};
        double share, sum = 0;
        long size, seeds = 8;
        ll_scorer *s = scorer_of_text(
            "metric=zero-one; arithmetic=fp64; rows=256; classes=2; release=ladder:%s; start=none; queries=800",
            steps[i]);
        assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
        const ll_plan_request request = {0};
        ll_trial trial = {.scorer = s, .channel = &c, .request = &request, .seed = seed};
        assert_int_equal(ll_climb_run(&trial, &tried, &error), LL_OK);
        for (long k = 0; k < seeds; k++) {
            assert_int_equal(ll_climb_forecast(&c, s, &share, &size, c.ladder, 800, seed + (uint64_t)k, &error), LL_OK);
            sum += share / (double)seeds;
        }
        printf("Ladder of step %s: climbing gets %.3f of the labels, by sums %.3f\n", steps[i], tried.share, sum);
        assert_string_equal(tried.attack, "climbing");
        assert_true(i > 0 || (tried.share == 1 && sum == 1));
        assert_true(tried.share > 0.6 && fabs(tried.share - sum) < 0.1);
        ll_scorer_destroy(s);
    }
}

static double ladder_share(const ll_audit *a, double *step)
{
    for (long i = 0; i < a->defence_count; i++)
        if (strcmp(a->defences[i].kind, "ladder") == 0) {
            *step = a->defences[i].setting;
            return a->defences[i].share;
        }
    fail_msg("no row of the Ladder");
    return 0;
}

/* What a Ladder gives away has one answer, in the verdict, in its row, and in the row of the scorer without one: few
 * rows, as many as are tried, and more than that. */
static void test_ladder_once(void **state)
{
    (void)state;
    static const struct {
        const char *scorer;
        long rows, queries;
    } cases[] = {{"scorer=kaggle/log_loss", 2201, 1000},
                 {"metric=zero-one; arithmetic=fp64", 30, 20},
                 {"scorer=kaggle/log_loss", 20000, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double step, other, share;
        ll_audit plain, climbed;
        ll_error error = {0};
        ll_audit_request request;
        char text[256];
        ll_audit_request_init(&request);
        ll_audit_init(&plain);
        ll_audit_init(&climbed);
        (void)snprintf(text, sizeof text, "%s; start=none; rows=%ld; classes=2; queries=%ld", cases[i].scorer,
                       cases[i].rows, cases[i].queries);
        ll_scorer *s = scorer_of_text("%s", text);
        assert_int_equal(ll_audit_run(&plain, s, &request, &error), LL_OK);
        share = ladder_share(&plain, &step);
        ll_scorer *ladder = scorer_of_text("%s; release=ladder:%.3g", text, step);
        assert_int_equal(ll_audit_run(&climbed, ladder, &request, &error), LL_OK);
        assert_true(climbed.share == share && climbed.share > climbed.guess);
        assert_true(ladder_share(&climbed, &other) == share && other == step);
        ll_audit_clear(&plain);
        ll_audit_clear(&climbed);
        ll_scorer_destroy(s);
        ll_scorer_destroy(ladder);
    }
}

/* The first answer of a Ladder is a score that is rounded to its step: what a plan for noise of half a step reads for
 * certain of one answer, the attack on that answer gets right. */
static void test_first_answer(void **state)
{
    (void)state;
    enum { ROWS = 12 };
    long read = 0;
    for (double step = 1e-4; step < 2e-2; step *= 1.4) {
        ll_audit audit;
        ll_audit_request request;
        ll_error error = {0};
        ll_plan_request plan;
        ll_plan_choice choice;
        ll_scorer *s = scorer_of_text(
            "metric=log-loss; clip=0.01; clip-mode=clip; arithmetic=fp64; rows=%d; queries=1; release=ladder:%.17g; "
            "start=none",
            ROWS, step);
        ll_scorer *rounded = scorer_of_text(
            "metric=log-loss; clip=0.01; clip-mode=clip; arithmetic=fp64; rows=%d; queries=1; noise=bounded:%.17g",
            ROWS, step / 2 * (1 + 0x1p-30));
        ll_plan_request_init(&plan);
        ll_audit_init(&audit);
        ll_audit_request_init(&request);
        request.without_defences = 1;
        assert_int_equal(ll_audit_run(&audit, s, &request, &error), LL_OK);
        assert_int_equal(ll_plan_compare_code(&choice, "detecting", rounded, &plan), LL_OK);
        double share = 0;
        for (long i = 0; i < audit.tried_count; i++)
            if (strcmp(audit.tried[i].attack, "first answer") == 0)
                share = audit.tried[i].share;
        long certain = choice.status == LL_OK ? choice.recovered : 0;
        read += certain;
        assert_true(share * ROWS > (double)certain - 0.5);
        ll_audit_clear(&audit);
        ll_scorer_destroy(rounded);
        ll_scorer_destroy(s);
    }
    assert_true(read > 40);
}

/* ---- levels that are proposed ---- */

/* The limit of the scorer with these settings, which are separated by blanks, and so many levels more. */
static double limit_with(const char *scorer, const ll_defence *d, long more)
{
    char settings[400] = "", text[900];
    ll_audit_bound bound;
    ll_error error = {0};
    const char *end = strstr(d->settings, "levels:"), *rest = end + strcspn(end, " ");
    while (rest[-1] >= '0' && rest[-1] <= '9')
        rest--;
    (void)snprintf(settings, sizeof settings, "%.*s%ld%s", (int)(rest - d->settings), d->settings,
                   strtol(rest, NULL, 10) + more, rest + strspn(rest, "0123456789"));
    for (char *c = settings; *c; c++)
        *c = *c == ' ' ? ';' : *c;
    (void)snprintf(text, sizeof text, "%s; %s", scorer, settings);
    for (char *c = text; *c; c++) /* "; " is between settings */
        if (c[0] == ';' && c[1] != ' ') {
            memmove(c + 2, c + 1, strlen(c + 1) + 1);
            c[1] = ' ';
        }
    ll_scorer *s = scorer_of_text("%s", text);
    if (ll_audit_limit(&bound, s, d->queries, &error) != LL_OK)
        fail_msg("%s: %s", text, error.text);
    ll_scorer_destroy(s);
    return bound.max_share;
}

/* As many levels as keep the promise, and one more would break it; what is said of the smallest group is the limit of a
 * leaderboard of that group alone. */
static void test_levels_promised(void **state)
{
    static const struct {
        const char *all, *smallest; /* smallest: the same with the rows of the smallest group, NULL: no groups */
    } cases[] = {{"metric=accuracy; arithmetic=fp64; classes=2; queries=30; accounts=3; rows=2000", NULL},
                 {"metric=accuracy; arithmetic=fp64; classes=2; queries=30; rows=2000; groups=a*1700,b*300",
                  "metric=accuracy; arithmetic=fp64; classes=2; queries=30; rows=300; groups=b*300"}};
    long levels = 0, groups = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_audit audit;
        ll_error error = {0};
        ll_audit_request request;
        ll_scorer *s = scorer_of_text("%s", cases[i].all);
        ll_audit_request_init(&request);
        ll_audit_init(&audit);
        request.target_share = 0.65;
        request.combinations = 1;
        if (ll_audit_run(&audit, s, &request, &error) != LL_OK)
            fail_msg("%s: %s", cases[i].all, error.text);
        for (long n = 0; n < audit.defence_count; n++) {
            const ll_defence *d = &audit.defences[n];
            const char *said = strstr(d->note, "rows, up to ");
            if (strstr(d->settings, "levels:") == NULL)
                continue;
            levels++;
            if (!d->proved || limit_with(cases[i].all, d, 0) > 0.65 || limit_with(cases[i].all, d, 1) <= 0.65)
                fail_msg("%s: %s keeps 65%%: %g, with one more %g", cases[i].all, d->settings,
                         limit_with(cases[i].all, d, 0), limit_with(cases[i].all, d, 1));
            groups += said != NULL;
            if (said != NULL && fabs(strtod(said + 12, NULL) / 100 - limit_with(cases[i].smallest, d, 0)) > 5.1e-4)
                fail_msg("%s; alone %g", d->note, limit_with(cases[i].smallest, d, 0));
        }
        ll_audit_clear(&audit);
        ll_scorer_destroy(s);
    }
    printf("%ld releases by levels, %ld for groups\n", levels, groups);
    assert_true(levels >= 3 && groups >= 1);
}

int main(void)
{
    read_environment("t-audit-ladder");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_answer),    cmocka_unit_test(test_ladder_remembers),
        cmocka_unit_test(test_ladder_climbed),  cmocka_unit_test(test_ladder_once),
        cmocka_unit_test(test_levels_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

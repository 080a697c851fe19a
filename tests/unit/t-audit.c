/* The audit from both sides: planner and bound never cross, and predictions are what the attack does. Full sizes with
 * LL_TEST_LONG. */
#include "audit_tools.h"

#include <limits.h>

/* ---- known figures ---- */

static void test_known(void **state)
{
    (void)state;
    static const struct {
        long rows, queries, fixed, any;
    } known[] = {{198, 12, 11, 10}, {1000, 63, 57, 47}, {2201, 143, 128, 102}, {25000, 1849, 1617, 1152}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ll_scorer *s = profile("sklearn-1.1/log_loss", known[i].rows, 5);
        ll_audit a;
        audit(&a, s, 0);
        assert_true(a.best >= 0 && choice(&a, a.best)->queries <= known[i].queries);
        assert_int_equal((long)a.bound->min_queries_fixed, known[i].fixed);
        assert_int_equal((long)a.bound->min_queries, known[i].any);
        assert_int_equal(a.regime, LL_REGIME_EXACT);
        assert_int_equal(a.leaks, LL_TRUE);
        ll_audit_clear(&a);
        ll_scorer_destroy(s);
    }
}

static void test_sentence(void **state)
{
    (void)state;
    ll_scorer *s = profile("kaggle/log_loss", 2201, 5);
    ll_audit a;
    audit(&a, s, 0);
    assert_string_equal(a.verdict, "A scorer like this gives away all 2201 labels in 143 submissions; no fixed set of "
                                   "submissions could do it in fewer than 128, and no method at all in fewer than 102 "
                                   "(labels independent and uniform).");
    ll_audit_clear(&a);
    ll_scorer_destroy(s);
    s = scorer_of_text("rows=40");
    audit(&a, s, 0);
    assert_int_equal(a.regime, LL_REGIME_ONE_QUERY);
    ll_audit_clear(&a);
    ll_scorer_destroy(s);
}

/* The submissions that a text says all labels take; `fewest` where it says nothing. */
static long said_of_all(const char *text, const char *before, long fewest)
{
    const char *found = text != NULL ? strstr(text, before) : NULL;
    return found != NULL ? strtol(found + strlen(before), NULL, 10) : fewest;
}

/* What all labels take is said of the code that takes the fewest, be it the best within the limit or not. */
static void test_fewest(void **state)
{
    static const char *const names[] = {"sklearn/roc_auc", "sklearn/f1", "sklearn/log_loss"};
    long others = 0;
    (void)state;
    for (int i = 0; i < 9; i++) {
        ll_scorer *s = scorer_of_text("scorer=%s; rows=500; classes=2; decimals=4; queries=%d", names[i / 3],
                                      (int[]){10, 30, 50}[i % 3]);
        long fewest = LONG_MAX;
        ll_audit a;
        audit(&a, s, 0);
        for (long k = 0; k < a.choice_count; k++)
            if (choice(&a, k)->status == LL_OK && choice(&a, k)->queries < fewest)
                fewest = choice(&a, k)->queries;
        others += a.best >= 0 && choice(&a, a.best)->queries > fewest;
        if (said_of_all(a.verdict, "all of them would take ", fewest) != fewest ||
            said_of_all(a.verdict, "all of them for certain would take ", fewest) != fewest ||
            said_of_all(a.answer, "All of them take ", fewest) != fewest)
            fail_msg("%s: a code reads all labels in %ld: %s %s", names[i / 3], fewest, a.answer, a.verdict);
        ll_audit_clear(&a);
        ll_scorer_destroy(s);
    }
    assert_true(others > 0);
}

/* ---- planner and bound never cross ---- */

static void check_sides(const ll_audit *a, const ll_scorer *s)
{
    for (long i = 0; i < a->choice_count; i++) {
        const ll_plan_choice *c = choice(a, i);
        if (c->status != LL_OK || c->guarantee != LL_CERTIFIED)
            continue;
        double share = ((double)c->recovered + (double)(a->rows - c->recovered) * a->guess) / (double)a->rows;
        if ((double)c->queries < a->bound->min_queries_fixed || (double)c->queries < a->bound->min_queries ||
            share > a->bound->max_share)
            fail_msg(
                "%s, %ld rows, %ld classes, %s decimals, limit %ld: %s takes %ld queries, bounds %g and %g; share %g, "
                "bound %g",
                name_of(s), s->rows, s->classes, ll_scorer_get(s, "decimals"), s->queries, c->code, c->queries,
                a->bound->min_queries_fixed, a->bound->min_queries, share, a->bound->max_share);
    }
    assert_true(a->share <= a->bound->max_share && a->share >= a->guess - 1e-12);
}

/* Any scorer: profile, size, release, clip, noise. */
static ll_scorer *random_scorer(void)
{
    const char *name = ll_profile_get_info(below(ll_profile_count()))->name;
    long rows = 1 + below(below(3) ? 400 : 5000);
    ll_scorer *s = profile(name, rows, (int)below(12) - 2);
    char text[60];
    if (below(4) == 0) {
        (void)snprintf(text, sizeof text, "queries=%ld", 1 + below(200));
        change(&s, text);
    }
    if (strcmp(metric_of(s), "log-loss") == 0 && s->computation.columns != LL_COLUMNS_ONE && below(3) == 0) {
        (void)snprintf(text, sizeof text, "classes=%ld", 2 + below(4));
        change(&s, text);
    }
    if (s->computation.clip_mode == LL_CLIP && below(2))
        change(&s, below(2) ? "clip=0.001" : "clip=1e-5");
    if (below(4) == 0) {
        (void)snprintf(text, sizeof text, "noise=bounded:%.3g", pow(10, -8 + 7 * uniform()));
        change(&s, text);
    }
    return s;
}

static void test_sides(void **state)
{
    (void)state;
    long certified = 0, count = trials(36, 2000);
    for (long i = 0; i < count; i++) {
        ll_scorer *s = random_scorer();
        ll_audit a;
        audit(&a, s, 0);
        check_sides(&a, s);
        certified += a.best >= 0;
        ll_audit_clear(&a);
        ll_scorer_destroy(s);
    }
    printf("%ld scorers, %ld with a certified plan\n", count, certified);
    assert_true(certified * 4 > count);
}

/* A loose bound is no bound: binary log-loss, 3 to 8 decimals. A whole number of queries above 1.2 times a small bound
 * cannot be avoided, so one query more is allowed for. With 3 decimals a row has 34 levels at 1000 rows and one and a
 * third at 25000, of which a code uses whole and half ones: there it is up to 1.3 (docs/proofs/detecting.md). */
static void test_ratio(void **state)
{
    (void)state;
    static const long sizes[] = {100, 198, 418, 1000, 2201, 5000, 6000, 10000, 18000, 25000};
    double worst[2] = {0};
    for (int places = 3; places <= 8; places++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            ll_audit a;
            int few = places == 3;
            double most = !few ? 1.2 : sizes[i] <= 10000 ? 1.212 : sizes[i] < 25000 ? 1.24 : 1.3;
            if (is_light() && (places + (int)i) % 3)
                continue;
            ll_scorer *s = profile("sklearn-1.1/log_loss", sizes[i], places);
            audit(&a, s, 0);
            if (a.best >= 0 && choice(&a, a.best)->guarantee == LL_CERTIFIED) {
                double queries = (double)choice(&a, a.best)->queries, bound = a.bound->min_queries_fixed;
                if (queries > fmax(most * bound, bound + 1))
                    fail_msg("%ld rows, %d decimals: %g queries, bound %g", sizes[i], places, queries, bound);
                if (bound >= 10)
                    worst[few] = fmax(worst[few], queries / bound);
            }
            ll_audit_clear(&a);
            ll_scorer_destroy(s);
        }
    printf("worst ratio to the bound: %.3f with 4 to 8 decimals, %.3f with 3\n", worst[0], worst[1]);
}

/* Are defences looked for, too? They are tried out, which takes seconds. */
static int is_defended(long profile, long rows)
{
    return is_long() || (rows == 198 && profile % (is_light() ? 40 : 12) == 0) ||
           (rows == 2201 && !is_light() && profile % 24 == 3);
}

static void test_profiles(void **state)
{
    (void)state;
    static const long sizes[] = {198, 2201, 25000, 1000000};
    for (long p = 0; p < ll_profile_count(); p += is_light() ? 11 : is_long() ? 1 : 5)
        for (int i = 0; i < (is_light() ? 2 : 4); i++) {
            if (!is_long() && (p / 2 + i) % 2 == 1)
                continue; /* two sizes of each */
            ll_scorer *s = profile(ll_profile_get_info(p)->name, sizes[i], -1);
            ll_audit a;
            change(&s, "queries=1000");
            audit(&a, s, is_defended(p, sizes[i]));
            check_sides(&a, s);
            ll_audit_clear(&a);
            ll_scorer_destroy(s);
        }
}

/* ---- what is predicted is what the attack does ---- */

static void test_predicted_queries(void **state)
{
    (void)state;
    long attacks = 0, count = trials(20, 200);
    for (long i = 0; i < count; i++) {
        char text[40];
        ll_scorer *s = random_scorer();
        ll_audit a;
        ll_verdict verdict;
        ll_error error = {0};
        ll_plan_request request;
        (void)snprintf(text, sizeof text, "rows=%ld", 1 + s->rows % 300);
        change(&s, text);
        audit(&a, s, 0);
        if (a.best >= 0) {
            int32_t labels[400];
            const ll_plan_choice *best = choice(&a, a.best);
            ll_verdict_init(&verdict);
            ll_plan_request_init(&request);
            request.code = best->code;
            if (run_attack(s, &request, &verdict, labels, &error) != LL_OK)
                fail_msg("%s: %s", best->code, error.text);
            if (s->queries == 0 || best->queries <= s->queries)
                if (verdict.queries != best->queries)
                    fail_msg("%s, %s, %ld rows of %ld classes, limit %ld: %ld queries, %ld predicted", best->code,
                             name_of(s), s->rows, s->classes, s->queries, verdict.queries, best->queries);
            /* numbers of counts and ranks may leave the class counts ambiguous: what is predicted is the most then */
            int may_stay_open = !ll_metric_has_terms(s->computation.metric);
            assert_true(!may_stay_open || a.share <= a.guess + 1e-9 || a.tried_count > 0); /* claims were run */
            assert_true(verdict.certain <= best->recovered || strcmp(best->code, "hadamard") == 0);
            if (strcmp(best->code, "hadamard") != 0 && !may_stay_open && verdict.certain != best->recovered)
                fail_msg("%s, %s, %ld rows of %ld classes, limit %ld: %ld labels, %ld predicted", best->code,
                         name_of(s), s->rows, s->classes, s->queries, verdict.certain, best->recovered);
            for (long row = 0; row < s->rows; row++)
                assert_true(verdict.labels[row] < 0 || verdict.labels[row] == labels[row] || verdict.certain == 0);
            ll_verdict_clear(&verdict);
            attacks++;
        }
        ll_audit_clear(&a);
        ll_scorer_destroy(s);
    }
    printf("%ld attacks\n", attacks);
    assert_true(attacks * 3 > count);
}

/* Entries that share 1 and are clipped high: rows whose last label adds all the levels need room, too. */
static void test_shared_entries(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text(
        "scorer=keras3/bce; columns=all; rows=253; classes=5; decimals=7; clip=0.001; noise=bounded:0.00115");
    ll_verdict verdict;
    ll_error error = {0};
    ll_plan_request request;
    int32_t labels[253];
    ll_verdict_init(&verdict);
    ll_plan_request_init(&request);
    request.code = "detecting";
    assert_int_equal(run_attack(s, &request, &verdict, labels, &error), LL_OK);
    assert_int_equal(verdict.certain, 253);
    assert_memory_equal(verdict.labels, labels, sizeof labels);
    ll_verdict_clear(&verdict);
    ll_scorer_destroy(s);
}

/* The forecast of averaging lies within two points of the attack's mean. */
static void test_predicted_share(void **state)
{
    (void)state;
    static const struct {
        long rows, queries;
        int places;
        const char *noise;
        long runs; /* 0: few; their spread counts, since the labels of one run are not independent */
    } worlds[] = {{500, 512, 1, "none", 0},        {1000, 300, 1, "none", 0},        {600, 700, 0, "none", 0},
                  {300, 600, -1, "laplace:2", 0},  {400, 300, 3, "gaussian:0.6", 6}, {400, 1500, -1, "gaussian:2", 0},
                  {400, 1500, -1, "laplace:1", 0}, {400, 1500, -1, "laplace:4", 0},  {1500, 2048, 0, "none", 0}};
    for (size_t w = 0; w < (is_long() ? sizeof worlds / sizeof worlds[0] : is_light() ? 2 : 5); w++) {
        ll_scorer *s = profile("sklearn-1.1/log_loss", worlds[w].rows, worlds[w].places);
        char text[60];
        ll_channel c;
        ll_error error = {0};
        ll_plan_request request;
        double right = 0, squares = 0;
        long runs = worlds[w].runs > 0 ? worlds[w].runs : trials(3, 12);
        (void)snprintf(text, sizeof text, "queries=%ld; noise=%s", worlds[w].queries, worlds[w].noise);
        change(&s, text);
        assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
        ll_plan_request_init(&request);
        request.code = "hadamard";
        request.guarantee = LL_LIKELY;
        for (long run = 0; run < runs; run++) {
            int32_t labels[1500];
            ll_verdict verdict;
            ll_verdict_init(&verdict);
            if (run_attack(s, &request, &verdict, labels, &error) != LL_OK)
                fail_msg("%s", error.text);
            double found = 0;
            for (long i = 0; i < s->rows; i++)
                found += verdict.labels[i] == labels[i] ? 1 / (double)s->rows : 0;
            right += found;
            squares += found * found;
            ll_verdict_clear(&verdict);
        }
        double share = right / (double)runs, expected;
        double spread = sqrt(fmax(0, squares / (double)runs - share * share) / (double)(runs - 1));
        assert_int_equal(ll_average_share(&expected, &c, s, (double)s->queries, NULL), LL_OK);
        printf("%ld rows, %ld queries, %d decimals, noise %s: expected %.4f, got %.4f +- %.4f\n", s->rows, s->queries,
               worlds[w].places, worlds[w].noise, expected, share, spread);
        double rows_alone = sqrt(0.25 / (double)(runs * s->rows));
        assert_true(fabs(share - expected) < 0.02 + 2.5 * fmax(worlds[w].runs > 0 ? spread : 0, rows_alone));
        ll_scorer_destroy(s);
    }
}

/* ---- shares, priors, bad input ---- */

static void test_prior(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=kaggle/log_loss; rows=2201; classes=2; prior=0.68,0.32");
    ll_audit a;
    audit(&a, s, 0);
    assert_true(fabs(a.guess - 0.68) < 1e-12 && fabs(a.target_share - 0.73) < 1e-12);
    assert_true(a.bound->label_bits < 2201 * 0.91 && a.bound->label_bits > 2201 * 0.90);
    assert_true(a.bound->min_queries < 102);
    assert_non_null(strstr(a.verdict, "drawn from the prior"));
    ll_audit_clear(&a);
    ll_scorer_destroy(s);
}

static void test_share_grows(void **state)
{
    (void)state;
    ll_scorer *s = profile("kaggle/log_loss", 2201, 5);
    ll_channel c;
    ll_error error = {0};
    assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
    ll_scorer_destroy(s);
    double before = 0;
    for (double queries = 0; queries < 130; queries++) {
        double share = ll_limit_share(&c, queries);
        assert_true(share >= before && share >= 0.5 && share <= 1);
        before = share;
    }
    assert_true(before == 1 && ll_limit_share(&c, 101) < 1);
}

static void test_refusals(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=kaggle/log_loss"), *bad = NULL;
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&a);
    ll_audit_request_init(&request);
    assert_int_equal(ll_audit_run(&a, s, &request, &error), LL_DOMAIN);
    change(&s, "rows=10; classes=2");
    request.target_share = 1.5;
    assert_int_equal(ll_audit_run(&a, s, &request, &error), LL_DOMAIN);
    assert_null(a.bound);
    ll_scorer_destroy(s);
    ll_status status = try_scorer_text(&bad, "scorer=kaggle/log_loss; rows=10; classes=2; prior=0.5,0.2,0.3", &error);
    request.target_share = 0;
    if (status == LL_OK)
        status = ll_audit_run(&a, bad, &request, &error);
    assert_int_equal(status, LL_DOMAIN);
    ll_scorer_destroy(bad);
}

/* The suffix says how noise is simulated, not what is known of it: the answer is the same. */
static void test_drawn_alike(void **state)
{
    (void)state;
    static const char *const draws[] = {"", ",uniform", ",plus", ",minus"};
    ll_audit audits[4];
    for (int i = 0; i < 4; i++) {
        ll_error error = {0};
        ll_audit_request request;
        ll_audit_request_init(&request);
        request.without_defences = 1;
        ll_audit_init(&audits[i]);
        ll_scorer *s = scorer_of_text("metric=squared; arithmetic=fp64; rows=12; classes=2; noise=bounded:1%s; "
                                      "queries=20",
                                      draws[i]);
        assert_int_equal(ll_audit_run(&audits[i], s, &request, &error), LL_OK);
        assert_true(audits[i].share == audits[0].share && audits[i].leaks == audits[0].leaks);
        assert_string_equal(audits[i].verdict, audits[0].verdict);
        assert_int_equal(audits[i].tried_count, audits[0].tried_count);
        ll_scorer_destroy(s);
    }
    for (int i = 0; i < 4; i++)
        ll_audit_clear(&audits[i]);
}

/* ---- stopped ---- */

static int stop_after(void *self)
{
    return --*(long *)self < 0;
}

/* Wherever it is asked, it stops and says so; nothing of what was found so far is given out. */
static void test_stopped(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn/brier; rows=30; queries=20; decimals=3");
    for (long after = 0; after < 40; after = 3 * after + 1) {
        long left = after;
        ll_budget budget;
        ll_audit_request request;
        ll_audit a;
        ll_error error = {0};
        ll_budget_init(&budget);
        ll_audit_request_init(&request);
        ll_audit_init(&a);
        budget.stop = stop_after;
        budget.self = &left;
        request.budget = &budget;
        assert_int_equal(ll_audit_run(&a, s, &request, &error), LL_UNABLE);
        assert_string_equal(error.text, "the audit was stopped");
        assert_true(a.defences == NULL && left > -30);
        ll_audit_clear(&a);
    }
    ll_scorer_destroy(s);
}

/* Every text of so many digits that a double can have: a sign, a mantissa without a leading 0, 10^-324 to 10^308; 0. */
static void test_digits(void **state)
{
    (void)state;
    for (int digits = 1; digits < 6; digits++) {
        ll_scorer *s = scorer_of_text("metric=lp:1; arithmetic=fp64; rows=1000000; digits=%d", digits);
        ll_channel c;
        ll_error error = {0};
        assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
        c.is_count = 0;
        c.float_bits = 64;
        c.table_bits = c.table_alone = INFINITY;
        c.range = INFINITY;
        double texts = 2 * 9 * pow(10, digits - 1) * 633 + 1, bits = ll_limit_bits(&c);
        assert_true(bits >= log2(texts) && bits <= log2(texts) + 0.1);
        ll_scorer_destroy(s);
    }
}

/* A root's sampling error is the mean's through the derivative: the Brier score of a model that says p and is right has
 * the mean 1/6. */
static void test_sampling_error(void **state)
{
    (void)state;
    static const char *const steps[] = {"identity", "percent", "root", "root,percent", "percent,root"};
    static const double slopes[] = {1, 100, 0.5, 50, 5};
    double found[5];
    for (int i = 0; i < 5; i++) {
        ll_scorer *s = scorer_of_text("scorer=sklearn/brier; rows=500; transform=%s", steps[i]);
        ll_channel c;
        ll_error error = {0};
        assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
        assert_int_equal(ll_sampling_error(&found[i], &c, s, &error), LL_OK);
        double slope = i < 2 ? slopes[i] : slopes[i] / sqrt(1. / 6);
        if (!(fabs(found[i] / found[0] / slope - 1) < 1e-4))
            fail_msg("%s: %g, the mean's is %g", steps[i], found[i], found[0]);
        ll_scorer_destroy(s);
    }
}

/* Of a long grid a part of the labels is looked at: all of them, in doubles, say the same to 0.2 percent. */
static double loss_of(int metric, double x, double y)
{
    return metric == 0   ? fabs(x - y)
           : metric == 1 ? (x - y) * (x - y)
           : metric == 2 ? fabs(x - y) / y
                         : pow(log1p(x) - log1p(y), 2);
}

static double slow_sampling_error(int metric, double step, long classes, double rows)
{
    enum { MODELS = 128 };
    double mean = 0, square = 0;
    for (int i = 0; i < MODELS; i++) {
        double p = (i + 0.5) / MODELS, x = step + p * step * (double)(classes - 1), all = 0, sum = 0, squares = 0;
        for (long k = 0; k < classes; k++) {
            double off = (double)k / (double)(classes - 1) - p, share = exp(-8 * off * off);
            double loss = loss_of(metric, x, step * (double)(k + 1));
            all += share;
            sum += share * loss;
            squares += share * loss * loss;
        }
        mean += sum / all / MODELS;
        square += squares / all / MODELS;
    }
    return sqrt((square - mean * mean) / rows);
}

static void test_sampling_error_of_targets(void **state)
{
    (void)state;
    static const char *const metrics[] = {"mae", "mse", "mape", "msle"};
    static const struct {
        const char *text;
        double step;
        long classes;
    } grids[] = {{"1:40:1", 1, 40}, {"1:65:1", 1, 65}, {"1:1000:1", 1, 1000}, {"0.01:900:0.01", 0.01, 90000}};
    for (int m = 0; m < 4; m++)
        for (int g = 0; g < 4; g++) {
            ll_scorer *s = scorer_of_text("metric=%s; rows=500; targets=%s", metrics[m], grids[g].text);
            ll_channel c;
            ll_error error = {0};
            double found, slow = slow_sampling_error(m, grids[g].step, grids[g].classes, 500);
            assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
            assert_int_equal(ll_sampling_error(&found, &c, s, &error), LL_OK);
            if (!(fabs(found / slow - 1) < 0.002))
                fail_msg("%s of %s: %g, of all labels %g", metrics[m], grids[g].text, found, slow);
            ll_scorer_destroy(s);
        }
}

int main(void)
{
    read_environment("t-audit");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_sampling_error),
        cmocka_unit_test(test_sampling_error_of_targets),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_predicted_queries),
        cmocka_unit_test(test_shared_entries),
        cmocka_unit_test(test_predicted_share),
        cmocka_unit_test(test_prior),
        cmocka_unit_test(test_share_grows),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_drawn_alike),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_fewest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

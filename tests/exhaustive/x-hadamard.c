/* The code hadamard, end to end. Small worlds: every labelling, every noise; what is called certified is the truth, and
 * LabelInf finds no other labelling that explains all scores. Larger ones: coarse rounding and random noise against a
 * simulated curator, and the forecast against what happens. LL_TEST_LONG=1: the sizes of the Titanic's data set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"
#include "number/random.h"
#include "planner/planner.h"

static uint64_t seed = 4711;
static int is_long, is_light;
static long certified, likely, refused;

/* ---- one attack ---- */

/* What is released: settings after the metric's own, "noise=...; decimals=...". */
static ll_scorer *scorer_of(const char *metric, const char *arithmetic, long rows, long classes, const char *release)
{
    const char *clip = strcmp(metric, "log-loss") == 0 ? "clip=1e-15; clip-mode=clip-renormalise" : "";
    return scorer_of_text("metric=%s; arithmetic=%s; sum=pairwise; rows=%ld; classes=%ld; seed=%llu; %s; %s", metric,
                          arithmetic, rows, classes, (unsigned long long)seed, clip, release);
}

static long rows_of(const ll_scorer *s)
{
    return ll_scorer_get_count(s, "rows");
}

static long classes_of(const ll_scorer *s)
{
    return ll_scorer_get_count(s, "classes");
}

static ll_plan *make_plan(const ll_scorer *s, const char *code, long queries, double failure)
{
    ll_plan_request request;
    ll_plan *plan = NULL;
    ll_error error = {0};
    ll_plan_request_init(&request);
    request.code = code;
    request.guarantee = LL_LIKELY;
    request.queries = queries;
    request.failure = failure;
    if (ll_plan_create(&plan, s, &request, &error) != LL_OK)
        return NULL;
    return plan;
}

static void attack(ll_verdict *out, const ll_plan *plan, const ll_scorer *s, const int32_t *labels)
{
    ll_curator *curator;
    ll_error error = {0};
    assert_int_equal(ll_curator_create(&curator, s, labels, rows_of(s), &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    ll_verdict_init(out);
    if (ll_attack_run(plan, out, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_curator_destroy(curator);
}

/* ---- small worlds ---- */

static void set_labels(int32_t *labels, long number, const ll_scorer *s)
{
    for (long i = 0; i < rows_of(s); i++, number /= classes_of(s))
        labels[i] = (int32_t)(number % classes_of(s));
}

static long count_labellings(const ll_scorer *s)
{
    long count = 1;
    for (long i = 0; i < rows_of(s); i++)
        count *= classes_of(s);
    return count;
}

static double ask(ll_curator *curator, const ll_plan *plan, long query)
{
    ll_predictions predictions;
    ll_score score;
    ll_score_init(&score);
    assert_int_equal(ll_plan_predictions(plan, &predictions, query, NULL), LL_OK);
    assert_int_equal(ll_curator_score(curator, &score, &predictions, NULL), LL_OK);
    double value = strtod(score.text, NULL);
    ll_score_clear(&score);
    return value;
}

/* clean[labelling * queries + query]: the score without noise */
static double *clean_scores(const ll_plan *plan, const ll_scorer *s, long queries)
{
    long count = count_labellings(s);
    double *clean = malloc(sizeof *clean * (size_t)(count * queries));
    ll_scorer *quiet = vary_scorer(s, "noise=none");
    int32_t labels[16];
    for (long n = 0; n < count; n++) {
        ll_curator *curator;
        set_labels(labels, n, s);
        assert_int_equal(ll_curator_create(&curator, quiet, labels, rows_of(s), NULL), LL_OK);
        for (long q = 0; q < queries; q++)
            clean[n * queries + q] = ask(curator, plan, q);
        ll_curator_destroy(curator);
    }
    ll_scorer_destroy(quiet);
    return clean;
}

/* LabelInf over all queries: how many labellings explain all scores of `truth` under its noise? */
static long count_explaining(const ll_plan *plan, const ll_scorer *s, const double *clean, const int32_t *truth,
                             long queries)
{
    double tau = strtod(strchr(ll_scorer_get(s, "noise"), ':') + 1, NULL) * (1 + 1e-9) + 1e-12,
           *released = malloc(sizeof *released * (size_t)queries);
    ll_curator *curator;
    long explaining = 0, count = count_labellings(s);
    assert_int_equal(ll_curator_create(&curator, s, truth, rows_of(s), NULL), LL_OK);
    for (long q = 0; q < queries; q++)
        released[q] = ask(curator, plan, q);
    ll_curator_destroy(curator);
    for (long n = 0; n < count; n++) {
        int fits = 1;
        for (long q = 0; q < queries && fits; q++)
            fits = fabs(clean[n * queries + q] - released[q]) <= tau;
        explaining += fits;
    }
    free(released);
    return explaining;
}

static void try_world(const ll_scorer *s, const ll_plan *plan)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    double *clean = clean_scores(plan, s, info.queries);
    int32_t labels[16];
    for (long n = 0; n < count_labellings(s); n++) {
        ll_verdict v;
        set_labels(labels, n, s);
        attack(&v, plan, s, labels);
        long explaining = count_explaining(plan, s, clean, labels, info.queries);
        assert_true(v.kind != LL_NONE && explaining >= 1);
        if (v.guarantee == LL_CERTIFIED) {
            assert_int_equal(explaining, 1);
            assert_int_equal(v.certain, rows_of(s));
            assert_true(v.shares == NULL && v.probability == 1);
            assert_memory_equal(v.labels, labels, sizeof *labels * (size_t)rows_of(s));
            certified++;
        } else {
            assert_int_equal(v.certain, 0);
            assert_true(v.shares != NULL && v.probability <= 1);
            likely++;
        }
        ll_verdict_clear(&v);
    }
    free(clean);
}

/* Noise from far below one label's weight to above it: certified where Parseval reaches, never wrong. */
static void certified_is_never_wrong(void **state)
{
    (void)state;
    static const char *const losses[] = {"log-loss", "squared"}, *const draws[] = {"uniform", "plus", "minus"};
    static const char *const arithmetics[] = {"exact", "fp64", "fp32"};
    static const char *const noises[] = {"0.02", "0.06", "0.11", "0.16", "0.25"};
    static const char *const heavy[] = {"0.7", "2", "4", "5.5", "9"};
    for (int k = 0; k < 2 * 3 * 5 * 3; k += is_long ? 1 : 7) {
        int l = k % 2, a = k / 2 % 3, t = k / 6 % 5, draw = k / 30;
        for (long classes = 2; classes <= 3; classes++) {
            long rows = classes == 2 ? (is_long ? 8 : is_light ? 3 : 5) : is_long ? 4 : is_light ? 2 : 3;
            char noise[40];
            (void)snprintf(noise, sizeof noise, "noise=bounded:%s,%s", l == 0 ? heavy[t] : noises[t], draws[draw]);
            ll_scorer *s = scorer_of(losses[l], arithmetics[a], rows, classes, noise);
            ll_plan *plan = make_plan(s, "hadamard", classes == 2 ? (rows < 7 ? 8 : 16) : 3 * (rows < 3 ? 4 : 8), 0.5);
            refused += plan == NULL;
            if (plan != NULL)
                try_world(s, plan);
            ll_plan_destroy(plan);
            ll_scorer_destroy(s);
        }
    }
    print_message("certified %ld, likely %ld, worlds refused %ld\n", certified, likely, refused);
    assert_true(certified > 0 && likely > 0);
}

/* ---- larger worlds ---- */

/* A third of the labels are 1, as among the Titanic's people; more classes: alike. */
static int32_t *draw_labels(const ll_scorer *s, uint64_t stream)
{
    int32_t *labels = malloc(sizeof *labels * (size_t)rows_of(s));
    for (long i = 0; i < rows_of(s); i++)
        labels[i] = classes_of(s) == 2 ? ll_random_uniform(seed, stream, (uint64_t)i) < 0.323
                                       : (int32_t)ll_random_below(seed, stream, (uint64_t)i, (uint64_t)classes_of(s));
    return labels;
}

static double run(const ll_scorer *s, const char *code, long queries, double *claimed, double *probability)
{
    ll_verdict v;
    int32_t *labels = draw_labels(s, 77);
    ll_plan *plan = make_plan(s, code, queries, 1e-6);
    double right = 0, sum = 0;
    assert_non_null(plan);
    attack(&v, plan, s, labels);
    for (long i = 0; i < rows_of(s); i++) {
        right += v.labels[i] == labels[i];
        sum += v.shares != NULL ? v.shares[i * classes_of(s) + v.labels[i]] : 1;
    }
    *claimed = sum / (double)rows_of(s);
    *probability = v.probability;
    ll_verdict_clear(&v);
    ll_plan_destroy(plan);
    free(labels);
    return right / (double)rows_of(s);
}

/* Rounding to a decimal and to whole numbers, the grid as wide against a row as with 2201 rows. */
static void coarse_rounding_hides_nothing(void **state)
{
    (void)state;
    long rows = is_long ? 2201 : is_light ? 150 : 300, queries = is_long ? 4096 : is_light ? 256 : 512;
    for (int places = 0; places <= 1; places++) {
        ll_scorer *s = scorer_of("log-loss", "fp64", rows, 2, places == 0 ? "decimals=0" : "decimals=1");
        double claimed, probability;
        double right = run(s, "hadamard", queries, &claimed, &probability);
        print_message("%ld rows, %d decimals, %ld queries: %.4f right, probability %.6g\n", rows, places, queries,
                      right, probability);
        assert_true(right == 1 && probability > 1 - 1e-6);
        ll_scorer_destroy(s);
    }
}

typedef struct {
    const char *loss;
    long rows, classes, queries;
    const char *release;
} setting;

/* What ll_predict_share says, what decoding claims and what happens, within a few standard errors of 2 points. */
static void forecasts_come_true(void **state)
{
    (void)state;
    static const setting sweep[] = {
        {"log-loss", 700, 2, 300, "decimals=0"},
        {"log-loss", 700, 2, 200, "decimals=1; truncate=yes"},
        {"log-loss", 700, 2, 600, "noise=gaussian:0.4"},
        {"log-loss", 700, 2, 900, "noise=laplace:0.4"},
        {"log-loss", 700, 2, 600, "decimals=0; noise=gaussian:0.2"},
        {"squared", 500, 2, 500, "decimals=1"},
        {"squared", 700, 2, 400, "noise=gaussian:0.01"},
        {"log-loss", 500, 3, 400, "decimals=0"},
        {"log-loss", 400, 5, 700, "decimals=1"},
    };
    for (size_t i = 0; i < sizeof sweep / sizeof sweep[0]; i++) {
        const setting *t = &sweep[i];
        ll_scorer *s = scorer_of(t->loss, "fp64", t->rows, t->classes, t->release);
        ll_forecast forecast;
        double claims = 0, right = 0, claimed, probability;
        long draws = is_long ? 12 : is_light ? 1 : 3;
        for (long d = 0; d < draws; d++) {
            ll_scorer *other = vary_scorer(s, "seed=%llu", (unsigned long long)seed + (unsigned long long)d);
            right += run(other, "hadamard", t->queries, &claimed, &probability) / (double)draws;
            claims += claimed / (double)draws;
            ll_scorer_destroy(other);
        }
        assert_int_equal(ll_predict_share(&forecast, s, t->queries, NULL), LL_OK);
        double error = 3 * sqrt(0.25 / (double)(t->rows * draws));
        print_message("%s %ld x %ld, %ld queries: %.3f right, %.3f claimed, %.3f forecast\n", t->loss, t->rows,
                      t->classes, t->queries, right, claims, forecast.share);
        assert_true(fabs(forecast.share - right) < 0.02 + error);
        assert_true(fabs(claims - right) < 0.02 + error);
        ll_scorer_destroy(s);
    }
}

/* Random noise taken as bounded: codes of levels and of digits, repeated where one answer is not enough. */
static void random_noise_is_read(void **state)
{
    (void)state;
    static const char *const sizes[] = {"1e-5", "0.002", "0.03"};
    static const char *const codes[] = {"detecting", "radix", "sum-distinct", "auto"};
    for (int i = 0; i < 3 * 4 * 2; i++) {
        char noise[40];
        double claimed, probability;
        (void)snprintf(noise, sizeof noise, "noise=%s:%s", i / 12 ? "laplace" : "gaussian", sizes[i % 3]);
        ll_scorer *s = scorer_of("log-loss", "fp64", 60, 2, noise);
        double right = run(s, codes[i / 3 % 4], 0, &claimed, &probability);
        assert_true(right == 1 && probability >= 1 - 1e-6 && claimed >= 1 - 1e-6);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    if (getenv("LL_TEST_SEED"))
        seed = strtoull(getenv("LL_TEST_SEED"), NULL, 10);
    is_long = getenv("LL_TEST_LONG") != NULL;
    is_light = getenv("LL_TEST_LIGHT") != NULL;
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_is_never_wrong),
        cmocka_unit_test(coarse_rounding_hides_nothing),
        cmocka_unit_test(forecasts_come_true),
        cmocka_unit_test(random_noise_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

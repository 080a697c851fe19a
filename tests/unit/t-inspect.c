/* inspect: submissions of every code are found, honest ones are not; the bits are bounds. LL_TEST_LONG: 100 of each. */
#include "audit/positions.h"
#include "curator_tools.h"
#include "scorer_tools.h"

static long trials(long few)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0 ? 100 : few;
}

static ll_finding find(const ll_scorer *s, const ll_predictions *p, ll_inspection *out)
{
    ll_error error = {0};
    ll_inspection_clear(out);
    if (ll_inspect_predictions(out, s, p, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    return out->finding;
}

/* ---- crafted ---- */

/* Scorers of all kinds: rounded profiles, full doubles, exact arithmetic. */
static ll_scorer *random_scorer(const char *code)
{
    static const char *const profiles[] = {"sklearn-1.1/log_loss", "sklearn-1.2/log_loss", "kaggle/log_loss",
                                           "sklearn/brier", "lightgbm/binary_logloss"};
    long rows = 30 + below(170), classes = 2;
    if (strcmp(code, "presence") == 0)
        return scorer_of_text("scorer=%s; rows=%ld; classes=2; decimals=%ld; public=0.3", profiles[below(3)], rows,
                              4 + below(5));
    if (strcmp(code, "grades") == 0)
        return scorer_of_text("scorer=sklearn/%s; rows=%ld; targets=0:%ld:1; decimals=%ld", below(2) ? "mse" : "rmse",
                              rows, 2 + below(8), 5 + below(3));
    int exact = strncmp(code, "primes", 6) == 0 || strcmp(code, "prime-rows") == 0 || below(4) == 0;
    if (exact && strcmp(code, "detecting") != 0 && strcmp(code, "sum-distinct") != 0 && strcmp(code, "hadamard") != 0)
        return scorer_of_text("rows=%ld; classes=2; noise=bounded:%.2g", rows, pow(10, -6 + 5 * uniform()));
    long profile = below(5), decimals = 4 + below(5);
    if (profile < 3 && below(3) == 0)
        classes = 2 + below(3);
    return scorer_of_text("scorer=%s; rows=%ld; classes=%ld; decimals=%ld", profiles[profile], rows, classes, decimals);
}

static void test_crafted(void **state)
{
    (void)state;
    ll_inspection out;
    ll_inspection_init(&out);
    for (long k = 0; k < ll_code_count(); k++) {
        const char *code = ll_code_get_info(k)->name;
        long found = 0, made = 0, wanted = trials(6);
        if (strcmp(code, "ranks") == 0 || strcmp(code, "ordered") == 0 || strcmp(code, "cells") == 0 ||
            strcmp(code, "flip") == 0 || strcmp(code, "changes") == 0 || strcmp(code, "single") == 0 ||
            strcmp(code, "edges") == 0 ||
            strcmp(code, "shifts") == 0) /* their metrics are refused; a file of shifts looks like a model's */
            continue;
        for (long i = 0; i < 20 * wanted && made < wanted; i++) {
            ll_plan *plan;
            ll_plan_info info;
            ll_plan_request request;
            ll_predictions p;
            ll_scorer *s = random_scorer(code);
            ll_plan_request_init(&request);
            request.code = code;
            if (ll_plan_create(&plan, s, &request, NULL) != LL_OK) {
                ll_scorer_destroy(s);
                continue;
            }
            ll_plan_get_info(plan, &info);
            long query = strcmp(code, "grades") == 0 ? 1 + below(info.queries - 1) : below(info.queries);
            assert_int_equal(ll_plan_predictions(plan, &p, query, NULL), LL_OK);
            made++;
            ll_scorer *whole = NULL; /* a part that is not known is refused; the mark is the same over all rows */
            assert_int_equal(ll_scorer_vary(&whole, s, NULL, "public", NULL, (char *)NULL), LL_OK);
            if (find(whole, &p, &out) == LL_FINDING_CODED)
                found++;
            else
                printf("%s missed: %s, %ld rows, %ld classes, %d places: %s\n", code, ll_scorer_get(s, "metric"),
                       s->rows, s->classes, s->release.places, out.why);
            ll_plan_destroy(plan);
            ll_scorer_destroy(whole);
            ll_scorer_destroy(s);
        }
        printf("%s: %ld of %ld found\n", code, found, made);
        assert_true(made == wanted && found == made);
    }
    ll_inspection_clear(&out);
}

/* ---- honest ---- */

typedef enum { SMOOTH, SHARP, TREES, NEIGHBOURS, HARD, STUMP, DECIMALS, FLOATS, KINDS } model;

/* What models of that kind give: logistic scores, saturated ones, shares of trees or neighbours, 0 and 1, two leaves,
 * few decimals, float32. */
static double honest(model kind)
{
    double logit = 2.5 * ll_random_gaussian(seed, 20, drawn++), p = 1 / (1 + exp(-logit));
    switch (kind) {
    case SHARP:
        return 1 / (1 + exp(-20 * logit));
    case TREES:
        return rint(100 * p) / 100;
    case NEIGHBOURS:
        return rint(5 * p) / 5;
    case HARD:
        return p > 0.5;
    case STUMP:
        return p > 0.5 ? 0.8723404255319149 : 0.07142857142857142;
    case DECIMALS:
        return rint(1e4 * p) / 1e4;
    case FLOATS:
        return (double)(float)p;
    default:
        return p;
    }
}

static void test_honest(void **state)
{
    (void)state;
    static const char *const profiles[] = {"sklearn-1.2/log_loss", "sklearn/brier", "kaggle/log_loss",
                                           "lightgbm/binary_logloss"};
    long passed = 0, count = trials(48);
    ll_inspection out;
    ll_inspection_init(&out);
    for (long i = 0; i < count; i++) {
        double x[2000];
        long rows = 5 + below(below(2) ? 50 : 1990);
        model kind = (model)(i % KINDS);
        table t;
        ll_scorer *s = scorer_of_text("scorer=%s", profiles[below(4)]);
        for (long row = 0; row < rows; row++)
            x[row] = honest(kind);
        table_set(&t, x, rows, 1, LL_ENTRIES_DOUBLE);
        if (find(s, &t.source, &out) != LL_FINDING_CODED)
            passed++;
        else
            printf("kind %d, %ld rows, %s: %s: %s\n", (int)kind, rows, ll_scorer_get(s, "metric"), out.mark, out.why);
        assert_true(out.bits >= 0 && out.bits <= (double)rows);
        ll_scorer_destroy(s);
    }
    printf("%ld of %ld honest submissions passed\n", passed, count);
    assert_int_equal(passed, count);
    ll_inspection_clear(&out);
}

/* ---- bits ---- */

static void test_constant(void **state)
{
    (void)state;
    double x[1000];
    table t;
    ll_inspection out;
    ll_scorer *s = scorer_of_text("scorer=sklearn-1.2/log_loss");
    ll_inspection_init(&out);
    for (long i = 0; i < 1000; i++)
        x[i] = 0.323;
    table_set(&t, x, 1000, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(find(s, &t.source, &out), LL_FINDING_CONSTANT);
    assert_true(fabs(out.label_bits - log2(1001)) < 1e-9);
    assert_true(out.bits < log2(1001) + 8);
    for (long i = 0; i < 1000; i++)
        x[i] = 0.5;
    assert_int_equal(find(s, &t.source, &out), LL_FINDING_CONSTANT);
    assert_true(out.bits == 0 && out.neutral == 1000);
    ll_scorer_destroy(s);
    ll_inspection_clear(&out);
}

/* Weights of 100 rows: all of about `quiet`, or noise of that deviation where it is below 0, but for the last one. */
static ll_finding find_one(const ll_scorer *s, double quiet, double loud)
{
    double x[100];
    table t;
    ll_inspection out;
    ll_inspection_init(&out);
    for (long i = 0; i < 100; i++) {
        double noise = sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
        double weight = i == 99 ? loud : quiet < 0 ? quiet * noise : quiet;
        x[i] = 1 / (1 + exp(weight));
    }
    table_set(&t, x, 100, 1, LL_ENTRIES_DOUBLE);
    ll_finding finding = find(s, &t.source, &out);
    ll_inspection_clear(&out);
    return finding;
}

/* One row is asked about, beside 99 that are blurred so that the sum still tells its label, or so that it does not; a
 * leaf of a tree that is shared by 99 rows is no blur, and no model is coded that leans to one side. */
static void test_one_row(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn-1.2/log_loss");
    for (long i = 0; i < trials(20); i++) {
        assert_int_equal(find_one(s, -0.001, 0.1), LL_FINDING_CODED);
        assert_int_equal(find_one(s, -0.007, 0.2), LL_FINDING_CODED);
        assert_int_equal(find_one(s, -0.02, 0.2), LL_FINDING_NONE);
    }
    assert_int_equal(find_one(s, 0.01, 3), LL_FINDING_NONE);
    ll_scorer_destroy(s);
}

/* Over all labellings of a small world no more different scores come out than 2^bits. */
static void test_bits_are_bounds(void **state)
{
    (void)state;
    enum { ROWS = 8 };
    for (long i = 0; i < 40 * multiplier; i++) {
        double x[ROWS], scores[1 << ROWS], entropy = 0;
        char decimals[8] = "none";
        ll_error error = {0};
        table t;
        ll_inspection out;
        ll_inspection_init(&out);
        if (below(3))
            (void)snprintf(decimals, sizeof decimals, "%ld", below(7));
        ll_scorer *s =
            scorer_of_text("scorer=%s; decimals=%s", below(2) ? "sklearn-1.1/log_loss" : "sklearn/brier", decimals);
        for (int row = 0; row < ROWS; row++)
            x[row] = row > 0 && below(3) == 0 ? x[row - 1] : probability();
        for (int32_t world = 0; world < 1 << ROWS; world++) {
            int32_t labels[ROWS];
            ll_score score;
            for (int row = 0; row < ROWS; row++)
                labels[row] = world >> row & 1;
            ll_score_init(&score);
            assert_int_equal(score_doubles(&score, s, labels, x, ROWS, 1, &error), LL_OK);
            scores[world] = strtod(score.text, NULL);
            ll_score_clear(&score);
        }
        for (int a = 0; a < 1 << ROWS; a++) {
            long same = 0;
            for (int b = 0; b < 1 << ROWS; b++)
                same += scores[a] == scores[b];
            entropy += log2((double)(1 << ROWS) / (double)same) / (1 << ROWS);
        }
        table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
        (void)find(s, &t.source, &out);
        if (entropy > out.bits + 1e-9)
            fail_msg("%s, %s decimals: the scores tell %.3f bits, the meter says %.3f (%.3f, %.3f, %.3f)",
                     ll_scorer_get(s, "metric"), decimals, entropy, out.bits, out.label_bits, out.value_bits,
                     out.spread_bits);
        ll_scorer_destroy(s);
        ll_inspection_clear(&out);
    }
}

/* The same of counts and ranks, where labels may have no number at all: one more answer. */
static void test_bits_of_groups(void **state)
{
    static const char *const scorers[] = {"sklearn/f1", "sklearn/roc_auc", "sklearn/mcc"};
    enum { ROWS = 8 };
    (void)state;
    for (long i = 0; i < 30 * multiplier; i++) {
        double x[ROWS], scores[1 << ROWS], entropy = 0;
        table t;
        ll_inspection out;
        ll_inspection_init(&out);
        int ranks = i % 3 == 1;
        ll_scorer *s = scorer_of_text("scorer=%s; decimals=%ld", scorers[i % 3], 1 + below(6));
        for (int row = 0; row < ROWS; row++)
            x[row] = row > 0 && below(3) == 0 ? x[row - 1] : ranks ? probability() : (double)below(2);
        for (int32_t world = 0; world < 1 << ROWS; world++) {
            int32_t labels[ROWS];
            ll_score score;
            ll_error error = {0};
            for (int row = 0; row < ROWS; row++)
                labels[row] = world >> row & 1;
            ll_score_init(&score);
            ll_status status = score_doubles(&score, s, labels, x, ROWS, 1, &error);
            scores[world] = status == LL_OK ? strtod(score.text, NULL) : -100;
            ll_score_clear(&score);
        }
        for (int a = 0; a < 1 << ROWS; a++) {
            long same = 0;
            for (int b = 0; b < 1 << ROWS; b++)
                same += scores[a] == scores[b];
            entropy += log2((double)(1 << ROWS) / (double)same) / (1 << ROWS);
        }
        table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
        assert_int_not_equal(find(s, &t.source, &out), LL_FINDING_CODED);
        assert_true(entropy <= out.bits + 1e-9);
        ll_scorer_destroy(s);
        ll_inspection_clear(&out);
    }
}

/* Where predictions stand. kind 0: at random; 1: in sorted rows; 2: rows by turns; 3: rare ones; 4: in bursts; 5: a
 * stretch that comes again; 6: that comes again with the classes swapped. */
enum { PLACED = 7, BUILT = 5 };

static void place(int32_t *symbols, long rows, int kind)
{
    long half = rows / 2 - 3;
    for (long i = 0; i < rows; i++)
        symbols[i] = kind == 1   ? (i > rows / 3) ^ (below(20) == 0)
                     : kind == 2 ? (int32_t)(i % 2) ^ (below(20) == 0)
                     : kind == 3 ? below(12) == 0
                     : kind == 4 ? (i > 0 && below(8) ? symbols[i - 1] : (int32_t)below(2))
                                 : (int32_t)below(2);
    for (long i = 0; i < half && kind >= BUILT; i++)
        symbols[half + 2 + i] = symbols[i] ^ (kind == 6);
}

/* Classes of kinds 0 to 4 are never marked; 5 and 6 always are, until the rows are shuffled. Numbers are marked where a
 * part of the file is in order, not where all of it is, nor where nothing is. */
static void test_positions(void **state)
{
    enum { MOST = 600 };
    int32_t symbols[MOST];
    ll_trace mark;
    (void)state;
    for (long i = 0; i < 70 * trials(4); i++) {
        long rows = (i % PLACED >= BUILT ? 120 : 20) + below(MOST - 120);
        place(symbols, rows, (int)(i % PLACED));
        assert_int_equal(ll_trace_positions(&mark, symbols, rows, 2), i % PLACED >= BUILT);
        for (long row = rows - 1; row > 0; row--) {
            long other = below(row + 1);
            int32_t moved = symbols[row];
            symbols[row] = symbols[other];
            symbols[other] = moved;
        }
        assert_int_equal(ll_trace_positions(&mark, symbols, rows, 2), 0);
    }
    for (long part = 0; part <= 400; part += 25) {
        for (int32_t row = 0; row < 400; row++)
            symbols[row] = row < part ? row : (int32_t)below(400);
        assert_int_equal(ll_trace_positions(&mark, symbols, 400, 400), part > 0 && part <= 300);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    double x[4] = {0.1, 0.2, 1.5, 0.3};
    ll_error error = {0};
    table t;
    ll_inspection out;
    ll_scorer *s = scorer_of_text("scorer=sklearn-1.2/log_loss"), *seven = vary_scorer(s, "rows=7");
    ll_inspection_init(&out);
    table_set(&t, x, 4, 1, LL_ENTRIES_DOUBLE);
    t.source.where = table_where;
    assert_int_equal(ll_inspect_predictions(&out, s, &t.source, NULL, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "sub.csv:4"));
    x[2] = 0.5;
    assert_int_equal(ll_inspect_predictions(&out, seven, &t.source, NULL, &error), LL_DOMAIN);
    assert_int_equal(ll_inspect_predictions(&out, s, &t.source, LL_BUDGET(.memory = 10), &error), LL_UNABLE);
    ll_scorer_destroy(s);
    ll_scorer_destroy(seven);
}

int main(void)
{
    read_environment("t-inspect");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crafted),         cmocka_unit_test(test_honest),    cmocka_unit_test(test_constant),
        cmocka_unit_test(test_bits_are_bounds), cmocka_unit_test(test_refusals),  cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_bits_of_groups),  cmocka_unit_test(test_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

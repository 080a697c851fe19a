/* From scores back to labels, through a simulated curator. Whatever the scorer, its release and the method: the true
 * labels are among those that fit, what is called certain is true, and that also holds for the two ends of the interval
 * where a real program's score may lie. */
#include "curator_tools.h"

#include "infer/evidence.h"

enum { ROWS = 48 };

static const char *const profiles[] = {"sklearn-1.1/log_loss",
                                       "sklearn-1.2/log_loss",
                                       "sklearn-1.5/log_loss",
                                       "sklearn/brier",
                                       "sklearn/accuracy",
                                       "kaggle/log_loss",
                                       "torch/bce",
                                       "torch/bce_logits",
                                       "torch/cross_entropy",
                                       "keras3/bce",
                                       "keras2/bce",
                                       "xgboost/logloss",
                                       "lightgbm/binary_logloss"};

/* ---- one inference ---- */

static void check_rows(const ll_inference *i, const int32_t *truth)
{
    const ll_verdict *v = &i->verdict;
    assert_int_not_equal(v->kind, LL_NONE);
    long given = 0;
    for (long row = 0; row < v->rows; row++) {
        assert_true(v->candidates[row * v->classes + truth[row]]);
        if (v->labels[row] >= 0)
            assert_int_equal(v->labels[row], truth[row]);
        given += v->labels[row] >= 0;
    }
    assert_int_equal(v->kind == LL_UNIQUE, !i->is_likely && given == v->rows);
    assert_int_equal(v->certain, i->is_likely ? 0 : given);
}

/* What is released: the simulated score (end 0), or a number a 256th of the interval inside of its lower or upper end:
 * the ends themselves need not be reached, since every term of a real program is a float. */
static void released_text(char *out, size_t size, const ll_score *score, int end)
{
    double low = strtod(score->lower, NULL), high = strtod(score->upper, NULL), inside = (high - low) / 256;
    if (end == 0 || !(inside > 0))
        (void)snprintf(out, size, "%s", score->text);
    else
        (void)snprintf(out, size, "%.17g", end == 1 ? low + inside : high - inside);
}

/* Scores of `count` sets of predictions, rows x columns each. LL_SYSTEM where the curator refuses them. */
static ll_status infer(ll_inference *out, const ll_scorer *scorer, const int32_t *truth, const double *x, long columns,
                       long count, int end, ll_method method, ll_error *error)
{
    ll_evidence *evidence = NULL;
    ll_status status = ll_evidence_create(&evidence, scorer, error);
    for (long q = 0; q < count && status == LL_OK; q++) {
        table t;
        char text[400];
        ll_score score;
        ll_score_init(&score);
        table_set(&t, x + q * scorer->rows * columns, scorer->rows, columns,
                  strcmp(scorer->arithmetic, "exact") == 0 ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        if (score_table(&score, scorer, truth, &t, error) == LL_OK) {
            released_text(text, sizeof text, &score, scorer->rounding == LL_ROUND_NONE ? end : 0);
            status = ll_evidence_add(evidence, &t.source, text, error);
        } else {
            status = LL_SYSTEM;
        }
        ll_score_clear(&score);
    }
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, out, method, LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), error);
    ll_evidence_destroy(evidence);
    return status;
}

/* ---- worlds ---- */

static int takes_labels(const ll_scorer *s)
{
    return strncmp(s->loss, "accuracy", 8) == 0 || strncmp(s->loss, "lp:", 3) == 0;
}

static int takes_logits(const ll_scorer *s)
{
    return strstr(s->loss, "-ce") != NULL;
}

static void draw_predictions(double *x, const ll_scorer *s, long columns)
{
    for (long i = 0; i < s->rows; i++) {
        double sum = 0;
        for (long j = 0; j < columns; j++) {
            double *to = x + i * columns + j;
            *to = takes_labels(s) ? (double)below(s->classes) : takes_logits(s) ? 8 * uniform() - 4 : uniform();
            sum += *to;
        }
        for (long j = 0; j < columns && columns > 1 && !takes_logits(s); j++)
            x[i * columns + j] /= sum;
    }
    if (!takes_labels(s) && columns == 1 && below(4) == 0) /* an equal pair */
        x[below(s->rows)] = x[0];
}

static void draw_labels(int32_t *truth, const ll_scorer *s)
{
    for (long i = 0; i < s->rows; i++)
        truth[i] = (int32_t)below(s->classes);
}

static long checked;

static void check_world(const ll_scorer *scorer, long columns, long count)
{
    static const ll_method methods[] = {LL_METHOD_AUTO, LL_METHOD_EXHAUSTIVE, LL_METHOD_MEET, LL_METHOD_LATTICE,
                                        LL_METHOD_LINEAR};
    double x[4 * ROWS * 4];
    int32_t truth[ROWS];
    for (long q = 0; q < count; q++)
        draw_predictions(x + q * scorer->rows * columns, scorer, columns);
    draw_labels(truth, scorer);
    for (int m = 0; m < 5; m++)
        for (int end = 0; end < 3; end++) {
            ll_inference inference;
            ll_error error = {0};
            ll_inference_init(&inference);
            ll_status status = infer(&inference, scorer, truth, x, columns, count, end, methods[m], &error);
            if (status == LL_SYSTEM || (status == LL_UNABLE && methods[m] == LL_METHOD_EXHAUSTIVE))
                continue; /* an infinite loss; too many to list */
            checked++;
            if (status != LL_OK)
                print_error("%s: %s\n", scorer->loss, error.text);
            assert_int_equal(status, LL_OK);
            check_rows(&inference, truth);
            ll_inference_clear(&inference);
        }
}

/* ---- tests ---- */

static void every_profile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        for (long round = 0; round < 3 * multiplier; round++) {
            ll_scorer s;
            ll_error error;
            ll_scorer_init(&s);
            assert_int_equal(ll_scorer_set_profile(&s, profiles[i], &error), LL_OK);
            s.rows = 1 + below(11);
            s.classes = 2;
            long columns = strcmp(profiles[i], "torch/cross_entropy") == 0 ? 2 : 1;
            check_world(&s, columns, 1 + below(3));
        }
}

static void every_release(void **state)
{
    (void)state;
    for (long round = 0; round < 30 * multiplier; round++) {
        ll_scorer s;
        ll_error error;
        ll_scorer_init(&s);
        assert_int_equal(ll_scorer_set_profile(&s, profiles[round % 5], &error), LL_OK);
        s.rows = 2 + below(9);
        s.classes = 2;
        s.transform = (ll_transform)(round % 4);
        s.rounding = (ll_rounding)(round / 4 % 3);
        s.places = s.rounding != LL_ROUND_NONE ? 2 + (int)below(6) : 0;
        s.truncate = s.rounding != LL_ROUND_NONE && below(3) == 0;
        if (below(2)) {
            s.noise = LL_NOISE_BOUNDED;
            s.noise_size = "1e-3";
            s.draw = (ll_draw)below(3);
        }
        s.seed = (uint64_t)round;
        check_world(&s, 1, 1 + below(2));
    }
}

static void every_arithmetic(void **state)
{
    (void)state;
    static const char *const arithmetics[] = {"exact", "fp64", "fp32", "bf16", "fp16", "fpa:20", "fpa:40"};
    static const char *const losses[] = {"log-loss",   "squared",  "itakura-saito", "norm:3",
                                         "sigmoid-ce", "accuracy", "lp:2"};
    for (long round = 0; round < 49 * multiplier; round++) {
        ll_scorer s;
        ll_scorer_init(&s);
        s.loss = losses[round / 7 % 7];
        s.arithmetic = arithmetics[round % 7];
        s.rows = 1 + below(8);
        s.classes = 2;
        s.order = (ll_order)below(5);
        check_world(&s, 1, 1 + below(2));
    }
}

static void most_were_checked(void **state)
{
    (void)state;
    assert_true(checked > 1500 * multiplier);
}

static void three_classes(void **state)
{
    (void)state;
    for (long round = 0; round < 12 * multiplier; round++) {
        ll_scorer s;
        ll_error error;
        ll_scorer_init(&s);
        assert_int_equal(
            ll_scorer_set_profile(&s, round % 3 == 2 ? "torch/cross_entropy" : profiles[round % 3], &error), LL_OK);
        s.rows = 1 + below(7);
        s.classes = 3;
        check_world(&s, 3, 1 + below(2));
    }
}

/* An honest score in double precision: just one labelling of 30 rows; 48 rows from three, by the lattice. */
static void large_ones(void **state)
{
    (void)state;
    const struct {
        long rows, count;
        ll_method method;
    } cases[] = {
        {30, 1, LL_METHOD_AUTO}, {30, 1, LL_METHOD_MEET}, {48, 4, LL_METHOD_LATTICE}, {10, 4, LL_METHOD_LINEAR}};
    for (size_t i = 0; i < 4; i++) {
        ll_scorer s;
        ll_error error = {0};
        ll_inference inference;
        double x[4 * ROWS];
        int32_t truth[ROWS];
        ll_scorer_init(&s);
        ll_inference_init(&inference);
        assert_int_equal(ll_scorer_set_profile(&s, "sklearn-1.2/log_loss", &error), LL_OK);
        s.rows = cases[i].rows;
        s.classes = 2;
        for (long q = 0; q < cases[i].count; q++)
            draw_predictions(x + q * s.rows, &s, 1);
        draw_labels(truth, &s);
        assert_int_equal(infer(&inference, &s, truth, x, 1, cases[i].count, 0, cases[i].method, &error), LL_OK);
        check_rows(&inference, truth);
        if (cases[i].method != LL_METHOD_LINEAR) {
            assert_in_range(atol(inference.count), 1, 4); /* an equal pair may swap */
            assert_true(inference.spurious_bits < -10);
        }
        ll_inference_clear(&inference);
    }
}

/* A label that would make the score infinite is excluded. */
static void impossible_labels(void **state)
{
    (void)state;
    const double x[3] = {0, 0.25, 1};
    const int32_t truth[3] = {0, 1, 1};
    static const char *const arithmetics[] = {"exact", "fp64", "fp32", "fp16"};
    for (int i = 0; i < 4; i++) {
        ll_scorer s;
        ll_error error = {0};
        ll_inference inference;
        ll_scorer_init(&s);
        ll_inference_init(&inference);
        s.arithmetic = arithmetics[i];
        s.rows = 3;
        s.classes = 2;
        assert_int_equal(infer(&inference, &s, truth, x, 1, 1, 0, LL_METHOD_AUTO, &error), LL_OK);
        assert_int_equal(inference.verdict->kind, LL_UNIQUE);
        check_rows(&inference, truth);
        ll_inference_clear(&inference);
    }
}

/* Every label but one excluded in every row: nothing is left to search. */
static void nothing_open(void **state)
{
    (void)state;
    const double x[2] = {0, 1};
    const int32_t truth[2] = {0, 1};
    for (int m = LL_METHOD_AUTO; m <= LL_METHOD_LINEAR; m++) {
        ll_scorer s;
        ll_error error = {0};
        ll_inference inference;
        ll_scorer_init(&s);
        ll_inference_init(&inference);
        s.arithmetic = "fp64";
        s.rows = 2;
        s.classes = 2;
        assert_int_equal(infer(&inference, &s, truth, x, 1, 1, 0, (ll_method)m, &error), LL_OK);
        assert_int_equal(inference.verdict->kind, LL_UNIQUE);
        check_rows(&inference, truth);
        ll_inference_clear(&inference);
    }
}

/* A score that no labelling gives. */
static void none_fits(void **state)
{
    (void)state;
    const double x[4] = {0.1, 0.2, 0.3, 0.4};
    const ll_method methods[] = {LL_METHOD_AUTO, LL_METHOD_EXHAUSTIVE, LL_METHOD_LATTICE};
    for (int i = 0; i < 3; i++) {
        ll_scorer s;
        ll_error error;
        ll_evidence *evidence;
        ll_inference inference;
        table t;
        ll_scorer_init(&s);
        ll_inference_init(&inference);
        s.rows = 4;
        s.classes = 2;
        table_set(&t, x, 4, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(ll_evidence_create(&evidence, &s, &error), LL_OK);
        assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5000000000", &error), LL_OK);
        assert_int_equal(ll_evidence_infer(evidence, &inference, methods[i],
                                           LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error),
                         LL_OK);
        assert_int_equal(inference.verdict->kind, LL_NONE);
        assert_string_equal(inference.count, "0");
        assert_int_equal(inference.verdict->certain, 0);
        ll_inference_clear(&inference);
        ll_evidence_destroy(evidence);
    }
}

static void refuses(void **state)
{
    (void)state;
    const double x[3] = {0.1, 0.2, 1.5};
    ll_scorer s;
    ll_error error = {0};
    ll_evidence *evidence;
    ll_inference inference;
    table t;
    ll_scorer_init(&s);
    ll_inference_init(&inference);
    assert_int_equal(ll_evidence_create(&evidence, &s, &error), LL_DOMAIN);
    s.rows = 3;
    s.classes = 2;
    s.noise = LL_NOISE_GAUSSIAN;
    s.noise_size = "0.1";
    assert_int_equal(ll_evidence_create(&evidence, &s, &error), LL_DOMAIN);
    s.noise = LL_NOISE_NONE;
    assert_int_equal(ll_evidence_create(&evidence, &s, &error), LL_OK);
    assert_int_equal(ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO,
                                       LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error),
                     LL_DOMAIN);
    table_set(&t, x, 3, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "row 2: 1.5 is outside [0,1]"));
    table_set(&t, x, 2, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5", &error), LL_DOMAIN);
    s.rows = 2;
    ll_evidence_destroy(evidence);
    assert_int_equal(ll_evidence_create(&evidence, &s, &error), LL_OK);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "nan", &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5x", &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "", &error), LL_DOMAIN);
    ll_evidence_destroy(evidence);
    ll_evidence_destroy(NULL);
    ll_inference_clear(NULL);
}

int main(void)
{
    read_environment("t-infer");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_profile),     cmocka_unit_test(every_release),     cmocka_unit_test(every_arithmetic),
        cmocka_unit_test(three_classes),     cmocka_unit_test(most_were_checked), cmocka_unit_test(large_ones),
        cmocka_unit_test(impossible_labels), cmocka_unit_test(nothing_open),      cmocka_unit_test(none_fits),
        cmocka_unit_test(refuses),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

/* From scores back to labels, through a simulated curator. Whatever the scorer, its release and the method: the true
 * labels are among those that fit, what is called certain is true, and that also holds for the two ends of the interval
 * where a real program's score may lie. */
#include "curator_tools.h"
#include "scorer_tools.h"

#include "infer/evidence.h"

enum { ROWS = 48 };

/* Those whose releases are varied. */
static const char *const profiles[] = {"sklearn-1.1/log_loss", "sklearn-1.2/log_loss", "sklearn-1.5/log_loss",
                                       "sklearn/brier", "sklearn/accuracy"};

/* ---- one inference ---- */

static void check_rows(const ll_inference *i, const int32_t *truth)
{
    const ll_verdict *v = i->verdict;
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

/* What is released: the simulated score (end 0), or a number a quarter of the interval inside of its lower or upper end:
 * the ends themselves need not be reached, since every term of a real program is a float. */
static void released_text(char *out, size_t size, const ll_score *score, int end)
{
    double low = strtod(score->lower, NULL), high = strtod(score->upper, NULL), inside = (high - low) / 4;
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
                  strcmp(ll_scorer_get(scorer, "arithmetic"), "exact") == 0 ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        if (score_table(&score, scorer, truth, &t, error) == LL_OK) {
            released_text(text, sizeof text, &score, ll_release_is_rounded(&scorer->release) ? 0 : end);
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
    return ll_metric_reads_labels(s->computation.metric);
}

static int takes_logits(const ll_scorer *s)
{
    return ll_metric_reads_logits(s->computation.metric);
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

static void check_world(ll_scorer *scorer, long columns, long count)
{
    static const ll_method methods[] = {LL_METHOD_AUTO, LL_METHOD_EXHAUSTIVE, LL_METHOD_MEET, LL_METHOD_LATTICE,
                                        LL_METHOD_LINEAR};
    double x[4 * ROWS * 4];
    int32_t truth[ROWS];
    for (long q = 0; q < count; q++)
        draw_predictions(x + q * scorer->rows * columns, scorer, columns);
    draw_labels(truth, scorer);
    int kinds = ll_metric_has_terms(scorer->computation.metric) ? 5 : 2; /* others are no equations */
    for (int m = 0; m < kinds; m++)
        for (int end = 0; end < 3; end++) {
            ll_inference inference;
            ll_error error = {0};
            ll_inference_init(&inference);
            ll_status status = infer(&inference, scorer, truth, x, columns, count, end, methods[m], &error);
            if (status == LL_SYSTEM || (status == LL_UNABLE && methods[m] == LL_METHOD_EXHAUSTIVE))
                continue; /* an infinite loss; too many to list */
            if (status == LL_DOMAIN && !ll_metric_has_terms(scorer->computation.metric) &&
                methods[m] != LL_METHOD_AUTO && methods[m] != LL_METHOD_EXHAUSTIVE)
                continue; /* no equation */
            checked++;
            if (status != LL_OK)
                print_error("%s: %s\n", ll_scorer_get(scorer, "metric"), error.text);
            assert_int_equal(status, LL_OK);
            check_rows(&inference, truth);
            ll_inference_clear(&inference);
        }
    ll_scorer_destroy(scorer);
}

/* ---- tests ---- */

static void every_profile(void **state)
{
    (void)state;
    for (long i = 0; i < ll_profile_count(); i++)
        for (long round = 0; round < 3 * multiplier; round++) {
            const char *name = ll_profile_get_info(i)->name;
            long classes = profile_classes(name), most = classes == 2 ? 11 : 6;
            ll_scorer *s = scorer_of_text("scorer=%s; rows=%ld; classes=%ld", name, 1 + below(most), classes);
            long columns = classes > 2 || s->computation.columns == LL_COLUMNS_ALL ? classes : 1;
            check_world(s, columns, 1 + below(3));
        }
}

static void every_release(void **state)
{
    (void)state;
    for (long round = 0; round < 30 * multiplier; round++) {
        static const char *const transforms[] = {"identity", "negate", "root", "percent", "root,percent"};
        static const char *const noises[] = {"bounded:1e-3", "bounded:1e-3,plus", "bounded:1e-3,minus", "none", "none"};
        static const char *const roundings[] = {"decimals", "digits"};
        char rounding[80] = "";
        if (round / 5 % 3 > 0)
            (void)snprintf(rounding, sizeof rounding, "%s=%ld; truncate=%s", roundings[round / 5 % 3 - 1], 2 + below(6),
                           below(3) == 0 ? "yes" : "no");
        check_world(scorer_of_text("scorer=%s; rows=%ld; classes=2; transform=%s; noise=%s; seed=%ld; %s",
                                   profiles[round / 2 % 5], 2 + below(9), transforms[round % 5], noises[below(5)],
                                   round, rounding),
                    1, 1 + below(2));
    }
}

static void every_arithmetic(void **state)
{
    (void)state;
    static const char *const arithmetics[] = {"exact", "fp64", "fp32", "bf16", "fp16", "fpa:20", "fpa:40"};
    static const char *const losses[] = {"log-loss",   "squared",  "itakura-saito", "norm:3",
                                         "sigmoid-ce", "accuracy", "lp:2"};
    for (long round = 0; round < 49 * multiplier; round++) {
        static const char *const orders[] = {"naive", "pairwise", "cascade", "compensated", "exact"};
        check_world(scorer_of_text("metric=%s; arithmetic=%s; rows=%ld; classes=2; sum=%s", losses[round / 7 % 7],
                                   arithmetics[round % 7], 1 + below(8), orders[below(5)]),
                    1, 1 + below(2));
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
        const char *name = round % 3 == 2 ? "torch/cross_entropy" : profiles[round % 3];
        check_world(scorer_of_text("scorer=%s; rows=%ld; classes=3", name, 1 + below(7)), 3, 1 + below(2));
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
        ll_scorer *s = scorer_of_text("scorer=sklearn-1.2/log_loss; rows=%ld; classes=2", cases[i].rows);
        ll_error error = {0};
        ll_inference inference;
        double x[4 * ROWS];
        int32_t truth[ROWS];
        ll_inference_init(&inference);
        for (long q = 0; q < cases[i].count; q++)
            draw_predictions(x + q * s->rows, s, 1);
        draw_labels(truth, s);
        assert_int_equal(infer(&inference, s, truth, x, 1, cases[i].count, 0, cases[i].method, &error), LL_OK);
        check_rows(&inference, truth);
        if (cases[i].method != LL_METHOD_LINEAR) {
            assert_in_range(atol(inference.count), 1, 4); /* an equal pair may swap */
            assert_true(inference.spurious_bits < -10);
        }
        ll_inference_clear(&inference);
        ll_scorer_destroy(s);
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
        ll_scorer *s = scorer_of_text("arithmetic=%s; rows=3; classes=2", arithmetics[i]);
        ll_error error = {0};
        ll_inference inference;
        ll_inference_init(&inference);
        assert_int_equal(infer(&inference, s, truth, x, 1, 1, 0, LL_METHOD_AUTO, &error), LL_OK);
        assert_int_equal(inference.verdict->kind, LL_UNIQUE);
        check_rows(&inference, truth);
        ll_scorer_destroy(s);
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
        ll_scorer *s = scorer_of_text("arithmetic=fp64; clip=none; rows=2; classes=2");
        ll_error error = {0};
        ll_inference inference;
        ll_inference_init(&inference);
        assert_int_equal(infer(&inference, s, truth, x, 1, 1, 0, (ll_method)m, &error), LL_OK);
        assert_int_equal(inference.verdict->kind, LL_UNIQUE);
        ll_scorer_destroy(s);
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
        ll_scorer *s = scorer_of_text("rows=4; classes=2");
        ll_error error;
        ll_evidence *evidence;
        ll_inference inference;
        table t;
        ll_inference_init(&inference);
        table_set(&t, x, 4, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(ll_evidence_create(&evidence, s, &error), LL_OK);
        assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5000000000", &error), LL_OK);
        assert_int_equal(ll_evidence_infer(evidence, &inference, methods[i],
                                           LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error),
                         LL_OK);
        assert_int_equal(inference.verdict->kind, LL_NONE);
        assert_string_equal(inference.count, "0");
        assert_int_equal(inference.verdict->certain, 0);
        ll_inference_clear(&inference);
        ll_evidence_destroy(evidence);
        ll_scorer_destroy(s);
    }
}

/* One score of a hundred rows, too many to search; but one row outweighs all others, and that one is proved. The method
 * says what proved it; likewise where nothing fits. */
static void one_outweighs(void **state)
{
    enum { MANY = 100 };
    (void)state;
    for (int fits = 0; fits < 2; fits++) {
        ll_scorer *s = scorer_of_text("scorer=sklearn-1.1/log_loss; rows=%d; classes=2; decimals=5", MANY);
        ll_inference inference;
        ll_error error;
        ll_evidence *evidence;
        ll_score score;
        table t;
        double x[MANY];
        int32_t truth[MANY];
        ll_inference_init(&inference);
        ll_score_init(&score);
        for (long i = 0; i < MANY; i++) {
            x[i] = i > 0 ? 0.45 + ldexp((double)below(1 << 20), -24) : 1e-15;
            truth[i] = i > 0 ? (int32_t)below(2) : 1;
        }
        table_set(&t, x, MANY, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(ll_evidence_create(&evidence, s, &error), LL_OK);
        assert_int_equal(score_table(&score, s, truth, &t, &error), LL_OK);
        assert_int_equal(ll_evidence_add(evidence, &t.source, fits ? score.text : "3.00000", &error), LL_OK);
        assert_int_equal(ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO,
                                           LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error),
                         LL_OK);
        assert_int_equal(inference.method, LL_METHOD_LINEAR);
        assert_int_equal(inference.verdict->kind, fits ? LL_AMBIGUOUS : LL_NONE);
        assert_int_equal(inference.verdict->certain, fits);
        if (fits)
            check_rows(&inference, truth);
        ll_score_clear(&score);
        ll_inference_clear(&inference);
        ll_evidence_destroy(evidence);
        ll_scorer_destroy(s);
    }
}

/* The order of submissions means nothing: a short score ("0.5") is read alike before and after a long one. */
static void any_order(void **state)
{
    enum { COUNT = 3, SIZE = 12 };
    static const char *const metrics[] = {"squared", "norm:3", "log-loss"};
    long short_first = 0;
    (void)state;
    for (long round = 0; round < 12 * multiplier; round++) {
        ll_scorer *s = scorer_of_text("metric=%s; rows=%d; classes=2; decimals=5", metrics[round % 3], SIZE);
        double x[COUNT * SIZE];
        char texts[COUNT][40], labellings[40];
        int32_t truth[SIZE];
        for (long i = 0; i < SIZE; i++) /* of the first, half the rows are 1 off */
            truth[i] = (int32_t)(i % 2);
        for (long i = 0; i < COUNT * SIZE; i++)
            x[i] = i < SIZE && round % 3 < 2 ? 0 : below(6) ? 0.5 : 0.3;
        for (long turn = 0; turn < 2 * COUNT; turn++) { /* rotations, forwards and backwards */
            ll_evidence *evidence;
            ll_inference inference;
            ll_inference_init(&inference);
            assert_int_equal(ll_evidence_create(&evidence, s, NULL), LL_OK);
            for (long i = 0; i < COUNT; i++) {
                const long q = turn < COUNT ? (i + turn) % COUNT : (2 * COUNT - 1 - i + turn) % COUNT;
                table t;
                ll_score score;
                ll_score_init(&score);
                table_set(&t, x + q * SIZE, SIZE, 1, LL_ENTRIES_DOUBLE);
                assert_int_equal(score_table(&score, s, truth, &t, NULL), LL_OK);
                (void)snprintf(texts[i], sizeof texts[i], "%.15g", strtod(score.text, NULL)); /* as Python writes it */
                assert_int_equal(ll_evidence_add(evidence, &t.source, texts[i], NULL), LL_OK);
                ll_score_clear(&score);
            }
            ll_status status = ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO, NULL, NULL);
            ll_evidence_destroy(evidence);
            if (status == LL_DOMAIN)
                break; /* every score is short */
            assert_int_equal(status, LL_OK);
            if (turn == 0)
                (void)snprintf(labellings, sizeof labellings, "%s", inference.count);
            assert_string_equal(labellings, inference.count);
            ll_inference_clear(&inference);
            short_first += turn == 0 && strlen(texts[0]) < 4 && strlen(texts[1]) > 6;
        }
        ll_scorer_destroy(s);
    }
    assert_true(short_first > 0);
}

static void refuses(void **state)
{
    (void)state;
    const double x[3] = {0.1, 0.2, 1.5};
    ll_scorer *bare = scorer_of_text("metric=log-loss"), *noisy = vary_scorer(bare, "rows=3; noise=gaussian:0.1");
    ll_scorer *three = vary_scorer(bare, "rows=3; classes=2"), *two = vary_scorer(bare, "rows=2; classes=2");
    ll_error error = {0};
    ll_evidence *evidence;
    ll_inference inference;
    table t;
    ll_inference_init(&inference);
    assert_int_equal(ll_evidence_create(&evidence, bare, &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_create(&evidence, noisy, &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_create(&evidence, three, &error), LL_OK);
    assert_int_equal(ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO,
                                       LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error),
                     LL_DOMAIN);
    table_set(&t, x, 3, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "row 2: 1.5 is outside [0,1]"));
    table_set(&t, x, 2, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5", &error), LL_DOMAIN);
    ll_evidence_destroy(evidence);
    assert_int_equal(ll_evidence_create(&evidence, two, &error), LL_OK);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "nan", &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.5x", &error), LL_DOMAIN);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "", &error), LL_DOMAIN);
    ll_evidence_destroy(evidence);
    ll_evidence_destroy(NULL);
    ll_inference_clear(NULL);
    ll_scorer_destroy(bare);
    ll_scorer_destroy(noisy);
    ll_scorer_destroy(three);
    ll_scorer_destroy(two);
}

int main(void)
{
    read_environment("t-infer");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_profile),     cmocka_unit_test(every_release),     cmocka_unit_test(every_arithmetic),
        cmocka_unit_test(three_classes),     cmocka_unit_test(most_were_checked), cmocka_unit_test(large_ones),
        cmocka_unit_test(impossible_labels), cmocka_unit_test(nothing_open),      cmocka_unit_test(none_fits),
        cmocka_unit_test(one_outweighs),     cmocka_unit_test(any_order),         cmocka_unit_test(refuses),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

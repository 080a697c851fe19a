/* Whole scores: the three arithmetics against each other, every clip mode, bad input, blocks and threads.
 *
 * The strongest test here: fpa:11,52 and fpa:8,23 compute every operation by MPFR, correctly rounded, in the order
 * named. That is one possible real program, so its score must lie in the native interval, for every loss, clip mode,
 * order and column count; and where no logarithm is involved it must be the native number itself. */
#include "curator/curator.h"
#include "curator_tools.h"
#include "metric/terms/native.h"
#include "scorer_tools.h"

#include <omp.h>

static ll_error error;

/* A scorer of this loss, arithmetic and clip ("log-clamp:100", or NULL), with further settings. */
static ll_scorer *make(const char *loss, const char *arithmetic, const char *clip, const char *more)
{
    const char *value = clip ? strchr(clip, ':') + 1 : "none";
    int mode = clip ? (int)(value - clip - 1) : 4;
    return scorer_of_text("metric=%s; arithmetic=%s; clip=%s; clip-mode=%.*s; %s", loss, arithmetic, value, mode,
                          clip ? clip : "none", more);
}

/* ---- the vectorised logarithm ---- */

static double ulps_off(double got, double x)
{
    mpfr_t want, difference;
    mpfr_init2(want, 200);
    mpfr_init2(difference, 200);
    mpfr_set_d(want, x, MPFR_RNDN);
    mpfr_log(want, want, MPFR_RNDN);
    mpfr_neg(want, want, MPFR_RNDN);
    double near = mpfr_get_d(want, MPFR_RNDN), ulp = fabs(nextafter(near, INFINITY) - near);
    mpfr_d_sub(difference, got, want, MPFR_RNDN);
    double off = ulp > 0 ? fabs(mpfr_get_d(difference, MPFR_RNDN)) / ulp : 0;
    mpfr_clear(want);
    mpfr_clear(difference);
    return off;
}

static void test_log_vector(void **state)
{
    (void)state;
    double x[64], out[64], worst = 0;
    for (long i = 0; i < 300 * multiplier; ++i) {
        for (int j = 0; j < 64; ++j) {
            x[j] = j % 4 == 0   ? probability() + 5e-324
                   : j % 4 == 1 ? 1 + ldexp(uniform() - 0.5, -(int)below(50))
                   : j % 4 == 2 ? ldexp(0.5 + uniform(), (int)below(2000) - 1070)
                                : uniform();
            if (!(x[j] > 0))
                x[j] = 1;
        }
        ll_native_minus_log(out, x, 64);
        for (int j = 0; j < 64; ++j)
            worst = fmax(worst, ulps_off(out[j], x[j]));
    }
    print_message("log: %.3f ulp at worst\n", worst);
    assert_true(worst < 1);
    x[0] = 1;
    ll_native_minus_log(out, x, 1);
    assert_true(out[0] == 0);
}

/* ---- native against FPA ---- */

static void fill(double *x, int32_t *labels, long n, long columns, long classes, const char *input, int single)
{
    for (long i = 0; i < n; ++i) {
        double sum = 0;
        labels[i] = (int32_t)below(classes);
        for (long j = 0; j < columns; ++j) {
            double *e = &x[i * columns + j];
            *e = input[0] == 'l' ? (input[1] == 'a' ? (double)below(classes) : 20 * (uniform() - 0.5)) : probability();
            sum += *e;
        }
        for (long j = 0; input[0] == 'p' && columns > 1 && j < columns; ++j)
            x[i * columns + j] = sum > 0 ? x[i * columns + j] / sum : 1.0 / (double)columns;
        for (long j = 0; single && j < columns; ++j)
            x[i * columns + j] = (double)(float)x[i * columns + j];
    }
}

typedef struct {
    const char *loss, *input;
    int identical;
    const char *clip;
    long columns, classes;
} kind;

static const kind kinds[] = {
    {"log-loss", "probability", 0, NULL, 1, 2},
    {"log-loss", "probability", 0, "clip:1e-7", 1, 2},
    {"log-loss", "probability", 0, "clip:auto", 1, 2},
    {"log-loss", "probability", 0, "clip-renormalise:1e-15", 1, 2},
    {"log-loss", "probability", 0, "clip-renormalise:auto", 1, 2},
    {"log-loss", "probability", 0, "log-clamp:100", 1, 2},
    {"log-loss", "probability", 0, "log-clamp:3", 1, 2},
    {"log-loss", "probability", 0, "log-plus:1e-7", 1, 2},
    {"log-loss", "probability", 0, "log-shift:1e-9", 1, 2},
    {"log-loss", "probability", 0, "floor:1e-16", 1, 2},
    {"log-loss", "probability", 0, NULL, 3, 3},
    {"log-loss", "probability", 0, "clip:1e-7", 4, 4},
    {"log-loss", "probability", 0, "clip-renormalise:1e-15", 2, 2},
    {"log-loss", "probability", 0, "clip:1e-7", 2, 2},
    {"log-loss", "probability", 0, "clip-renormalise:auto", 11, 11},
    {"log-loss", "probability", 0, "log-clamp:20", 3, 3},
    {"log-loss", "probability", 0, "log-plus:1e-7", 3, 3},
    {"log-loss", "probability", 0, "log-shift:0.01", 3, 3},
    {"log-loss", "probability", 0, "floor:1e-10", 5, 5},
    {"squared", "probability", 1, NULL, 1, 2},
    {"squared", "probability", 1, "clip:0.01", 1, 2},
    {"squared", "probability", 1, NULL, 4, 4},
    {"accuracy", "label", 1, NULL, 1, 6},
    {"zero-one", "label", 1, NULL, 1, 6},
    {"sigmoid-ce", "logit", 0, NULL, 1, 2},
    {"softmax-ce", "logit", 0, NULL, 1, 2},
    {"softmax-ce", "logit", 0, NULL, 7, 7},
    {"itakura-saito", "probability", 0, "clip:0.001", 1, 2},
    {"norm:2.5", "probability", 0, NULL, 1, 2},
    {"norm:4", "probability", 0, "clip:0.001", 1, 2},
    {"bregman:x*log(x)", "probability", 0, "clip:0.001", 1, 2},
    {"bregman:x^2+exp(x)", "probability", 0, NULL, 1, 2},
};

/* 1: scored both ways. 0: both refuse (an infinite loss). */
static int compare_native(const kind *k, const char *order, const int32_t *labels, const double *x, long n, int single)
{
    char more[80];
    ll_score native, slow;
    ll_score_init(&native);
    ll_score_init(&slow);
    (void)snprintf(more, sizeof more, "sum=%s; classes=%ld", order, k->classes);
    ll_scorer *fast = make(k->loss, single ? "fp32" : "fp64", k->clip, more);
    ll_scorer *exactly = make(k->loss, single ? "fpa:8,23" : "fpa:11,52", k->clip, more);
    ll_status first = score_doubles(&native, fast, labels, x, n, k->columns, &error);
    ll_status second = score_doubles(&slow, exactly, labels, x, n, k->columns, &error);
    if (first != second && first != LL_UNABLE)
        fail_msg("%s clip %s: native %d, FPA %d: %s", k->loss, k->clip, first, second, error.text);
    int scored = first == LL_OK;
    if (scored && !is_inside(slow.text, &native))
        fail_msg("%s clip %s sum %s n %ld columns %ld: FPA %s is outside [%s, %s]", k->loss, k->clip, order, n,
                 k->columns, slow.text, native.lower, native.upper);
    if (scored && !is_inside(native.text, &native))
        fail_msg("%s clip %s: the number %s is outside [%s, %s]", k->loss, k->clip, native.text, native.lower,
                 native.upper);
    if (scored && k->identical)
        assert_string_equal(native.text, slow.text);
    ll_score_clear(&native);
    ll_score_clear(&slow);
    ll_scorer_destroy(fast);
    ll_scorer_destroy(exactly);
    return scored;
}

static void test_native_against_fpa(void **state)
{
    (void)state;
    static const char *const orders[] = {"naive", "pairwise", "compensated", "exact"};
    static double x[400 * 11];
    static int32_t labels[400];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        int scored = 0;
        for (long i = 0; i < 16 * multiplier; ++i) {
            long n = i % 8 == 7 ? 150 + below(250) : 1 + below(20);
            int single = (int)(i / 4 % 2);
            fill(x, labels, n, kinds[k].columns, kinds[k].classes, kinds[k].input, single);
            if (kinds[k].clip == NULL && kinds[k].loss[0] == 'l')
                for (long j = 0; j < n * kinds[k].columns; ++j) /* finite scores only */
                    x[j] = x[j] < 1e-6 || x[j] > 1 - 1e-6 ? (kinds[k].columns == 1 ? 0.5 : x[j]) : x[j];
            scored += compare_native(&kinds[k], orders[i % 4], labels, x, n, single);
        }
        if (scored < 6)
            fail_msg("%s clip %s: only %d scores", kinds[k].loss, kinds[k].clip, scored);
    }
}

/* Where the true class has nearly all probability, the term is small, and a q that was not rounded to float is far
 * outside of the interval. */
static void test_small_terms(void **state)
{
    (void)state;
    int scored = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        for (int i = 0; i < 40 && kinds[k].loss[0] == 'l' && kinds[k].columns <= 2; ++i) {
            int32_t label = (int32_t)below(2);
            float rest = (float)ldexp(1 + uniform(), -(int)(4 + below(10)));
            double x[2] = {label ? rest : 1 - rest, label ? 1 - rest : rest};
            scored += compare_native(&kinds[k], "naive", &label, kinds[k].columns == 1 ? &x[1] : x, 1, 1);
        }
    assert_true(scored > 300);
}

/* ---- what a row's number is: hand-checked corners ---- */

static double score_one(const char *arithmetic, const char *clip, int32_t label, double x)
{
    ll_scorer *scorer = make("log-loss", arithmetic, clip, "");
    ll_score score;
    ll_score_init(&score);
    if (score_doubles(&score, scorer, &label, &x, 1, 1, &error) != LL_OK)
        fail_msg("%s", error.text);
    double number = strtod(score.text, NULL);
    ll_score_clear(&score);
    ll_scorer_destroy(scorer);
    return number;
}

static void expect_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-13 * fabs(want) + 1e-300))
        fail_msg("%.17g, not %.17g", got, want);
}

static void test_corners(void **state)
{
    (void)state;
    /* 1 - (1 - 1e-15) is 9.992e-16 in doubles: the two ends of scikit-learn's log_loss differ. */
    expect_near(score_one("fp64", "clip-renormalise:1e-15", 1, 0), -log(1e-15));
    expect_near(score_one("fp64", "clip-renormalise:1e-15", 0, 1), -log(1 - (1 - 1e-15)));
    expect_near(score_one("fp64", "clip:1e-15", 0, 1), -log(1 - (1 - 1e-15)));
    expect_near(score_one("fp64", "floor:1e-15", 0, 1), -log(1e-15));
    expect_near(score_one("fp64", "log-clamp:100", 0, 1), 100);
    expect_near(score_one("fp64", "log-clamp:100", 1, 5e-324), 100);
    expect_near(score_one("fp64", "log-clamp:100", 1, 0x1p-100), 100 * log(2));
    expect_near(score_one("fp64", "log-shift:1e-9", 1, 0), -log(1e-9));
    expect_near(score_one("fp64", "log-shift:0.25", 1, 1), -log(1.25));
    double plus = score_one("fp32", "log-plus:1e-7", 1, 0);
    assert_true(fabs(plus - -log((double)(float)((double)1e-7f + (double)1e-7f))) < 1e-5);
}

/* ---- exact ---- */

static ll_status exact_get(void *self, ll_block *out, long first, long count, ll_error *e)
{
    (void)e;
    out->rows = count;
    out->columns = 2;
    out->entries = LL_ENTRIES_EXACT;
    out->exacts = (ll_exact *)self + 2 * first;
    return LL_OK;
}

static void test_huge_exponents(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    int32_t labels[ROWS];
    ll_block block;
    ll_block_init(&block);
    ll_exact *numbers = ll_block_reserve_exacts(&block, ROWS, 2);
    arb_t sum, part;
    arb_init(sum);
    arb_init(part);
    for (int i = 0; i < ROWS; ++i) {
        fmpz_one(numbers[2 * i].mantissa);
        fmpz_one(numbers[2 * i + 1].mantissa);
        fmpz_zero(numbers[2 * i].two);
        fmpz_one(numbers[2 * i + 1].two);
        fmpz_mul_2exp(numbers[2 * i + 1].two, numbers[2 * i + 1].two, 1000 * (ulong)i + 7);
        fmpz_neg(numbers[2 * i + 1].two, numbers[2 * i + 1].two);
        labels[i] = i % 3 == 0;
        if (labels[i])
            arb_sub_fmpz(sum, sum, numbers[2 * i + 1].two, 100000);
    }
    arb_const_log2(part, 50000);
    arb_mul(sum, sum, part, 50000);
    arb_div_si(sum, sum, ROWS, 50000);
    ll_predictions source = {.self = numbers, .rows = ROWS, .columns = 2, .entries = LL_ENTRIES_EXACT};
    ll_scorer *scorer = scorer_of_text("metric=log-loss; arithmetic=exact");
    ll_curator *curator;
    ll_score score;
    ll_score_init(&score);
    source.get = exact_get;
    assert_int_equal(ll_curator_create(&curator, scorer, labels, ROWS, &error), LL_OK);
    if (ll_curator_score(curator, &score, &source, &error) != LL_OK)
        fail_msg("%s", error.text);
    arb_set_str(part, score.lower, 60000);
    assert_true(arb_le(part, sum));
    arb_set_str(part, score.upper, 60000);
    assert_true(arb_ge(part, sum));
    arb_set_str(part, score.text, 60000);
    arb_sub(part, part, sum, 60000);
    arb_abs(part, part);
    arb_mul_2exp_si(part, part, 64);
    arb_sub_si(part, part, 1, 64);
    assert_true(arb_is_nonpositive(part) || arb_contains_zero(part));
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    ll_block_clear(&block);
    arb_clear(sum);
    arb_clear(part);
}

/* fp64 and exact see the same predictions: without a clip the scores agree to the rounding error. */
static void test_exact_against_native(void **state)
{
    (void)state;
    static const char *const losses[] = {"log-loss", "squared", "norm:3", "itakura-saito"};
    double x[50];
    int32_t labels[50];
    for (long i = 0; i < 20 * multiplier; ++i) {
        ll_score exact, native;
        ll_score_init(&exact);
        ll_score_init(&native);
        for (int j = 0; j < 50; ++j) {
            x[j] = 0.01 + 0.98 * uniform();
            labels[j] = (int32_t)below(2);
        }
        ll_scorer *balls = make(losses[i % 4], "exact", NULL, ""), *doubles = make(losses[i % 4], "fp64", NULL, "");
        assert_int_equal(score_doubles(&exact, balls, labels, x, 50, 1, &error), LL_OK);
        assert_int_equal(score_doubles(&native, doubles, labels, x, 50, 1, &error), LL_OK);
        ll_scorer_destroy(balls);
        ll_scorer_destroy(doubles);
        expect_near(strtod(native.text, NULL), strtod(exact.text, NULL));
        assert_true(is_inside(exact.text, &exact));
        ll_score_clear(&exact);
        ll_score_clear(&native);
    }
}

/* ---- sources ---- */

/* The same numbers as doubles and as exact numbers, in blocks of other sizes: the same score, every block once. */
static void test_entries(void **state)
{
    (void)state;
    static double x[5000];
    static int32_t labels[5000];
    static const char *const arithmetics[] = {"fp64", "fp32", "fpa:5,10", "exact"};
    fill(x, labels, 5000, 1, 2, "probability", 0);
    for (int a = 0; a < 4; ++a) {
        long n = a < 2 ? 5000 : 300;
        ll_scorer *scorer = make("log-loss", arithmetics[a], "clip:0.001", "");
        ll_score one, two;
        table t;
        ll_score_init(&one);
        ll_score_init(&two);
        table_set(&t, x, n, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(score_table(&one, scorer, labels, &t, &error), LL_OK);
        assert_int_equal(t.counts, 1);
        table_set(&t, x, n, 1, LL_ENTRIES_EXACT);
        assert_int_equal(score_table(&two, scorer, labels, &t, &error), LL_OK);
        assert_true(t.counts > 1);
        assert_string_equal(one.text, two.text);
        ll_score_clear(&one);
        ll_score_clear(&two);
        ll_scorer_destroy(scorer);
    }
}

static void test_threads(void **state)
{
    (void)state;
    static double x[20000];
    static int32_t labels[20000];
    fill(x, labels, 20000, 1, 2, "logit", 0);
    ll_scorer *scorer = make("sigmoid-ce", "fp64", NULL, "");
    ll_score one, two;
    ll_score_init(&one);
    ll_score_init(&two);
    omp_set_num_threads(1);
    assert_int_equal(score_doubles(&one, scorer, labels, x, 20000, 1, &error), LL_OK);
    omp_set_num_threads(3);
    assert_int_equal(score_doubles(&two, scorer, labels, x, 20000, 1, &error), LL_OK);
    assert_string_equal(one.text, two.text);
    assert_string_equal(one.lower, two.lower);
    assert_string_equal(one.upper, two.upper);
    ll_scorer_destroy(scorer);
    ll_score_clear(&one);
    ll_score_clear(&two);
}

/* ---- bad input ---- */

static void expect_refusal(const char *settings, const int32_t *labels, const double *x, long rows, long columns,
                           const char *word)
{
    static const char *const arithmetics[] = {"fp64", "fp32", "exact", "fpa:11,52"};
    for (int a = 0; a < 4; ++a) {
        ll_score score;
        ll_score_init(&score);
        table t;
        ll_scorer *s = scorer_of_text("arithmetic=%s; %s", arithmetics[a], settings);
        table_set(&t, x, rows, columns, LL_ENTRIES_DOUBLE);
        t.source.where = table_where;
        assert_int_equal(score_table(&score, s, labels, &t, &error), LL_DOMAIN);
        assert_null(score.text);
        ll_scorer_destroy(s);
        if (!strstr(error.text, word))
            fail_msg("%s: '%s' does not say '%s'", arithmetics[a], error.text, word);
    }
}

static void test_bad_rows(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 1, 1};
    static const char s[] = "clip=1e-5", plain[] = "metric=log-loss; clip=none", three[] = "clip=none; classes=3";
    static const char squared[] = "metric=squared", match[] = "metric=accuracy", logit[] = "metric=sigmoid-ce";
    expect_refusal(s, labels, (double[]){0.5, 1.5, 0.5}, 3, 1, "sub.csv:3: 1.5 is outside [0,1]");
    expect_refusal(s, labels, (double[]){0.5, 0.5, -0.25}, 3, 1, "sub.csv:4: -0.25 is outside [0,1]");
    expect_refusal(squared, labels, (double[]){-1, 0.5, 0.5}, 3, 1, "sub.csv:2: -1 is outside [0,1]");
    expect_refusal(s, labels, (double[]){0.5, NAN, 0.5}, 3, 1, "sub.csv:3: ");
    expect_refusal(s, labels, (double[]){0.5, 0.5, INFINITY}, 3, 1, "sub.csv:4: ");
    expect_refusal(logit, labels, (double[]){0.5, -INFINITY, 0.5}, 3, 1, "sub.csv:3: ");
    expect_refusal(plain, labels, (double[]){0.5, 0.5, 0}, 3, 1, "sub.csv:4: the true class has probability 0");
    expect_refusal(plain, labels, (double[]){1, 0.5, 0.5}, 3, 1, "sub.csv:2: the true class has probability 0");
    expect_refusal(match, labels, (double[]){0, 0.5, 1}, 3, 1, "sub.csv:3: 0.5 is not a label");
    expect_refusal(match, labels, (double[]){0, 1, 2}, 3, 1, "sub.csv:4: 2 is not a label");
    /* the wrong entry stands in a column that is not the true label's */
    expect_refusal(three, labels, (double[]){0.5, 0.25, 0.25, 0.5, 0.5, 1.25, 0.25, 0.5, 0.25}, 3, 3,
                   "sub.csv:3: 1.25 is outside");
    expect_refusal(three, labels, (double[]){0.5, 0.25, 0.25, 0.5, 0.25, 0.25, 0.25, 0.5, 0.75}, 3, 3,
                   "sub.csv:4: the row sums to 1.5");
}

static void test_bad_shapes(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 1, 2}, bad[] = {0, -1};
    double x[9] = {0};
    ll_scorer *s = scorer_of_text("arithmetic=fp64; clip=1e-5"), *two = vary_scorer(s, "classes=2");
    ll_scorer *four = vary_scorer(s, "rows=4"), *binary = scorer_of_text("metric=itakura-saito");
    ll_curator *curator;
    ll_score score;
    ll_score_init(&score);
    table t;
    assert_int_equal(score_doubles(&score, s, labels, x, 3, 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "1 column"));
    assert_int_equal(score_doubles(&score, s, labels, x, 3, 2, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_create(&curator, s, bad, 2, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "row 1: label -1"));
    assert_int_equal(ll_curator_create(&curator, s, labels, 0, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_create(&curator, two, labels, 3, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "row 2: label 2"));
    assert_int_equal(ll_curator_create(&curator, four, labels, 3, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_create(&curator, s, labels, 3, &error), LL_OK);
    table_set(&t, x, 2, 3, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "2 rows of predictions for 3 labels"));
    ll_curator_destroy(curator);
    ll_curator_destroy(NULL);
    assert_int_equal(ll_curator_create(&curator, binary, labels, 3, &error), LL_DOMAIN);
    ll_scorer_destroy(s);
    ll_scorer_destroy(two);
    ll_scorer_destroy(four);
    ll_scorer_destroy(binary);
}

static ll_status failing_get(void *self, ll_block *out, long first, long count, ll_error *e)
{
    (void)self;
    (void)out;
    (void)count;
    return ll_fail(e, LL_SYSTEM, "disk gone at %ld", first);
}

static ll_status lying_get(void *self, ll_block *out, long first, long count, ll_error *e)
{
    (void)e;
    out->rows = count - 1;
    out->columns = 1;
    out->entries = LL_ENTRIES_DOUBLE;
    out->doubles = (double *)self + first;
    return LL_OK;
}

static void test_bad_source(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 1};
    double x[2] = {0.5, 0.5};
    ll_scorer *s = make("squared", "fp64", NULL, "");
    ll_curator *curator;
    ll_score score;
    ll_score_init(&score);
    ll_predictions source = {.self = x, .rows = 2, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = failing_get};
    assert_int_equal(ll_curator_create(&curator, s, labels, 2, &error), LL_OK);
    ll_scorer_destroy(s); /* the curator keeps it */
    assert_int_equal(ll_curator_score(curator, &score, &source, &error), LL_SYSTEM);
    assert_string_equal(error.text, "disk gone at 0");
    source.get = lying_get;
    assert_int_equal(ll_curator_score(curator, &score, &source, NULL), LL_DOMAIN);
    assert_null(score.text);
    ll_curator_destroy(curator);
}

static void test_overflow(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 0};
    ll_scorer *s = make("sigmoid-ce", "fp32", NULL, ""), *small = make("log-loss", "fp8-e4m3", "log-clamp:200", "");
    ll_score score;
    ll_score_init(&score);
    assert_int_equal(score_doubles(&score, s, labels, (double[]){3e38, 3e38}, 2, 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "overflow"));
    assert_int_equal(score_doubles(&score, small, labels, (double[]){1, 1}, 2, 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "not finite"));
    ll_scorer_destroy(s);
    ll_scorer_destroy(small);
}

/* The curator keeps its own copies. */
static void test_copies(void **state)
{
    (void)state;
    int32_t labels[] = {1, 0};
    double x[] = {0.5, 0.25};
    char loss[] = "squared";
    ll_scorer *s = make(loss, "fp64", NULL, "prior=0.5,0.5");
    ll_curator *curator;
    ll_score score;
    table t;
    ll_score_init(&score);
    assert_int_equal(ll_curator_create(&curator, s, labels, 2, &error), LL_OK);
    memset(loss, 'x', 7);
    labels[0] = 0;
    ll_scorer_destroy(s);
    table_set(&t, x, 2, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_OK);
    assert_string_equal(score.text, "0.15625");
    ll_score_clear(&score);
    ll_curator_destroy(curator);
}

/* ---- a part of the rows ---- */

/* Drawn by the seed, of the size that is told; another one is taken only where its size is possible. */
static void public_parts(void **state)
{
    static const struct {
        const char *told;
        long size;
    } sizes[] = {{"7", 7}, {"20", 20}, {"0.5", 10}, {"0.33", 6}, {"unknown", 6}, {"0.01", 1}};
    int32_t labels[20] = {0, 1, 1};
    unsigned char first[20], second[20];
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        long size = 0, differ = 0;
        for (int draw = 1; draw <= 2; draw++) {
            ll_scorer *scorer = scorer_of_text("rows=20; classes=2; public=%s; seed=%d", sizes[k].told, draw);
            ll_curator *curator;
            assert_int_equal(ll_curator_create(&curator, scorer, labels, 20, &error), LL_OK);
            ll_curator_get_public(curator, draw == 1 ? first : second);
            ll_curator_destroy(curator);
            ll_scorer_destroy(scorer);
        }
        for (long i = 0; i < 20; i++) {
            size += first[i];
            differ += first[i] != second[i];
        }
        assert_int_equal(size, sizes[k].size);
        assert_true(differ > 0 || size == 20);
    }
    memset(first, 0, sizeof first);
    ll_scorer *scorer = scorer_of_text("rows=20; classes=2; public=unknown"), *whole = scorer_of_text("rows=20");
    ll_curator *curator, *all;
    assert_int_equal(ll_curator_create(&curator, scorer, labels, 20, &error), LL_OK);
    assert_int_equal(ll_curator_create(&all, whole, labels, 20, &error), LL_OK);
    assert_int_equal(ll_curator_set_public(curator, first, 20, &error), LL_DOMAIN); /* none */
    first[3] = 1;
    assert_int_equal(ll_curator_set_public(curator, first, 19, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_set_public(all, first, 20, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_set_public(curator, first, 20, &error), LL_OK);
    ll_curator_get_public(curator, second);
    assert_memory_equal(first, second, sizeof first);
    ll_curator_get_public(all, second);
    assert_int_equal(second[0] + second[19], 2);
    ll_curator_destroy(curator);
    ll_curator_destroy(all);
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(whole);
}

/* Noise and public rows follow the seed that a curator is given, whatever the scorer's own is. */
static char *answer_of_seed(const ll_scorer *scorer, uint64_t own_seed)
{
    static const int32_t labels[] = {0, 1, 1, 0, 1, 0, 0, 1};
    double x[8] = {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9};
    ll_curator *curator;
    char *text = NULL;
    table t;
    table_set(&t, x, 8, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_create_seeded(&curator, scorer, labels, 8, own_seed, &error), LL_OK);
    assert_int_equal(ll_curator_answer(curator, &text, &t.source, &error), LL_OK);
    ll_curator_destroy(curator);
    return text;
}

static void test_seeds(void **state)
{
    static const char *const releases[] = {"noise=gaussian:1", "public=4"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ll_scorer *s = scorer_of_text("metric=squared; rows=8; classes=2; seed=7; %s", releases[i]);
        char *first = answer_of_seed(s, 1), *again = answer_of_seed(s, 1), *other = answer_of_seed(s, 2);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
        free(first);
        free(again);
        free(other);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_parts),
        cmocka_unit_test(test_log_vector),
        cmocka_unit_test(test_native_against_fpa),
        cmocka_unit_test(test_small_terms),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_huge_exponents),
        cmocka_unit_test(test_exact_against_native),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_bad_shapes),
        cmocka_unit_test(test_bad_source),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_seeds),
    };
    read_environment("t-curator");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

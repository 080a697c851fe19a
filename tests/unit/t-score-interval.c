/* The interval of a score holds the number of every program that docs/proofs/score-interval.md allows: here of programs
 * whose every operation is off by as much as it may, all upwards, all downwards, or each its own way. And it is not
 * much wider than the worst of them. */
#include "curator_tools.h"
#include "metric/ranks/auc.h"
#include "scorer/sensitivity.h"
#include "scorer_tools.h"

/* Few rows, the first heavier than all others, so that every addition rounds all of it and nothing outweighs the rest.
 */
enum { ROWS = 5, RANKED = 40, LOG_ULPS = 2 };

static const long double u = 0x1p-53L; /* long doubles have 11 bits more: what they lose is not seen here */

static int way; /* of the errors: up, down, any */

/* x, off by so many u. */
static long double off(long double x, double units)
{
    long double part = (long double)units * u;
    return x * (1 + (way == 0 || (way == 2 && below(2)) ? part : -part));
}

/* By so many u, whatever x is. */
static long double shifted(long double x, double units)
{
    return x + (off(1, units) - 1);
}

static const double function_units = 2 * LOG_ULPS;

typedef struct {
    const char *settings;
    long columns;
    double (*draw)(void), heavy; /* what makes label 1 heavy */
    long double (*term)(const double *row, int32_t label);
    long double (*finish)(long double sum); /* NULL: the mean */
    double tightness;                       /* the interval is at most so many times the worst program's error */
} kind;

/* ---- programs, row by row ---- */

static double middling(void)
{
    return 0.02 + 0.96 * uniform();
}

static double logit(void)
{
    return 8 * uniform() - 4;
}

static long double log_term(const double *row, int32_t label)
{
    double q = label ? row[0] : 1 - row[0];
    return off(-logl((long double)q), function_units);
}

static long double sigmoid_term(const double *row, int32_t label)
{
    long double x = row[0], z = label ? -x : x, t = fmaxl(z, 0) + log1pl(expl(-fabsl(x)));
    return shifted(off(t, 2 * LOG_ULPS + 1), 2 + LOG_ULPS + (double)fabsl(x));
}

static long double softmax_term(const double *row, int32_t label)
{
    long double sum = 0;
    for (int j = 0; j < 3; j++)
        sum += expl((long double)row[j]);
    return shifted(off(logl(sum) - (long double)row[label], 2 * LOG_ULPS + 2), 2 * LOG_ULPS + 3 + log(3));
}

/* 1/x + log(x) - 1, of x or of fl(1 - x): the logarithm is below 0 */
static long double saito_term(const double *row, int32_t label)
{
    double q = label ? row[0] : 1 - row[0];
    long double x = q;
    return off(off(off(1 / x, 1) + off(logl(x), -function_units), 1) - 1, 1);
}

static long double match_term(const double *row, int32_t label)
{
    return (int32_t)row[0] != label;
}

static double any_label(void)
{
    return (double)below(2);
}

/* pow(sum, 1/3) with the exponent off, too */
static long double cube_root(long double sum)
{
    return sum <= 0 ? 0 : off(powl(sum, off(1.L / 3, 1)), function_units);
}

static const kind kinds[] = {
    {"metric=log-loss; arithmetic=fp64; sum=naive; clip=none", 1, middling, 1e-12, log_term, NULL, 1.2},
    {"metric=sigmoid-ce; arithmetic=fp64; sum=naive", 1, logit, -4, sigmoid_term, NULL, 1.6},
    {"metric=softmax-ce; arithmetic=fp64; sum=naive; classes=3", 3, logit, -4, softmax_term, NULL, 1.6},
    {"metric=itakura-saito; arithmetic=fp64; sum=naive", 1, middling, 0.4, saito_term, NULL, 2.5},
    {"metric=lp:3; arithmetic=fp64", 1, any_label, 0, match_term, cube_root, 3},
};

static long double run_program(const kind *k, const double *rows, const int32_t *labels)
{
    long double sum = k->term(rows, labels[0]);
    int counts = k->finish != NULL;
    for (long i = 1; i < ROWS; i++) {
        sum += k->term(rows + i * k->columns, labels[i]);
        sum = counts ? sum : off(sum, 1);
    }
    return counts ? k->finish(sum) : off(sum / ROWS, 1);
}

/* The ends are values of the format, moved inward to the next: up to an ulp, and these programs have no format. */
static void check_inside(const char *what, const ll_score *score, long double value)
{
    long double low = strtold(score->lower, NULL), high = strtold(score->upper, NULL), ulp = 2 * u * fabsl(value);
    if (!(low - ulp <= value && value <= high + ulp))
        fail_msg("%s: %.21Lg is outside of %s .. %s", what, value, score->lower, score->upper);
}

static void check_width(const kind *k, const ll_score *score, long double worst)
{
    long double width = strtold(score->upper, NULL) - strtold(score->lower, NULL);
    if (!(width <= k->tightness * worst + 4 * u))
        fail_msg("%s: %s .. %s is wider than %.3Lg by far", k->settings, score->lower, score->upper, worst);
}

static void try_kind(const kind *k)
{
    double rows[ROWS * 3];
    int32_t labels[ROWS];
    long double ends[2];
    ll_scorer *s = scorer_of_text("log-ulps=%d; %s", LOG_ULPS, k->settings);
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    for (long i = 0; i < ROWS * k->columns; i++)
        rows[i] = k->draw();
    for (long i = 0; i < ROWS; i++)
        labels[i] = (int32_t)below(k->columns == 1 ? 2 : k->columns);
    labels[0] = 1;
    rows[k->columns == 1 ? 0 : 1] = k->heavy;
    assert_int_equal(score_doubles(&score, s, labels, rows, ROWS, k->columns, &error), LL_OK);
    for (long i = 0; i < 20; i++) {
        way = i < 2 ? (int)i : 2;
        long double value = run_program(k, rows, labels);
        check_inside(k->settings, &score, value);
        if (i < 2)
            ends[i] = value;
    }
    check_width(k, &score, fabsl(ends[1] - ends[0]));
    ll_score_clear(&score);
    ll_scorer_destroy(s);
}

static void test_sums(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (long i = 0; i < 200 * multiplier; i++)
            try_kind(&kinds[k]);
}

/* ---- weights: products, two sums, a quotient ---- */

static const double row_weights[ROWS] = {1000, 0.3, 1.7, 0.11, 2.3};

/* *added: what the products would add up to without any rounding of theirs. */
static long double run_weighted(const double *rows, const int32_t *labels, long double *added)
{
    long double sum = 0, total = 0;
    *added = 0;
    for (long i = 0; i < ROWS; i++) {
        long double weight = row_weights[i], term = log_term(rows + i, labels[i]);
        *added += weight * term;
        sum = i == 0 ? off(weight * term, 1) : off(sum + off(weight * term, 1), 1);
        total = i == 0 ? weight : off(total + weight, -1); /* the other way: that moves the quotient most */
    }
    return off(sum / total, 1);
}

/* From such a number back to the sum, with what the sum itself may be off. */
static void check_weighted_back(const ll_scorer *s, long double value, long double added)
{
    arb_t number, sum;
    mag_t size, lost;
    arb_init(number);
    arb_init(sum);
    mag_init(size);
    mag_init(lost);
    arb_set_d(number, (double)value);
    arb_add_error_2exp_si(number, ilogb((double)value) - 53); /* the value was rounded to a double just now */
    ll_link_get_sum(&s->computation, sum, number, ROWS, 0, 128);
    mag_set_d(size, (double)(added * (1 + 8 * u)));
    ll_computation_sum_error(&s->computation, lost, ROWS, size);
    arb_add_error_mag(sum, lost);
    double high = (double)added, low = (double)(added - (long double)high);
    arb_set_d(number, high);
    arb_sub(sum, sum, number, 128);
    arb_set_d(number, low);
    assert_true(arb_contains(sum, number));
    arb_clear(number);
    arb_clear(sum);
    mag_clear(size);
    mag_clear(lost);
}

static void try_weights(void)
{
    double rows[ROWS] = {1e-12};
    int32_t labels[ROWS] = {1};
    long double ends[2], added;
    ll_scorer *s = scorer_of_text("log-ulps=%d; metric=log-loss; arithmetic=fp64; sum=naive; clip=none; rows=%d; "
                                  "weights=1000,0.3,1.7,0.11,2.3",
                                  LOG_ULPS, ROWS);
    kind k = {.settings = "weights", .tightness = 1.2};
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    for (long i = 1; i < ROWS; i++) {
        rows[i] = middling();
        labels[i] = (int32_t)below(2);
    }
    assert_int_equal(score_doubles(&score, s, labels, rows, ROWS, 1, &error), LL_OK);
    for (long i = 0; i < 20; i++) {
        way = i < 2 ? (int)i : 2;
        long double value = run_weighted(rows, labels, &added);
        check_inside(k.settings, &score, value);
        check_weighted_back(s, value, added);
        if (i < 2)
            ends[i] = value;
    }
    check_width(&k, &score, fabsl(ends[1] - ends[0]));
    ll_score_clear(&score);
    ll_scorer_destroy(s);
}

static void test_weights(void **state)
{
    (void)state;
    for (long i = 0; i < 200 * multiplier; i++)
        try_weights();
}

/* ---- ranks: few ties, so that NumPy adds left to right ---- */

enum { TIES = 6 };

static void count_above(const double *x, const int32_t *labels, long above[TIES][2])
{
    for (int t = 0; t < TIES; t++)
        for (long i = above[t][0] = above[t][1] = 0; i < RANKED; i++)
            above[t][labels[i]] += x[i] >= TIES - 1 - t;
}

/* scikit-learn: a curve of shares, trapezoids under it */
static long double area(long above[TIES][2])
{
    long double sum = 0, before[2] = {0, 0};
    for (int t = 0; t < TIES; t++) {
        long double at[2];
        for (int k = 0; k < 2; k++)
            at[k] = off((long double)above[t][k] / (long double)above[TIES - 1][k], 1);
        long double width = off(at[0] - before[0], 1), height = off(at[1] + before[1], 1) / 2;
        sum = off(sum + off(width * height, 1), 1);
        before[0] = at[0];
        before[1] = at[1];
    }
    return sum;
}

/* The rise of recall times precision, tie by tie. */
static long double average_precision(long above[TIES][2])
{
    long double sum = 0, before = 0;
    for (int t = 0; t < TIES; t++) {
        long double recall = off((long double)above[t][1] / (long double)above[TIES - 1][1], 1);
        long all = above[t][0] + above[t][1];
        long double precision = all == 0 ? 0 : off((long double)above[t][1] / (long double)all, 1);
        sum = off(sum + off(off(recall - before, 1) * precision, 1), 1);
        before = recall;
    }
    return sum;
}

/* From such a number back to the area that it stands for: pairs in the right order over all pairs. */
static void check_back(const ll_scorer *s, long classes, long above[TIES][2], long double value)
{
    long pairs = 0, all = 2 * above[TIES - 1][0] * above[TIES - 1][1];
    for (int t = 0; t < TIES; t++) {
        long before[2] = {t > 0 ? above[t - 1][0] : 0, t > 0 ? above[t - 1][1] : 0};
        pairs += (above[t][0] - before[0]) * (above[t][1] + before[1]);
    }
    arb_t number, area, exact;
    arb_init(number);
    arb_init(area);
    arb_init(exact);
    arb_set_d(number, (double)value);
    ll_auc_of_number(&s->computation, area, number, TIES, classes, 128);
    arb_set_si(exact, pairs);
    arb_div_si(exact, exact, all, 128);
    arb_add_error_2exp_si(area, -54); /* the value was rounded to a double just now */
    assert_true(arb_contains(area, exact));
    arb_clear(number);
    arb_clear(area);
    arb_clear(exact);
}

static void try_ranks(const char *settings, long double (*program)(long above[TIES][2]))
{
    double x[RANKED];
    int32_t labels[RANKED] = {0, 1};
    long above[TIES][2];
    ll_scorer *s = scorer_of_text("%s", settings);
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    for (long i = 0; i < RANKED; i++) {
        x[i] = (double)below(TIES);
        labels[i] = i < 2 ? (int32_t)i : (int32_t)below(2);
    }
    count_above(x, labels, above);
    assert_int_equal(score_doubles(&score, s, labels, x, RANKED, 1, &error), LL_OK);
    long double least = INFINITY, most = 0;
    for (long i = 0; i < 300; i++) {
        way = i < 2 ? (int)i : 2;
        long double value = program(above);
        check_inside(settings, &score, value);
        if (program == area)
            check_back(s, 2, above, value);
        least = fminl(least, value);
        most = fmaxl(most, value);
    }
    if (!(strtold(score.upper, NULL) - strtold(score.lower, NULL) <= 24 * (most - least) + 8 * u))
        fail_msg("%s: %s .. %s is wide", settings, score.lower, score.upper);
    ll_score_clear(&score);
    ll_scorer_destroy(s);
}

static void test_ranks(void **state)
{
    (void)state;
    for (long i = 0; i < 100 * multiplier; i++) {
        try_ranks("metric=auc; arithmetic=fp64", area);
        try_ranks("metric=average-precision; arithmetic=fp64", average_precision);
    }
}

/* Of K classes, one column ranked and the others constant, whose trapezoid is 1/2 without a rounding: the mean of all.
 */
static void try_one_vs_rest(void)
{
    enum { K = 5, ASKED = 3 };
    double x[RANKED][K];
    double places[RANKED];
    int32_t labels[RANKED], ones[RANKED];
    long above[TIES][2];
    ll_scorer *s = scorer_of_text("metric=macro-auc; arithmetic=fp64; classes=%d", K);
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    for (long i = 0; i < RANKED; i++) {
        labels[i] = i < K ? (int32_t)i : (int32_t)below(K);
        ones[i] = labels[i] == ASKED;
        places[i] = (double)below(TIES);
        for (int k = 0; k < K; k++)
            x[i][k] = k == ASKED ? places[i] * 0x1p-30 : 0.25;
    }
    count_above(places, ones, above);
    assert_int_equal(score_doubles(&score, s, labels, x[0], RANKED, K, &error), LL_OK);
    for (long i = 0; i < 100; i++) {
        way = i < 2 ? (int)i : 2;
        long double sum = 0, middle = area(above);
        for (int k = 0; k < K; k++)
            sum = off(sum + (k == ASKED ? middle : 0.5L), k > 0);
        check_inside("macro-auc", &score, off(sum / K, 1));
        check_back(s, K, above, off(sum / K, 1));
    }
    ll_score_clear(&score);
    ll_scorer_destroy(s);
}

static void test_one_vs_rest(void **state)
{
    (void)state;
    for (long i = 0; i < 100 * multiplier; i++)
        try_one_vs_rest();
}

/* Fewer terms may be added in a worse order: seven one after the other, eight in pairs. A program may add fewer. */
static void test_fewer_ties(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("metric=auc; arithmetic=fp64");
    mag_t error, before;
    mag_init(error);
    mag_init(before);
    for (long ties = 1; ties < 40000; ties++) {
        ll_auc_error(&s->computation, error, ties, 2);
        if (mag_cmp(error, before) < 0)
            fail_msg("%ld ties have a smaller error than %ld", ties, ties - 1);
        if (mag_cmp_2exp_si(error, -53) < 0 ||
            mag_get_d(error) < ldexp((double)ll_sum_depth(LL_SUM_PAIRWISE, ties), -53))
            fail_msg("%ld ties have less error than the sum", ties);
        mag_set(before, error);
    }
    mag_clear(error);
    mag_clear(before);
    ll_scorer_destroy(s);
}

/* ---- counts of more classes ---- */

/* The mean of the classes' recalls, each a division. */
static void try_recalls(void)
{
    enum { K = 7 };
    double guesses[RANKED];
    int32_t labels[RANKED];
    long right[K] = {0}, all[K] = {0};
    ll_scorer *s = scorer_of_text("metric=macro-recall; arithmetic=fp64; classes=%d", K);
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    for (long i = 0; i < RANKED; i++) {
        labels[i] = (int32_t)(i % K);
        guesses[i] = below(8) ? (double)labels[i] : (double)below(K);
        all[labels[i]]++;
        right[labels[i]] += guesses[i] == labels[i];
    }
    assert_int_equal(score_doubles(&score, s, labels, guesses, RANKED, 1, &error), LL_OK);
    for (way = 0; way < 2; way++) {
        long double sum = 0;
        for (int k = 0; k < K; k++)
            sum = off(sum + off((long double)right[k] / (long double)all[k], 1), k > 0);
        check_inside("macro-recall", &score, off(sum / K, 1));
    }
    ll_score_clear(&score);
    ll_scorer_destroy(s);
}

static void test_recalls(void **state)
{
    (void)state;
    for (long i = 0; i < 200 * multiplier; i++)
        try_recalls();
}

/* ---- the spread of a submission ---- */

/* Rows that say nothing move an exact number by nothing; what floats make of them may still be moved by rounding. */
static void test_neutral_spread(void **state)
{
    (void)state;
    static const char *const arithmetics[] = {"exact", "fp64"};
    double rows[ROWS];
    for (long i = 0; i < ROWS; i++)
        rows[i] = 0.5;
    for (int k = 0; k < 2; k++) {
        ll_scorer *s =
            scorer_of_text("metric=squared; arithmetic=%s; noise=proportional:1; rows=%d", arithmetics[k], ROWS);
        const ll_scoring scoring = {.how = &s->computation, .rows = ROWS, .classes = 2};
        table t;
        double spread = -1;
        ll_error error = {0};
        table_set(&t, rows, ROWS, 1, k ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT);
        assert_int_equal(ll_scorer_get_spread(s, &scoring, &spread, &t.source, &error), LL_OK);
        assert_true(k ? spread >= 0x1p-53 && spread < 0x1p-40 : spread == 0);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    read_environment("t-score-interval");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums),          cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_ranks),         cmocka_unit_test(test_one_vs_rest),
                                       cmocka_unit_test(test_fewer_ties),    cmocka_unit_test(test_recalls),
                                       cmocka_unit_test(test_neutral_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

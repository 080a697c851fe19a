/* Separability under metrics of counts and ranks, against every labelling scored by a curator, every pair compared:
 * gap, witness, number of different scores and the least difference of two. */
#include "separate_tools.h"

#include <math.h>

#define SAME 1e-12L

typedef struct {
    long count, different;
    long double gap, step;
} truth;

/* Labellings without a score take no part; LL_DOMAIN is what they get. */
static long score_every(long double *out, const ll_scorer *scorer, const double *x, long rows, long columns,
                        long classes, const long *told)
{
    int exact = scorer->computation.kind == LL_KIND_EXACT;
    long count = 0;
    for (long n = 0; n < power(classes, rows); n++) {
        int32_t labels[MOST_ROWS];
        long ones = 0;
        ll_score score;
        ll_error error;
        table t;
        unpack(labels, n, rows, classes);
        for (long i = 0; i < rows; i++)
            ones += labels[i] == 1;
        if (told != NULL && ones != told[1])
            continue;
        ll_score_init(&score);
        table_set(&t, x, rows, columns, exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        ll_status status = score_table(&score, scorer, labels, &t, &error);
        assert_true(status == LL_OK || status == LL_DOMAIN);
        if (status == LL_OK)
            out[count++] = strtold(score.text, NULL);
        ll_score_clear(&score);
    }
    return count;
}

static truth compare_pairs(const long double *s, long count)
{
    truth out = {.count = count, .gap = INFINITY, .step = INFINITY};
    for (long i = 0; i < count; i++) {
        int is_new = 1;
        for (long j = 0; j < i; j++) {
            long double d = fabsl(s[i] - s[j]);
            out.gap = fminl(out.gap, d);
            if (d > SAME)
                out.step = fminl(out.step, d);
            else
                is_new = 0;
        }
        out.different += is_new;
    }
    return out;
}

static void check_witness(const ll_separation *s, const long *told)
{
    int differ = 0;
    long ones[2] = {0};
    for (long i = 0; i < s->rows; i++) {
        differ |= s->witness[i] != s->witness[s->rows + i];
        ones[0] += s->witness[i] == 1;
        ones[1] += s->witness[s->rows + i] == 1;
    }
    assert_true(differ);
    assert_true(told == NULL || (ones[0] == told[1] && ones[1] == told[1]));
    assert_true(fabs(fabs(s->scores[0].value - s->scores[1].value) - s->gap.value) < 1e-12);
}

static void check_world(const char *metric, const char *rest, const double *x, long rows, long columns, long classes,
                        const long *told)
{
    static long double scores[MOST_LABELLINGS];
    char text[200] = "";
    ll_error error = {0};
    ll_separation s;
    if (told != NULL)
        (void)snprintf(text, sizeof text, "; counts=%ld,%ld; rows=%ld", told[0], told[1], rows);
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=%s; classes=%ld%s%s", metric, classes, rest, text);
    truth want = compare_pairs(scores, score_every(scores, scorer, x, rows, columns, classes, told));
    ll_separation_init(&s);
    ll_status status = separate(&s, scorer, x, rows, columns, scorer->computation.kind == LL_KIND_EXACT, &error);
    assert_int_equal(status, want.count < 2 ? LL_DOMAIN : LL_OK);
    if (status == LL_OK) {
        assert_true(s.lower.value <= (double)want.gap + 1e-12 && (double)want.gap - 1e-12 <= s.upper.value);
        assert_true(s.upper.value - s.lower.value < 1e-12);
        check_witness(&s, told);
        assert_true(classes > 2 ? s.different == 0 : s.different == (double)want.different);
        if (classes == 2 && want.different > 1)
            assert_true(fabs(s.step.value - (double)want.step) < 1e-12);
    }
    ll_separation_clear(&s);
    ll_scorer_destroy(scorer);
}

static const char *const counts[] = {
    "f1",        "jaccard", "mcc",         "kappa",  "balanced-accuracy", "macro-f1",
    "precision", "fbeta:2", "specificity", "youden", "quadratic-kappa",   "weighted-f1"};
static const char *const ranks[] = {"auc", "gini", "average-precision", "ks"};
static const char *const rests[] = {"", "; arithmetic=fp64", "; arithmetic=fp64; transform=percent",
                                    "; transform=negate", "; zero-division=1"};

static void test_two_classes(void **state)
{
    (void)state;
    for (long n = 0; n < 400 * multiplier; n++) {
        long rows = 2 + below(6), ties = 1 + below(8), ones = below(rows + 1);
        long told[] = {rows - ones, ones};
        double x[MOST_ROWS];
        int is_ranks = below(2) == 0;
        for (long i = 0; i < rows; i++)
            x[i] = is_ranks ? (double)below(ties) / 8 : (double)below(2);
        const char *metric = is_ranks ? ranks[below(COUNT(ranks))] : counts[below(COUNT(counts))];
        const char *rest = rests[below(is_ranks ? 4 : COUNT(rests))];
        check_world(metric, rest, x, rows, 1, 2, below(2) == 0 ? told : NULL);
    }
}

static void test_more_classes(void **state)
{
    static const char *const metrics[] = {"macro-f1", "mcc", "kappa", "balanced-accuracy", "weighted-jaccard"};
    (void)state;
    for (long n = 0; n < 40 * multiplier; n++) {
        long rows = 2 + below(4);
        double x[MOST_ROWS];
        for (long i = 0; i < rows; i++)
            x[i] = (double)below(3);
        check_world(metrics[below(COUNT(metrics))], rests[below(COUNT(rests))], x, rows, 1, 3, NULL);
    }
}

/* A column a class: rows are alike only where all their entries are. */
static void test_columns(void **state)
{
    (void)state;
    for (long n = 0; n < 60 * multiplier; n++) {
        long rows = 3 + below(3), steps = 1 + below(4);
        double x[3 * MOST_ROWS];
        for (long i = 0; i < rows; i++) {
            x[3 * i] = (double)below(steps) / 8;
            x[3 * i + 1] = (double)below(steps) / 8;
            x[3 * i + 2] = 1 - x[3 * i] - x[3 * i + 1];
        }
        check_world("macro-auc", rests[below(4)], x, rows, 3, 3, NULL);
    }
}

/* Hundreds of rows: without ties every U from 0 to P (N - P) is reached, whatever P is told. */
static void test_many_rows(void **state)
{
    (void)state;
    enum { ROWS = 150, ONES = 40 };
    static double x[ROWS];
    ll_error error = {0};
    ll_separation s;
    for (long i = 0; i < ROWS; i++)
        x[i] = uniform();
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=auc; rows=%d; counts=%d,%d", ROWS, ROWS - ONES, ONES);
    ll_separation_init(&s);
    assert_int_equal(separate(&s, scorer, x, ROWS, 1, 1, &error), LL_OK);
    assert_true(s.different == ONES * (ROWS - ONES) + 1);
    assert_true(fabs(s.step.value * ONES * (ROWS - ONES) - 1) < 1e-12);
    assert_true(s.gap.value == 0 && s.proved);
    ll_separation_clear(&s);
    ll_scorer_destroy(scorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_classes), cmocka_unit_test(test_more_classes),
                                       cmocka_unit_test(test_columns), cmocka_unit_test(test_many_rows)};
    read_environment("t-separate-views");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

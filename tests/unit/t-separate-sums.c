/* Separability beyond small worlds: sums of integers against sorting them all, superincreasing rows, thresholds, plans,
 * twenty-six rows and more than fit. */
#include "separate_tools.h"

/* ---- larger: integer logits, whose sums are integers ---- */

static int by_integer(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The least difference of two of the classes^rows sums of -z[row][label]. */
static int64_t least_integer(const int64_t *z, long rows, long classes)
{
    long count = 1;
    int64_t *sums = malloc((size_t)power(classes, rows) * sizeof *sums), smallest = INT64_MAX;
    assert_non_null(sums);
    sums[0] = 0;
    for (long i = 0; i < rows; i++, count *= classes)
        for (long k = classes - 1; k >= 0; k--)
            for (long n = 0; n < count; n++)
                sums[k * count + n] = sums[n] - z[i * classes + k];
    qsort(sums, (size_t)count, sizeof *sums, by_integer);
    for (long n = 1; n < count; n++)
        smallest = sums[n] - sums[n - 1] < smallest ? sums[n] - sums[n - 1] : smallest;
    free(sums);
    return smallest;
}

/* z of label 0 comes first and must be 0 where there is one column. */
static void separate_logits(ll_separation *out, const int64_t *z, long rows, long classes, const char *noise,
                            double max_memory)
{
    double x[64 * 4];
    long columns = classes == 2 ? 1 : classes;
    ll_scorer *s =
        noise ? scorer_of_text("arithmetic=exact; metric=softmax-ce; noise=bounded:%s; classes=%ld", noise, classes)
              : scorer_of_text("arithmetic=exact; metric=softmax-ce; classes=%ld", classes);
    ll_error error;
    table t;
    for (long i = 0; i < rows * columns; i++)
        x[i] = (double)(columns == 1 ? z[2 * i + 1] : z[i]);
    table_set(&t, x, rows, columns, LL_ENTRIES_EXACT);
    if (ll_separate(out, s, &t.source, LL_BUDGET(.memory = max_memory, .seconds = 60), &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_scorer_destroy(s);
}

static void check_logits(const int64_t *z, long rows, long classes, const char *method)
{
    ll_separation a;
    ll_separation_init(&a);
    separate_logits(&a, z, rows, classes, NULL, 1e9);
    double expected = (double)least_integer(z, rows, classes), gap = a.gap.value * (double)rows;
    if (fabs(gap - expected) > 1e-9 * expected || !a.proved || a.separable != (expected > 0 ? LL_TRUE : LL_FALSE))
        fail_msg("%ld x %ld: gap * rows %.17g, brute force %.17g", rows, classes, gap, expected);
    if (method != NULL)
        assert_string_equal(a.method, method);
    int64_t difference = 0;
    for (long i = 0; i < rows; i++)
        difference += z[i * classes + a.witness[rows + i]] - z[i * classes + a.witness[i]];
    assert_true(fabs(fabs((double)difference) - expected) <= 1e-9 * expected);
    ll_separation_clear(&a);
}

static void random_logits(int64_t *z, long rows, long classes, int64_t most)
{
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < classes; k++)
            z[i * classes + k] = k == 0 && classes == 2 ? 0 : below((long)most) - (long)most / 2;
}

static void integer_sums(void **state)
{
    (void)state;
    static const struct {
        long rows, classes;
    } sizes[] = {{2, 2}, {5, 2}, {9, 2}, {13, 2}, {14, 2}, {3, 3}, {7, 3}, {8, 3}, {2, 4}, {5, 4}, {6, 4}};
    int64_t z[64 * 4];
    for (long n = 0; n < COUNT(sizes); n++)
        for (long bits = 8; bits <= 48; bits += 8) {
            random_logits(z, sizes[n].rows, sizes[n].classes, INT64_C(1) << bits);
            check_logits(z, sizes[n].rows, sizes[n].classes, NULL);
        }
}

/* Some rows to be searched, heavier ones above them that need no search. */
static void superincreasing_above(void **state)
{
    (void)state;
    int64_t z[64 * 4];
    for (long n = 0; n < 20 * multiplier; n++) {
        long classes = 2 + below(2), searched = 3 + below(4), rows = searched + 3;
        int64_t sum = 0;
        random_logits(z, searched, classes, 1000);
        for (long i = 0; i < searched; i++)
            sum += 1000;
        for (long i = searched; i < rows; i++) {
            for (long k = 0; k < classes; k++)
                z[i * classes + k] = k * (sum + below(50));
            sum += z[i * classes + classes - 1];
        }
        check_logits(z, rows, classes, NULL);
    }
}

/* Any number of rows: 1, 2, 4, ... and digits in base 3. */
static void structure(void **state)
{
    (void)state;
    ll_separation a;
    int64_t z[64 * 4];
    ll_separation_init(&a);
    for (long i = 0; i < 50; i++) {
        z[2 * i] = 0;
        z[2 * i + 1] = (i * 7 % 50 == 0 ? 1 : INT64_C(1) << (i * 7 % 50)) * (i % 3 ? 1 : -1);
    }
    separate_logits(&a, z, 50, 2, NULL, 1e9);
    assert_string_equal(a.method, "superincreasing rows");
    assert_string_equal(a.gap.text, "0.02");
    assert_int_equal(a.searched, 0);
    int64_t digit = 1;
    for (long i = 0; i < 30; i++, digit *= 3)
        for (long k = 0; k < 3; k++)
            z[3 * i + k] = digit * k;
    separate_logits(&a, z, 30, 3, NULL, 1e9);
    assert_string_equal(a.method, "superincreasing rows");
    assert_true(fabs(a.gap.value * 30 - 1) < 1e-15);
    ll_separation_clear(&a);
}

/* At the threshold itself, and a little to either side. */
static void thresholds(void **state)
{
    (void)state;
    static const struct {
        const char *tau;
        ll_truth separable;
    } cases[] = {{"0.125", LL_TRUE}, {"0.12500000000000000000000001", LL_FALSE}, {"0.12499999999999999999", LL_TRUE}};
    int64_t superincreasing[8] = {0, 1, 0, 2, 0, 4, 0, 8}, searched[8] = {0, 3, 0, 5, 0, 6, 0, 7}; /* 3 + 5 - 7 = 1 */
    ll_separation a;
    ll_separation_init(&a);
    for (long n = 0; n < COUNT(cases); n++) {
        separate_logits(&a, superincreasing, 4, 2, cases[n].tau, 1e9);
        assert_int_equal(a.separable, cases[n].separable);
        assert_string_equal(a.largest_noise.text, "0.125");
        separate_logits(&a, searched, 4, 2, cases[n].tau, 1e9);
        assert_int_equal(a.separable, cases[n].separable);
    }
    ll_separation_clear(&a);
}

static ll_truth separable_by_decimals(const double *x, long rows, int places, int truncate)
{
    ll_separation a;
    ll_error error;
    ll_scorer *s = scorer_of_text("arithmetic=exact; metric=sigmoid-ce; decimals=%d; truncate=%s", places,
                                  truncate ? "yes" : "no");
    ll_separation_init(&a);
    assert_int_equal(separate(&a, s, x, rows, 1, 1, &error), LL_OK);
    ll_scorer_destroy(s);
    ll_truth answer = a.separable;
    ll_separation_clear(&a);
    return answer;
}

/* The gap must be above a grid, but may be equal to what truncation cuts. */
static void decimals(void **state)
{
    (void)state;
    const double x[] = {1, 2}, y[] = {2, 4}; /* gaps 1/2 and 1 */
    assert_int_equal(separable_by_decimals(x, 2, 0, 0), LL_FALSE);
    assert_int_equal(separable_by_decimals(y, 2, 0, 0), LL_FALSE);
    assert_int_equal(separable_by_decimals(y, 2, 0, 1), LL_TRUE);
    assert_int_equal(separable_by_decimals(x, 2, 1, 0), LL_TRUE);
}

/* ---- plans: the gap that their code promises ---- */

/* `ratio`: the true gap over the promised one; 0: at least 1. */
static void check_plan(const char *loss, const char *code, const char *noise, long rows, long classes, double ratio)
{
    ll_scorer *s = scorer_of_text("arithmetic=exact; metric=%s; rows=%ld; classes=%ld; noise=bounded:%s; precision=400",
                                  loss, rows, classes, noise);
    ll_plan *plan;
    ll_error error;
    ll_predictions predictions;
    ll_separation a;
    ll_verdict verdict;
    ll_curator *curator;
    int32_t labels[64] = {0};
    if (ll_plan_create(&plan, s, &(ll_plan_request){.size = sizeof(ll_plan_request), .code = code, .block = rows},
                       &error) != LL_OK)
        fail_msg("%s %s: %s", loss, code, error.text);
    assert_int_equal(ll_plan_predictions(plan, &predictions, 0, &error), LL_OK);
    ll_separation_init(&a);
    ll_verdict_init(&verdict);
    if (ll_separate(&a, s, &predictions, NULL, &error) != LL_OK)
        fail_msg("%s %s: %s", loss, code, error.text);
    assert_int_equal(ll_curator_create(&curator, s, labels, rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, &error), LL_OK);
    double gap = a.gap.value, promised = strtod(verdict.gap.text, NULL); /* six digits */
    if (!a.proved || a.separable != LL_TRUE || gap < promised * (1 - 1e-5) ||
        (ratio > 0 && fabs(gap / promised - ratio) > 1e-5 * ratio))
        fail_msg("%s %s %ld: gap %s, promised %s", loss, code, rows, a.gap.text, verdict.gap.text);
    ll_separation_clear(&a);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    ll_scorer_destroy(s);
}

static void plans(void **state)
{
    (void)state;
    check_plan("log-loss", "powers", "0.01", 9, 2, 1);
    check_plan("log-loss", "powers", "1", 60, 2, 1);
    check_plan("sigmoid-ce", "powers", "3", 40, 2, 1);
    check_plan("itakura-saito", "powers", "1", 20, 2, 1);
    check_plan("squared", "powers", "0.0001", 8, 2, 1);
    check_plan("log-loss", "icml21", "1", 30, 2, 1);
    check_plan("softmax-ce", "paper-multiclass", "1", 12, 3, 0);
    check_plan("log-loss", "radix", "1", 30, 2, 1);
    check_plan("log-loss", "radix", "0.01", 20, 3, 1);
    check_plan("softmax-ce", "radix", "1", 24, 5, 1);
    check_plan("log-loss", "radix", "1", 12, 10, 1);
}

/* The least ln(B/A) of two divisors A < B of the product of the first primes: all of them, sorted. */
static double least_ratio(long rows, double *product)
{
    static const int64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43};
    int64_t *divisors = malloc((size_t)power(2, rows) * sizeof *divisors);
    long count = 1;
    double least = INFINITY;
    assert_non_null(divisors);
    divisors[0] = 1;
    for (long i = 0; i < rows; i++, count *= 2)
        for (long n = 0; n < count; n++)
            divisors[count + n] = divisors[n] * primes[i];
    qsort(divisors, (size_t)count, sizeof *divisors, by_integer);
    for (long n = 1; n < count; n++)
        least = fmin(least, log1p((double)(divisors[n] - divisors[n - 1]) / (double)divisors[n - 1]));
    *product = (double)divisors[count - 1];
    free(divisors);
    return least;
}

/* The gap of `primes` is that of the logarithms, the code's promise what holds for any primes of that product P:
 * 2/(3P) and 1/sqrt(P + 1/4). With seven primes 714 and 715 are nearest. */
static void gaps_of_primes(void **state)
{
    (void)state;
    double product, seven = least_ratio(7, &product);
    assert_true(product == 510510 && fabs(seven / log(715.0 / 714.0) - 1) < 1e-12);
    for (long rows = 1; rows <= 14; rows++) {
        double least = least_ratio(rows, &product);
        check_plan("sigmoid-ce", "primes", "1", rows, 2, least * 3 * product / 2);
        check_plan("log-loss", "primes:c=sqrt", "0.25", rows, 2, least * sqrt(product + 0.25));
    }
}

/* ---- twenty-six rows, and more than fit ---- */

static void twenty_six(void **state)
{
    (void)state;
    double x[26];
    ll_separation a;
    ll_error error;
    ll_scorer *s = scorer_of_text("metric=log-loss; arithmetic=exact"), *floats = vary_scorer(s, "arithmetic=fp64");
    ll_separation_init(&a);
    random_rows(x, 26);
    assert_int_equal(separate(&a, s, x, 26, 1, 1, &error), LL_OK);
    assert_true(a.proved);
    assert_int_equal(a.separable, LL_TRUE);
    assert_int_equal(a.searched, 26);
    assert_true(a.gap.value <= a.pigeonhole.value);
    /* a subset of the rows with all others alike has a gap that is no smaller */
    ll_separation fewer;
    ll_separation_init(&fewer);
    assert_int_equal(separate(&fewer, s, x, 16, 1, 1, &error), LL_OK);
    assert_true(fewer.gap.value * 16 >= a.gap.value * 26);
    ll_separation_clear(&fewer);
    assert_int_equal(separate(&fewer, floats, x, 26, 1, 0, &error), LL_OK);
    assert_true(compare_texts(fewer.lower.text, a.gap.text) <= 0 && compare_texts(a.gap.text, fewer.upper.text) <= 0);
    ll_separation_clear(&fewer);
    ll_separation_clear(&a);
    ll_scorer_destroy(s);
    ll_scorer_destroy(floats);
}

static void beyond_the_budget(void **state)
{
    (void)state;
    double x[40];
    ll_separation a;
    ll_error error;
    ll_scorer *s = scorer_of_text("arithmetic=exact; metric=log-loss");
    table t;
    ll_separation_init(&a);
    random_rows(x, 40);
    table_set(&t, x, 40, 1, LL_ENTRIES_EXACT);
    assert_int_equal(ll_separate(&a, s, &t.source, LL_BUDGET(.memory = 1e6, .seconds = 60), &error), LL_OK);
    assert_false(a.proved);
    assert_int_equal(a.separable, LL_UNKNOWN);
    assert_string_equal(a.lower.text, "0");
    assert_string_equal(a.largest_noise.text, "0");
    assert_true(compare_texts(a.upper.text, a.gap.text) <= 0 && a.upper.value > 0);
    assert_true(a.searched > 10 && a.searched < 40);
    ll_separation_clear(&a);
    ll_scorer_destroy(s);
}

int main(void)
{
    read_environment("t-separate-sums");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_sums),      cmocka_unit_test(superincreasing_above),
        cmocka_unit_test(structure),         cmocka_unit_test(thresholds),
        cmocka_unit_test(decimals),          cmocka_unit_test(plans),
        cmocka_unit_test(gaps_of_primes),    cmocka_unit_test(twenty_six),
        cmocka_unit_test(beyond_the_budget),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

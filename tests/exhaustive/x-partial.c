/* Plans for fewer submissions than all labels take, of metrics whose predictions are labels. Every labelling of small
 * worlds, every limit: what is called certain is right, and at least as many labels are certain as the plan promised, but
 * for kappas of ordered classes, whose plans are an expectation.
 * The promise never falls with the limit, and a plan for T of the T_all submissions that all labels take reads at least
 * 0.8 T / T_all of them from T = 0.4 T_all on, for up to 10^6 rows. (For few submissions no plan can: T counts of M rows
 * tell apart at most (M + 1)^T labellings, so labels per submission grow with the logarithm of M.) */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"
#include "number/random.h"
#include "plan/plan.h"

enum { MOST_ROWS = 9 };

static long attacks, fewer, read_labels, open_labels;

/* Where all labels are one class, Matthews's coefficient is 0 whatever is asked, and kappa may fail. */
static int is_mixed(const int32_t *labels, long rows)
{
    for (long i = 1; i < rows; i++)
        if (labels[i] != labels[0])
            return 1;
    return 0;
}

static void attack(const ll_scorer *scorer, const ll_plan *plan, const int32_t *labels, long rows)
{
    ll_curator *curator = NULL;
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, scorer, labels, rows, NULL), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    ll_status status = ll_attack_run(plan, &verdict, &oracle, NULL, NULL);
    if (status != LL_OK) { /* kappa of one class is 0/0 */
        assert_false(is_mixed(labels, rows));
        ll_verdict_clear(&verdict);
        ll_curator_destroy(curator);
        return;
    }
    assert_int_not_equal(verdict.kind, LL_NONE);
    for (long i = 0; i < rows; i++) {
        read_labels += verdict.labels[i] >= 0;
        open_labels += verdict.labels[i] < 0;
        if (verdict.labels[i] >= 0)
            assert_int_equal(verdict.labels[i], labels[i]);
        else
            assert_true(verdict.candidates[i * verdict.classes + labels[i]]);
    }
    fewer += verdict.certain < ll_plan_rows_within(plan, 0) && is_mixed(labels, rows);
    attacks++;
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
}

static void try_labellings(const ll_scorer *scorer, const ll_plan *plan, long rows, long classes)
{
    int32_t labels[MOST_ROWS];
    long count = 1;
    for (long i = 0; i < rows; i++)
        count *= classes;
    for (long s = 0; s < count; s++) {
        for (long i = 0, rest = s; i < rows; i++, rest /= classes)
            labels[i] = (int32_t)(rest % classes);
        attack(scorer, plan, labels, rows);
    }
}

/* Every limit up to the queries that all labels take. */
static void try_world(const char *text, const char *code, long rows, long classes)
{
    ll_scorer *all = scorer_of_text("%s; arithmetic=fp64; rows=%ld; classes=%ld", text, rows, classes);
    ll_plan *whole = plan_of_code(all, code, NULL);
    assert_non_null(whole);
    long promised = 0;
    for (long limit = 1; limit <= whole->queries; limit++) {
        ll_scorer *scorer =
            scorer_of_text("%s; arithmetic=fp64; rows=%ld; classes=%ld; queries=%ld", text, rows, classes, limit);
        ll_plan *plan = plan_of_code(scorer, code, NULL);
        assert_non_null(plan);
        long reads = ll_plan_rows_within(plan, limit);
        assert_int_equal(reads, ll_plan_rows_within(whole, limit));
        assert_true(reads >= promised);
        assert_true(reads == 0 || plan->queries <= limit);
        promised = reads;
        if (reads > 0)
            try_labellings(scorer, plan, rows, classes);
        ll_plan_destroy(plan);
        ll_scorer_destroy(scorer);
    }
    assert_int_equal(promised, rows);
    ll_plan_destroy(whole);
    ll_scorer_destroy(all);
}

typedef struct {
    const char *code, *text;
    long classes, from, to, far; /* rows, to: of the short form */
    double fewer;                /* share of attacks in which fewer labels may be certain than were promised */
} world;

static const world worlds[] = {
    {"detecting", "metric=accuracy", 2, 3, 6, 8, 0},
    {"detecting", "metric=zero-one; decimals=3", 2, 3, 6, 8, 0},
    {"detecting", "metric=f1", 2, 3, 6, 8, 0},
    {"detecting", "metric=f1; decimals=3", 2, 3, 6, 8, 0},
    {"detecting", "metric=jaccard", 2, 3, 6, 8, 0},
    {"detecting", "metric=mcc", 2, 3, 6, 8, 0},
    {"detecting", "metric=kappa; decimals=4", 2, 3, 6, 8, 0},
    {"detecting", "metric=balanced-accuracy", 2, 3, 6, 8, 0},
    {"detecting", "metric=accuracy", 3, 2, 5, 7, 0},
    {"detecting", "metric=accuracy", 4, 2, 4, 6, 0},
    {"cells", "metric=balanced-accuracy", 3, 3, 4, 6, 0},
    {"cells", "metric=kappa", 3, 3, 4, 6, 0},
    {"cells", "metric=macro-f1; decimals=5", 3, 3, 4, 6, 0},
    {"cells", "metric=weighted-f1", 3, 3, 4, 6, 0},
    {"cells", "metric=confusion-matrix", 2, 3, 7, 9, 0},
    {"cells", "metric=confusion-matrix", 3, 3, 5, 7, 0},
    {"cells", "metric=classification-report", 3, 3, 4, 6, 0},
    {"ordered", "metric=quadratic-kappa; decimals=5", 3, 7, 7, 9,
     0.04}, /* of one row 9%, which two moments leave open */
    {"ordered", "metric=linear-kappa; decimals=5", 3, 7, 7, 8, 0.01},
};

static void test_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        const world *w = &worlds[i];
        long before = attacks, known = fewer, last = getenv("LL_TEST_LONG") ? w->far : w->to;
        for (long rows = w->from; rows <= last; rows++)
            try_world(w->text, w->code, rows, w->classes);
        printf("%s, %ld classes: %ld attacks, fewer labels than promised in %ld\n", w->text, w->classes,
               attacks - before, fewer - known);
        assert_true((double)(fewer - known) <= w->fewer * (double)(attacks - before));
    }
    printf("%ld attacks: %ld labels certain, %ld open\n", attacks, read_labels, open_labels);
    assert_true(read_labels > 0 && open_labels > 0);
}

static void test_shares(void **state)
{
    static const long sizes[] = {2201, 20000, 1000000};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ll_scorer *scorer = scorer_of_text("metric=f1; arithmetic=fp64; rows=%ld", sizes[i]);
        ll_plan *plan = plan_of_code(scorer, "detecting", NULL);
        assert_non_null(plan);
        for (int part = 40; part <= 100; part++) {
            long limit = (plan->queries * part + 99) / 100, reads = ll_plan_rows_within(plan, limit);
            assert_true((double)reads >= 0.8 * (double)limit / (double)plan->queries * (double)sizes[i]);
        }
        ll_plan_destroy(plan);
        ll_scorer_destroy(scorer);
    }
}

/* Entropy of the number of heads of so many coins, in bits. */
static double coins_entropy(long coins)
{
    double entropy = 0;
    for (long k = 0; k <= coins; k++) {
        double bits = (double)coins -
                      (lgamma((double)coins + 1) - lgamma((double)k + 1) - lgamma((double)(coins - k) + 1)) / log(2);
        entropy += bits * exp2(-bits);
    }
    return entropy;
}

/* No fixed queries read more labels than the entropy of their counts (docs/proofs/detecting.md). */
static void test_entropy(void **state)
{
    (void)state;
    ll_scorer *scorer = scorer_of_text("metric=accuracy; arithmetic=fp64; rows=20000");
    ll_plan *plan = plan_of_code(scorer, "detecting", NULL);
    assert_non_null(plan);
    long most = 0, reached = 0;
    for (long limit = 1; limit <= 200; limit++) {
        while ((double)(most + 1) <= (double)limit * coins_entropy(most + 1))
            most++;
        long reads = ll_plan_rows_within(plan, limit);
        reached += 2 * reads >= most;
        assert_true(reads <= most);
    }
    assert_true(reached > 150); /* the bound is no empty one */
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
}

/* Rounded so coarsely that few scores leave many numbers of positives: what is promised of some hundred rows is read,
 * and with more submissions something is promised. */
static void test_coarse(void **state)
{
    static const char *const metrics[] = {"auc", "f1", "mcc", "balanced-accuracy", "kappa"};
    static const long limits[] = {2, 3, 4, 5, 7, 10, 14, 20};
    enum { METRICS = sizeof metrics / sizeof metrics[0], LIMITS = sizeof limits / sizeof limits[0], ROWS = 1900 };
    int32_t labels[ROWS];
    long promised = 0, step = getenv("LL_TEST_LIGHT") ? 800 : 160;
    (void)state;
    for (long rows = 300; rows <= ROWS; rows += step)
        for (long i = 0; i < METRICS * LIMITS; i++) {
            ll_scorer *scorer = scorer_of_text("metric=%s; arithmetic=fp64; decimals=3; rows=%ld; queries=%ld",
                                               metrics[i / LIMITS], rows, limits[i % LIMITS]);
            ll_plan *plan = plan_of_code(scorer, NULL, NULL);
            for (long row = 0; row < rows; row++)
                labels[row] = (int32_t)ll_random_below(7, (uint64_t)(rows * METRICS * LIMITS + i), (uint64_t)row, 2);
            long reads = plan != NULL ? ll_plan_rows_within(plan, limits[i % LIMITS]) : 0, before = fewer;
            if (reads > 0)
                attack(scorer, plan, labels, rows);
            if (fewer > before)
                fail_msg("%s of %ld rows, %ld submissions: %ld labels were promised", metrics[i / LIMITS], rows,
                         limits[i % LIMITS], reads);
            promised += reads;
            ll_plan_destroy(plan);
            ll_scorer_destroy(scorer);
        }
    printf("%ld labels promised, all read\n", promised);
    assert_true(promised > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_coarse), cmocka_unit_test(test_entropy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* F1's noise (docs/proofs/proportional.md) against every way to have hits, rows said to be 1 and positives: what labels
 * move, what they change of the noise's size, and what a curator adds. Formulas are worked out here once more. */
#include "curator_tools.h"
#include "scorer_tools.h"

#include "metric/counts/f1_noise.h"
#include "scorer/sensitivity.h"

#include <math.h>

typedef struct {
    long rows, said, positives, hits;
} counts;

static double f1(counts c)
{
    return c.hits > 0 ? 2.0 * (double)c.hits / (double)(c.said + c.positives) : 0;
}

static double size(counts c)
{
    return ll_f1_moves(c.rows, c.said, c.positives, c.hits);
}

static double move(counts from, counts to)
{
    return pow(f1(to) - f1(from), 2);
}

static double step(counts from, counts to)
{
    return pow(log(size(to) / size(from)), 2);
}

/* The sum over rows of what their labels do, changed one at a time. */
static double sum_changes(counts c, double (*change)(counts from, counts to))
{
    const counts found = {c.rows, c.said, c.positives + 1, c.hits + 1},
                 lost = {c.rows, c.said, c.positives - 1, c.hits - 1};
    const counts missed = {c.rows, c.said, c.positives + 1, c.hits}, none = {c.rows, c.said, c.positives - 1, c.hits};
    double sum = 0;
    if (c.said > c.hits)
        sum += (double)(c.said - c.hits) * change(c, found);
    if (c.hits > 0)
        sum += (double)c.hits * change(c, lost);
    if (c.rows - c.said > c.positives - c.hits)
        sum += (double)(c.rows - c.said - c.positives + c.hits) * change(c, missed);
    if (c.positives > c.hits)
        sum += (double)(c.positives - c.hits) * change(c, none);
    return sum;
}

static void try_moves(counts c)
{
    double sum = sqrt(sum_changes(c, move));
    assert_true(sum <= size(c) * (1 + 1e-12));
    assert_true(sum <= ll_f1_reach(c.rows, c.said) * (1 + 1e-12));
}

static double steps_of(counts c)
{
    return c.said > 0 ? sum_changes(c, step) : 0;
}

static void for_all(long rows, long positives, void (*seen)(counts c))
{
    for (long said = 0; said <= rows; said++)
        for (long hits = said + positives > rows ? said + positives - rows : 0; hits <= said && hits <= positives;
             hits++)
            seen((counts){rows, said, positives, hits});
}

static void test_moves(void **state)
{
    static const long sizes[] = {1, 2, 3, 7, 12, 41};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (long positives = 0; positives <= sizes[i]; positives++)
            for_all(sizes[i], positives, try_moves);
}

static double most_steps;

static void see_steps(counts c)
{
    most_steps = fmax(most_steps, steps_of(c));
}

/* What is said to be the most is, and with many positives it is less than four times as much as is seen. */
static void test_steps(void **state)
{
    static const long sizes[] = {12, 50, 150};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (long positives = 4; positives <= sizes[i]; positives += 1 + positives / 8) {
            double most = pow(ll_f1_steps(sizes[i], positives), 2);
            most_steps = 0;
            for_all(sizes[i], positives, see_steps);
            assert_true(most_steps <= most);
            assert_true(sizes[i] < 150 || positives < 40 || most < 4 * most_steps);
        }
}

/* The mean over the number of positives, each with the worst submission; three or fewer tell a bit a row. */
static void test_told(void **state)
{
    const long rows = 60;
    const double ones[] = {0.5, 0.3, 0.1};
    (void)state;
    for (int i = 0; i < 3; i++) {
        double told = 0, q = ones[i], bits = -q * log2(q) - (1 - q) * log2(1 - q), all = (double)rows * bits;
        for (long p = 0; p <= rows; p++) {
            double log_chance = lgamma((double)rows + 1) - lgamma((double)p + 1) - lgamma((double)(rows - p) + 1);
            most_steps = 0;
            for_all(rows, p, see_steps);
            told += exp(log_chance + (double)p * log(q) + (double)(rows - p) * log(1 - q)) *
                    (p < 4 ? (double)rows : fmin((double)rows, most_steps / 4 / M_LN2));
        }
        double said = ll_f1_revealed(rows, q, bits);
        told = fmin(told, all);
        assert_true(told <= said && said <= 3 * told);
    }
    assert_true(ll_f1_revealed(2201, 0.5, 1) < 0.0013);
    assert_true(ll_f1_revealed(2201, 0, 1) == 2201 && ll_f1_revealed(1, 0.5, 1) == 1);
}

/* ---- what a curator adds ---- */

enum { ROWS = 400 };

static double spread_of(const char *settings, const double *said, int32_t *labels)
{
    ll_scorer *s = scorer_of_text("arithmetic=fp64; rows=%d; %s", ROWS, settings);
    const ll_scoring scoring = {.how = &s->computation, .rows = ROWS, .classes = 2, .labels = labels};
    table t;
    double spread = -1;
    ll_error error = {0};
    table_set(&t, (double *)said, ROWS, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_scorer_get_spread(s, &scoring, &spread, &t.source, &error), LL_OK);
    ll_scorer_destroy(s);
    return spread;
}

static void try_curator(void)
{
    double said[ROWS], share = uniform();
    int32_t labels[ROWS];
    counts c = {ROWS, 0, 0, 0};
    for (long i = 0; i < ROWS; i++) {
        labels[i] = uniform() < 0.5;
        said[i] = uniform() < share ? (double)labels[i] : (double)below(2);
        c.said += said[i] > 0;
        c.positives += labels[i];
        c.hits += said[i] > 0 && labels[i];
    }
    double local = size(c) / 2, whole = ll_f1_reach(ROWS, c.said) / 2;
    assert_true(local < whole / 1.3);
    /* It follows the labels, up to where that would tell more than the rest; always within a known class of 0/0. */
    assert_true(fabs(spread_of("metric=f1; noise=proportional:1", said, labels) / local - 1) < 1e-9);
    assert_true(fabs(spread_of("metric=f1; transform=percent; noise=proportional:1", said, labels) / local - 100) <
                1e-6);
    assert_true(fabs(spread_of("metric=f1; noise=proportional:30", said, labels) / whole - 1) < 1e-9);
    assert_true(fabs(spread_of("metric=f1; noise=proportional:1; prior=0.99,0.01", said, labels) / whole - 1) < 1e-9);
    assert_true(spread_of("metric=f1; zero-division=1; noise=proportional:1", said, labels) > whole * (1 - 1e-9));
}

static void test_curator(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        try_curator();
}

/* The limit counts what the size tells, and only where the noise follows the labels. */
static void test_limit(void **state)
{
    const double c[] = {0.5, 2, 5, 9, 15, 40};
    double last = INFINITY, told = ll_f1_revealed(ROWS, 0.5, 1);
    (void)state;
    for (int i = 0; i < 6; i++) {
        ll_scorer *s = scorer_of_text("metric=f1; arithmetic=exact; rows=%d; noise=proportional:%g", ROWS, c[i]);
        ll_audit_bound bound;
        ll_error error = {0};
        assert_int_equal(ll_audit_limit(&bound, s, 1, &error), LL_OK);
        double rest = ROWS / 2.0 * log2(1 + 1 / (ROWS * c[i] * c[i]));
        double wanted = told <= rest ? rest + told : rest;
        assert_true(fabs(bound.bits_per_query / wanted - 1) < 1e-9 && bound.bits_per_query < last);
        last = bound.bits_per_query;
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    read_environment("t-f1-noise");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves), cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_told), cmocka_unit_test(test_curator),
                                       cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

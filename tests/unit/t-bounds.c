/* Set functions given as tables against brute force, and bounds that hold for everything that was found. */
#include "bounds.h"
#include "curator_tools.h"
#include "scorer_tools.h"

#include <limits.h>

#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

enum { MOST = 64 };

/* ---- tables ---- */

static void set_values(ll_block *block, const long *values, const char *unit, long count)
{
    ll_exact *array = ll_block_reserve_exacts(block, count, 1);
    assert_non_null(array);
    for (long i = 0; i < count; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%ld%s", values[i], unit);
        assert_int_equal(ll_exact_read(array, i, text, strlen(text)), LL_OK);
    }
}

static double number(const char *text)
{
    return strtod(text, NULL);
}

/* Every pair, every chain of two sets. unit is 10^-2. */
static void check_table(const long *f, long elements)
{
    long count = 1L << elements, gap = LONG_MAX, marginal = LONG_MAX, least = f[0], most = f[0];
    int monotone = 1;
    ll_block block;
    ll_table_separation t;
    ll_error error;
    for (long i = 0; i < count; i++) {
        least = f[i] < least ? f[i] : least;
        most = f[i] > most ? f[i] : most;
        for (long j = 0; j < count; j++) {
            long distance = labs(f[i] - f[j]);
            if (i == j)
                continue;
            gap = distance < gap ? distance : gap;
            if ((i & j) == i && f[i] > f[j])
                monotone = 0;
            if ((i & j) == i && __builtin_popcountl((unsigned long)(i ^ j)) == 1)
                marginal = distance < marginal ? distance : marginal;
        }
    }
    ll_block_init(&block);
    ll_table_separation_init(&t);
    set_values(&block, f, "e-2", count);
    assert_int_equal(ll_separate_table(&t, block.exacts, count, "0.01", NULL, &error), LL_OK);
    assert_int_equal(t.elements, elements);
    assert_true(number(t.gap.text) == (double)gap / 100);
    assert_true(number(t.largest_noise.text) == (double)gap / 200);
    assert_int_equal(t.separable, gap >= 2);
    assert_int_equal(labs(f[t.witness[0]] - f[t.witness[1]]), gap);
    assert_int_not_equal(t.witness[0], t.witness[1]);
    assert_int_equal(t.monotone, monotone);
    if (!monotone) {
        assert_int_equal(t.decreasing[0] & t.decreasing[1], t.decreasing[0]);
        assert_true(f[t.decreasing[1]] < f[t.decreasing[0]]);
        assert_null(t.bounded_monotone.text);
    }
    assert_true(number(t.marginal.text) == (double)marginal / 100);
    assert_int_equal(labs(f[t.marginal_sets[0]] - f[t.marginal_sets[1]]), marginal);
    assert_true(number(t.range.text) == (double)(most - least) / 100);
    assert_true(number(t.gap.text) <= number(t.pigeonhole.text) && number(t.gap.text) <= number(t.marginal.text));
    if (monotone)
        assert_true(number(t.gap.text) <= number(t.bounded_monotone.text));
    ll_table_separation_clear(&t);
    ll_block_clear(&block);
}

static void tables(void **state)
{
    (void)state;
    long f[MOST];
    for (long n = 0; n < 200 * multiplier; n++) {
        long elements = 1 + below(6), count = 1L << elements, range = 1L << below(20);
        int additive = n % 2 == 0;
        long weights[6];
        for (long i = 0; i < elements; i++)
            weights[i] = below(range) - (n % 4 == 0 ? 0 : range / 8);
        for (long set = 0; set < count; set++) {
            f[set] = additive ? 0 : below(range) - range / 2;
            for (long i = 0; additive && i < elements; i++)
                f[set] += set >> i & 1 ? weights[i] : 0;
        }
        check_table(f, elements);
    }
}

/* Numbers that no double holds. */
static void long_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"0", "1e-400", "1", "1.000000000000000000000000000000000000000000000000001"};
    ll_block block;
    ll_table_separation t;
    ll_error error;
    ll_block_init(&block);
    ll_table_separation_init(&t);
    ll_exact *array = ll_block_reserve_exacts(&block, 4, 1);
    for (long i = 0; i < 4; i++)
        assert_int_equal(ll_exact_read(array, i, texts[i], strlen(texts[i])), LL_OK);
    assert_int_equal(ll_separate_table(&t, array, 4, NULL, NULL, &error), LL_OK);
    assert_string_equal(t.gap.text, "1e-400");
    assert_string_equal(t.largest_noise.text, "5e-401");
    assert_int_equal(t.monotone, 1);
    assert_int_equal(t.separable, 1);
    assert_int_equal(ll_separate_table(&t, array, 4, "5e-401", NULL, &error), LL_OK);
    assert_int_equal(t.separable, 1);
    assert_int_equal(ll_separate_table(&t, array, 4, "5.0000000000000000000000000000000001e-401", NULL, &error), LL_OK);
    assert_int_equal(t.separable, 0);
    ll_table_separation_clear(&t);
    ll_block_clear(&block);
}

static void wrong_tables(void **state)
{
    (void)state;
    ll_block block;
    ll_table_separation t;
    ll_error error;
    ll_block_init(&block);
    ll_table_separation_init(&t);
    ll_exact *array = ll_block_reserve_exacts(&block, 8, 1);
    static const long wrong[] = {0, 1, 3, 5, 6, 7};
    for (long n = 0; n < COUNT(wrong); n++)
        assert_int_equal(ll_separate_table(&t, array, wrong[n], NULL, NULL, &error), LL_DOMAIN);
    assert_int_equal(ll_separate_table(&t, array, 8, "0", NULL, &error), LL_DOMAIN);
    assert_int_equal(ll_exact_read(array, 3, "1e1000000000000", 15), LL_OK);
    assert_int_equal(ll_separate_table(&t, array, 8, NULL, NULL, &error), LL_UNABLE);
    assert_null(t.gap.text);
    ll_block_clear(&block);
}

/* ---- bounds ---- */

static void known_bounds(void **state)
{
    (void)state;
    assert_true(fabs(ll_bound_pigeonhole(6, 2, 2) - 2) < 1e-9 && ll_bound_pigeonhole(6, 2, 2) >= 2);
    assert_true(ll_bound_pigeonhole(1, 2000, 2) > 0 && ll_bound_pigeonhole(1, 2000, 2) < 1e-300);
    assert_true(ll_bound_pigeonhole(0, 3, 2) == 0);
    assert_true(fabs(ll_bound_monotone(6, 3) - 2) < 1e-9);
    assert_true(ll_bound_discrete_lp(1, 2) == 1 && ll_bound_discrete_lp(1, 3) == 0 && ll_bound_discrete_lp(2, 2) == 0);
    assert_true(ll_bound_counting_queries(2, 10, 2) == 10);
    assert_true(ll_bound_counting_queries(1025, 10, 2) == 1 && ll_bound_counting_queries(1023, 10, 2) == 2);
    assert_true(ll_bound_counting_queries(1024, 10, 2) == 1);
    assert_true(isinf(ll_bound_counting_queries(1, 10, 2)));
    assert_true(fabs(ll_bound_counting_success(2, 3, 5, 2) - 0.25) < 1e-9);
    assert_true(ll_bound_counting_success(3, 5, 5, 2) == 1);
    assert_true(fabs(ll_bound_counting_share(1, 1, 10) - 0.5) < 1e-5);
    assert_true(ll_bound_counting_share(2, 10, 10) == 1);
    /* half a bit a label: h(0.110028) = 0.5 */
    assert_true(fabs(ll_bound_counting_share(2, 50, 100) - 0.889972) < 1e-5);
}

/* Nothing that is found exceeds a bound, and one row of two classes meets the pigeonhole's. */
static void bounds_hold(void **state)
{
    (void)state;
    static const char *const losses[] = {"log-loss", "squared", "itakura-saito", "sigmoid-ce", "accuracy"};
    for (long n = 0; n < 100 * multiplier; n++) {
        double x[8];
        long rows = 1 + below(8);
        ll_separation a;
        ll_error error;
        table t;
        const char *loss = losses[n % COUNT(losses)];
        ll_scorer *s = scorer_of_text("metric=%s; arithmetic=exact", loss);
        for (long i = 0; i < rows; i++)
            x[i] = strcmp(loss, "accuracy") == 0 ? (double)below(2) : uniform();
        table_set(&t, x, rows, 1, LL_ENTRIES_EXACT);
        ll_separation_init(&a);
        assert_int_equal(ll_separate(&a, s, &t.source, NULL, &error), LL_OK);
        double gap = number(a.gap.text), range = number(a.range.text);
        assert_true(gap <= number(a.pigeonhole.text) && gap <= number(a.monotone.text) &&
                    gap <= number(a.bounded_monotone.text));
        assert_true(gap <= ll_bound_pigeonhole(range, rows, 2) && gap <= ll_bound_monotone(range, rows));
        assert_true(fabs(number(a.pigeonhole.text) / ll_bound_pigeonhole(range, rows, 2) - 1) < 1e-9);
        if (rows == 1)
            assert_true(fabs(gap - range) <= 1e-15 * range);
        ll_separation_clear(&a);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    read_environment("t-bounds");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),       cmocka_unit_test(long_numbers), cmocka_unit_test(wrong_tables),
        cmocka_unit_test(known_bounds), cmocka_unit_test(bounds_hold),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

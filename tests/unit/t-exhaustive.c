/* LabelInf against a plain recursion in long integers and a plain loop. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "search/exhaustive.h"

static uint64_t seed(void)
{
    const char *text = getenv("LL_TEST_SEED");
    return text != NULL ? strtoull(text, NULL, 0) : 20220328;
}

/* How many labellings have |sum - target| <= tolerance, all in integers. */
static long slow_count(const long *weights, long rows, long classes, long target, long tolerance)
{
    if (rows == 0)
        return labs(target) <= tolerance;
    long count = 0;
    for (long k = 0; k < classes; k++)
        count += slow_count(weights + classes, rows - 1, classes, target - weights[k], tolerance);
    return count;
}

static void draw(long *integers, double *doubles, long n, uint64_t stream, double scale)
{
    for (long i = 0; i < n; i++) {
        integers[i] = (long)ll_random_below(seed(), stream, (uint64_t)i, 200) - 100;
        doubles[i] = (double)integers[i] * scale;
    }
}

/* Integer weights times a scale: with 1/8 every sum is exact (margin 0), with 0.1 rounding must be decided exactly
 * where the tolerance is no multiple of the scale. */
static void counts_agree(void **state)
{
    (void)state;
    const double scales[] = {1, 0.125, 0.1, 1e200, 1e-200};
    for (uint64_t round = 0; round < 200; round++) {
        long classes = 2 + (long)(round % 3),
             rows = 1 + (long)ll_random_below(seed(), round, 1000, classes == 2 ? 14 : 8);
        double scale = scales[round % 5];
        long integers[64];
        double doubles[64];
        draw(integers, doubles, rows * classes, round, scale);
        long target = (long)ll_random_below(seed(), round, 2000, 300) - 150;
        long tolerance = (long)ll_random_below(seed(), round, 3000, 20);
        ll_search_result result;
        assert_int_equal(ll_search_result_init(&result, rows, 8), LL_OK);
        ll_error error;
        assert_int_equal(ll_search_exhaustive(&result, doubles, rows, classes, (double)target * scale,
                                              ((double)tolerance + 0.25) * scale, 8, 60, 2, &error),
                         LL_OK);
        long expected = slow_count(integers, rows, classes, target, tolerance);
        assert_int_equal(result.count, expected);
        assert_int_equal(result.kept, expected < 8 ? expected : 8);
        for (long i = 0; i < result.kept; i++) {
            long sum = 0;
            for (long j = 0; j < rows; j++)
                sum += integers[j * classes + result.labellings[i * rows + j]];
            assert_true(labs(sum - target) <= tolerance);
        }
        ll_search_result_clear(&result);
    }
}

/* A tie is a tie: equal weights give every labelling with the right number of ones. */
static void ties_are_seen(void **state)
{
    (void)state;
    double weights[40];
    for (long i = 0; i < 40; i++)
        weights[i] = (double)(i % 2);
    ll_search_result result;
    ll_error error;
    assert_int_equal(ll_search_result_init(&result, 20, 5), LL_OK);
    assert_int_equal(ll_search_exhaustive(&result, weights, 20, 2, 3, 0, 5, 60, 2, &error), LL_OK);
    assert_int_equal(result.count, 1140); /* 20 over 3 */
    assert_int_equal(result.kept, 5);
    const int32_t first[20] = {1, 1, 1};
    assert_memory_equal(result.labellings, first, sizeof first);
    assert_memory_equal(result.best, first, sizeof first);
    assert_true(result.nearest == 0);
    ll_search_result_clear(&result);
}

/* Noise of exactly the tolerance fits, one ulp more does not: decided on the real sums of the doubles. */
static void boundary_is_exact(void **state)
{
    (void)state;
    double weights[] = {0, 0.1, 0, 0.2, 0, 0.4};
    double sum = 0.1 + 0.2; /* 0.30000000000000004: the real sum of the two doubles is below it */
    ll_search_result result;
    ll_error error;
    assert_int_equal(ll_search_result_init(&result, 3, 8), LL_OK);
    assert_int_equal(ll_search_exhaustive(&result, weights, 3, 2, sum, 0, 8, 60, 1, &error), LL_OK);
    assert_int_equal(result.count, 0);
    double off = 2.7755575615628914e-17; /* sum - (0.1 + 0.2), exactly 2^-55 */
    assert_int_equal(ll_search_exhaustive(&result, weights, 3, 2, sum, off, 8, 60, 1, &error), LL_OK);
    assert_int_equal(result.count, 1);
    assert_int_equal(ll_search_exhaustive(&result, weights, 3, 2, sum, 2.7755575615628910e-17, 8, 60, 1, &error),
                     LL_OK);
    assert_int_equal(result.count, 0);
    ll_search_result_clear(&result);
}

/* The same in order, row 0 the fastest, and the nearest. */
static void look_at_all(ll_search_result *out, const long *weights, long rows, long classes, long target,
                        double tolerance)
{
    int32_t labels[9] = {0};
    long nearest = LONG_MAX, row = 0;
    for (out->count = 0; row < rows; out->kept = (long)out->count) {
        long distance = target;
        for (long i = 0; i < rows; i++)
            distance -= weights[i * classes + labels[i]];
        distance = labs(distance);
        if (distance < nearest)
            memcpy(out->best, labels, sizeof *labels * (size_t)rows);
        nearest = distance < nearest ? distance : nearest;
        if ((double)distance <= tolerance)
            memcpy(out->labellings + (long)out->count++ * rows, labels, sizeof *labels * (size_t)rows);
        for (row = 0; row < rows && ++labels[row] == classes; row++)
            labels[row] = 0;
    }
}

/* Weights of 53 bits, so that sums of doubles round. */
static void lists_agree(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 50; round++) {
        long classes = 2 + (long)(round % 2), rows = classes == 2 ? 9 : 6, integers[32];
        double doubles[32];
        for (long i = 0; i < rows * classes; i++) {
            integers[i] = (long)ll_random_below(seed(), 77 + round, (uint64_t)i, UINT64_C(1) << 53);
            doubles[i] = ldexp((double)integers[i], -53);
        }
        ll_search_result fast, slow;
        ll_error error;
        assert_int_equal(ll_search_result_init(&fast, rows, 1000), LL_OK);
        assert_int_equal(ll_search_result_init(&slow, rows, 1000), LL_OK);
        assert_int_equal(
            ll_search_exhaustive(&fast, doubles, rows, classes, (double)rows / 2, 0.01, 1000, 60, 2, &error), LL_OK);
        look_at_all(&slow, integers, rows, classes, rows << 52, ldexp(0.01, 53));
        assert_int_equal(fast.count, slow.count);
        assert_memory_equal(fast.labellings, slow.labellings, sizeof(int32_t) * (size_t)(fast.kept * rows));
        assert_memory_equal(fast.best, slow.best, sizeof(int32_t) * (size_t)rows);
        ll_search_result_clear(&fast);
        ll_search_result_clear(&slow);
    }
}

static void refusals(void **state)
{
    (void)state;
    double weights[200] = {0};
    ll_search_result result;
    ll_error error;
    assert_int_equal(ll_search_result_init(&result, 100, 1), LL_OK);
    assert_int_equal(ll_search_exhaustive(&result, weights, 100, 2, 0, 0, 1, 60, 1, &error), LL_UNABLE);
    assert_int_equal(ll_search_exhaustive(&result, weights, 50, 2, 0, 0, 1, 1, 1, &error), LL_UNABLE);
    assert_non_null(strstr(error.text, "budget"));
    weights[3] = 0.0 / 0.0;
    assert_int_equal(ll_search_exhaustive(&result, weights, 5, 2, 0, 0, 1, 60, 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "row 1, label 1"));
    ll_search_result_clear(&result);
}

int main(void)
{
    print_message("seed %llu\n", (unsigned long long)seed());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_agree), cmocka_unit_test(ties_are_seen), cmocka_unit_test(boundary_is_exact),
        cmocka_unit_test(lists_agree),  cmocka_unit_test(refusals),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

/* The generator against the published answers of Random123, and the distributions against their definitions. The seed
 * is fixed: a statistical bound must not fail by chance. */
#include "number/random.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DRAWS = 20000 };

/* philox4x32 with 10 rounds: counter, key, answer. */
static const uint32_t known[3][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
     0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
     0x24126ea1},
};

static void test_known_answers(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        ll_random_philox(out, known[i], known[i] + 4);
        assert_memory_equal(out, known[i] + 6, sizeof out);
    }
    uint64_t bits = ll_random_bits(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88);
    assert_true(bits == 0x94fdccebd16cfe09);
}

static void test_philox_in_place(void **state)
{
    (void)state;
    uint32_t block[4];
    memcpy(block, known[2], sizeof block);
    ll_random_philox(block, block, known[2] + 4);
    assert_memory_equal(block, known[2] + 6, sizeof block);
}

/* Largest distance between the draws and a distribution function (Kolmogorov, Smirnov). At this size, 1.95/sqrt(n) is
 * passed with probability 0.001. */
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_distribution(double (*draw)(uint64_t, uint64_t, uint64_t), double (*distribution)(double))
{
    static double x[DRAWS];
    double distance = 0;
    for (uint64_t i = 0; i < DRAWS; i++)
        x[i] = draw(42, 7, i);
    qsort(x, DRAWS, sizeof *x, ascending);
    for (int i = 0; i < DRAWS; i++) {
        double p = distribution(x[i]);
        distance = fmax(distance, fmax(fabs(p - (double)i / DRAWS), fabs(p - (double)(i + 1) / DRAWS)));
    }
    assert_true(distance < 1.95 / sqrt(DRAWS));
}

static double uniform_distribution(double x)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x;
}

static double gaussian_distribution(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double laplace_distribution(double x)
{
    return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
}

static void test_distributions(void **state)
{
    (void)state;
    check_distribution(ll_random_uniform, uniform_distribution);
    check_distribution(ll_random_gaussian, gaussian_distribution);
    check_distribution(ll_random_laplace, laplace_distribution);
}

/* Neighbouring counters, streams and seeds are not correlated: |r| sqrt(n) is about Gaussian. */
static void test_independence(void **state)
{
    (void)state;
    double sums[3] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        double x = ll_random_gaussian(1, 1, i);
        sums[0] += x * ll_random_gaussian(1, 1, i + 1);
        sums[1] += x * ll_random_gaussian(1, 2, i);
        sums[2] += x * ll_random_gaussian(2, 1, i);
    }
    for (int i = 0; i < 3; i++)
        assert_true(fabs(sums[i]) < 4 * sqrt(DRAWS));
}

static void test_below(void **state)
{
    (void)state;
    long counts[7] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t x = ll_random_below(9, 3, i, 7);
        assert_true(x < 7);
        counts[x]++;
    }
    double square = 0;
    for (int i = 0; i < 7; i++)
        square += pow((double)counts[i] - DRAWS / 7.0, 2) / (DRAWS / 7.0);
    assert_true(square < 22.5); /* chi square, 6 degrees of freedom, 0.001 */
    assert_true(ll_random_below(9, 3, 0, 1) == 0);
}

/* n = 3 * 2^62: scaling without rejection gives every third value twice as often, so that values divisible by 3 make
 * up half of them instead of a third. */
static void test_below_refuses(void **state)
{
    (void)state;
    const uint64_t n = 3UL << 62;
    long thirds = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t x = ll_random_below(9, 4, i, n);
        assert_true(x < n);
        thirds += x % 3 == 0;
    }
    assert_true(fabs((double)thirds - DRAWS / 3.0) < 4 * sqrt(DRAWS * 2 / 9.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers), cmocka_unit_test(test_philox_in_place),
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_independence),
        cmocka_unit_test(test_below),         cmocka_unit_test(test_below_refuses),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    return failed;
}

/* CloSqFree against the sorted list of all 2^m divisors, in exact eighths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "squarefree.h"

static const long first_primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};

static int by_value(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static long all_divisors(long *divisors, long m)
{
    divisors[0] = 1;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < 1L << i; j++)
            divisors[(1L << i) + j] = divisors[j] * first_primes[i];
    qsort(divisors, 1UL << m, sizeof(long), by_value);
    return 1L << m;
}

/* The nearest to eighths/8 in a sorted list; of two the smaller. */
static long slow_nearest(const long *divisors, long count, long eighths)
{
    long best = divisors[0];
    for (long i = 1; i < count; i++)
        if (labs(8 * divisors[i] - eighths) < labs(8 * best - eighths))
            best = divisors[i];
    return best;
}

static void check(const long *divisors, long count, long m, long eighths)
{
    arb_t x;
    fmpz_t y;
    ll_error error;
    arb_init(x);
    fmpz_init(y);
    arb_set_si(x, eighths);
    arb_mul_2exp_si(x, x, -3);
    assert_int_equal(ll_squarefree_nearest(y, x, m, &error), LL_OK);
    assert_int_equal(fmpz_get_si(y), slow_nearest(divisors, count, eighths));
    arb_clear(x);
    fmpz_clear(y);
}

static void dense_grid(void **state)
{
    (void)state;
    long divisors[1024], cases = 0;
    for (long m = 1; m <= 10; m++) {
        long count = all_divisors(divisors, m), product = divisors[count - 1];
        long step = product * 9 / 3000 + 1;
        for (long eighths = -20; eighths < 40; eighths++, cases++)
            check(divisors, count, m, eighths);
        for (long eighths = 0; eighths < 9 * product; eighths += step, cases++)
            check(divisors, count, m, eighths);
        for (long i = 0; i + 1 < count; i++) { /* the middle between two neighbours and just beside it */
            long middle = 4 * (divisors[i] + divisors[i + 1]);
            for (long e = -1; e <= 1; e++, cases++)
                check(divisors, count, m, middle + e);
        }
    }
    print_message("%ld cases\n", cases);
}

/* Errata of the paper: its line 1 never returns 1, nor 3 or 6 for m = 2; its search takes 5 for 5.93 where 6 is
 * nearest. */
static void errata(void **state)
{
    (void)state;
    const struct {
        double x;
        long m, nearest;
    } cases[] = {{0.3, 5, 1},  {1.4, 3, 1},  {2.9, 2, 3}, {5.2, 2, 6},
                 {5.93, 3, 6}, {3.95, 3, 3}, {4.0, 3, 3}, {1e300, 4, 210}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arb_t x;
        fmpz_t y;
        arb_init(x);
        fmpz_init(y);
        arb_set_d(x, cases[i].x);
        assert_int_equal(ll_squarefree_nearest(y, x, cases[i].m, NULL), LL_OK);
        assert_int_equal(fmpz_get_si(y), cases[i].nearest);
        arb_clear(x);
        fmpz_clear(y);
    }
}

static void large_and_undecided(void **state)
{
    (void)state;
    arb_t x;
    fmpz_t y;
    ll_error error;
    arb_init(x);
    fmpz_init(y);
    arb_set_ui(x, 1); /* 10^30 with 40 primes: far from every divisor, found by meeting in the middle */
    for (int i = 0; i < 30; i++)
        arb_mul_ui(x, x, 10, 200);
    assert_int_equal(ll_squarefree_nearest(y, x, 24, &error), LL_OK);
    /* among 100 primes the walk must find the product of the first 30 from 7 below it */
    fmpz_primorial(y, 113);
    arb_set_fmpz(x, y);
    arb_sub_ui(x, x, 7, 400);
    assert_int_equal(ll_squarefree_nearest(y, x, 100, &error), LL_OK);
    arb_add_ui(x, x, 7, 400);
    assert_true(arb_contains_fmpz(x, y));
    arb_set_ui(x, 10);
    arb_pow_ui(x, x, 90, 400);
    assert_int_equal(ll_squarefree_nearest(y, x, 100, &error), LL_UNABLE);
    assert_non_null(strstr(error.text, "would not end"));
    arb_set_ui(x, 4); /* 3 or 5? */
    mag_set_d(arb_radref(x), 0.01);
    assert_int_equal(ll_squarefree_nearest(y, x, 3, &error), LL_UNABLE);
    assert_non_null(strstr(error.text, "known well enough"));
    arb_pos_inf(x);
    assert_int_equal(ll_squarefree_nearest(y, x, 3, &error), LL_DOMAIN);
    arb_one(x);
    assert_int_equal(ll_squarefree_nearest(y, x, 0, &error), LL_DOMAIN);
    arb_clear(x);
    fmpz_clear(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dense_grid), cmocka_unit_test(errata),
                                       cmocka_unit_test(large_and_undecided)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}

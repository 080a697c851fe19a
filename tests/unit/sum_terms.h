/* What t-sum.c and t-sum-bound.c share: corner-biased terms, and sums by other ways. */
#ifndef LL_TEST_SUM_TERMS_H
#define LL_TEST_SUM_TERMS_H

#include "number/sum.h"
#include "slow_sum.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328;
static long multiplier = 1;

static const ll_order orders[] = {LL_SUM_NAIVE, LL_SUM_PAIRWISE, LL_SUM_CASCADE, LL_SUM_COMPENSATED, LL_SUM_EXACT};
enum { ORDERS = 5 };

static inline long below(long n)
{
    return (long)(slow_splitmix64(&seed) % (uint64_t)n);
}

static inline uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline void assert_same(double x, double y)
{
    if (!(isnan(x) && isnan(y)) && double_bits(x) != double_bits(y))
        fail_msg("%a is not %a", x, y);
}

static inline double draw_any(void)
{
    double x = ldexp((double)((slow_splitmix64(&seed) >> 11) + 1), (int)below(80) - 90);
    return below(2) ? x : -x;
}

/* Corner-biased terms. Half of the kinds cancel; `is_float` keeps all terms floats. */
static inline void draw_terms(double *x, long n, long kind, int is_float)
{
    const double tiny = is_float ? 0x1p-149 : 0x1p-1074, huge = is_float ? 0x1p127 : 0x1p1023;
    const double same = draw_any();
    for (long i = 0; i < n; i++) {
        switch (kind) {
        case 0:
            x[i] = draw_any();
            break;
        case 1: /* all equal */
            x[i] = same;
            break;
        case 2: /* alternating, nearly equal */
            x[i] = (i % 2 ? -same : same) * (1 + (double)below(5) * 0x1p-52);
            break;
        case 3: /* the second half takes back the first but for a little */
            x[i] = i < (n + 1) / 2 ? draw_any() : -x[i - (n + 1) / 2] * (below(4) ? 1 : 1 + 0x1p-50);
            break;
        case 4: /* huge ratios */
            x[i] = ldexp(draw_any(), (int)below(is_float ? 100 : 900) - (is_float ? 50 : 450));
            break;
        case 5: /* subnormal */
            x[i] = (double)(below(2001) - 1000) * tiny;
            break;
        case 6: /* ties: 1 and halves of its ulp */
            x[i] = i == 0 ? 1 : (double)(below(3) - 1) * (is_float ? 0x1p-24 : 0x1p-53);
            break;
        case 7: /* near overflow */
            x[i] = (below(2) ? huge : -huge) * (double)(1 + below(7)) / 8;
            break;
        default: /* losses: positive, of one size */
            x[i] = -log(((double)below(1000000) + 1) / 1000001);
        }
        if (is_float)
            x[i] = (float)x[i];
    }
}

enum { KINDS = 9 };

static inline long draw_length(void)
{
    static const long ends[] = {3, 10, 140, 2300, 2300, 17000};
    return below(ends[below(6)]);
}

static inline double *new_doubles(long n)
{
    double *x = malloc((size_t)(n + 1) * sizeof *x);
    assert_non_null(x);
    return x;
}

static inline float sum_as_floats(const double *x, long n, ll_order order)
{
    float *y = malloc((size_t)(n + 1) * sizeof *y);
    assert_non_null(y);
    for (long i = 0; i < n; i++)
        y[i] = (float)x[i];
    float sum = ll_sum_floats(y, n, order);
    free(y);
    return sum;
}

/* By MPFR in the format (e, f), read back as a double. */
static inline double by_format(ll_format format, ll_order order, const double *x, long n)
{
    ll_arithmetic a;
    ll_arithmetic_set_format(&a, format);
    ll_sum *sum = ll_sum_create(&a, order, n);
    assert_non_null(sum);
    ll_value value;
    a.ops->init(&a, &value);
    for (long i = 0; i < n; i++) {
        ll_format_set_d(&format, value.fpa, x[i]);
        ll_sum_add(sum, &value);
    }
    ll_sum_get(sum, &value);
    double out = mpfr_get_d(value.fpa, MPFR_RNDN);
    a.ops->clear(&a, &value);
    ll_sum_destroy(sum);
    return out;
}

static inline void read_environment(void)
{
    const char *text = getenv("LL_TEST_SEED");
    if (text)
        seed = strtoull(text, NULL, 0);
    text = getenv("LL_TEST_MULTIPLIER");
    if (text)
        multiplier = strtol(text, NULL, 0);
    printf("LL_TEST_SEED=%llu LL_TEST_MULTIPLIER=%ld\n", (unsigned long long)seed, multiplier);
}

#endif

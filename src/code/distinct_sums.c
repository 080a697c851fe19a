#include "code/distinct_sums.h"

#include <stddef.h>

/* The integer nearest to sqrt(2n): r (r - 1) < 2n <= r (r + 1). */
static long nearest_root(long n)
{
    long r = 1;
    while (r * (r + 1) < 2 * n)
        r++;
    return r;
}

int64_t ll_distinct_greatest(long n)
{
    int64_t u[LL_DISTINCT_MOST + 2] = {0, 1};
    for (long i = 1; i < n; i++)
        u[i + 1] = 2 * u[i] - u[i - nearest_root(i)];
    return u[n];
}

long ll_distinct_count(int64_t most)
{
    long n = 0;
    while (n < LL_DISTINCT_MOST && ll_distinct_greatest(n + 1) <= most)
        n++;
    return n;
}

int64_t ll_distinct_element(long n, long i)
{
    return ll_distinct_greatest(n) - ll_distinct_greatest(i);
}

/* ---- the subset of a sum ----
 *
 * A subset of k elements sums to k u_n - t, where t is the sum of its k numbers u_i. These nearly double, so that from
 * the greatest down hardly ever both choices, to take u_i and to leave it, keep t between the least and the greatest
 * sum of as many of the numbers below: some three steps an element (t-levels counts them). */

typedef struct {
    int64_t u[LL_DISTINCT_MOST + 1], sums[LL_DISTINCT_MOST + 1]; /* sums[i] = u_0 + .. + u_(i-1) */
    long steps;
} walk;

static void start_walk(walk *w, long n)
{
    *w = (walk){.u = {0, 1}};
    for (long i = 1; i < n; i++)
        w->u[i + 1] = 2 * w->u[i] - w->u[i - nearest_root(i)];
    for (long i = 0; i < n; i++)
        w->sums[i + 1] = w->sums[i] + w->u[i];
}

/* The bits of k of the numbers u_0 .. u_(i-1) that sum to t, or -1. */
static int64_t choose(walk *w, long i, long k, int64_t t)
{
    w->steps++;
    if (k > i || t < w->sums[k] || t > w->sums[i] - w->sums[i - k])
        return -1;
    if (k == 0)
        return 0; /* and t is 0 */
    int64_t with = choose(w, i - 1, k - 1, t - w->u[i - 1]);
    return with >= 0 ? with | (int64_t)1 << (i - 1) : choose(w, i - 1, k, t);
}

int64_t ll_distinct_subset(long n, int64_t sum, long *steps)
{
    walk w;
    int64_t mask = -1;
    start_walk(&w, n);
    for (long k = 0; k <= n && mask < 0 && sum >= 0; k++)
        mask = choose(&w, n, k, k * w.u[n] - sum);
    if (steps != NULL)
        *steps = w.steps;
    return mask;
}

/* ---- more than two labels ---- */

/* Least greatest elements that a depth-first search found (t-levels checks that all sums differ). */
static const struct {
    long classes, size;
    int64_t values[6];
} seeds[] = {
    {3, 5, {60, 59, 57, 52, 38}}, {3, 6, {169, 168, 166, 161, 147, 109}},
    {4, 4, {50, 49, 46, 36}},     {4, 5, {191, 190, 187, 177, 141}},
    {5, 3, {21, 19, 16}},         {5, 4, {94, 92, 89, 73}},
    {6, 3, {32, 31, 26}},         {6, 4, {168, 166, 156, 135}},
    {7, 3, {40, 37, 33}},         {7, 4, {260, 258, 253, 219}},
    {8, 3, {52, 49, 44}},         {8, 4, {400, 397, 392, 348}},
    {9, 3, {65, 61, 56}},         {9, 4, {561, 558, 463, 435}},
    {10, 3, {82, 80, 65}},        {10, 4, {781, 780, 755, 695}},
};

enum { SEEDS = sizeof seeds / sizeof seeds[0] };

/* The largest seed for that many classes and values, or -1: powers of K alone. */
static int find_seed(long classes, long m)
{
    int best = -1;
    for (int i = 0; i < SEEDS; i++) /* sizes grow within the same number of classes */
        if (seeds[i].classes == classes && seeds[i].size <= m)
            best = i;
    return best;
}

/* K^n, or INT64_MAX / 4 where that is less */
static int64_t power(long classes, long n)
{
    int64_t out = 1;
    for (long i = 0; i < n; i++)
        out = out > INT64_MAX / 4 / classes ? INT64_MAX / 4 : out * classes;
    return out;
}

static int64_t greatest_digit(long classes, long m)
{
    int seed = find_seed(classes, m);
    if (seed < 0)
        return power(classes, m - 1);
    int64_t scale = power(classes, m - seeds[seed].size);
    return scale > INT64_MAX / 4 / seeds[seed].values[0] ? INT64_MAX / 4 : scale * seeds[seed].values[0];
}

long ll_digits_fill(int64_t *values, long classes, int64_t most)
{
    long m = 0;
    while (m < LL_DIGITS_MOST && greatest_digit(classes, m + 1) <= most / (classes - 1))
        m++;
    int seed = find_seed(classes, m);
    long low = seed < 0 ? m : m - seeds[seed].size;
    for (long t = 0; t < m; t++)
        values[t] = t < low ? power(classes, t) : power(classes, low) * seeds[seed].values[t - low];
    return m;
}

/* All K^(size-1) labels of a seed's values but the first, whose label is what is left: some hundred at most. */
static int read_seed(int32_t *labels, int seed, int64_t sum)
{
    long classes = seeds[seed].classes, size = seeds[seed].size;
    for (int64_t code = 0, end = power(classes, size - 1); code < end; code++) {
        int64_t left = sum, rest = code, first = seeds[seed].values[0];
        for (long t = 1; t < size; t++, rest /= classes)
            left -= rest % classes * seeds[seed].values[t];
        if (left < 0 || left % first != 0 || left / first >= classes)
            continue;
        labels[0] = (int32_t)(left / first);
        rest = code;
        for (long t = 1; t < size; t++, rest /= classes)
            labels[t] = (int32_t)(rest % classes);
        return 1;
    }
    return 0;
}

int ll_digits_read(int32_t *labels, long m, long classes, int64_t sum)
{
    int seed = find_seed(classes, m);
    long low = seed < 0 ? m : m - seeds[seed].size;
    if (sum < 0)
        return 0;
    for (long t = 0; t < low; t++, sum /= classes)
        labels[t] = (int32_t)(sum % classes);
    return seed < 0 ? sum == 0 : read_seed(labels + low, seed, sum);
}

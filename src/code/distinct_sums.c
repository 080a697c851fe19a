#include "code/distinct_sums.h"

#include <stdlib.h>
#include <string.h>

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

typedef struct {
    int64_t sum, mask;
} half_sum;

struct ll_distinct {
    long n, low; /* elements 0 .. low-1 are in the sorted table, the others in the plain one */
    half_sum *sorted, *plain;
};

static void fill(half_sum *table, const int64_t *elements, long count, long first)
{
    table[0] = (half_sum){0, 0};
    for (long i = 0; i < count; i++)
        for (long j = 0; j < 1L << i; j++)
            table[(1L << i) + j] =
                (half_sum){table[j].sum + elements[first + i], table[j].mask | (int64_t)1 << (first + i)};
}

static int by_sum(const void *a, const void *b)
{
    int64_t x = ((const half_sum *)a)->sum, y = ((const half_sum *)b)->sum;
    return (x > y) - (x < y);
}

/* The same in the order of sums: with one more element, the list and the list raised by it are merged from the largest
 * sum down into the place of both; `scratch` has room for half of it. */
static void fill_sorted(half_sum *table, half_sum *scratch, const int64_t *elements, long count)
{
    table[0] = (half_sum){0, 0};
    for (long i = 0; i < count; i++) {
        long size = 1L << i, without = size - 1, with = without;
        memcpy(scratch, table, sizeof *scratch * (size_t)size);
        for (long to = 2 * size - 1; to >= 0; to--)
            if (without < 0 || (with >= 0 && scratch[with].sum + elements[i] > scratch[without].sum)) {
                table[to] = (half_sum){scratch[with].sum + elements[i], scratch[with].mask | (int64_t)1 << i};
                with--;
            } else {
                table[to] = scratch[without--];
            }
    }
}

ll_distinct *ll_distinct_create_of(const int64_t *elements, long n)
{
    ll_distinct *set = calloc(1, sizeof *set);
    if (set == NULL)
        return NULL;
    set->n = n;
    set->low = (n + 1) / 2;
    set->sorted = malloc(sizeof(half_sum) << set->low);
    set->plain = malloc(sizeof(half_sum) << (n - set->low));
    if (set->sorted == NULL || set->plain == NULL) {
        ll_distinct_destroy(set);
        return NULL;
    }
    half_sum *scratch = malloc(sizeof(half_sum) << (set->low > 0 ? set->low - 1 : 0));
    if (scratch == NULL) {
        ll_distinct_destroy(set);
        return NULL;
    }
    fill_sorted(set->sorted, scratch, elements, set->low);
    free(scratch);
    fill(set->plain, elements, n - set->low, set->low);
    return set;
}

ll_distinct *ll_distinct_create(long n)
{
    int64_t elements[LL_DISTINCT_MOST] = {0};
    for (long i = 0; i < n; i++)
        elements[i] = ll_distinct_element(n, i);
    return ll_distinct_create_of(elements, n);
}

void ll_distinct_destroy(ll_distinct *set)
{
    if (set == NULL)
        return;
    free(set->sorted);
    free(set->plain);
    free(set);
}

int64_t ll_distinct_subset(const ll_distinct *set, long used, int64_t sum)
{
    for (long j = 0; j < 1L << (set->n - set->low); j++) {
        half_sum wanted = {sum - set->plain[j].sum, 0};
        const half_sum *found = bsearch(&wanted, set->sorted, (size_t)1 << set->low, sizeof(half_sum), by_sum);
        if (found !=
            NULL) { /* sums are distinct: this is the only subset of all n, so it decides for the first `used` too */
            int64_t mask = found->mask | set->plain[j].mask;
            return mask >> used == 0 ? mask : -1;
        }
    }
    return -1;
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

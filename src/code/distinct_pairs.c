/* A seed, found by a search (t-levels adds up every subset), and its doublings: twice every pair, and the pairs (1, 0)
 * and (0, 1). Sums mod 2 tell the labels of these two, half of what is left those of the others. */
#include "code/distinct_pairs.h"

#define SHIFT 20 /* sums of a seed are far below 2^19 in size, so a pair is one number */

static const struct {
    long size, greatest;
    int8_t pairs[LL_SUBSET_MOST][2];
} seeds[] = {
    {8, 5, {{-3, 2}, {5, 4}, {-2, -3}, {5, 3}, {3, -5}, {5, 5}, {5, -5}, {-4, 4}}},
    {12,
     18,
     {{0, -11},
      {18, -18},
      {-18, 14},
      {16, 17},
      {-18, 17},
      {-12, -5},
      {18, -16},
      {-15, -16},
      {-18, 11},
      {-9, 9},
      {18, 6},
      {14, 17}}},
};

enum { SEEDS = sizeof seeds / sizeof seeds[0] };

static int64_t pair_number(int64_t first, int64_t second)
{
    return first * ((int64_t)1 << SHIFT) + second;
}

/* Times that seed i can be doubled; -1 where it does not fit as it is. */
static long count_doublings(int i, int64_t most)
{
    long n = -1;
    for (int64_t greatest = seeds[i].greatest; greatest <= most && seeds[i].size + 2 * (n + 1) <= LL_PAIRS_MOST;
         greatest *= 2)
        n++;
    return n;
}

static void fill_from(ll_pairs *pairs, int i, long doublings)
{
    long t = 0;
    for (; t < seeds[i].size; t++)
        for (int c = 0; c < 2; c++)
            pairs->values[c][t] = seeds[i].pairs[t][c] * ((int64_t)1 << doublings);
    for (long n = 0; n < doublings; n++)
        for (int c = 0; c < 2; c++, t++) {
            pairs->values[c][t] = (int64_t)1 << n;
            pairs->values[1 - c][t] = 0;
        }
    pairs->labels = t;
    pairs->doublings = doublings;
}

void ll_pairs_fill(ll_pairs *pairs, int64_t most)
{
    pairs->labels = pairs->doublings = 0;
    for (int i = 0; i < SEEDS; i++) {
        long doublings = count_doublings(i, most);
        if (doublings >= 0 && seeds[i].size + 2 * doublings > pairs->labels)
            fill_from(pairs, i, doublings);
    }
}

ll_subset_table *ll_pairs_create(const ll_pairs *pairs)
{
    int64_t numbers[LL_SUBSET_MOST], unit = (int64_t)1 << pairs->doublings;
    long size = pairs->labels - 2 * pairs->doublings;
    for (long t = 0; t < size; t++)
        numbers[t] = pair_number(pairs->values[0][t] / unit, pairs->values[1][t] / unit);
    return ll_subset_table_create(numbers, size);
}

int ll_pairs_read(const ll_pairs *pairs, const ll_subset_table *seed, int32_t *labels, int64_t first, int64_t second)
{
    const int64_t unit = (int64_t)1 << pairs->doublings, low[2] = {first & (unit - 1), second & (unit - 1)};
    const int64_t a = (first - low[0]) / unit, b = (second - low[1]) / unit, most = (int64_t)1 << (SHIFT - 1);
    long size = pairs->labels - 2 * pairs->doublings;
    if (a <= -most || a >= most || b <= -most || b >= most)
        return 0;
    int64_t subset = ll_subset_table_find(seed, pair_number(a, b));
    if (subset < 0)
        return 0;
    for (long t = 0; t < size; t++)
        labels[t] = (int32_t)(subset >> t & 1);
    for (long n = 0; n < pairs->doublings; n++)
        for (int c = 0; c < 2; c++)
            labels[size + 2 * n + c] = (int32_t)(low[c] >> n & 1);
    return 1;
}

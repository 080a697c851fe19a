/* Values of groups of labels, and labels from their sum.
 *
 * Digits. s = K for odd K, K + 1 for even K > 2, and c_k runs through -(s-1)/2 .. (s-1)/2, without 0 for even K: the
 * values s^t c_k sum to 0, and their sums are numbers in balanced base s, which are unique. Two classes: +-2^t.
 *
 * Seeds: sets whose K^m sums all differ (t-matches adds them up), found by simulated annealing on the number of equal
 * sums. Far fewer cells are enough for them than for digits, as sums need not be spread evenly. */
#include "code/match_group.h"

#include "code/match_seeds.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t sum;
    int64_t code; /* labels as digits to the base K */
} entry;

struct ll_match_group {
    long classes, size, low; /* members, and how many of them are digits */
    int ones;
    int64_t *values; /* [member * classes + label] */
    entry *entries;  /* sums of the seed's members that are used, sorted */
    long count;
};

static int64_t base_of(long classes)
{
    return classes == 2 ? 2 : classes | 1;
}

/* c_k */
static int64_t digit_value(long classes, long label)
{
    int64_t value = label - classes / 2;
    return classes % 2 == 0 && value >= 0 ? value + 1 : value;
}

/* The sum of the positive c_k. */
static int64_t digit_size(long classes)
{
    int64_t half = classes / 2;
    return half * (half + 1) / 2;
}

/* How many factors s, at most `most`, does `room` hold beside `size`? */
static long count_factors(int64_t size, int64_t base, int64_t room, long most)
{
    long n = 0;
    while (n < most && size <= room / base) {
        size *= base;
        n++;
    }
    return n;
}

/* The seed (-1: none) and the number of digits that together have the most members. */
static long choose(long classes, int ones, int *seed, long *low)
{
    int64_t room = ones > 0 ? (int64_t)1 << (ones - 1) : 0, base = base_of(classes);
    long best = 0;
    *seed = -1;
    if (classes <= 1L << 20 && digit_size(classes) <= room)
        best = 1 + count_factors(digit_size(classes), base, room, LL_MASK_BITS);
    *low = best;
    for (int i = 0; i < ll_match_seed_count; i++) {
        const ll_match_seed *s = &ll_match_seeds[i];
        if (s->classes != classes || s->ones > ones)
            continue;
        long digits = count_factors((int64_t)1 << (s->ones - 1), base, room, LL_MASK_BITS);
        if (s->size + digits > best) {
            best = s->size + digits;
            *seed = i;
            *low = digits;
        }
    }
    return best;
}

long ll_match_capacity(long classes, int ones)
{
    int seed;
    long low;
    if (ones == 0) /* the only cell: is the label 1? */
        return classes == 2;
    return choose(classes, ones, &seed, &low);
}

/* seed: the values of the members after the digits */
static void set_values(ll_match_group *g, const int16_t *seed)
{
    int64_t scale = 1;
    for (long t = 0; t < g->size; t++) {
        for (long k = 0; k < g->classes; k++)
            g->values[t * g->classes + k] =
                scale * (t < g->low ? digit_value(g->classes, k) : seed[(t - g->low) * g->classes + k]);
        if (t < g->low)
            scale *= base_of(g->classes);
    }
}

static int by_sum(const void *a, const void *b)
{
    int64_t x = ((const entry *)a)->sum, y = ((const entry *)b)->sum;
    return (x > y) - (x < y);
}

/* Sums of the seed's members, without the scale. */
static int set_entries(ll_match_group *g, const int16_t *seed)
{
    g->count = 1;
    for (long t = g->low; t < g->size; t++)
        g->count *= g->classes;
    g->entries = malloc(sizeof *g->entries * (size_t)g->count);
    if (g->entries == NULL)
        return 0;
    for (long i = 0; i < g->count; i++) {
        g->entries[i] = (entry){0, i};
        long rest = i;
        for (long t = 0; t < g->size - g->low; t++, rest /= g->classes)
            g->entries[i].sum += seed[t * g->classes + rest % g->classes];
    }
    qsort(g->entries, (size_t)g->count, sizeof *g->entries, by_sum);
    return 1;
}

ll_match_group *ll_match_create(long classes, int ones, long size)
{
    static const int16_t nothing[1]; /* without a seed there are digits only */
    int at = -1;
    long low = 0;
    ll_match_group *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    (void)choose(classes, ones, &at, &low);
    const int16_t *seed = at >= 0 ? ll_match_seeds[at].values : nothing;
    g->classes = classes;
    g->ones = ones;
    g->size = size;
    g->low = ones == 0 || low > size ? size : low;
    g->values = calloc((size_t)(size > 0 ? size * classes : 1), sizeof *g->values);
    if (g->values == NULL || !set_entries(g, seed)) {
        ll_match_destroy(g);
        return NULL;
    }
    if (ones > 0)
        set_values(g, seed);
    else if (size > 0)
        g->values[1] = 1;
    return g;
}

void ll_match_destroy(ll_match_group *g)
{
    if (g == NULL)
        return;
    free(g->values);
    free(g->entries);
    free(g);
}

int64_t ll_match_value(const ll_match_group *g, long member, long label)
{
    return g->values[member * g->classes + label];
}

/* Cells 2e and 2e + 1 are one of each sign. Of the plus cells the first go to the classes of positive value, of the
 * minus cells to those of negative value; what is left goes to the same class in both, and cancels. */
int32_t ll_match_predict(const ll_match_group *g, long member, uint64_t rank)
{
    const int64_t *values = g->values + member * g->classes;
    if (g->ones == 0)
        return 1;
    int64_t left = (int64_t)(rank >> 1);
    int is_plus = ll_mask_is_plus(g->ones, rank);
    for (long k = 0; k < g->classes; k++) {
        int64_t cells = is_plus ? values[k] : -values[k];
        if (cells > 0 && left < cells)
            return (int32_t)k;
        left -= cells > 0 ? cells : 0;
    }
    return (int32_t)(left % g->classes);
}

/* ---- reading ---- */

/* Signs of +-2^t from the heaviest down: those below are together less. */
static int read_signs(const ll_match_group *g, int32_t *labels, int64_t sum)
{
    for (long t = g->size - 1; t >= 0; t--) {
        labels[t] = sum > 0;
        sum -= ll_match_value(g, t, labels[t]);
    }
    return sum == 0;
}

/* The label of the lowest digit of *sum, which is taken away; -1 where it is none. */
static int32_t read_digit(long classes, int64_t *sum)
{
    int64_t base = base_of(classes), half = (base - 1) / 2;
    int64_t digit = ((*sum + half) % base + base) % base - half; /* sum = digit mod base, |digit| <= half */
    *sum = (*sum - digit) / base;
    if (classes % 2 != 0)
        return (int32_t)(digit + half);
    return digit == 0 ? -1 : (int32_t)(digit > 0 ? digit + half - 1 : digit + half);
}

static int read_seed(const ll_match_group *g, int32_t *labels, int64_t sum)
{
    entry key = {sum, 0};
    const entry *found = bsearch(&key, g->entries, (size_t)g->count, sizeof key, by_sum);
    if (found == NULL)
        return 0;
    int64_t code = found->code;
    for (long t = g->low; t < g->size; t++, code /= g->classes)
        labels[t] = (int32_t)(code % g->classes);
    return 1;
}

int ll_match_read(const ll_match_group *g, int32_t *labels, int64_t sum)
{
    if (g->ones == 0 && g->size > 0) {
        labels[0] = (int32_t)(sum & 1);
        return sum == 0 || sum == 1;
    }
    if (g->classes == 2)
        return read_signs(g, labels, sum);
    for (long t = 0; t < g->low; t++)
        if ((labels[t] = read_digit(g->classes, &sum)) < 0)
            return 0;
    return read_seed(g, labels, sum);
}

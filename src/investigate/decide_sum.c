/* Which labels does one sum leave? All sums of its first j weights are known bit by bit, so that a labelling that fits
 * is a way from 0 to the interval, and a label is open where ways with both values are left. */
#include "investigate/known_sum.h"

#include "number/whole.h"

#include <stdlib.h>
#include <string.h>

/* Bits of a table, in all; and how many variables have one. */
#define MOST_BITS ((int64_t)1 << 28)
/* Of many more labellings than sums, each sum has so many that nothing is left to decide: beyond this many bits more
 * only bounds are looked at. */
enum { SPARE_VARIABLES = 10 };

typedef struct {
    const ll_known_sum *sum;
    int64_t least, span; /* sums are least .. least + span - 1 */
    long words;
    uint64_t *reach; /* [(count + 1) * words]: bit s of layer j: is s + (least of the first j) a sum of the first j? */
} table;

static int has(const uint64_t *bits, int64_t place)
{
    return (int)(bits[place / 64] >> (place % 64) & 1);
}

/* to |= from << shift */
static void add_shifted(uint64_t *to, const uint64_t *from, int64_t shift, long words)
{
    long whole = (long)(shift / 64);
    int part = (int)(shift % 64);
    for (long w = words - 1; w >= whole; w--) {
        uint64_t bits = from[w - whole] << part;
        if (part > 0 && w > whole)
            bits |= from[w - whole - 1] >> (64 - part);
        to[w] |= bits;
    }
}

static int64_t size_of(const ll_known_sum *sum, long j)
{
    return sum->weights[j] < 0 ? -sum->weights[j] : sum->weights[j];
}

/* With a variable of negative weight turned round all weights are positive: sums are those less `least`. */
static void fill(const table *t)
{
    t->reach[0] = 1;
    for (long j = 0; j < t->sum->count; j++) {
        const uint64_t *from = t->reach + j * t->words;
        uint64_t *to = t->reach + (j + 1) * t->words;
        memcpy(to, from, sizeof *to * (size_t)t->words);
        add_shifted(to, from, size_of(t->sum, j), t->words);
    }
}

/* Keep in layer j what leads into layer j + 1 as it is left. Says which values variable j can have. */
static void close_layer(const table *t, long j, int *off, int *on)
{
    uint64_t *layer = t->reach + j * t->words;
    const uint64_t *next = layer + t->words;
    int64_t size = size_of(t->sum, j);
    *off = *on = 0;
    for (long w = 0; w < t->words; w++) {
        uint64_t stays = layer[w] & next[w], moves = 0;
        int64_t place = 64 * (int64_t)w + size;
        for (int half = 0; half < 2; half++) { /* next >> size, word w */
            int64_t word = place / 64 + half;
            int part = (int)(place % 64);
            if (word < t->words && (half == 0 || part > 0))
                moves |= half == 0 ? next[word] >> part : next[word] << (64 - part);
        }
        moves &= layer[w];
        *off |= stays != 0;
        *on |= moves != 0;
        layer[w] = stays | moves;
    }
}

static int read_table(const table *t, signed char *values)
{
    const ll_known_sum *sum = t->sum;
    uint64_t *last = t->reach + sum->count * t->words;
    int any = 0;
    for (int64_t s = 0; s < t->span; s++) {
        int inside = s + t->least >= sum->low && s + t->least <= sum->high;
        any |= inside && has(last, s);
        if (!inside)
            last[s / 64] &= ~((uint64_t)1 << (s % 64));
    }
    for (long j = sum->count - 1; any && j >= 0; j--) {
        int off, on, turned = sum->weights[j] < 0;
        close_layer(t, j, &off, &on);
        values[j] = (signed char)(off && on ? -1 : on != turned);
    }
    return any ? 1 : -1;
}

/* A variable whose weight is more than is left of the interval on one side is known. */
static int bound(const ll_known_sum *sum, signed char *values, int64_t least, int64_t greatest)
{
    for (long j = 0; j < sum->count; j++) {
        int64_t size = size_of(sum, j);
        int turned = sum->weights[j]<0, must_not = least + size> sum->high, must = greatest - size < sum->low;
        if (must && must_not)
            return -1;
        values[j] = (signed char)(must_not ? turned : must ? !turned : -1);
    }
    return 0;
}

int ll_known_sum_decide(const ll_known_sum *sum, signed char *values, int *is_extreme)
{
    int64_t least, greatest;
    ll_known_sum_range(sum, &least, &greatest);
    *is_extreme = sum->high == least || sum->low == greatest;
    if (sum->low > greatest || sum->high < least || sum->low > sum->high)
        return -1;
    table t = {.sum = sum, .least = least, .span = greatest - least + 1};
    t.words = (long)(t.span / 64 + 1);
    int is_small = t.span < MOST_BITS && sum->count <= 64 && t.span * (sum->count + 1) < MOST_BITS &&
                   (sum->count <= SPARE_VARIABLES || t.span >> (sum->count - SPARE_VARIABLES) > 0);
    if (*is_extreme || !is_small)
        return bound(sum, values, least, greatest) < 0 ? -1 : *is_extreme;
    t.reach = calloc((size_t)(sum->count + 1) * (size_t)t.words, sizeof *t.reach);
    if (t.reach == NULL)
        return bound(sum, values, least, greatest);
    fill(&t);
    int status = read_table(&t, values);
    free(t.reach);
    return status;
}

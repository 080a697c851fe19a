/* Meeting in the middle: the sums of either half of the labels, in order, are run through against each other. */
#include "investigate/residue_sum.h"

#include <stdlib.h>

typedef struct {
    uint32_t sum, ones; /* ones: a bit for each label that is 1 */
} part;

/* The sums of one half, in order. */
typedef struct {
    part *parts;
    long count;
} half;

/* Labels that are 1 in all, and in any, of the labellings that were seen. */
typedef struct {
    uint32_t in_all, in_any;
    int is_found;
} common;

/* With one more label: the sums without it are merged with those with it, which are in order too but for one place, at
 * which they pass the prime. */
static void add_label(part *out, const part *in, long count, uint32_t weight, uint32_t one, uint32_t prime)
{
    long first = 0, without = 0, with = 0;
    while (first < count && in[first].sum < prime - weight)
        first++;
    for (long i = 0; i < 2 * count; i++) {
        part moved = in[(first + with) % count];
        moved.sum = moved.sum >= prime - weight ? moved.sum - (prime - weight) : moved.sum + weight;
        moved.ones |= one;
        int takes_moved = with < count && (without == count || moved.sum < in[without].sum);
        out[i] = takes_moved ? moved : in[without];
        with += takes_moved;
        without += !takes_moved;
    }
}

/* The sums of labels first .. last - 1. */
static half list_sums(const uint32_t *weights, int first, int last, uint32_t prime)
{
    half out = {malloc(sizeof(part) << (last - first)), 1};
    part *scratch = malloc(sizeof *scratch << (last - first));
    if (out.parts != NULL)
        out.parts[0] = (part){0, 0};
    for (int j = first; out.parts != NULL && scratch != NULL && j < last; j++, out.count *= 2) {
        part *before = out.parts;
        add_label(scratch, before, out.count, weights[j], (uint32_t)1 << j, prime);
        out.parts = scratch;
        scratch = before;
    }
    if (scratch == NULL) {
        free(out.parts);
        out.parts = NULL;
    }
    free(scratch);
    return out;
}

/* What all parts with the sum of parts[*at] have in common; *at goes on by `step` behind them. */
static common skip_alike(const half *h, long *at, long step)
{
    uint32_t sum = h->parts[*at].sum;
    common c = {UINT32_MAX, 0, 1};
    for (; *at >= 0 && *at < h->count && h->parts[*at].sum == sum; *at += step) {
        c.in_all &= h->parts[*at].ones;
        c.in_any |= h->parts[*at].ones;
    }
    return c;
}

/* Pairs with a sum of exactly `total`. */
static void find_pairs(common *out, const half *low, const half *high, uint64_t total)
{
    long i = 0, j = high->count - 1;
    while (i < low->count && j >= 0) {
        uint64_t sum = (uint64_t)low->parts[i].sum + high->parts[j].sum;
        if (sum == total) {
            common a = skip_alike(low, &i, 1), b = skip_alike(high, &j, -1);
            out->in_all &= a.in_all | b.in_all;
            out->in_any |= a.in_any | b.in_any;
            out->is_found = 1;
        } else if (sum < total) {
            i++;
        } else {
            j--;
        }
    }
}

int ll_residue_sum_decide(const uint32_t *weights, long count, uint32_t total, uint32_t prime, signed char *values)
{
    common found = {UINT32_MAX, 0, 0};
    if (count > LL_RESIDUE_LABELS)
        return 0;
    half low = list_sums(weights, 0, (int)count / 2, prime),
         high = list_sums(weights, (int)count / 2, (int)count, prime);
    int is_listed = low.parts != NULL && high.parts != NULL;
    if (is_listed) {
        find_pairs(&found, &low, &high, total);
        find_pairs(&found, &low, &high, (uint64_t)total + prime);
    }
    free(low.parts);
    free(high.parts);
    for (long j = 0; j < count && found.is_found; j++)
        values[j] = (signed char)(found.in_all >> j & 1 ? 1 : found.in_any >> j & 1 ? -1 : 0);
    return found.is_found ? 1 : -is_listed;
}

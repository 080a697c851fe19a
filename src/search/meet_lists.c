/* Two sorted lists. The left one is walked upwards, a block of it a task; the right one downwards. */
#include "search/meet_private.h"

#include <omp.h>

enum { BLOCK = 1 << 16 };

/* The first place in a sorted array whose sum is above x. */
static size_t first_above(const int64_t *sums, size_t n, int64_t x)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (sums[low + half] <= x) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void consider(ll_harvest *h, size_t i, size_t j)
{
    uint32_t codes[2] = {h->parts[0].codes[i], h->parts[1].codes[j]};
    ll_harvest_consider(h, codes, h->parts[0].sums[i] + h->parts[1].sums[j] - h->items->targets[h->items->key]);
}

/* Nothing to learn from those that surely fit: right[.. end-1] from `low` on, without looking. */
static void count_only(ll_harvest *h, size_t i, size_t end, int64_t left)
{
    const int64_t *right = h->parts[1].sums;
    int64_t inner = h->items->inner[h->items->key], outer = h->items->outer[h->items->key];
    size_t first = first_above(right, end, left - outer - 1), sure = end, from = end;
    if (inner >= 0) {
        from = first_above(right, end, left - inner - 1);
        sure = first_above(right, end, left + inner);
        h->plain_count += sure - from;
    }
    for (size_t j = first; j < end; j++) {
        if (j == from)
            j = sure;
        if (j < end)
            consider(h, i, j);
    }
}

static void walk_block(ll_harvest *h, size_t first, size_t last)
{
    const ll_part *left = h->parts, *right = h->parts + 1;
    const int64_t *sums = right->sums;
    int64_t target = h->items->targets[h->items->key], outer = h->items->outer[h->items->key];
    size_t end = first_above(sums, (size_t)right->size, target + outer - left->sums[first]);
    int full = ll_harvest_is_full(h);
    for (size_t i = first; i < last; i++) {
        int64_t rest = target - left->sums[i];
        while (end > 0 && sums[end - 1] > rest + outer)
            end--;
        if (end == 0)
            return;
        if (sums[end - 1] < rest - outer)
            continue;
        if (full) {
            count_only(h, i, end, rest);
            continue;
        }
        for (size_t j = end; j > 0 && sums[j - 1] >= rest - outer; j--)
            consider(h, i, j - 1);
        full = ll_harvest_is_full(h);
        if (ll_clock() > h->deadline) {
            h->failed = 1;
            return;
        }
    }
}

static ll_status build(ll_part *parts, const ll_items *items, int threads)
{
    ll_status status[2];
#pragma omp parallel for num_threads(threads < 2 ? 1 : 2)
    for (int j = 0; j < 2; j++)
        status[j] = ll_part_build(parts + j, items);
    return status[0] != LL_OK ? status[0] : status[1];
}

ll_status ll_meet_lists(ll_harvest *harvests, ll_part *parts, const ll_items *items, int threads)
{
    ll_status status = build(parts, items, threads);
    if (status != LL_OK)
        return status;
    size_t n = (size_t)parts[0].size, blocks = (n + BLOCK - 1) / BLOCK;
#pragma omp parallel num_threads(threads)
    {
        ll_harvest *h = harvests + omp_get_thread_num();
#pragma omp for schedule(static)
        for (size_t b = 0; b < blocks; b++) {
            h->failed |= ll_clock() > h->deadline;
            if (!h->failed)
                walk_block(h, b * BLOCK, (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n);
        }
        ll_meet_leave();
    }
    return LL_OK;
}

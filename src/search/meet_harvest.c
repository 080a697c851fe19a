/* What is done with a combination whose key sum is near the target: decided, counted, kept. */
#include "search/meet_private.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void ll_meet_leave(void)
{
    if (omp_get_thread_num() != 0)
        flint_cleanup();
}

ll_status ll_harvest_init(ll_harvest *h, const ll_items *items, const ll_part *parts, long part_count, long limit,
                          double deadline)
{
    *h = (ll_harvest){.items = items, .parts = parts, .part_count = part_count, .limit = limit, .deadline = deadline};
    fmpz_init(h->count);
    h->unseen = items->options;
    h->seen = calloc((size_t)items->options, 1);
    h->chosen = malloc(sizeof *h->chosen * (size_t)items->count);
    h->labels = malloc(sizeof *h->labels * (size_t)items->system->rows);
    return h->seen && h->chosen && h->labels ? LL_OK : LL_MEMORY;
}

void ll_harvest_clear(ll_harvest *h)
{
    fmpz_clear(h->count);
    free(h->seen);
    free(h->chosen);
    free(h->labels);
    free(h->kept);
}

int ll_harvest_is_full(const ll_harvest *h)
{
    return h->items->plain && h->items->system->scores == 1 && h->unseen == 0 && h->overflowed;
}

static void decode(ll_harvest *h, const uint32_t *codes)
{
    for (long j = 0; j < h->part_count; j++) {
        const ll_part *part = h->parts + j;
        uint32_t code = codes[j];
        for (long i = 0; i < part->count; i++) {
            const ll_item *item = h->items->items + part->members[i];
            h->chosen[part->members[i]] = item->first_option + (long)(code % (uint32_t)item->options);
            code /= (uint32_t)item->options;
        }
    }
}

/* Labels rise with the rows of an item. */
static void write_labels(const ll_items *p, int32_t *labels, const long *chosen)
{
    long classes = p->system->classes;
    for (long i = 0; i < p->count; i++) {
        const long *row = p->groups.order + p->items[i].first;
        for (long k = 0; k < classes; k++)
            for (int32_t c = p->counts[chosen[i] * classes + k]; c > 0; c--)
                labels[*row++] = (int32_t)k;
    }
}

/* Within every other score's outer bound; *sure where within every inner one. */
static int passes_others(const ll_harvest *h, int *sure)
{
    const ll_items *p = h->items;
    for (long q = 0; q < p->system->scores; q++) {
        if (q == p->key)
            continue;
        const int64_t *weights = p->weights + q * p->options;
        int64_t sum = -p->targets[q];
        for (long i = 0; i < p->count; i++)
            sum += weights[h->chosen[i]];
        sum = sum < 0 ? -sum : sum;
        if (sum > p->outer[q])
            return 0;
        *sure &= sum <= p->inner[q];
    }
    return 1;
}

static void keep(ll_harvest *h)
{
    size_t size = sizeof *h->kept * (size_t)h->items->count;
    if (h->overflowed)
        return;
    if (h->kept_count == h->limit) {
        h->overflowed = 1;
        return;
    }
    if ((h->kept_count & (h->kept_count - 1)) == 0) { /* room doubles at powers of two */
        long *grown = realloc(h->kept, size * (size_t)(h->kept_count > 0 ? 2 * h->kept_count : 1));
        if (grown == NULL) {
            h->overflowed = h->is_out_of_memory = 1;
            return;
        }
        h->kept = grown;
    }
    memcpy(h->kept + h->kept_count++ * h->items->count, h->chosen, size);
}

static void count_arrangements(ll_harvest *h)
{
    fmpz_t ways;
    fmpz_init_set_ui(ways, 1);
    for (long i = 0; i < h->items->count; i++)
        fmpz_mul(ways, ways, h->items->ways + h->chosen[i]);
    fmpz_add(h->count, h->count, ways);
    fmpz_clear(ways);
}

void ll_harvest_consider(ll_harvest *h, const uint32_t *codes, int64_t distance)
{
    const ll_items *p = h->items;
    int sure = (distance < 0 ? -distance : distance) <= p->inner[p->key];
    decode(h, codes);
    if (!passes_others(h, &sure))
        return;
    if (!sure) {
        write_labels(p, h->labels, h->chosen);
        if (!ll_linear_fits(p->system, h->labels))
            return;
    }
    for (long i = 0; i < p->count; i++)
        if (!h->seen[h->chosen[i]]) {
            h->seen[h->chosen[i]] = 1;
            h->unseen--;
        }
    if (p->plain)
        h->plain_count++;
    else
        count_arrangements(h);
    keep(h);
}

/* ---- together ---- */

static int by_labels(const void *a, const void *b, void *context)
{
    const ll_items *p = context;
    const long *x = *(long *const *)a, *y = *(long *const *)b;
    for (long i = p->count - 1; i >= 0; i--)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void store(ll_search_set *out, const ll_items *p, const long *chosen)
{
    int32_t *labels = out->labellings + out->kept * out->rows;
    fmpz_one(out->arrangements + out->kept);
    write_labels(p, labels, chosen);
    for (long i = 0; i < p->count; i++)
        fmpz_mul(out->arrangements + out->kept, out->arrangements + out->kept, p->ways + chosen[i]);
    out->kept++;
}

static void store_possible(ll_search_set *out, const ll_items *p, const ll_harvest *h)
{
    for (long i = 0; i < p->count; i++) {
        const ll_item *item = p->items + i;
        for (long o = item->first_option; o < item->first_option + item->options; o++)
            for (long k = 0; h->seen[o] && k < out->classes; k++)
                for (long j = item->first; p->counts[o * out->classes + k] > 0 && j < item->first + item->size; j++)
                    out->possible[p->groups.order[j] * out->classes + k] = 1;
    }
}

ll_status ll_harvest_gather(ll_search_set *out, ll_harvest *harvests, int threads, long limit)
{
    const ll_items *p = harvests[0].items;
    long total = 0;
    for (int t = 0; t < threads; t++) {
        if (harvests[t].is_out_of_memory)
            return LL_MEMORY;
        total += harvests[t].kept_count;
    }
    long **all = malloc(sizeof *all * (size_t)(total > 0 ? total : 1));
    if (all == NULL)
        return LL_MEMORY;
    total = 0;
    fmpz_zero(out->count);
    out->complete = 1;
    memset(out->possible, 0, (size_t)out->rows * (size_t)out->classes);
    for (int t = 0; t < threads; t++) {
        ll_harvest *h = harvests + t;
        for (long i = 0; i < h->kept_count; i++)
            all[total++] = h->kept + i * p->count;
        fmpz_add(out->count, out->count, h->count);
        fmpz_add_ui(out->count, out->count, h->plain_count);
        out->complete &= !h->overflowed;
        store_possible(out, p, h);
    }
    qsort_r(all, (size_t)total, sizeof *all, by_labels, (void *)p);
    out->complete &= total <= limit;
    out->kept = 0;
    for (long i = 0; i < total && i < limit; i++)
        store(out, p, all[i]);
    free(all);
    return LL_OK;
}

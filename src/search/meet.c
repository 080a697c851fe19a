/* Which form, what it costs, and the whole run. */
#include "search/meet.h"

#include "search/meet_private.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Measured on one core: a sum of a list is merged twice and walked past once, a sum from a heap sifted. With a margin.
 */
#define LIST_SECONDS 3e-8
#define HEAP_SECONDS 9e-8
/* Two lists of 12 bytes a sum, and the half of each that the last merge reads. */
#define LIST_BYTES 18.0
/* What takes no longer is done by one thread: others would take as long to start. */
#define SMALL_SECONDS 1e-3

enum { PARTS = 5 };

ll_status ll_search_set_init(ll_search_set *set, long rows, long classes, long limit)
{
    size_t cells = (size_t)rows * (size_t)(limit > 0 ? limit : 1);
    *set = (ll_search_set){.rows = rows, .classes = classes, .complete = 1};
    fmpz_init(set->count);
    set->labellings = malloc(sizeof *set->labellings * cells);
    set->arrangements = calloc((size_t)(limit > 0 ? limit : 1), sizeof *set->arrangements);
    set->possible = calloc((size_t)rows * (size_t)classes, 1);
    if (set->labellings && set->arrangements && set->possible)
        return LL_OK;
    ll_search_set_clear(set);
    return LL_MEMORY;
}

void ll_search_set_clear(ll_search_set *set)
{
    for (long i = 0; set->arrangements != NULL && i < set->kept; i++)
        fmpz_clear(set->arrangements + i);
    fmpz_clear(set->count);
    free(set->labellings);
    free(set->arrangements);
    free(set->possible);
    *set = (ll_search_set){0};
}

/* ---- parts ---- */

/* Four parts of what is left after as many items as make `tasks` combinations. */
static ll_status deal_four(ll_part *parts, const ll_items *p, int threads)
{
    double size = 1;
    ll_items rest = *p;
    while (rest.count > 4 && size < threads)
        size *= (double)p->items[--rest.count].options;
    ll_status status = ll_parts_deal(parts, 4, &rest);
    long *split = status == LL_OK ? malloc(sizeof *split * (size_t)(p->count + 1)) : NULL;
    if (split == NULL) {
        if (status == LL_OK)
            ll_parts_clear(parts, 4);
        return LL_MEMORY;
    }
    parts[4] = (ll_part){.members = split, .size = size};
    for (long i = rest.count; i < p->count; i++)
        split[parts[4].count++] = i;
    return LL_OK;
}

static ll_status deal(ll_part *parts, const ll_items *p, int lists, int threads)
{
    memset(parts, 0, sizeof *parts * PARTS);
    return lists ? ll_parts_deal(parts, 2, p) : deal_four(parts, p, threads);
}

static void clear_parts(ll_part *parts, int lists)
{
    if (!lists)
        ll_parts_clear(parts + 4, 1);
    ll_parts_clear(parts, lists ? 2 : 4);
}

/* ---- cost ---- */

/* How many combinations the key score alone leaves, each to be looked at. */
static double candidates(const ll_items *p)
{
    double bits = ll_linear_spurious_bits_of(p->system, p->key);
    bits -= ll_linear_labelling_bits(p->system) - ll_groups_bits(&p->groups, p->system);
    return p->plain && p->system->scores == 1 ? 0 : exp2(bits);
}

static ll_meet_cost list_cost(const ll_items *p, const ll_part *parts, int threads)
{
    double sums = parts[0].size + parts[1].size;
    double looks = candidates(p) * (double)(p->count * p->system->scores) * 2e-9;
    return (ll_meet_cost){sums * LIST_BYTES, (sums * LIST_SECONDS + looks) / threads, 1};
}

static ll_meet_cost heap_cost(const ll_items *p, const ll_part *parts, int threads)
{
    double sums = parts[4].size * (parts[0].size * parts[1].size + parts[2].size * parts[3].size);
    double looks = candidates(p) * (double)(p->count * p->system->scores) * 2e-9, heaps = 0;
    for (long j = 0; j < 4; j++)
        heaps += parts[j].size * (LIST_BYTES + sizeof(int64_t) * 2 * threads);
    return (ll_meet_cost){heaps, (sums * HEAP_SECONDS + looks) / threads, 0};
}

/* lists -1: those, unless memory forbids. Lists whose codes would not fit into 32 bits never. */
static ll_status find_cost(ll_meet_cost *out, const ll_items *p, double memory, int threads, int lists)
{
    ll_part parts[PARTS];
    if (lists != 0) {
        if (deal(parts, p, 1, threads) != LL_OK)
            return LL_MEMORY;
        *out = list_cost(p, parts, threads);
        if (parts[0].size >= 0x1p32 || parts[1].size >= 0x1p32)
            out->bytes = out->seconds = (double)INFINITY;
        int fits = out->bytes <= memory;
        clear_parts(parts, 1);
        if (lists > 0 || fits)
            return LL_OK;
    }
    if (deal(parts, p, 0, threads) != LL_OK)
        return LL_MEMORY;
    *out = heap_cost(p, parts, threads);
    clear_parts(parts, 0);
    return LL_OK;
}

ll_status ll_search_meet_cost(ll_meet_cost *out, const ll_linear *system, double memory, int threads)
{
    ll_items items;
    ll_status status = ll_items_init(&items, system);
    if (status != LL_OK)
        return status;
    status = find_cost(out, &items, memory, threads > 0 ? threads : omp_get_max_threads(), -1);
    ll_items_clear(&items);
    return status;
}

/* ---- the run ---- */

static ll_status refuse(const ll_meet_cost *cost, const ll_items *p, double memory, double seconds, ll_error *error)
{
    if (!isfinite(cost->seconds) || !isfinite(cost->bytes))
        return ll_fail(error, LL_UNABLE,
                       "%ld rows are too many to meet in the middle: it would take 2^%.0f sums; several scores of the "
                       "same rows would do (the method lattice)",
                       p->system->rows, ll_groups_bits(&p->groups, p->system) / 2);
    return ll_fail(error, LL_UNABLE,
                   "%ld rows are too many to meet in the middle: it would take about %.3g s and %.3g bytes, over the "
                   "budget of %.3g s and %.3g bytes; several scores of the same rows would do (the method lattice)",
                   p->system->rows, cost->seconds, cost->bytes, seconds, memory);
}

static ll_status run(ll_search_set *out, const ll_items *p, ll_harvest *harvests, long limit, double seconds,
                     int threads, int lists)
{
    ll_part parts[PARTS];
    if (deal(parts, p, lists, threads) != LL_OK)
        return LL_MEMORY;
    ll_status status = LL_OK;
    double deadline = ll_clock() + seconds;
    for (int t = 0; t < threads; t++)
        if (ll_harvest_init(harvests + t, p, parts, lists ? 2 : PARTS, limit, deadline) != LL_OK)
            status = LL_MEMORY;
    if (status == LL_OK)
        status = lists ? ll_meet_lists(harvests, parts, p, threads) : ll_meet_heaps(harvests, parts, p, threads);
    for (int t = 0; t < threads && status == LL_OK; t++)
        if (harvests[t].failed)
            status = LL_UNABLE;
    if (status == LL_OK)
        status = ll_harvest_gather(out, harvests, threads, limit);
    for (int t = 0; t < threads; t++)
        ll_harvest_clear(harvests + t);
    clear_parts(parts, lists);
    return status;
}

ll_status ll_search_meet(ll_search_set *out, const ll_linear *system, long limit, double memory, double seconds,
                         int threads, int lists, ll_error *error)
{
    ll_items items;
    ll_meet_cost cost;
    threads = threads > 0 ? threads : omp_get_max_threads();
    if (ll_items_init(&items, system) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", system->rows);
    ll_harvest *harvests = calloc((size_t)threads, sizeof *harvests);
    ll_status status = harvests != NULL ? find_cost(&cost, &items, memory, threads, lists) : LL_MEMORY;
    if (status == LL_OK && (cost.bytes > memory || cost.seconds > seconds))
        status = refuse(&cost, &items, memory, seconds, error);
    else if (status == LL_OK) {
        threads = cost.seconds * threads < SMALL_SECONDS ? 1 : threads;
        status = run(out, &items, harvests, limit, seconds, threads, cost.lists);
        if (status == LL_UNABLE)
            (void)ll_fail(error, status, "over budget: more than %.3g s for meet in the middle", seconds);
    }
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for meet in the middle of %ld rows", system->rows);
    free(harvests);
    ll_items_clear(&items);
    return status;
}

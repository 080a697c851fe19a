/* Schroeppel and Shamir: four lists a, b, c, d. A heap over a gives the sums a + b upwards, one over c the sums c + d
 * downwards, without ever holding them all: memory is the fourth root of the number of labellings.
 *
 * One more item, or some, are split off first, so that every thread has combinations of their options to work on. */
#include "search/meet_private.h"

#include <omp.h>
#include <stdlib.h>

typedef struct {
    int64_t sum;
    uint32_t outer, inner; /* places in the two lists */
} node;

/* A stream of sums x[i] + y[j], upwards (sign 1) or downwards (sign -1: the sums are kept negated). */
typedef struct {
    const ll_part *x, *y;
    int64_t sign;
    node *heap; /* least first */
    size_t count;
} stream;

static int64_t sum_at(const stream *s, size_t outer, size_t inner)
{
    size_t last = (size_t)s->y->size - 1;
    return s->sign * (s->x->sums[outer] + s->y->sums[s->sign > 0 ? inner : last - inner]);
}

static void sift_down(stream *s, size_t at)
{
    node moved = s->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->count)
            break;
        child += child + 1 < s->count && s->heap[child + 1].sum < s->heap[child].sum;
        if (s->heap[child].sum >= moved.sum)
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = moved;
}

static void stream_start(stream *s)
{
    s->count = (size_t)s->x->size;
    for (size_t i = 0; i < s->count; i++)
        s->heap[i] = (node){sum_at(s, i, 0), (uint32_t)i, 0};
    for (size_t i = s->count / 2; i-- > 0;)
        sift_down(s, i);
}

/* Take the first sum off; there must be one. */
static node stream_next(stream *s)
{
    node first = s->heap[0];
    if (first.inner + 1 < (size_t)s->y->size)
        s->heap[0] = (node){sum_at(s, first.outer, first.inner + 1), first.outer, first.inner + 1};
    else
        s->heap[0] = s->heap[--s->count];
    sift_down(s, 0);
    return first;
}

/* ---- one task ---- */

/* The sums of the downward stream that are within the window now: a ring. */
typedef struct {
    node *nodes;
    size_t first, count, size; /* size: a power of two */
} ring;

static int ring_push(ring *r, node n)
{
    if (r->count == r->size) {
        size_t size = r->size > 0 ? 2 * r->size : 64;
        node *grown = malloc(size * sizeof *grown);
        if (grown == NULL)
            return 0;
        for (size_t i = 0; i < r->count; i++)
            grown[i] = r->nodes[(r->first + i) & (r->size - 1)];
        free(r->nodes);
        *r = (ring){grown, 0, r->count, size};
    }
    r->nodes[(r->first + r->count++) & (r->size - 1)] = n;
    return 1;
}

typedef struct {
    stream up, down;
    ring window;
    uint32_t codes[5]; /* of a, b, c, d, and of the items split off */
} task;

static void consider(ll_harvest *h, task *t, node up, node down, int64_t distance)
{
    const ll_part *p = h->parts;
    t->codes[0] = p[0].codes[up.outer];
    t->codes[1] = p[1].codes[up.inner];
    t->codes[2] = p[2].codes[down.outer];
    t->codes[3] = p[3].codes[(size_t)p[3].size - 1 - down.inner];
    ll_harvest_consider(h, t->codes, distance);
}

/* The window for `rest` = target - sum upwards: downward sums (negated: -sum) with |rest - sum| <= outer. As rest
 * falls, sums above the window never come back. */
static int move_window(task *t, int64_t rest, int64_t outer)
{
    ring *w = &t->window;
    while (t->down.count > 0 && -t->down.heap[0].sum >= rest - outer) {
        node next = stream_next(&t->down);
        if (-next.sum <= rest + outer && !ring_push(w, next))
            return 0;
    }
    while (w->count > 0 && -w->nodes[w->first].sum > rest + outer) {
        w->first = (w->first + 1) & (w->size - 1);
        w->count--;
    }
    return 1;
}

static ll_status run_task(ll_harvest *h, task *t, int64_t target)
{
    const ll_items *p = h->items;
    int64_t outer = p->outer[p->key], inner = p->inner[p->key];
    long steps = 0;
    stream_start(&t->up);
    stream_start(&t->down);
    t->window.count = 0;
    while (t->up.count > 0 && !h->failed) {
        node up = stream_next(&t->up);
        int64_t rest = target - up.sum;
        if (!move_window(t, rest, outer))
            return LL_MEMORY;
        int full = t->window.count > 0 && ll_harvest_is_full(h);
        for (size_t i = 0; i < t->window.count; i++) {
            node down = t->window.nodes[(t->window.first + i) & (t->window.size - 1)];
            int64_t distance = -down.sum - rest;
            if (full && distance <= inner && distance >= -inner)
                h->plain_count++;
            else
                consider(h, t, up, down, distance);
        }
        steps += 1 + (long)t->window.count;
        if (steps >= 1 << 16) {
            h->failed = ll_clock() > h->deadline;
            steps = 0;
        }
    }
    return LL_OK;
}

/* ---- all tasks ---- */

static ll_status run_share(ll_harvest *h, const ll_part *parts, size_t first, size_t last)
{
    task t = {.up = {parts, parts + 1, 1, NULL, 0}, .down = {parts + 2, parts + 3, -1, NULL, 0}};
    const ll_items *p = h->items;
    t.up.heap = malloc(sizeof(node) * (size_t)parts[0].size);
    t.down.heap = malloc(sizeof(node) * (size_t)parts[2].size);
    ll_status status = t.up.heap && t.down.heap ? LL_OK : LL_MEMORY;
    for (size_t i = first; i < last && status == LL_OK; i++) {
        t.codes[4] = parts[4].codes[i];
        status = run_task(h, &t, p->targets[p->key] - parts[4].sums[i]);
    }
    free(t.up.heap);
    free(t.down.heap);
    free(t.window.nodes);
    return status;
}

ll_status ll_meet_heaps(ll_harvest *harvests, ll_part *parts, const ll_items *items, int threads)
{
    ll_status status = LL_OK;
    for (long j = 0; j < 5 && status == LL_OK; j++)
        status = ll_part_build(parts + j, items);
    if (status != LL_OK)
        return status;
    size_t tasks = (size_t)parts[4].size;
    int short_of_memory = 0;
#pragma omp parallel num_threads(threads) reduction(| : short_of_memory)
    {
        ll_harvest *h = harvests + omp_get_thread_num();
#pragma omp for schedule(static)
        for (size_t i = 0; i < tasks; i++)
            short_of_memory |= run_share(h, parts, i, i + 1) != LL_OK;
        ll_meet_leave();
    }
    return short_of_memory ? LL_MEMORY : LL_OK;
}

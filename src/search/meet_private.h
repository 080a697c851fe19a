/* What the two forms of meet in the middle share: items with options, in 64-bit integers. */
#ifndef LL_SEARCH_MEET_PRIVATE_H
#define LL_SEARCH_MEET_PRIVATE_H

#include "number/budget.h"
#include "search/meet.h"

/* Rows order[first .. first+size-1] of the groups, which the scores cannot tell apart; an option says how many of them
 * have which label. */
typedef struct {
    long first, size;
    long options, first_option;
} ll_item;

/* Weights are the system's, divided by a power of two (one for each score) and rounded to nearest, so that every sum
 * stays below 2^62. With n items a rounded sum less its rounded target is off by at most (n+1)/2 + 1 units: beyond
 * `outer` no labelling fits, up to `inner` every one does, and what is between is decided by the system itself. */
typedef struct {
    const ll_linear *system;
    ll_groups groups;
    long count;
    ll_item *items;
    long options;           /* of all items together */
    int32_t *counts;        /* [option * classes + label] */
    int64_t *weights;       /* [score * options + option] */
    fmpz *ways;             /* [option]: arrangements of it */
    int64_t *targets;       /* one a score */
    int64_t *outer, *inner; /* one a score; inner may be below 0 */
    int plain;              /* is every item one row? */
    long key;               /* the score that is met in the middle */
} ll_items;

LL_CHECK ll_status ll_items_init(ll_items *items, const ll_linear *system);
void ll_items_clear(ll_items *items);

/* A part of the items: all sums of its key weights, sorted, and which options make each: code = sum of option *
 * stride, stride the product of the numbers of options of the items before. */
typedef struct {
    long *members; /* items of this part */
    long count;
    double size; /* sums */
    int64_t *sums;
    uint32_t *codes;
} ll_part;

/* Deal the items out to `parts` parts of nearly equal size. members of all parts share one allocation, that of part 0.
 */
LL_CHECK ll_status ll_parts_deal(ll_part *parts, long n, const ll_items *items);
/* Make its sums, by merging. */
LL_CHECK ll_status ll_part_build(ll_part *part, const ll_items *items);
void ll_parts_clear(ll_part *parts, long n);

/* What one thread has found. */
typedef struct {
    const ll_items *items;
    const ll_part *parts;
    long part_count;
    uint64_t plain_count; /* labellings counted one by one */
    fmpz_t count;         /* and with their arrangements */
    unsigned char *seen;  /* one an option */
    long unseen;
    long *chosen; /* scratch: one option an item */
    int32_t *labels;
    long *kept; /* limit * items: options */
    long kept_count, limit;
    int overflowed; /* more than limit, or than there is memory for */
    int is_out_of_memory;
    double deadline;
    int failed; /* the deadline passed */
} ll_harvest;

LL_CHECK ll_status ll_harvest_init(ll_harvest *harvest, const ll_items *items, const ll_part *parts, long part_count,
                                   long limit, double deadline);
void ll_harvest_clear(ll_harvest *harvest);

/* One combination of codes, a code a part, whose key sum is `distance` from the key target, within outer: keep it if it
 * fits. */
void ll_harvest_consider(ll_harvest *harvest, const uint32_t *codes, int64_t distance);
/* May surely fitting combinations be counted without being looked at? Nothing is left to learn from them. */
int ll_harvest_is_full(const ll_harvest *harvest);

/* All that the threads found. */
LL_CHECK ll_status ll_harvest_gather(ll_search_set *out, ll_harvest *harvests, int threads, long limit);

/* At the end of a parallel part: FLINT keeps integers for later in every thread, and nobody else would free those of a
 * thread that OpenMP started. */
void ll_meet_leave(void);

/* Seconds of a steady clock. */

LL_CHECK ll_status ll_meet_lists(ll_harvest *harvests, ll_part *parts, const ll_items *items, int threads);
LL_CHECK ll_status ll_meet_heaps(ll_harvest *harvests, ll_part *parts, const ll_items *items, int threads);

#endif

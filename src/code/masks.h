/* Queries as bit masks, and how groups of labels that belong to masks are read from the sums of all queries: what the
 * two forms of the code detecting share (docs/proofs/detecting.md).
 *
 * A group of mask i adds to the sum of query j a number that depends on j & i only. Its alternating sum over the
 * submasks of i is what its labels are read from; at masks that are no submasks of i it adds 0. */
#ifndef LL_CODE_MASKS_H
#define LL_CODE_MASKS_H

#include "code/code.h"

enum { LL_MASK_BITS = 40 };

static inline int ll_mask_ones(uint64_t mask)
{
    return __builtin_popcountll(mask);
}

/* The bits of sub that stand under the ones of mask, pushed together: its rank among the submasks. */
static inline uint64_t ll_mask_rank(uint64_t sub, uint64_t mask)
{
    uint64_t out = 0;
    for (int at = 0; mask != 0; at++, mask &= mask - 1)
        out |= (uint64_t)((sub & mask & -mask) != 0) << at;
    return out;
}

/* Are the ones of mask and of the submask of that rank equal mod 2, so that it counts as +1 in the alternating sum? */
static inline int ll_mask_is_plus(int ones, uint64_t rank)
{
    return (ones - ll_mask_ones(rank)) % 2 == 0;
}

/* What a form of the code does with one group. */
typedef struct {
    /* The group's labels, at their rows of `labels`, from the alternating sums y[0 .. mask], of which y[mask] is its
     * own; 0 where no labels have it. */
    int (*read)(const ll_code *code, int32_t *labels, long mask, const int64_t *y);
    /* Into work, all 0 before: what the group adds at the submask of each rank, for all 2^ones of them. */
    void (*add)(const ll_code *code, int64_t *work, const int32_t *labels, long mask);
} ll_mask_groups;

/* All labels from the sums of code->queries queries; contract of ll_code_decode_levels. */
LL_CHECK ll_status ll_masks_decode(const ll_code *code, ll_decoded *out, const int64_t *sums,
                                   const ll_mask_groups *groups, ll_error *error);

/* Is no sum larger than all rows together can make it? A scorer that is not what it was said to be may answer anything.
 */
int ll_sums_are_possible(const ll_code *code, const int64_t *sums);

#endif

/* Sets of pairs of integers, none above X in size, whose subset sums (as vectors) are all different, for two queries at
 * once. Conway and Guy's sets only fill X where it is one of their numbers; a set of pairs may hold an odd number of
 * labels more in between. docs/proofs/detecting.md has the lengths. */
#ifndef LL_CODE_DISTINCT_PAIRS_H
#define LL_CODE_DISTINCT_PAIRS_H

#include "code/subset_table.h"

enum { LL_PAIRS_MOST = 60 }; /* labels */

typedef struct {
    long labels;    /* 0: no set fits */
    long doublings; /* times that the seed was doubled */
    int64_t values[2][LL_PAIRS_MOST];
} ll_pairs;

/* As many pairs as are known with no value above `most`. */
void ll_pairs_fill(ll_pairs *pairs, int64_t most);
/* What finds the subsets of the seed; NULL where memory ended. */
ll_subset_table *ll_pairs_create(const ll_pairs *pairs);
/* The only labels (0 or 1, as many as there are pairs) with these two sums; 0 where there are none. */
int ll_pairs_read(const ll_pairs *pairs, const ll_subset_table *seed, int32_t *labels, int64_t first, int64_t second);

#endif

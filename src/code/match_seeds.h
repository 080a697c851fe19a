/* Sets of labels' values with distinct sums, found by search: the data of match_group.c. */
#ifndef LL_CODE_MATCH_SEEDS_H
#define LL_CODE_MATCH_SEEDS_H

#include <stdint.h>

typedef struct {
    int classes, ones, size; /* `size` members; positive values of each sum to at most 2^(ones-1), all values to 0 */
    const int16_t *values;   /* [member * classes + label] */
} ll_match_seed;

extern const ll_match_seed ll_match_seeds[];
extern const int ll_match_seed_count;

#endif

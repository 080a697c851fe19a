/* Groups of labels that are read from one alternating count of matches (docs/proofs/detecting.md).
 *
 * A group stands on the 2^r submasks ("cells") of a mask. In every cell each member is predicted one class; the cell
 * counts +1 or -1, half of them each. With label k a member adds, over all cells, value(k) = (plus cells where k is
 * predicted) - (minus cells). So its values sum to 0 and its positive ones to at most 2^(r-1); any such values can be
 * had. All sums over the members' labels are different.
 *
 * Members: `low` digits to the base s, then a seed, a set found by search, times s^low. */
#ifndef LL_CODE_MATCH_GROUP_H
#define LL_CODE_MATCH_GROUP_H

#include "code/masks.h"

typedef struct ll_match_group ll_match_group;

/* The most members that are known for 2^ones cells. */
long ll_match_capacity(long classes, int ones);

/* size <= the capacity. NULL where memory ended. */
ll_match_group *ll_match_create(long classes, int ones, long size);
void ll_match_destroy(ll_match_group *group);

int64_t ll_match_value(const ll_match_group *group, long member, long label);
/* The class predicted for a member in the cell of that rank. */
int32_t ll_match_predict(const ll_match_group *group, long member, uint64_t rank);
/* The members' labels from the sum of their values; 0 where there are none. */
int ll_match_read(const ll_match_group *group, int32_t *labels, int64_t sum);

#endif

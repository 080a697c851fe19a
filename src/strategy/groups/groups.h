/* Scores of groups: each group's number is one of its own rows alone, so a plan and a decoder per group are wrapped.
 * All groups are read at once. The number of all rows is not read, unless a plan for it
 * alone gives more labels: then it is the only one. */
#ifndef LL_STRATEGY_GROUPS_GROUPS_H
#define LL_STRATEGY_GROUPS_GROUPS_H

#include "plan/strategy.h"

extern const ll_strategy ll_strategy_groups;

/* The plan of one group. */
ll_plan *ll_groups_plan(const ll_plan *plan, long group);
/* The plan for the number of all rows; NULL: groups are read. */
const ll_plan *ll_groups_whole(const ll_plan *plan);

#endif

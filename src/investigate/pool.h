/* What some submissions tell of labels together: sums are collected, and every label that follows is known. */
#ifndef LL_INVESTIGATE_POOL_H
#define LL_INVESTIGATE_POOL_H

#include "investigate/known_sum.h"

typedef struct ll_pool ll_pool;

/* orders: of the variables for elimination; 0: none, for pools that are too large for it. NULL: no memory. */
ll_pool *ll_pool_create(long variables, long submissions, long orders);
void ll_pool_destroy(ll_pool *pool);

/* One more sum, of a submission (-1: of none), and everything that follows. LL_MEMORY. */
LL_CHECK ll_status ll_pool_add(ll_pool *pool, const ll_known_sum *sum, long submission);

/* No labels have all these sums: nothing that is known here means anything. */
int ll_pool_is_contradicted(const ll_pool *pool);
int ll_pool_get(const ll_pool *pool, long variable); /* 0, 1, or -1: open */
/* Submissions that the value follows from, a bit each. */
const uint64_t *ll_pool_from(const ll_pool *pool, long variable);
/* Was it told apart from others, and does it not follow because all of several labels had to be alike? */
int ll_pool_is_read(const ll_pool *pool, long variable);

#endif

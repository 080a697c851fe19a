/* What some submissions tell of labels together: sums are collected, and every label that follows is known. */
#ifndef LL_INVESTIGATE_POOL_H
#define LL_INVESTIGATE_POOL_H

#include "investigate/known_sum.h"

typedef struct ll_pool ll_pool;

/* orders: of the variables for elimination; 0: none, for pools that are too large for it. residues: labels of a sum that
 * is decided modulo a prime, at most. NULL: no memory. */
ll_pool *ll_pool_create(long variables, long submissions, long orders, long residues);
void ll_pool_destroy(ll_pool *pool);

/* One more sum, of a submission (-1: of none), and everything that follows. LL_MEMORY. */
LL_CHECK ll_status ll_pool_add(ll_pool *pool, const ll_known_sum *sum, long submission);

/* No labels have all these sums: nothing that is known here means anything. */
int ll_pool_is_contradicted(const ll_pool *pool);
int ll_pool_get(const ll_pool *pool, long variable); /* 0, 1, or -1: open */
/* Submissions that the value follows from, a bit each. */
const uint64_t *ll_pool_from(const ll_pool *pool, long variable);

/* How a value that is known became known. */
typedef enum {
    LL_READ_ALIKE,   /* all of several labels had to be alike */
    LL_READ_RESIDUE, /* from a sum modulo a prime: of up to LL_RESIDUE_LABELS labels nothing but a sum need be known */
    LL_READ_WEIGHT   /* its weight was told apart from others */
} ll_reading;
ll_reading ll_pool_reading(const ll_pool *pool, long variable);

#endif

/* What a group of accounts knows: their submissions' sums in pools, one for every number of positives that is left. */
#ifndef LL_INVESTIGATE_KNOWLEDGE_H
#define LL_INVESTIGATE_KNOWLEDGE_H

#include "investigate/score_sums.h"

typedef struct ll_knowledge ll_knowledge;

/* submissions: in all; `told`: what each of them tells, which must outlive it. members: how many will be added. NULL: no
 * memory. */
ll_knowledge *ll_knowledge_create(long rows, long classes, const ll_score_sums *told, long submissions, long members);
void ll_knowledge_destroy(ll_knowledge *knowledge);

/* One more submission. LL_MEMORY. */
LL_CHECK ll_status ll_knowledge_add(ll_knowledge *knowledge, long submission);

/* Do no labels have these scores? Then nothing is known. */
int ll_knowledge_is_contradicted(const ll_knowledge *knowledge);
/* The label of a row, or -1. */
long ll_knowledge_get(const ll_knowledge *knowledge, long row);
long ll_knowledge_count(const ll_knowledge *knowledge);
/* The submissions that a known label follows from: their bits are added to *from. Returns whether its weight was told
 * apart from others (pool.h). */
int ll_knowledge_get_from(const ll_knowledge *knowledge, long row, uint64_t *from);
/* Was everything tried, or was the group too large for elimination? */
int ll_knowledge_is_complete(const ll_knowledge *knowledge);

#endif

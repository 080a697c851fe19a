/* What a group of accounts knows: their submissions' sums in pools, one for every number of positives that is left. */
#ifndef LL_INVESTIGATE_KNOWLEDGE_H
#define LL_INVESTIGATE_KNOWLEDGE_H

#include "investigate/pool.h"
#include "investigate/residue_sum.h"
#include "investigate/score_sums.h"

typedef struct ll_knowledge ll_knowledge;

/* may_be[P] becomes 0 for the numbers of positives, of 0 .. rows, that a score excludes. */
void ll_score_sums_narrow(const ll_score_sums *revealed, long rows, unsigned char *may_be);

/* submissions: in all; `revealed`: what each of them tells, which must outlive it. members: how many will be added.
 * memory. residues: labels of a sum that is decided modulo a prime, at most. NULL: no memory. */
ll_knowledge *ll_knowledge_create(long rows, long classes, const ll_score_sums *revealed, long submissions,
                                  long members, long residues);
void ll_knowledge_destroy(ll_knowledge *knowledge);

/* One more submission. LL_MEMORY. */
LL_CHECK ll_status ll_knowledge_add(ll_knowledge *knowledge, long submission);

/* Do no labels have these scores? Then nothing is known. */
int ll_knowledge_is_contradicted(const ll_knowledge *knowledge);
/* The label of a row, or -1. */
long ll_knowledge_get(const ll_knowledge *knowledge, long row);
long ll_knowledge_count(const ll_knowledge *knowledge);
/* The submissions that a known label follows from: their bits are added to *from. */
ll_reading ll_knowledge_get_from(const ll_knowledge *knowledge, long row, uint64_t *from);
/* Was everything tried, or was the group too large for elimination? */
int ll_knowledge_is_complete(const ll_knowledge *knowledge);

#endif

/* Marks that a construction leaves in where predictions stand, for classes and for ranks: their numbers tell nothing. */
#ifndef LL_AUDIT_POSITIONS_H
#define LL_AUDIT_POSITIONS_H

#include "audit/traces.h"

/* symbols[row]: the place of the row's prediction among the `kinds` different ones, in order. 1: *out has the mark. No
 * memory counts as no mark. */
int ll_trace_positions(ll_trace *out, const int32_t *symbols, long rows, long kinds);

#endif

/* The code changes: what its plan tells it, since a code knows no metric. */
#ifndef LL_STRATEGY_CHANGES_CHANGE_CODE_H
#define LL_STRATEGY_CHANGES_CHANGE_CODE_H

#include "code/code.h"

/* read[q], q = 0 .. queries: how many rows the first q queries tell. The code owns the array from now on. span: how
 * many sums one query keeps apart, at most. */
void ll_changes_set(ll_code *code, long *read, long queries, int64_t span);

#endif

/* The code single, whose rows the room plan chooses. */
#ifndef LL_CODE_SINGLE_H
#define LL_CODE_SINGLE_H

#include "code/code.h"

/* rows[0 .. count - 1], ascending: query q > 0 asks about rows[q - 1]. The list becomes the code's own. */
void ll_single_set(ll_code *code, long *rows, long count);
/* The row of query > 0. */
long ll_single_row(const ll_code *code, long query);

#endif

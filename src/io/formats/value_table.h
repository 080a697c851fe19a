/* Tables of set functions: one value a line, 2^N of them, N = 1 .. 24. Line 1 is the value of the empty set; bit i of
 * (line - 1) says whether element i is in the set. */
#ifndef LL_IO_VALUE_TABLE_H
#define LL_IO_VALUE_TABLE_H

#include "lossleak.h"

/* Read all values as exact numbers into *out, a column of them; "-" is standard input. Blanks around a value and empty
 * lines at the end do not count. LL_DOMAIN with file, line and reason for text that is no finite number and for a
 * number of values that is no power of two; LL_UNABLE beyond max_memory bytes (0: no limit). */
LL_CHECK ll_status ll_io_read_values(ll_block *out, const char *path, size_t max_memory, ll_error *error);

#endif

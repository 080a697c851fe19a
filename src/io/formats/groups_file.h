/* Groups of rows: a list NAME*COUNT,... as the library takes it, a file with one name a line, or FILE:COLUMN of CSV or
 * JSON lines. */
#ifndef LL_IO_GROUPS_FILE_H
#define LL_IO_GROUPS_FILE_H

#include "lossleak.h"

/* *text: the list, to be freed; *rows: how many rows it is of. `given` is a list where it has a comma or a star, else a
 * file. LL_DOMAIN names a line that is no name; LL_UNABLE: more than max_memory. */
LL_CHECK ll_status ll_io_read_groups(char **text, long *rows, const char *given, size_t max_memory, ll_error *error);

#endif

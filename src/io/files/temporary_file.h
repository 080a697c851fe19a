/* Files for a while: in TMPDIR, or /tmp where that is not set, and without a name, so that nothing stays behind. */
#ifndef LL_IO_TEMPORARY_FILE_H
#define LL_IO_TEMPORARY_FILE_H

#include <stdio.h>

const char *ll_io_temporary_folder(void);

/* A descriptor to read and write, closed in children; -1 and errno. */
int ll_io_temporary_open(void);

/* The same as a stream; NULL and errno. */
FILE *ll_io_temporary_stream(void);

#endif

/* Files out. A regular file is written beside its final name, synced and renamed at the end, so that it is there whole
 * or not at all, and what was there before stays until then. Devices, pipes and descriptors (/dev/stdout, /dev/fd/N)
 * are written straight. */
#ifndef LL_IO_WRITE_FILE_H
#define LL_IO_WRITE_FILE_H

#include "lossleak.h"

typedef struct ll_io_output ll_io_output;

/* To be asked before long work: can a file of this name be written, as far as can be told by now? Nothing is left
 * behind. LL_DOMAIN where it is one of the `inputs`, which would be lost. */
LL_CHECK ll_status ll_io_output_check(const char *path, const char *const *inputs, long count, ll_error *error);

/* "-" is standard output. Symbolic links are followed: the file they point to is replaced, the link stays. A new file's
 * mode follows the umask, a replaced one's is kept. The path is copied. */
LL_CHECK ll_status ll_io_output_open(ll_io_output **out, const char *path, ll_error *error);

LL_CHECK ll_status ll_io_output_write(ll_io_output *output, const void *data, size_t size, ll_error *error);
LL_CHECK ll_status ll_io_output_print(ll_io_output *output, ll_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* at most 511 characters */

/* Finish: after LL_OK the file is there and synced. Frees the handle either way. */
LL_CHECK ll_status ll_io_output_commit(ll_io_output *output, ll_error *error);
/* Give up: nothing is left of a regular file. Takes NULL. */
void ll_io_output_abandon(ll_io_output *output);

#endif

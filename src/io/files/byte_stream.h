/* The bytes of a file or of standard input, inflated where they are gzip'd (told by the first two bytes, not by
 * the name). */
#ifndef LL_IO_BYTE_STREAM_H
#define LL_IO_BYTE_STREAM_H

#include "lossleak.h"

typedef struct ll_io_bytes ll_io_bytes;

/* "-" is standard input. LL_SYSTEM where it cannot be opened or is a directory, LL_DOMAIN where it is empty. The
 * path is copied. */
LL_CHECK ll_status ll_io_bytes_open(ll_io_bytes **out, const char *path, ll_error *error);
/* The same over bytes in memory, which must outlive the stream; name: for messages, copied. LL_UNABLE where more than
 * `most` bytes come out of gzip'd ones. */
LL_CHECK ll_status ll_io_bytes_open_memory(ll_io_bytes **out, const char *name, const void *data, size_t size,
                                           size_t most, ll_error *error);
void ll_io_bytes_close(ll_io_bytes *bytes);

const char *ll_io_bytes_path(const ll_io_bytes *bytes);

/* The next bytes that are not yet taken, at least `wanted` of them unless the stream ends before; wanted <= 4096.
 * They stay, and may be written over, until the next call. */
LL_CHECK ll_status ll_io_bytes_peek(ll_io_bytes *bytes, unsigned char **data, size_t *size, size_t wanted,
                                    ll_error *error);
void ll_io_bytes_take(ll_io_bytes *bytes, size_t size); /* at most the size that peek gave */

/* Make sure that rewind will work: what cannot be sought is copied into an unnamed temporary file of at most
 * `limit` bytes (LL_UNABLE beyond). Only before anything was taken. */
LL_CHECK ll_status ll_io_bytes_keep(ll_io_bytes *bytes, size_t limit, ll_error *error);
/* Back to the first byte. LL_SYSTEM where it cannot be. */
LL_CHECK ll_status ll_io_bytes_rewind(ll_io_bytes *bytes, ll_error *error);

/* All bytes at once: a private mapping of a plain regular file, plain bytes in memory where they are, else a copy of at
 * most `limit` bytes (LL_UNABLE beyond). Only before anything was taken; outlives the stream. */
typedef struct {
    unsigned char *data;
    size_t size;
    int mapped;
    int lent; /* the bytes of ll_io_bytes_open_memory: not to be written over */
} ll_io_whole;

LL_CHECK ll_status ll_io_bytes_whole(ll_io_bytes *bytes, ll_io_whole *out, size_t limit, ll_error *error);
void ll_io_whole_clear(ll_io_whole *whole);

#endif

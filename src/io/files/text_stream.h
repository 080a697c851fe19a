/* Text as a sequence of lines, of any file that byte_stream can read: a byte order mark is dropped, CR LF and a lone
 * CR end a line just as LF does. */
#ifndef LL_IO_TEXT_STREAM_H
#define LL_IO_TEXT_STREAM_H

#include "io/files/byte_stream.h"

typedef struct {
    ll_io_bytes *bytes;
    unsigned char *data; /* what is at hand, line ends made LF */
    size_t size;
    long line;    /* number of the line that the next piece belongs to, from 1 */
    int after_cr; /* the last byte was a CR, so that an LF now belongs to it */
} ll_io_text;

/* Takes over the stream (closed by ll_io_text_close) even where it fails. LL_DOMAIN for UTF-16. */
LL_CHECK ll_status ll_io_text_open(ll_io_text *out, ll_io_bytes *bytes, ll_error *error);
void ll_io_text_close(ll_io_text *text);
LL_CHECK ll_status ll_io_text_rewind(ll_io_text *text, ll_error *error);

/* The next piece: a line up to and with its LF, or the part of it that is at hand; *size is 0 at the end. Valid until
 * the next call. LL_DOMAIN, with the line, for a NUL byte. */
LL_CHECK ll_status ll_io_text_next(ll_io_text *text, const char **piece, size_t *size, ll_error *error);

#endif

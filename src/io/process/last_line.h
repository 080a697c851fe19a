/* The last line that is not blank of a stream that comes in pieces, in memory that does not grow with the stream. */
#ifndef LL_IO_LAST_LINE_H
#define LL_IO_LAST_LINE_H

#include "lossleak.h"

typedef struct {
    char *line, *last; /* what there is of the line under way; the last one that ended and is not blank */
    size_t length, room, last_length, last_room;
    size_t most; /* bytes that are kept of a line */
    int over;    /* some line was longer */
    long ended;  /* lines that ended, blank ones too */
} ll_io_last_line;

void ll_io_last_line_init(ll_io_last_line *keeper, size_t most);
void ll_io_last_line_clear(ll_io_last_line *keeper);
/* Begin again; the memory is kept. */
void ll_io_last_line_reset(ll_io_last_line *keeper);

/* LL_MEMORY or LL_OK. */
LL_CHECK ll_status ll_io_last_line_add(ll_io_last_line *keeper, const char *data, size_t size);
/* The end of a stream ends its last line, too. */
void ll_io_last_line_end(ll_io_last_line *keeper);

/* Without blanks at its ends; *length is 0 where there is none. Valid until the next call. */
const char *ll_io_last_line_get(const ll_io_last_line *keeper, size_t *length);

#endif

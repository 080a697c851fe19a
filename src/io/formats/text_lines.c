#include "io/formats/text_lines.h"

#include "io/files/io_fail.h"
#include "io/files/text_stream.h"
#include "io/formats/score_line.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_io_text_lines *lines;
    char *line; /* what is at hand of the line */
    size_t length, room;
} reader;

ll_status ll_io_text_lines_charge(const ll_io_text_lines *l, size_t bytes, ll_error *error)
{
    *l->held += bytes;
    return l->limit > 0 && *l->held > l->limit ? ll_io_fail_budget(error, l->path, l->limit) : LL_OK;
}

static ll_status end_line(reader *r, long line, ll_error *error)
{
    size_t length = r->length;
    const char *text = ll_io_trim(r->line, &length);
    r->length = 0;
    return r->lines->take(r->lines->self, text, length, line, error);
}

static ll_status keep_piece(reader *r, const char *piece, size_t size, ll_error *error)
{
    size_t needed = r->length + size;
    if (needed > r->room) {
        size_t room = 2 * needed + 64;
        ll_status status = ll_io_text_lines_charge(r->lines, room - r->room, error);
        if (status != LL_OK)
            return status;
        char *line = realloc(r->line, room);
        if (!line)
            return ll_io_fail(error, LL_MEMORY, r->lines->path, 0, "out of memory");
        r->line = line;
        r->room = room;
    }
    memcpy(r->line + r->length, piece, size);
    r->length = needed;
    return LL_OK;
}

static ll_status read_lines(reader *r, ll_io_text *text, ll_error *error)
{
    for (;;) {
        const char *piece;
        size_t size;
        long line = text->line;
        ll_status status = ll_io_text_next(text, &piece, &size, error);
        if (status != LL_OK || size == 0)
            return status == LL_OK && r->length > 0 ? end_line(r, line, error) : status;
        status = keep_piece(r, piece, size, error);
        if (status == LL_OK && piece[size - 1] == '\n')
            status = end_line(r, line, error);
        if (status != LL_OK)
            return status;
    }
}

ll_status ll_io_text_lines_read(const ll_io_text_lines *lines, const char *path, ll_error *error)
{
    reader r = {.lines = lines};
    ll_io_bytes *bytes;
    ll_io_text text;
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_text_open(&text, bytes, error);
    if (status != LL_OK)
        return status;
    status = read_lines(&r, &text, error);
    ll_io_text_close(&text);
    free(r.line);
    return status;
}

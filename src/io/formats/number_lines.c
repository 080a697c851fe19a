#include "io/formats/number_lines.h"

#include "io/files/io_fail.h"
#include "io/files/text_stream.h"
#include "io/formats/number_text.h"
#include "io/formats/score_line.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_io_number_lines *lines;
    char *line; /* what is at hand of the line */
    size_t length, room;
    long blank; /* the first empty line that no number has followed yet, or 0 */
} reader;

ll_status ll_io_number_lines_charge(ll_io_number_lines *l, size_t bytes, ll_error *error)
{
    l->held += bytes;
    return l->limit > 0 && l->held > l->limit ? ll_io_fail_budget(error, l->path, l->limit) : LL_OK;
}

static ll_status take_number(const reader *r, const char *text, size_t length, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    ll_io_number_lines *l = r->lines;
    if (r->blank)
        return ll_io_fail(error, LL_DOMAIN, l->path, r->blank, "an empty line where a %s is expected", l->what);
    if (l->numbers > 1) {
        char complaint[LL_IO_COMPLAINT_SIZE];
        const char *wrong = ll_io_answer_complain(complaint, text, length, l->numbers);
        return wrong != NULL ? ll_io_fail(error, LL_DOMAIN, l->path, line, "the %s %s", l->what, wrong)
                             : l->take(l, text, length, line, error);
    }
    ll_io_number_kind kind = ll_io_number_scan(text, length);
    if (kind == LL_IO_NUMBER)
        return l->take(l, text, length, line, error);
    return ll_io_fail(error, LL_DOMAIN, l->path, line, "%s is not %s", ll_io_quote(quoted, text, length),
                      kind == LL_IO_NO_NUMBER ? "a number" : "finite");
}

/* The line is whole: a number, or empty. */
static ll_status end_line(reader *r, long line, ll_error *error)
{
    size_t length = r->length;
    const char *text = ll_io_trim(r->line, &length);
    r->length = 0;
    if (length > 0)
        return take_number(r, text, length, line, error);
    if (!r->blank)
        r->blank = line;
    return LL_OK;
}

static ll_status keep_piece(reader *r, const char *piece, size_t size, ll_error *error)
{
    size_t needed = r->length + size;
    if (needed > r->room) {
        size_t room = 2 * needed + 64;
        ll_status status = ll_io_number_lines_charge(r->lines, room - r->room, error);
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

ll_status ll_io_number_lines_read(ll_io_number_lines *lines, const char *path, ll_error *error)
{
    reader r = {.lines = lines};
    ll_io_bytes *bytes;
    ll_io_text text;
    lines->path = ll_io_name(path);
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

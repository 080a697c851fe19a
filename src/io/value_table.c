#include "io/value_table.h"

#include "io/io_fail.h"
#include "io/number_text.h"
#include "io/text_stream.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 24, BYTES_A_VALUE = 24 };

typedef struct {
    const char *path;
    size_t held, limit; /* bytes; limit 0: none */
    char *line;         /* what is at hand of the line */
    size_t length, room;
    long blank; /* the first empty line that no value has followed yet, or 0 */
    ll_block *values;
    long count, slots;
} reader;

static ll_status charge(reader *r, size_t bytes, ll_error *error)
{
    r->held += bytes;
    return r->limit > 0 && r->held > r->limit ? ll_io_fail_budget(error, r->path, r->limit) : LL_OK;
}

static ll_status check_value(const reader *r, const char *text, size_t length, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    if (r->blank)
        return ll_io_fail(error, LL_DOMAIN, r->path, r->blank, "an empty line where a value is expected");
    ll_io_number_kind kind = ll_io_number_scan(text, length);
    if (kind == LL_IO_NO_NUMBER)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s is not a number", ll_io_quote(quoted, text, length));
    if (kind == LL_IO_NOT_FINITE)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s is not finite", ll_io_quote(quoted, text, length));
    if (r->count == 1L << MOST_ELEMENTS)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "more than 2^%d values: a table has at most %d elements",
                          MOST_ELEMENTS, MOST_ELEMENTS);
    return LL_OK;
}

static ll_status add_value(reader *r, const char *text, size_t length, long line, ll_error *error)
{
    ll_status status = check_value(r, text, length, line, error);
    if (status == LL_OK)
        status = charge(r, BYTES_A_VALUE + (length > 18 ? length : 0), error);
    if (status != LL_OK)
        return status;
    long slots = r->count < r->slots ? r->slots : r->slots ? 2 * r->slots : 1024;
    if (!ll_block_reserve_exacts(r->values, slots, 1))
        return ll_io_fail(error, LL_MEMORY, r->path, 0, "out of memory");
    r->slots = slots;
    status = ll_exact_read((ll_exact *)r->values->exacts, r->count, text, length);
    if (status != LL_OK)
        return ll_io_fail(error, status, r->path, line, "not a finite number");
    r->count++;
    return LL_OK;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The line is whole: a value, or empty. */
static ll_status end_line(reader *r, long line, ll_error *error)
{
    const char *text = r->line;
    size_t length = r->length;
    r->length = 0;
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    if (length > 0) /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): text points into r->line, which the caller frees */
        return add_value(r, text, length, line, error);
    if (!r->blank)
        r->blank = line;
    return LL_OK;
}

static ll_status keep_piece(reader *r, const char *piece, size_t size, ll_error *error)
{
    size_t needed = r->length + size;
    if (needed > r->room) {
        size_t room = 2 * needed + 64;
        ll_status status = charge(r, room - r->room, error);
        if (status != LL_OK)
            return status;
        char *line = realloc(r->line, room);
        if (!line)
            return ll_io_fail(error, LL_MEMORY, r->path, 0, "out of memory");
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

static ll_status check_count(const reader *r, ll_error *error)
{
    int elements = 0;
    while (1L << elements < r->count)
        elements++;
    if (r->count >= 2 && 1L << elements == r->count)
        return LL_OK;
    if (r->count < 2)
        return ll_io_fail(error, LL_DOMAIN, r->path, 0, "%ld values: a set function of one element has 2", r->count);
    return ll_io_fail(error, LL_DOMAIN, r->path, 0,
                      "%ld values: a set function has 2^N of them, %ld for %d elements or %ld for %d", r->count,
                      1L << (elements - 1), elements - 1, 1L << elements, elements);
}

ll_status ll_io_read_values(ll_block *out, const char *path, size_t max_memory, ll_error *error)
{
    reader r = {.path = ll_io_name(path), .limit = max_memory, .values = out};
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
    if (status == LL_OK)
        status = check_count(&r, error);
    if (status == LL_OK && !ll_block_reserve_exacts(out, r.count, 1))
        status = ll_io_fail(error, LL_MEMORY, r.path, 0, "out of memory");
    return status;
}

#include "io/formats/groups_file.h"

#include "io/files/io_fail.h"
#include "io/files/text_stream.h"
#include "io/formats/score_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    char *line; /* what is at hand of the line */
    size_t length, room;
    char *list; /* the items that are closed */
    size_t used, list_room, limit;
    char *name; /* of the rows that are counted */
    long count, rows;
} reader;

static ll_status fail_memory(const reader *r, ll_error *error)
{
    return ll_io_fail(error, LL_MEMORY, r->path, 0, "out of memory");
}

/* NAME*COUNT of the rows that were counted, behind the others. */
static ll_status close_item(reader *r, ll_error *error)
{
    if (r->count == 0)
        return LL_OK;
    size_t needed = r->used + strlen(r->name) + 32;
    if (needed > r->limit)
        return ll_io_fail_budget(error, r->path, r->limit);
    if (needed > r->list_room) {
        char *list = realloc(r->list, 2 * needed);
        if (list == NULL)
            return fail_memory(r, error);
        r->list = list;
        r->list_room = 2 * needed;
    }
    r->used += (size_t)snprintf(r->list + r->used, r->list_room - r->used, "%s%s*%ld", r->used > 0 ? "," : "", r->name,
                                r->count);
    r->count = 0;
    return LL_OK;
}

static ll_status take_name(reader *r, const char *text, size_t length, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    if (length == 0)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "an empty line where the name of a group is expected");
    if (memchr(text, ',', length) != NULL || memchr(text, '*', length) != NULL)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s is no name of a group: it has a comma or a star",
                          ll_io_quote(quoted, text, length));
    r->rows++;
    if (r->count > 0 && strlen(r->name) == length && memcmp(r->name, text, length) == 0) {
        r->count++;
        return LL_OK;
    }
    ll_status status = close_item(r, error);
    if (status != LL_OK)
        return status;
    free(r->name);
    r->name = strndup(text, length);
    r->count = 1;
    return r->name != NULL ? LL_OK : fail_memory(r, error);
}

static ll_status keep_piece(reader *r, const char *piece, size_t size, ll_error *error)
{
    if (r->length + size > r->limit)
        return ll_io_fail_budget(error, r->path, r->limit);
    if (r->length + size > r->room) {
        char *line = realloc(r->line, 2 * (r->length + size));
        if (line == NULL)
            return fail_memory(r, error);
        r->line = line;
        r->room = 2 * (r->length + size);
    }
    memcpy(r->line + r->length, piece, size);
    r->length += size;
    return LL_OK;
}

static ll_status end_line(reader *r, long line, ll_error *error)
{
    size_t length = r->length;
    const char *text = ll_io_trim(r->line, &length);
    r->length = 0;
    return take_name(r, text, length, line, error);
}

static ll_status read_lines(reader *r, ll_io_text *text, ll_error *error)
{
    for (;;) {
        const char *piece;
        size_t size;
        long line = text->line;
        ll_status status = ll_io_text_next(text, &piece, &size, error);
        if (status == LL_OK && size == 0)
            status = r->length > 0 ? end_line(r, line, error) : LL_OK;
        if (status != LL_OK || size == 0)
            return status == LL_OK ? close_item(r, error) : status;
        status = keep_piece(r, piece, size, error);
        if (status == LL_OK && piece[size - 1] == '\n')
            status = end_line(r, line, error);
        if (status != LL_OK)
            return status;
    }
}

static ll_status read_file(reader *r, const char *path, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_io_text text;
    r->path = ll_io_name(path);
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_text_open(&text, bytes, error);
    if (status != LL_OK)
        return status;
    status = read_lines(r, &text, error);
    ll_io_text_close(&text);
    if (status == LL_OK && r->rows == 0)
        status = ll_io_fail(error, LL_DOMAIN, r->path, 0, "no group: one name a line is expected, a line for each row");
    return status;
}

/* The rows of a list; what is wrong with it the library says. */
static long count_rows(const char *list)
{
    long rows = 0;
    for (const char *at = list; *at;) {
        at += strcspn(at, ",*");
        rows += *at == '*' ? strtol(at + 1, NULL, 10) : 1;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return rows;
}

ll_status ll_io_read_groups(char **text, long *rows, const char *given, size_t max_memory, ll_error *error)
{
    reader r = {.limit = max_memory};
    if (strpbrk(given, ",*") != NULL) {
        *rows = count_rows(given);
        *text = strdup(given);
        return *text != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a list of groups");
    }
    ll_status status = read_file(&r, given, error);
    free(r.line);
    free(r.name);
    if (status != LL_OK) {
        free(r.list);
        return status;
    }
    *text = r.list;
    *rows = r.rows;
    return LL_OK;
}

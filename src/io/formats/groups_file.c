#include "io/formats/groups_file.h"

#include "io/files/io_fail.h"
#include "io/formats/csv_read.h"
#include "io/formats/slips.h"
#include "io/formats/text_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    ll_io_text_lines lines;
    size_t held;
    char *list; /* the items that are closed */
    size_t used, room;
    char *name; /* of the rows that are counted */
    long count, rows;
    int is_column;
} reader;

static ll_status fail_memory(const reader *r, ll_error *error)
{
    return ll_io_fail(error, LL_MEMORY, r->lines.path, 0, "out of memory");
}

/* NAME*COUNT of the rows that were counted, behind the others. */
static ll_status close_item(reader *r, ll_error *error)
{
    if (r->count == 0)
        return LL_OK;
    size_t needed = r->used + strlen(r->name) + 32;
    if (needed > r->room) {
        ll_status status = ll_io_text_lines_charge(&r->lines, 2 * needed - r->room, error);
        if (status != LL_OK)
            return status;
        char *list = realloc(r->list, 2 * needed);
        if (list == NULL)
            return fail_memory(r, error);
        r->list = list;
        r->room = 2 * needed;
    }
    r->used +=
        (size_t)snprintf(r->list + r->used, r->room - r->used, "%s%s*%ld", r->used > 0 ? "," : "", r->name, r->count);
    r->count = 0;
    return LL_OK;
}

static ll_status refuse_name(const reader *r, const char *text, size_t length, long line, const char *why,
                             ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    return ll_io_fail(error, LL_DOMAIN, r->lines.path, line, "%s is no name of a group: it %s",
                      ll_io_quote(quoted, text, length), why);
}

static ll_status take_name(void *self, const char *text, size_t length, long line, ll_error *error)
{
    reader *r = self;
    if (length == 0)
        return ll_io_fail(error, LL_DOMAIN, r->lines.path, line, "an empty line where the name of a group is expected");
    if (memchr(text, ',', length) != NULL || memchr(text, '*', length) != NULL)
        return refuse_name(r, text, length, line,
                           r->is_column ? "has a comma or a star"
                                        : "has a comma or a star; of a file with columns give FILE:COLUMN",
                           error);
    if (!ll_io_is_utf8(text, length))
        return refuse_name(r, text, length, line, "is not UTF-8", error);
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

static ll_status read_file(reader *r, const char *path, ll_error *error)
{
    ll_status status = ll_io_text_lines_read(&r->lines, path, error);
    if (status == LL_OK)
        status = close_item(r, error);
    if (status == LL_OK && r->rows == 0)
        status = ll_io_fail(error, LL_DOMAIN, r->lines.path, 0,
                            "no group: one name a line is expected, a line for each row");
    return status;
}

static ll_status find_column(long *at, const ll_io_row *header, const char *path, const char *name, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE], columns[200];
    for (*at = 0; *at < header->count; (*at)++)
        if (strcmp(header->fields[*at].text, name) == 0)
            return LL_OK;
    ll_io_list_columns(columns, sizeof columns, header);
    return ll_io_fail(error, LL_DOMAIN, path, header->line, "no column is called %s; there %s %s",
                      ll_io_quote(quoted, name, strlen(name)), header->count == 1 ? "is" : "are", columns);
}

static ll_status read_names(reader *r, ll_io_csv *csv, const char *name, ll_error *error)
{
    const ll_io_row *row;
    long at = 0;
    ll_status status = ll_io_csv_next(csv, &row, error);
    if (status == LL_OK && row != NULL)
        status = find_column(&at, row, r->lines.path, name, error);
    while (status == LL_OK && row != NULL) {
        status = ll_io_csv_next(csv, &row, error);
        if (status == LL_OK && row != NULL)
            status = at < row->count
                         ? take_name(r, row->fields[at].text, row->fields[at].length, row->line, error)
                         : ll_io_fail(error, LL_DOMAIN, r->lines.path, row->line, "there is no column %ld", at + 1);
    }
    if (status == LL_OK)
        status = close_item(r, error);
    return status == LL_OK && r->rows == 0 ? ll_io_fail(error, LL_DOMAIN, r->lines.path, 0, "no rows") : status;
}

static ll_status read_column(reader *r, const char *given, const char *colon, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_io_csv *csv;
    char *path = strndup(given, (size_t)(colon - given));
    if (path == NULL)
        return fail_memory(r, error);
    r->lines.path = path;
    r->is_column = 1;
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_csv_open(&csv, bytes, r->lines.limit > 0 ? r->lines.limit : SIZE_MAX, error);
    if (status == LL_OK) {
        status = read_names(r, csv, colon + 1, error);
        ll_io_csv_close(csv);
    }
    free(path);
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
    reader r = {.lines = {ll_io_name(given), &r.held, max_memory, take_name, &r}};
    if (strpbrk(given, ",*") != NULL) {
        *rows = count_rows(given);
        *text = strdup(given);
        return *text != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a list of groups");
    }
    const char *column = access(given, F_OK) != 0 ? strrchr(given, ':') : NULL;
    ll_status status =
        column == NULL || column == given ? read_file(&r, given, error) : read_column(&r, given, column, error);
    free(r.name);
    if (status != LL_OK) {
        free(r.list);
        return status;
    }
    *text = r.list;
    *rows = r.rows;
    return LL_OK;
}

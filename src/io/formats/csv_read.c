/* libcsv tells neither where it is nor about empty lines, so it is fed one line at a time: after each line at most
 * one row is complete, and its fields lie one behind another in `text`. */
#include "io/formats/csv_read.h"

#include "io/files/io_fail.h"
#include "io/files/text_stream.h"
#include "io/formats/slips.h"

#include <csv.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 1 << 24, STEP = 1 << 16 };
static const size_t longest_row = (size_t)1 << 30;

struct ll_io_csv {
    ll_io_text stream;
    struct csv_parser parser;
    size_t limit;  /* on text and on what the parser holds */
    size_t budget; /* on all that is held */
    char *text;
    size_t used, room;
    size_t *starts; /* of each field in text */
    ll_io_field *fields;
    size_t count, field_room, shown_room;
    int complete, ended;
    int is_split;      /* the fields of this row lie in the stream's own window */
    ll_status trouble; /* of a callback: LL_MEMORY, or LL_UNABLE for too much of something */
    int over_budget;   /* then: of memory */
    long row_line, empty_line;
    ll_io_row row;
    int is_json;
    json_t *first; /* the object of the first line: its names are those of the columns; NULL: not read yet */
    int has_first; /* its own row is still to be given */
    char *object;  /* the text of one object */
    size_t object_room;
};

/* The first step of each array is not counted: it is there for every file. */
static size_t counted(size_t size)
{
    return size > STEP ? size - STEP : 0;
}

size_t ll_io_csv_held(const ll_io_csv *c)
{
    return counted(c->room) + counted(c->field_room * sizeof *c->starts) + counted(c->shown_room * sizeof *c->fields) +
           counted(c->parser.entry_size);
}

/* Make room for `needed` items within the budget; whatever the size, a multiplication that would overflow is refused.
 */
static ll_status reserve(ll_io_csv *c, void **array, size_t *room, size_t needed, size_t item)
{
    if (needed <= *room)
        return LL_OK;
    size_t larger = *room < STEP / item ? STEP / item : *room;
    size_t others = ll_io_csv_held(c) - counted(*room * item), most = c->budget > others ? c->budget - others : 0;
    most = most > SIZE_MAX - STEP ? SIZE_MAX / item : (most + STEP) / item;
    while (larger < needed)
        larger = larger > SIZE_MAX / 2 ? needed : 2 * larger;
    if (needed > most) {
        c->over_budget = 1;
        return LL_UNABLE;
    }
    if (larger > most)
        larger = most;
    void *moved = realloc(*array, larger * item);
    if (!moved)
        return LL_MEMORY;
    *array = moved;
    *room = larger;
    return LL_OK;
}

static void field_ended(void *text, size_t length, void *context)
{
    ll_io_csv *c = context;
    if (c->trouble != LL_OK)
        return;
    if (c->count >= MOST_FIELDS || length >= c->limit - c->used)
        c->trouble = LL_UNABLE;
    if (c->trouble == LL_OK)
        c->trouble = reserve(c, (void **)&c->text, &c->room, c->used + length + 1, 1);
    if (c->trouble == LL_OK)
        c->trouble = reserve(c, (void **)&c->starts, &c->field_room, c->count + 1, sizeof *c->starts);
    if (c->trouble != LL_OK)
        return;
    if (length > 0)
        memcpy(c->text + c->used, text, length);
    c->text[c->used + length] = '\0';
    c->starts[c->count++] = c->used;
    c->used += length + 1;
}

static void row_ended(int terminator, void *context)
{
    (void)terminator;
    ((ll_io_csv *)context)->complete = 1;
}

static void start_parser(ll_io_csv *c)
{
    csv_init(&c->parser, CSV_STRICT | CSV_STRICT_FINI);
    csv_set_blk_size(&c->parser, STEP);
}

ll_status ll_io_csv_open(ll_io_csv **out, ll_io_bytes *bytes, size_t max_memory, ll_error *error)
{
    ll_io_csv *c = calloc(1, sizeof *c);
    if (!c) {
        ll_status status = ll_io_fail(error, LL_MEMORY, ll_io_bytes_path(bytes), 0, "out of memory");
        ll_io_bytes_close(bytes);
        return status;
    }
    c->limit = max_memory < longest_row ? max_memory : longest_row;
    c->budget = max_memory;
    start_parser(c);
    unsigned char *start = NULL;
    size_t size = 0;
    ll_status status = ll_io_bytes_peek(bytes, &start, &size, 8, error);
    if (status == LL_OK) {
        size_t mark = size >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        c->is_json = size > mark && start[mark] == '{';
    }
    const char *foreign = status == LL_OK ? ll_io_foreign((const char *)start, size) : NULL;
    if (foreign != NULL)
        status = ll_io_fail(error, LL_DOMAIN, ll_io_bytes_path(bytes), 0,
                            "this is %s: save the rows as CSV, JSON lines or .npy", foreign);
    if (status == LL_OK)
        status = ll_io_text_open(&c->stream, bytes, error);
    else
        ll_io_bytes_close(bytes);
    if (status != LL_OK)
        ll_io_csv_close(c);
    else
        *out = c;
    return status;
}

void ll_io_csv_close(ll_io_csv *c)
{
    if (!c)
        return;
    ll_io_text_close(&c->stream);
    csv_free(&c->parser);
    json_decref(c->first);
    free(c->object);
    free(c->text);
    free(c->starts);
    free(c->fields);
    free(c);
}

const char *ll_io_csv_path(const ll_io_csv *c)
{
    return ll_io_bytes_path(c->stream.bytes);
}

ll_status ll_io_csv_rewind(ll_io_csv *c, ll_error *error)
{
    csv_free(&c->parser);
    start_parser(c);
    json_decref(c->first);
    c->first = NULL;
    c->used = c->count = 0;
    c->complete = c->ended = 0;
    c->row_line = c->empty_line = 0;
    return ll_io_text_rewind(&c->stream, error);
}

static int is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n')
            return 0;
    return 1;
}

static ll_status refuse(ll_io_csv *c, ll_error *error)
{
    const char *path = ll_io_csv_path(c);
    int printed = csv_error(&c->parser);
    if (c->trouble == LL_MEMORY || printed == CSV_ENOMEM)
        return ll_io_fail(error, LL_MEMORY, path, c->row_line, "out of memory");
    if (c->over_budget)
        return ll_io_fail(
            error, LL_UNABLE, path, c->row_line,
            "the %zu fields of this line alone need more memory than the %zu bytes allowed (--max-memory)",
            c->count + 1, c->budget);
    if (c->trouble != LL_OK || printed == CSV_ETOOBIG)
        return ll_io_fail(error, LL_UNABLE, path, c->row_line, "a line of over %zu bytes or %d fields", c->limit,
                          (int)MOST_FIELDS);
    return ll_io_fail(error, LL_DOMAIN, path, c->row_line,
                      c->ended ? "a quoted field is never closed" : "a stray quotation mark in a field");
}

/* ---- lines without quotation marks, which need no state: most lines of most files ---- */

static int is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* text[0 .. length-1] without the blanks around it, with an end behind it. */
static ll_io_field trim(char *text, size_t length)
{
    while (length > 0 && is_space(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_space(text[length - 1]))
        length--;
    text[length] = '\0';
    return (ll_io_field){text, length};
}

static ll_status split_line(ll_io_csv *c, char *line, size_t size, ll_error *error)
{
    char *end = line + size - 1; /* the line's end, which may be written over */
    for (char *field = line; field != NULL;) {
        char *comma = memchr(field, ',', (size_t)(end - field));
        c->trouble = reserve(c, (void **)&c->fields, &c->shown_room, c->count + 1, sizeof *c->fields);
        if (c->trouble != LL_OK)
            return refuse(c, error);
        c->fields[c->count++] = trim(field, (size_t)((comma != NULL ? comma : end) - field));
        field = comma != NULL ? comma + 1 : NULL;
    }
    c->is_split = c->complete = 1;
    return LL_OK;
}

static int is_simple(const ll_io_csv *c, const char *piece, size_t size)
{
    return piece[size - 1] == '\n' && size < c->limit && memchr(piece, '"', size) == NULL;
}

/* A piece that starts no row and is blank is not given to the parser; only where it ends a line was that line empty. */
static ll_status feed(ll_io_csv *c, const char *piece, size_t size, long line, ll_error *error)
{
    int inside = c->row_line != 0;
    if (!inside && is_blank(piece, size)) {
        if (c->empty_line == 0 && piece[size - 1] == '\n')
            c->empty_line = line;
        return LL_OK;
    }
    if (!inside && c->empty_line != 0)
        return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(c), c->empty_line, "an empty line");
    if (!inside)
        c->row_line = line;
    if (!inside && is_simple(c, piece, size))
        return split_line(c, (char *)(uintptr_t)piece, size, error);
    size_t taken = csv_parse(&c->parser, piece, size, field_ended, row_ended, c);
    if (c->trouble == LL_OK && c->parser.entry_pos > c->limit - c->used)
        c->trouble = LL_UNABLE;
    return taken == size && c->trouble == LL_OK ? LL_OK : refuse(c, error);
}

static ll_status finish(ll_io_csv *c, ll_error *error)
{
    c->ended = 1;
    if (c->row_line == 0)
        return LL_OK;
    int answer = csv_fini(&c->parser, field_ended, row_ended, c);
    return answer == 0 && c->trouble == LL_OK ? LL_OK : refuse(c, error);
}

static ll_status show_row(ll_io_csv *c, const ll_io_row **row, ll_error *error)
{
    c->row = (ll_io_row){c->fields, (long)c->count, c->row_line};
    *row = &c->row;
    if (c->is_split)
        return LL_OK;
    c->trouble = reserve(c, (void **)&c->fields, &c->shown_room, c->count, sizeof *c->fields);
    if (c->trouble != LL_OK) {
        *row = NULL;
        return refuse(c, error);
    }
    for (size_t i = 0; i < c->count; i++) {
        size_t end = i + 1 < c->count ? c->starts[i + 1] : c->used;
        c->fields[i] = (ll_io_field){c->text + c->starts[i], end - c->starts[i] - 1};
    }
    c->row = (ll_io_row){c->fields, (long)c->count, c->row_line};
    *row = &c->row;
    return LL_OK;
}

/* ---- JSON lines ---- */

/* The next line that is not blank, *size 0 at the end; its bytes are in c->object. */
static ll_status read_line(ll_io_csv *c, size_t *size, ll_error *error)
{
    const char *piece = NULL;
    size_t more = 1;
    *size = 0;
    while (more > 0 && (*size == 0 || c->object[*size - 1] != '\n')) {
        long line = c->stream.line;
        ll_status status = ll_io_text_next(&c->stream, &piece, &more, error);
        if (status != LL_OK)
            return status;
        if (*size == 0 && is_blank(piece, more)) {
            c->empty_line = c->empty_line == 0 && more > 0 && piece[more - 1] == '\n' ? line : c->empty_line;
            continue;
        }
        if (*size == 0)
            c->row_line = line;
        c->trouble =
            more < c->limit - *size ? reserve(c, (void **)&c->object, &c->object_room, *size + more, 1) : LL_UNABLE;
        if (c->trouble != LL_OK)
            return refuse(c, error);
        if (more > 0)
            memcpy(c->object + *size, piece, more);
        *size += more;
    }
    if (*size > 0 && c->empty_line != 0)
        return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(c), c->empty_line, "an empty line");
    return LL_OK;
}

/* NULL at the end. */
static ll_status read_object(ll_io_csv *c, json_t **out, ll_error *error)
{
    size_t size;
    json_error_t reason;
    *out = NULL;
    ll_status status = read_line(c, &size, error);
    if (status != LL_OK || size == 0)
        return status;
    *out = json_loadb(c->object, size, JSON_REJECT_DUPLICATES, &reason);
    if (*out != NULL && json_is_object(*out) && json_object_size(*out) > 0)
        return LL_OK;
    status = ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(c), c->row_line,
                        "no JSON object on this line, as every line of JSON lines has one%s%.80s",
                        *out == NULL ? ": " : "", *out == NULL ? reason.text : "");
    json_decref(*out);
    *out = NULL;
    return status;
}

static ll_status add_value(ll_io_csv *c, json_t *value, ll_error *error)
{
    char *made = json_is_string(value) || value == NULL || json_is_null(value)
                     ? NULL
                     : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const char *text = made != NULL ? made : json_is_string(value) ? json_string_value(value) : "";
    field_ended((void *)(uintptr_t)text, strlen(text), c);
    free(made);
    return c->trouble == LL_OK ? LL_OK : refuse(c, error);
}

static ll_status next_object(ll_io_csv *c, const ll_io_row **row, ll_error *error)
{
    const char *name;
    json_t *unused, *object = c->first;
    int is_header = c->first == NULL;
    ll_status status = LL_OK;
    if (is_header || !c->has_first)
        status = read_object(c, &object, error);
    else
        c->row_line = 1;
    if (status != LL_OK || object == NULL)
        return status;
    if (is_header)
        c->first = object;
    json_object_foreach(c->first, name, unused)
    {
        if (is_header)
            field_ended((void *)(uintptr_t)name, strlen(name), c);
        else if (status == LL_OK)
            status = add_value(c, json_object_get(object, name), error);
    }
    if (object != c->first)
        json_decref(object);
    c->has_first = is_header;
    if (status == LL_OK && c->trouble != LL_OK)
        return refuse(c, error);
    return status == LL_OK ? show_row(c, row, error) : status;
}

ll_status ll_io_csv_next(ll_io_csv *c, const ll_io_row **row, ll_error *error)
{
    *row = NULL;
    c->used = c->count = 0;
    c->row_line = 0;
    c->complete = c->is_split = 0;
    if (c->is_json)
        return next_object(c, row, error);
    while (!c->complete && !c->ended) {
        const char *piece;
        size_t size;
        long line = c->stream.line;
        ll_status status = ll_io_text_next(&c->stream, &piece, &size, error);
        if (status == LL_OK)
            status = size > 0 ? feed(c, piece, size, line, error) : finish(c, error);
        if (status != LL_OK)
            return status;
    }
    return c->complete ? show_row(c, row, error) : LL_OK;
}

/* ---- rows that somebody else reads ---- */

void ll_io_csv_peek(const ll_io_csv *c, const char **text, size_t *size)
{
    *text = (const char *)c->stream.data;
    *size = c->empty_line == 0 && !c->ended && !c->is_json ? c->stream.size : 0;
}

void ll_io_csv_skip(ll_io_csv *c, size_t size, long lines)
{
    c->stream.data += size;
    c->stream.size -= size;
    c->stream.line += lines;
}

long ll_io_csv_line(const ll_io_csv *c)
{
    return c->stream.line;
}

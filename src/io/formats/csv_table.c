/* Rows mostly follow each other line by line; only a quoted id with a line end in it makes a jump. So lines are kept as
 * the list of jumps: row, and what is to be added to the row's number from there on. */
#include "io/formats/csv_table.h"

#include "io/files/io_fail.h"
#include "io/formats/number_text.h"
#include "io/formats/plain_rows.h"
#include "io/formats/slips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_NAMES = 12 };

typedef struct {
    long row, offset;
} jump;

struct ll_io_table {
    ll_io_csv *csv;
    const ll_io_row *pending; /* the first row, where it is no header */
    long fields, columns;
    int has_header, has_id, counts_rows; /* counts_rows: the ids are 0, 1, ... */
    ll_io_ids *ids;                      /* where ids are kept; NULL: they are not */
    char *const *names;                  /* of the classes, in byte order where any is a word */
    long name_count;
    int has_names;      /* every row names a class, as the first one does */
    char digits[24];    /* the number of the class that the row at hand names */
    ll_io_field number; /* the same as a field */
    size_t limit;
    long position, known; /* rows given since the beginning, and at most ever */
    jump *jumps;
    size_t jump_count, jump_room;
};

static int is_word(const ll_io_field *f)
{
    return f->length > 0 && ll_io_number_scan(f->text, f->length) == LL_IO_NO_NUMBER;
}

/* ---- names of classes ---- */

static int compare_name(const void *text, const void *name)
{
    return strcmp(text, *(char *const *)name);
}

/* The number of the class of this name, or -1. */
static long find_class(const ll_io_table *t, const ll_io_field *f)
{
    char *const *found =
        t->name_count > 0 ? bsearch(f->text, t->names, (size_t)t->name_count, sizeof *t->names, compare_name) : NULL;
    return found != NULL ? found - t->names : -1;
}

static ll_status refuse_name(const ll_io_table *t, const ll_io_field *f, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE], names[200];
    ll_io_field shown[SHOWN_NAMES];
    long count = t->name_count < SHOWN_NAMES ? t->name_count : SHOWN_NAMES;
    for (long i = 0; i < count; i++)
        shown[i] = (ll_io_field){t->names[i], strlen(t->names[i])};
    ll_io_list_columns(names, sizeof names, &(ll_io_row){shown, count, 0});
    return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), line, "%s is none of the classes of the labels: %s%s",
                      ll_io_quote(quoted, f->text, f->length), names, count < t->name_count ? ", ..." : "");
}

/* Where the first row names a class, every row does: the number of its class stands for it. */
static ll_status read_name(ll_io_table *t, const ll_io_field **fields, long line, ll_error *error)
{
    const ll_io_field *f = *fields;
    if (t->position == 0)
        t->has_names = t->columns == 1 && t->names != NULL && is_word(f) &&
                       (!ll_io_is_missing(f->text, f->length) || find_class(t, f) >= 0);
    if (!t->has_names)
        return LL_OK;
    long class = find_class(t, f);
    if (class < 0)
        return ll_io_is_missing(f->text, f->length) ? ll_io_table_refuse(t, f, 0, line, error)
                                                    : refuse_name(t, f, line, error);
    int length = snprintf(t->digits, sizeof t->digits, "%ld", class);
    t->number = (ll_io_field){t->digits, (size_t)length};
    *fields = &t->number;
    return LL_OK;
}

/* ---- the first row ---- */

/* A header has a word in it, or begins with an empty name (",0,1,2", an index without a name). The word of a single
 * column must not begin like a number: 0.5x is a slip of the pen, not a name; nor be a class, which is predicted. */
static int is_header(const ll_io_table *t, const ll_io_row *row)
{
    if (row->count == 1)
        return is_word(&row->fields[0]) && !strchr("+-.0123456789", row->fields[0].text[0]) &&
               find_class(t, &row->fields[0]) < 0;
    int header = row->fields[0].length == 0;
    for (long i = 0; i < row->count; i++)
        header = header || is_word(&row->fields[i]);
    return header;
}

/* The number of a column called p12, or -1. */
static long numbered_column(const char *name)
{
    char *end;
    if (name[0] != 'p' || name[1] < '0' || name[1] > '9')
        return -1;
    long number = strtol(name + 1, &end, 10);
    return *end == '\0' ? number : -1;
}

static ll_status check_order(const ll_io_table *t, const ll_io_row *row, ll_error *error)
{
    for (long i = 0; i < t->columns; i++)
        if (numbered_column(row->fields[t->has_id + i].text) < 0)
            return LL_OK;
    for (long i = 0; i < t->columns && t->columns > 1; i++)
        if (numbered_column(row->fields[t->has_id + i].text) != i)
            return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), row->line,
                              "column %s stands where p%ld is expected", row->fields[t->has_id + i].text, i);
    return LL_OK;
}

static ll_status read_header(ll_io_table *t, const ll_io_row *row, ll_error *error)
{
    const char *path = ll_io_csv_path(t->csv);
    char quoted[LL_IO_QUOTE_SIZE];
    ll_io_id_answer id = ll_io_names_id(&row->fields[0]);
    ll_io_quote(quoted, row->fields[0].text, row->fields[0].length);
    if (id == LL_IO_MAY_BE_ID && row->count > 1)
        return ll_io_fail(error, LL_DOMAIN, path, row->line,
                          "is column %s an id or a class? call it row, or p0, in the header", quoted);
    t->has_id = id == LL_IO_IS_ID;
    t->counts_rows = t->has_id && strcmp(row->fields[0].text, "row") == 0;
    t->columns = row->count - t->has_id;
    if (t->columns < 1)
        return ll_io_fail(error, LL_DOMAIN, path, row->line, "only an id column, %s", quoted);
    ll_status status = check_order(t, row, error);
    if (status == LL_OK && t->has_id && !t->counts_rows && t->ids != NULL)
        status = ll_io_ids_begin(t->ids, path, row->fields[0].text, error);
    return status;
}

static ll_status read_first(ll_io_table *t, ll_error *error)
{
    const ll_io_row *row;
    ll_status status = ll_io_csv_next(t->csv, &row, error);
    if (status != LL_OK)
        return status;
    if (!row)
        return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), 0, "no predictions");
    t->fields = t->columns = row->count;
    if (ll_io_other_separator(row) != NULL)
        return ll_io_refuse_separator(row, ll_io_csv_path(t->csv), error);
    t->has_header = is_header(t, row);
    if (t->has_header)
        return read_header(t, row, error);
    t->pending = row;
    if (row->count > 1)
        return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), row->line,
                          "%ld columns and no header: begin with a line like row,p or row,p0,p1", row->count);
    return LL_OK;
}

/* ---- the table ---- */

ll_status ll_io_table_open(ll_io_table **out, ll_io_bytes *bytes, int again, ll_io_ids *ids, const ll_io_labels *labels,
                           size_t max_memory, ll_error *error)
{
    ll_status status = again ? ll_io_bytes_keep(bytes, max_memory, error) : LL_OK;
    ll_io_table *t = status == LL_OK ? calloc(1, sizeof *t) : NULL;
    if (!t) {
        if (status == LL_OK)
            status = ll_io_fail(error, LL_MEMORY, ll_io_bytes_path(bytes), 0, "out of memory");
        ll_io_bytes_close(bytes);
        return status;
    }
    t->limit = max_memory;
    t->ids = ids;
    t->names = labels != NULL ? labels->names : NULL;
    t->name_count = labels != NULL ? labels->name_count : 0;
    status = ll_io_csv_open(&t->csv, bytes, max_memory, error);
    if (status == LL_OK)
        status = read_first(t, error);
    if (status != LL_OK)
        ll_io_table_close(t);
    else
        *out = t;
    return status;
}

void ll_io_table_close(ll_io_table *t)
{
    if (!t)
        return;
    free(t->jumps);
    ll_io_csv_close(t->csv);
    free(t);
}

size_t ll_io_table_held(const ll_io_table *t)
{
    return ll_io_csv_held(t->csv) + t->jump_room * sizeof *t->jumps +
           (t->ids != NULL ? ll_io_strings_held(&t->ids->values) : 0);
}

long ll_io_table_columns(const ll_io_table *t)
{
    return t->columns;
}

long ll_io_table_position(const ll_io_table *t)
{
    return t->position;
}

/* The jump that holds for a row: the last one at or before it. Row 0 always has one. */
static const jump *jump_of(const ll_io_table *t, long row)
{
    size_t low = 0, high = t->jump_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->jumps[middle].row <= row)
            low = middle;
        else
            high = middle;
    }
    return &t->jumps[low];
}

long ll_io_table_line(const ll_io_table *t, long row)
{
    return row < t->known ? row + jump_of(t, row)->offset : 0;
}

static ll_status note_line(ll_io_table *t, long line, ll_error *error)
{
    long row = t->position;
    if (row < t->known)
        return LL_OK;
    if (t->jump_count == 0 || t->jumps[t->jump_count - 1].offset != line - row) {
        if (t->jump_count == t->jump_room) {
            size_t room = t->jump_room == 0 ? 4 : 2 * t->jump_room;
            jump *jumps = room <= SIZE_MAX / sizeof *jumps ? realloc(t->jumps, room * sizeof *jumps) : NULL;
            if (!jumps)
                return ll_io_fail(error, LL_MEMORY, ll_io_csv_path(t->csv), 0, "out of memory");
            t->jumps = jumps;
            t->jump_room = room;
        }
        t->jumps[t->jump_count++] = (jump){row, line - row};
    }
    t->known = row + 1;
    return LL_OK;
}

/* Is the field this number >= 0, as it is written? */
static int is_count(const ll_io_field *field, long number)
{
    size_t i = field->length;
    do {
        if (i == 0 || field->text[i - 1] != (char)('0' + number % 10))
            return 0;
        number /= 10;
        i--;
    } while (number > 0);
    return i == 0;
}

static ll_status check_row(const ll_io_table *t, const ll_io_row *row, ll_error *error)
{
    char expected[24], quoted[LL_IO_QUOTE_SIZE];
    const char *path = ll_io_csv_path(t->csv);
    if (row->count != t->fields)
        return ll_io_fail(error, LL_DOMAIN, path, row->line, "%ld fields where the first line has %ld", row->count,
                          t->fields);
    if (!t->counts_rows || is_count(&row->fields[0], t->position))
        return LL_OK;
    (void)snprintf(expected, sizeof expected, "%ld", t->position);
    return ll_io_fail(error, LL_DOMAIN, path, row->line, "row is %s where %s is expected",
                      ll_io_quote(quoted, row->fields[0].text, row->fields[0].length), expected);
}

ll_status ll_io_table_next(ll_io_table *t, const ll_io_field **fields, long *line, ll_error *error)
{
    const ll_io_row *row = t->pending;
    t->pending = NULL;
    *fields = NULL;
    ll_status status = row ? LL_OK : ll_io_csv_next(t->csv, &row, error);
    if (status != LL_OK || !row)
        return status;
    status = check_row(t, row, error);
    if (status == LL_OK && t->ids != NULL && t->ids->column != NULL && t->position >= t->known)
        status = ll_io_ids_add(t->ids, &row->fields[0], t->limit, error);
    const ll_io_field *found = row->fields + t->has_id;
    if (status == LL_OK)
        status = read_name(t, &found, row->line, error);
    if (status == LL_OK)
        status = note_line(t, row->line, error);
    if (status != LL_OK)
        return status;
    t->position++;
    *fields = found;
    *line = row->line;
    return LL_OK;
}

ll_status ll_io_table_take(ll_io_table *t, double *out, long most, long *rows, ll_error *error)
{
    ll_io_plain plain = {.columns = t->columns, .has_id = t->has_id, .counts_rows = t->counts_rows, .row = t->position};
    *rows = 0;
    int keeps_ids = t->ids != NULL && t->ids->column != NULL; /* next keeps them */
    if (t->pending != NULL || t->position < t->known || keeps_ids || t->has_names)
        return LL_OK;
    ll_io_csv_peek(t->csv, &plain.text, &plain.size);
    size_t taken = ll_io_plain_rows(&plain, out, most, rows);
    ll_status status = *rows > 0 ? note_line(t, ll_io_csv_line(t->csv), error) : LL_OK;
    t->position += *rows;
    t->known = t->position;
    ll_io_csv_skip(t->csv, taken, *rows);
    return status;
}

ll_status ll_io_table_rewind(ll_io_table *t, ll_error *error)
{
    const ll_io_row *header;
    t->position = 0;
    t->pending = NULL;
    ll_status status = ll_io_csv_rewind(t->csv, error);
    return status == LL_OK && t->has_header ? ll_io_csv_next(t->csv, &header, error) : status;
}

ll_status ll_io_table_refuse(const ll_io_table *t, const ll_io_field *f, long column, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    ll_io_number_kind kind = ll_io_number_scan(f->text, f->length);
    const char *reason = f->length == 0                         ? "is empty: every row needs a prediction"
                         : kind == LL_IO_NOT_FINITE             ? "is not a finite number"
                         : ll_io_is_missing(f->text, f->length) ? "is a missing value: every row needs a prediction"
                         : kind == LL_IO_NO_NUMBER
                             ? "is not a number; a class is predicted by its number, 0 for the first name in order"
                             : "is too large for a double";
    if (f->length > 0)
        return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), line, "%s %s",
                          ll_io_quote(quoted, f->text, f->length), reason);
    return ll_io_fail(error, LL_DOMAIN, ll_io_csv_path(t->csv), line, "field %ld %s", column + t->has_id + 1, reason);
}

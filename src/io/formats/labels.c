/* Labels are collected as indexes into the table of classes; what each class is called in the end is known only after
 * the last row. */
#include "io/formats/labels.h"

#include "io/files/io_fail.h"
#include "io/formats/class_table.h"
#include "io/formats/csv_read.h"
#include "io/formats/idx.h"
#include "io/formats/npy.h"
#include "io/formats/number_text.h"
#include "io/formats/slips.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LABEL = 1024, NUMBERS_AT_ONCE = 4096 };

typedef struct {
    const char *path;
    ll_io_classes classes;
    int32_t *labels;
    long rows, room;
    int has_header; /* the first line gave names, not a label */
    size_t limit;
    locale_t locale;
    const ll_io_targets *targets; /* labels are these numbers; NULL: they are classes */
    ll_io_ids ids;
    long id_column; /* from 1; 0: there are no ids */
} collector;

/* Room for `more` labels beyond those that are there. */
static ll_status make_room(collector *c, long more, ll_error *error)
{
    if (more <= c->room - c->rows)
        return LL_OK;
    size_t room = c->room == 0 ? 1024 : 2 * (size_t)c->room, needed = (size_t)c->rows + (size_t)more;
    if (room < needed)
        room = needed;
    if (room > c->limit / sizeof *c->labels)
        return ll_io_fail_budget(error, c->path, c->limit);
    int32_t *labels = realloc(c->labels, room * sizeof *labels);
    if (!labels)
        return ll_io_fail(error, LL_MEMORY, c->path, 0, "out of memory");
    c->labels = labels;
    c->room = (long)room;
    return LL_OK;
}

static ll_status after_add(collector *c, ll_status status, ll_error *error)
{
    if (status == LL_OK)
        c->rows++;
    else if (status == LL_MEMORY)
        return ll_io_fail(error, LL_MEMORY, c->path, 0, "out of memory");
    else
        return ll_io_fail(error, status, c->path, 0, "too many different labels for the %zu bytes allowed", c->limit);
    return LL_OK;
}

static ll_status add_integer(collector *c, int64_t value, ll_error *error)
{
    ll_status status = make_room(c, 1, error);
    if (status != LL_OK)
        return status;
    return after_add(c, ll_io_classes_add_integer(&c->classes, &c->labels[c->rows], value, c->rows, 0), error);
}

/* Is it no number, or one of so many digits that it is rather a name? */
static int is_word(const ll_io_field *f, ll_io_number_kind kind)
{
    size_t sign = f->text[0] == '-' || f->text[0] == '+';
    return kind == LL_IO_NO_NUMBER || (f->length > 18 && strspn(f->text + sign, "0123456789") == f->length - sign);
}

static ll_status refuse_empty(const collector *c, long line, ll_error *error)
{
    return ll_io_fail(error, LL_DOMAIN, c->path, line, "an empty label: every row needs one; leave rows without out");
}

/* ---- numeric targets ---- */

static ll_status add_target(collector *c, double x, long line, ll_error *error)
{
    long label = ll_io_targets_find(c->targets, x);
    char row[40] = "";
    if (line == 0)
        (void)snprintf(row, sizeof row, "row %ld (from 0): ", c->rows);
    if (label < 0) {
        char nearest[80] = "";
        (void)!ll_io_targets_write(c->targets, nearest, sizeof nearest, ll_io_targets_nearest(c->targets, x), NULL);
        return ll_io_fail(error, LL_DOMAIN, c->path, line,
                          "%s%.17g is none of the targets %.17g, ..., %.17g, the nearest is %s: give the grid that the "
                          "labels have as --targets LO:HI:STEP",
                          row, x, c->targets->low, c->targets->high, nearest);
    }
    c->labels[c->rows++] = (int32_t)label;
    return LL_OK;
}

static ll_status add_target_text(collector *c, const ll_io_field *f, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    if (f->length == 0)
        return refuse_empty(c, line, error);
    if (ll_io_number_scan(f->text, f->length) != LL_IO_NUMBER)
        return ll_io_fail(error, LL_DOMAIN, c->path, line, "%s is %s, and targets are numbers",
                          ll_io_quote(quoted, f->text, f->length),
                          ll_io_is_missing(f->text, f->length) ? "a missing value" : "no number");
    ll_status status = make_room(c, 1, error);
    return status == LL_OK ? add_target(c, strtod_l(f->text, NULL, c->locale), line, error) : status;
}

static ll_status add_target_array(collector *c, const ll_io_array *array, ll_error *error)
{
    double numbers[NUMBERS_AT_ONCE];
    ll_status status = make_room(c, array->rows, error);
    for (long first = 0; first < array->rows && status == LL_OK; first += NUMBERS_AT_ONCE) {
        long count = array->rows - first < NUMBERS_AT_ONCE ? array->rows - first : NUMBERS_AT_ONCE;
        status = ll_io_array_get_doubles(array, numbers, first, count, c->path, error);
        for (long i = 0; i < count && status == LL_OK; i++)
            status = add_target(c, numbers[i], 0, error);
    }
    return status;
}

/* ---- classes ---- */

static ll_status add_text(collector *c, const ll_io_field *f, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    if (c->targets != NULL)
        return add_target_text(c, f, line, error);
    if (f->length == 0)
        return refuse_empty(c, line, error);
    if (f->length > LONGEST_LABEL)
        return ll_io_fail(error, LL_DOMAIN, c->path, line, "a label of %zu bytes", f->length);
    ll_status status = make_room(c, 1, error);
    if (status != LL_OK)
        return status;
    int32_t *index = &c->labels[c->rows];
    int64_t value;
    ll_io_number_kind kind = ll_io_number_scan(f->text, f->length);
    if (kind == LL_IO_NUMBER && ll_io_number_integer(&value, f->text, c->locale))
        status = ll_io_classes_add_integer(&c->classes, index, value, c->rows, line);
    else if (is_word(f, kind))
        status = ll_io_classes_add_word(&c->classes, index, f->text, f->length, c->rows, line);
    else
        return ll_io_fail(error, LL_DOMAIN, c->path, line, "%s is no label: %s",
                          ll_io_quote(quoted, f->text, f->length),
                          ll_io_is_missing(f->text, f->length) ? "a missing value" : "a number that is no integer");
    return after_add(c, status, error);
}

/* ---- columns ---- */

/* The number of a column written in digits, or 0. */
static long column_number(const char *column)
{
    char *end;
    if (column[0] < '0' || column[0] > '9')
        return 0;
    long number = strtol(column, &end, 10);
    return *end == '\0' && number < LONG_MAX ? number : 0;
}

static long column_named(const ll_io_row *row, const char *column)
{
    for (long i = 0; i < row->count; i++)
        if (strcmp(row->fields[i].text, column) == 0)
            return i + 1;
    return 0;
}

static int is_number(const ll_io_row *row, long column)
{
    return ll_io_number_scan(row->fields[column - 1].text, row->fields[column - 1].length) == LL_IO_NUMBER;
}

/* Which column (from 1) holds the labels, and whether the first row is a header. */
static ll_status choose_column(long *column, int *header, const ll_io_row *row, const char *path, const char *wanted,
                               ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE], columns[200];
    long number = column_number(wanted), named = column_named(row, wanted);
    *header = !(number > 0 && (is_number(row, 1) || (number <= row->count && is_number(row, number))));
    *column = *header && named > 0 ? named : number;
    if (*column >= 1 && *column <= row->count)
        return LL_OK;
    if (ll_io_other_separator(row) != NULL)
        return ll_io_refuse_separator(row, path, error);
    ll_io_list_columns(columns, sizeof columns, row);
    if (*column < 1)
        return ll_io_fail(error, LL_DOMAIN, path, row->line, "no column is called %s; there %s %s",
                          ll_io_quote(quoted, wanted, strlen(wanted)), row->count == 1 ? "is" : "are", columns);
    return ll_io_fail(error, LL_DOMAIN, path, row->line, "%ld columns; there is no column %ld", row->count, *column);
}

/* Ids stand in the first column, or in the second where the first has no name (an index), and not where the labels
 * are. A column called row counts rows. */
static ll_status choose_ids(collector *c, const ll_io_row *header, long labels, ll_error *error)
{
    long at = header->count > 1 && header->fields[0].length == 0 && labels != 2 &&
                      ll_io_names_id(&header->fields[1]) == LL_IO_IS_ID
                  ? 2
                  : 1;
    if (at == labels || ll_io_names_id(&header->fields[at - 1]) != LL_IO_IS_ID)
        return LL_OK;
    c->id_column = at;
    return ll_io_ids_begin(&c->ids, c->path, header->fields[at - 1].text, error);
}

/* A line of one field that is several, of which one is a number or the name of an id. */
static int has_other_columns(const ll_io_row *row)
{
    char text[LONGEST_LABEL];
    const ll_io_field *f = &row->fields[0];
    if (ll_io_other_separator(row) == NULL || f->length >= sizeof text)
        return 0;
    memcpy(text, f->text, f->length + 1);
    for (char *rest = text, *piece; (piece = strsep(&rest, ";\t")) != NULL;) {
        const ll_io_field part = {piece, strlen(piece)};
        if (ll_io_number_scan(piece, part.length) == LL_IO_NUMBER || ll_io_names_id(&part) == LL_IO_IS_ID)
            return 1;
    }
    return 0;
}

/* Without COLUMN: lines of one field, or our own `row,label`. */
static ll_status choose_lines(long *column, int *header, const ll_io_row *row, const char *path, ll_error *error)
{
    *header = row->count == 2 && strcmp(row->fields[0].text, "row") == 0 && strcmp(row->fields[1].text, "label") == 0;
    char columns[200];
    *column = *header ? 2 : 1;
    if (has_other_columns(row))
        return ll_io_refuse_separator(row, path, error);
    ll_io_list_columns(columns, sizeof columns, row);
    if (row->count > 1 && !*header)
        return ll_io_fail(error, LL_DOMAIN, path, row->line,
                          "%ld fields where one label per line is expected; give FILE:COLUMN with one of %s",
                          row->count, columns);
    return LL_OK;
}

/* The rows of our own files count 0, 1, ... */
static ll_status check_count(const collector *c, const ll_io_row *row, ll_error *error)
{
    char expected[24], quoted[LL_IO_QUOTE_SIZE];
    (void)snprintf(expected, sizeof expected, "%ld", c->rows);
    if (strcmp(row->fields[0].text, expected) == 0)
        return LL_OK;
    return ll_io_fail(error, LL_DOMAIN, c->path, row->line, "row is %s where %s is expected",
                      ll_io_quote(quoted, row->fields[0].text, row->fields[0].length), expected);
}

static ll_status read_first(collector *c, long *column, const ll_io_row *row, const char *wanted, ll_error *error)
{
    ll_status status = wanted ? choose_column(column, &c->has_header, row, c->path, wanted, error)
                              : choose_lines(column, &c->has_header, row, c->path, error);
    return status == LL_OK && wanted && c->has_header ? choose_ids(c, row, *column, error) : status;
}

static ll_status add_row(collector *c, const ll_io_row *row, long column, int counted, ll_error *error)
{
    ll_status status = counted ? check_count(c, row, error) : LL_OK;
    if (status == LL_OK && c->id_column > 0)
        status = ll_io_ids_add(&c->ids, &row->fields[c->id_column - 1], c->limit, error);
    return status == LL_OK ? add_text(c, &row->fields[column - 1], row->line, error) : status;
}

static ll_status read_rows(collector *c, ll_io_csv *csv, const char *wanted, ll_error *error)
{
    const ll_io_row *row;
    long column = 1, fields = 0;
    for (;;) {
        ll_status status = ll_io_csv_next(csv, &row, error);
        if (status != LL_OK || !row)
            return status;
        int first = fields == 0;
        if (first) {
            status = read_first(c, &column, row, wanted, error);
            fields = row->count;
        } else if (row->count != fields)
            status = ll_io_fail(error, LL_DOMAIN, c->path, row->line, "%ld fields where the first line has %ld",
                                row->count, fields);
        if (status == LL_OK && !(first && c->has_header))
            status = add_row(c, row, column, !wanted && c->has_header, error);
        if (status != LL_OK)
            return status;
    }
}

/* NA among integers is no class. Among words it may be one. */
static ll_status refuse_missing(const collector *c, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    const ll_io_class *missing = NULL;
    for (int32_t i = 0; i < c->classes.count; i++) {
        const ll_io_class *k = &c->classes.classes[i];
        if (!k->is_integer && !ll_io_is_missing(k->name, k->length))
            return LL_OK;
        missing = missing == NULL && !k->is_integer ? k : missing;
    }
    if (missing == NULL)
        return LL_OK;
    return ll_io_fail(error, LL_DOMAIN, c->path, missing->line,
                      "%s is a missing value: every row needs a label; leave rows without out",
                      ll_io_quote(quoted, missing->name, missing->length));
}

/* Integers under one word on the first line: that is a header, and a plain file has none. */
static ll_status refuse_header(const collector *c, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    const ll_io_class *first = c->classes.classes;
    if (c->targets != NULL || c->rows < 2 || first->is_integer || c->classes.count < 2)
        return LL_OK;
    for (int32_t i = 1; i < c->classes.count; i++)
        if (!first[i].is_integer)
            return LL_OK;
    for (long i = 1; i < c->rows; i++)
        if (c->labels[i] == 0)
            return LL_OK;
    return ll_io_fail(error, LL_DOMAIN, c->path, first->line, "%s over integers looks like a header; say FILE:COLUMN",
                      ll_io_quote(quoted, first->name, first->length));
}

static ll_status read_text(collector *c, ll_io_bytes *bytes, const char *column, ll_error *error)
{
    ll_io_csv *csv;
    ll_status status = ll_io_csv_open(&csv, bytes, c->limit, error);
    if (status != LL_OK)
        return status;
    status = read_rows(c, csv, column, error);
    ll_io_csv_close(csv);
    if (status == LL_OK && c->rows == 0)
        return ll_io_fail(error, LL_DOMAIN, c->path, 0, "no labels");
    if (status == LL_OK && c->targets == NULL)
        status = refuse_missing(c, error);
    return status == LL_OK && !column && !c->has_header ? refuse_header(c, error) : status;
}

/* ---- arrays ---- */

static ll_status add_array(collector *c, const ll_io_array *array, ll_error *error)
{
    int64_t numbers[NUMBERS_AT_ONCE];
    if (array->columns != 1)
        return ll_io_fail(error, LL_DOMAIN, c->path, 0, "%ld columns where one of labels is expected", array->columns);
    if (c->targets != NULL)
        return add_target_array(c, array, error);
    ll_status status = make_room(c, array->rows, error);
    for (long first = 0; first < array->rows && status == LL_OK; first += NUMBERS_AT_ONCE) {
        long count = array->rows - first < NUMBERS_AT_ONCE ? array->rows - first : NUMBERS_AT_ONCE;
        status = ll_io_array_get_integers(array, numbers, first, count, c->path, error);
        while (c->rows < first + count && status == LL_OK) {
            long done = c->rows - first;
            c->rows += ll_io_classes_find_integers(&c->classes, c->labels + c->rows, numbers + done, count - done);
            if (c->rows < first + count)
                status = add_integer(c, numbers[c->rows - first], error);
        }
    }
    return status;
}

/* Closes the stream. */
static ll_status read_array(collector *c, ll_io_bytes *bytes, int npy, const char *column, ll_error *error)
{
    ll_io_whole whole;
    ll_io_array array;
    ll_status status = LL_OK;
    if (column)
        status = ll_io_fail(error, LL_DOMAIN, c->path, 0, "only CSV files have a column to name");
    if (status == LL_OK)
        status = ll_io_bytes_whole(bytes, &whole, c->limit, error);
    ll_io_bytes_close(bytes);
    if (status != LL_OK)
        return status;
    status = npy ? ll_io_npy_parse(&array, whole.data, whole.size, c->path, error)
                 : ll_io_idx_parse(&array, whole.data, whole.size, c->path, error);
    if (status == LL_OK)
        status = add_array(c, &array, error);
    ll_io_whole_clear(&whole);
    return status;
}

/* ---- the whole ---- */

static ll_status refuse_class(const collector *c, const ll_io_class *wrong, long classes, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE], row[40] = "";
    ll_io_quote(quoted, wrong->name, wrong->length);
    if (wrong->line == 0)
        (void)snprintf(row, sizeof row, "row %ld (from 0): ", wrong->row);
    if (wrong->is_integer)
        return ll_io_fail(error, LL_DOMAIN, c->path, wrong->line, "%slabel %s is out of range 0..%ld", row, wrong->name,
                          classes - 1);
    return ll_io_fail(error, LL_DOMAIN, c->path, wrong->line, "%slabel %s is one more than the %ld classes expected",
                      row, quoted, classes);
}

/* The names move from the table of classes to the result. */
static ll_status hand_out_names(ll_io_labels *out, collector *c, ll_error *error)
{
    out->names = calloc((size_t)c->classes.count, sizeof *out->names);
    if (!out->names)
        return ll_io_fail(error, LL_MEMORY, c->path, 0, "out of memory");
    out->name_count = c->classes.count;
    for (int32_t i = 0; i < c->classes.count; i++) {
        out->names[c->classes.classes[i].label] = c->classes.classes[i].name;
        c->classes.classes[i].name = NULL;
    }
    return LL_OK;
}

/* Targets keep the names of their numbers, where these are listed. */
static ll_status finish_targets(ll_io_labels *out, collector *c, ll_error *error)
{
    ll_io_labels result = {.rows = c->rows, .classes = c->targets->count};
    const long names = c->targets->names != NULL ? c->targets->count : 0;
    result.names = names > 0 ? calloc((size_t)names, sizeof *result.names) : NULL;
    for (long k = 0; result.names && k < names; k++, result.name_count++)
        if ((result.names[k] = strdup(c->targets->names[k])) == NULL)
            break;
    if (result.name_count < names) {
        ll_io_clear_labels(&result);
        return ll_io_fail(error, LL_MEMORY, c->path, 0, "out of memory");
    }
    result.labels = c->labels;
    c->labels = NULL;
    *out = result;
    return LL_OK;
}

static ll_status finish(ll_io_labels *out, collector *c, long rows, long classes, ll_error *error)
{
    ll_io_labels result = {.rows = c->rows};
    const ll_io_class *wrong = NULL;
    int mapped;
    if (rows > 0 && rows != c->rows)
        return ll_io_fail(error, LL_DOMAIN, c->path, 0, "%ld labels where %ld are expected", c->rows, rows);
    if (c->targets != NULL)
        return finish_targets(out, c, error);
    ll_status status = ll_io_classes_decide(&c->classes, &result.classes, &mapped, &wrong, c->rows, classes);
    if (status == LL_DOMAIN)
        return refuse_class(c, wrong, classes, error);
    if (status != LL_OK)
        return ll_io_fail(error, status, c->path, 0, "out of memory");
    for (long i = 0; i < c->rows; i++)
        c->labels[i] = c->classes.classes[c->labels[i]].label;
    if (mapped)
        status = hand_out_names(&result, c, error);
    if (status != LL_OK)
        return status;
    result.labels = c->labels;
    c->labels = NULL;
    *out = result;
    return LL_OK;
}

static ll_status read_any(collector *c, const char *column, ll_error *error)
{
    ll_io_bytes *bytes;
    unsigned char *start;
    size_t size;
    ll_status status = ll_io_bytes_open(&bytes, c->path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_bytes_peek(bytes, &start, &size, 8, error);
    if (status != LL_OK) {
        ll_io_bytes_close(bytes);
        return status;
    }
    int npy = ll_io_npy_is(start, size);
    return npy || ll_io_idx_is(start, size) ? read_array(c, bytes, npy, column, error)
                                            : read_text(c, bytes, column, error);
}

static ll_status read_source(ll_io_labels *out, const char *source, long rows, long classes,
                             const ll_io_targets *targets, size_t max_memory, ll_error *error)
{
    char *path = strdup(source), *column = NULL;
    if (!path)
        return ll_io_fail(error, LL_MEMORY, source, 0, "out of memory");
    char *colon = access(source, F_OK) != 0 ? strrchr(path, ':') : NULL;
    if (colon && colon > path) {
        *colon = '\0';
        column = colon + 1;
    }
    collector c = {.path = path,
                   .targets = targets,
                   .limit = max_memory > 0 ? max_memory : SIZE_MAX,
                   .locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    ll_io_classes_init(&c.classes, c.limit);
    ll_status status = c.locale ? read_any(&c, column, error) : ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    if (status == LL_OK)
        status = finish(out, &c, rows, classes, error);
    if (status == LL_OK) {
        out->ids = c.ids;
        c.ids = (ll_io_ids){0};
    }
    ll_io_ids_clear(&c.ids);
    ll_io_classes_clear(&c.classes);
    if (c.locale)
        freelocale(c.locale);
    free(c.labels);
    free(path);
    return status;
}

ll_status ll_io_read_labels(ll_io_labels *out, const char *source, long rows, long classes, size_t max_memory,
                            ll_error *error)
{
    return read_source(out, source, rows, classes, NULL, max_memory, error);
}

ll_status ll_io_read_targets(ll_io_labels *out, const char *source, long rows, const ll_io_targets *targets,
                             size_t max_memory, ll_error *error)
{
    return read_source(out, source, rows, targets->count, targets, max_memory, error);
}

void ll_io_clear_labels(ll_io_labels *labels)
{
    free(labels->labels);
    for (long i = 0; i < labels->name_count; i++)
        free(labels->names[i]);
    free((void *)labels->names);
    ll_io_ids_clear(&labels->ids);
    *labels = (ll_io_labels){0};
}

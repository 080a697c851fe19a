/* Doubles are loaded whole. Exact entries may be many kilobytes each, so those stay in the file: one pass counts the
 * rows, and get reads on from where it is, or from the beginning. */
#include "io/files/io_fail.h"
#include "io/formats/csv_table.h"
#include "io/formats/number_text.h"
#include "io/formats/predictions_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    ll_io_table *table;
    long rows, columns;
    double *doubles; /* NULL: exact */
    size_t used, room, limit;
    long *order;        /* row i is row order[i] of the file; NULL: they are the same */
    ll_io_strings held; /* with an order: the entries of exact rows, in the order of the file */
} csv_source;

/* ---- doubles ---- */

static ll_status make_room(csv_source *s, ll_error *error)
{
    size_t needed = s->used + (size_t)s->columns, held = ll_io_table_held(s->table);
    size_t most = s->limit > held ? (s->limit - held) / sizeof *s->doubles : 0;
    if (needed <= s->room)
        return LL_OK;
    if (needed > most)
        return ll_io_fail_need(error, s->path, held + needed * sizeof *s->doubles, s->limit);
    size_t room = s->room + s->room / 2 + 1024;
    room = room < needed ? needed : room;
    room = room > most ? most : room;
    double *doubles = realloc(s->doubles, room * sizeof *doubles);
    if (!doubles)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    s->doubles = doubles;
    s->room = room;
    return LL_OK;
}

static ll_status load_row(csv_source *s, const ll_io_field *fields, long line, locale_t locale, ll_error *error)
{
    ll_status status = make_room(s, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < s->columns; i++) {
        double value = INFINITY;
        if (!ll_io_number_short(&value, fields[i].text, fields[i].length) &&
            ll_io_number_scan(fields[i].text, fields[i].length) == LL_IO_NUMBER)
            value = ll_io_number_double(fields[i].text, locale);
        if (!isfinite(value))
            return ll_io_table_refuse(s->table, &fields[i], i, line, error);
        s->doubles[s->used++] = value;
    }
    return LL_OK;
}

/* The plain rows at hand, as far as there is room. */
static ll_status load_plain(csv_source *s, ll_error *error)
{
    long rows = 0, most = (long)((s->room - s->used) / (size_t)s->columns);
    ll_status status = most > 0 ? ll_io_table_take(s->table, s->doubles + s->used, most, &rows, error) : LL_OK;
    s->used += (size_t)rows * (size_t)s->columns;
    return status;
}

static ll_status load(csv_source *s, ll_error *error)
{
    const ll_io_field *fields;
    long line;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ll_status status = locale ? LL_OK : ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    while (status == LL_OK) {
        status = load_plain(s, error);
        if (status == LL_OK)
            status = ll_io_table_next(s->table, &fields, &line, error);
        if (status != LL_OK || !fields)
            break;
        status = load_row(s, fields, line, locale, error);
    }
    if (locale)
        freelocale(locale);
    return status;
}

static ll_status get_doubles(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const csv_source *s = self;
    (void)error;
    out->rows = count;
    out->columns = s->columns;
    out->entries = LL_ENTRIES_DOUBLE;
    out->doubles = s->doubles + (size_t)first * (size_t)s->columns;
    out->floats = NULL;
    out->exacts = NULL;
    return LL_OK;
}

/* ---- exact entries ---- */

/* Read on; a file that has become shorter since it was opened is an error, not the end. */
static ll_status next_row(csv_source *s, const ll_io_field **fields, long *line, ll_error *error)
{
    ll_status status = ll_io_table_next(s->table, fields, line, error);
    if (status == LL_OK && !*fields)
        return ll_io_fail(error, LL_SYSTEM, s->path, 0, "has changed while it was read");
    return status;
}

static ll_status seek(csv_source *s, long row, ll_error *error)
{
    const ll_io_field *fields;
    long line;
    ll_status status = row < ll_io_table_position(s->table) ? ll_io_table_rewind(s->table, error) : LL_OK;
    while (status == LL_OK && ll_io_table_position(s->table) < row)
        status = next_row(s, &fields, &line, error);
    return status;
}

static ll_status read_exact(const csv_source *s, ll_exact *exacts, long index, const ll_io_field *field, long line,
                            ll_error *error)
{
    if (ll_exact_read(exacts, index, field->text, field->length) == LL_OK)
        return LL_OK;
    return ll_io_table_refuse(s->table, field, index % s->columns, line, error);
}

static ll_status get_exacts(void *self, ll_block *out, long first, long count, ll_error *error)
{
    csv_source *s = self;
    ll_status status = seek(s, first, error);
    ll_exact *exacts = status == LL_OK ? ll_block_reserve_exacts(out, count, s->columns) : NULL;
    if (status == LL_OK && !exacts)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long row = 0; row < count && status == LL_OK; row++) {
        const ll_io_field *fields;
        long line;
        status = next_row(s, &fields, &line, error);
        for (long i = 0; i < s->columns && status == LL_OK; i++)
            status = read_exact(s, exacts, row * s->columns + i, &fields[i], line, error);
    }
    return status;
}

static ll_status count_rows(csv_source *s, ll_error *error)
{
    const ll_io_field *fields;
    long line;
    ll_status status;
    do
        status = ll_io_table_next(s->table, &fields, &line, error);
    while (status == LL_OK && fields);
    return status;
}

/* ---- another order ---- */

static ll_status get_held(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const csv_source *s = self;
    ll_status status = LL_OK;
    ll_exact *exacts = ll_block_reserve_exacts(out, count, s->columns);
    if (!exacts)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long i = 0; i < count * s->columns && status == LL_OK; i++) {
        long row = s->order[first + i / s->columns];
        const char *text = ll_io_strings_get(&s->held, row * s->columns + i % s->columns);
        const ll_io_field field = {text, strlen(text)};
        status = read_exact(s, exacts, i, &field, ll_io_table_line(s->table, row), error);
    }
    return status;
}

/* Rows that are read in another order than the file's are held as they are written. */
static ll_status hold(csv_source *s, ll_error *error)
{
    const ll_io_field *fields;
    long line;
    ll_status status = ll_io_table_rewind(s->table, error);
    size_t held = ll_io_table_held(s->table), limit = s->limit > held ? s->limit - held : 0;
    for (long row = 0; row < s->rows && status == LL_OK; row++) {
        status = next_row(s, &fields, &line, error);
        for (long i = 0; i < s->columns && status == LL_OK; i++) {
            status = ll_io_strings_add(&s->held, fields[i].text, fields[i].length, limit);
            if (status == LL_MEMORY)
                (void)ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
            else if (status != LL_OK)
                (void)ll_io_fail_budget(error, s->path, s->limit);
        }
    }
    return status;
}

static ll_status move_doubles(csv_source *s, ll_error *error)
{
    size_t size = (size_t)s->rows * (size_t)s->columns * sizeof *s->doubles;
    size_t width = (size_t)s->columns * sizeof *s->doubles, held = ll_io_table_held(s->table);
    if (s->limit - held < 2 * size)
        return ll_io_fail_need(error, s->path, held + 2 * size, s->limit);
    double *moved = malloc(size);
    if (!moved)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long i = 0; i < s->rows; i++)
        memcpy(moved + i * s->columns, s->doubles + s->order[i] * s->columns, width);
    free(s->doubles);
    s->doubles = moved;
    return LL_OK;
}

ll_status ll_io_predictions_reorder_csv(ll_io_predictions *p, long *order, ll_error *error)
{
    csv_source *s = p->source.self;
    s->order = order;
    if (s->doubles != NULL)
        return move_doubles(s, error);
    p->source.get = get_held;
    return hold(s, error);
}

/* ---- both ---- */

long ll_io_predictions_csv_line(const void *self, long row)
{
    return ll_io_table_line(((const csv_source *)self)->table, row);
}

static void where(void *self, char *text, size_t size, long row)
{
    const csv_source *s = self;
    ll_io_place(text, size, s->path, ll_io_table_line(s->table, s->order != NULL ? s->order[row] : row));
}

static void close_csv(void *self)
{
    csv_source *s = self;
    ll_io_table_close(s->table);
    free(s->doubles);
    free(s->order);
    ll_io_strings_clear(&s->held);
    free(s);
}

static ll_status fill(csv_source *s, int exact, ll_error *error)
{
    s->columns = ll_io_table_columns(s->table);
    ll_status status = exact ? count_rows(s, error) : load(s, error);
    if (status != LL_OK)
        return status;
    s->rows = ll_io_table_position(s->table);
    if (s->rows == 0)
        return ll_io_fail(error, LL_DOMAIN, s->path, 0, "a header, but no predictions");
    return exact ? ll_io_table_rewind(s->table, error) : LL_OK;
}

ll_status ll_io_predictions_from_csv(ll_io_predictions *p, ll_io_bytes *bytes, int exact, size_t max_memory,
                                     ll_error *error)
{
    csv_source *s = calloc(1, sizeof *s);
    if (!s) {
        ll_io_bytes_close(bytes);
        return ll_io_fail(error, LL_MEMORY, p->path, 0, "out of memory");
    }
    s->path = p->path;
    s->limit = max_memory;
    ll_status status =
        ll_io_table_open(&s->table, bytes, exact, p->keeps_ids ? &p->ids : NULL, p->labels, max_memory, error);
    if (status == LL_OK)
        status = fill(s, exact, error);
    if (status != LL_OK) {
        close_csv(s);
        return status;
    }
    p->source = (ll_predictions){
        s, s->rows, s->columns, exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE, exact ? get_exacts : get_doubles, where};
    p->close = close_csv;
    return LL_OK;
}

/* A CSV file as a table of predictions: its header, its ids, and where each row stands. See predictions.h for the
 * rules. */
#ifndef LL_IO_CSV_TABLE_H
#define LL_IO_CSV_TABLE_H

#include "io/formats/labels.h"

typedef struct ll_io_table ll_io_table;

/* Takes over the stream, even where it fails. again: rewind will be used. ids, unless NULL: where the ids of rows that
 * next gives are kept; of a column called row, which counts, they are not. labels, unless NULL: the rows of one column
 * may be names of their classes, whose numbers next gives then; the names outlive the table. */
LL_CHECK ll_status ll_io_table_open(ll_io_table **out, ll_io_bytes *bytes, int again, ll_io_ids *ids,
                                    const ll_io_labels *labels, size_t max_memory, ll_error *error);
void ll_io_table_close(ll_io_table *table);

/* Bytes of memory that it holds. */
size_t ll_io_table_held(const ll_io_table *table);

long ll_io_table_columns(const ll_io_table *table);

/* The fields of the next row's predictions (columns of them), NULL at the end; *line is where it begins. */
LL_CHECK ll_status ll_io_table_next(ll_io_table *table, const ll_io_field **fields, long *line, ll_error *error);
/* The same for up to `most` rows at once, as doubles (columns of them per row): those at hand that are plain
 * (plain_rows.h); *rows of them, 0 where the next row is to be read by `next`. */
LL_CHECK ll_status ll_io_table_take(ll_io_table *table, double *out, long most, long *rows, ll_error *error);
/* How many rows next gave since the beginning. */
long ll_io_table_position(const ll_io_table *table);
LL_CHECK ll_status ll_io_table_rewind(ll_io_table *table, ll_error *error);

/* The line of a row that next has given at some time. */
long ll_io_table_line(const ll_io_table *table, long row);

/* LL_DOMAIN: this field of this line is no finite number; says why. */
ll_status ll_io_table_refuse(const ll_io_table *table, const ll_io_field *field, long column, long line,
                             ll_error *error);

#endif

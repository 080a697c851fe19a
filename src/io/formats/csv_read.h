/* Rows of a CSV file (libcsv in strict mode), with the line each begins at. Blanks around unquoted fields are dropped,
 * empty lines at the end of the file are skipped, an empty line between rows is an error. JSON lines, which begin with a
 * brace, are read as the table that they are: the names in the first object are the first row, null and what an object
 * lacks are empty, names that only later objects have are left out. */
#ifndef LL_IO_CSV_READ_H
#define LL_IO_CSV_READ_H

#include "io/files/byte_stream.h"

typedef struct {
    const char *text; /* ends in NUL, and holds no other */
    size_t length;
} ll_io_field;

typedef struct {
    const ll_io_field *fields;
    long count; /* >= 1 */
    long line;
} ll_io_row;

typedef struct ll_io_csv ll_io_csv;

/* Takes over the stream, even where it fails. A row may have at most 1 GiB and 2^24 fields, and all that is held at
 * most max_memory bytes. */
LL_CHECK ll_status ll_io_csv_open(ll_io_csv **out, ll_io_bytes *bytes, size_t max_memory, ll_error *error);
void ll_io_csv_close(ll_io_csv *csv);

const char *ll_io_csv_path(const ll_io_csv *csv);

/* Bytes of memory that it holds, less what every file needs. */
size_t ll_io_csv_held(const ll_io_csv *csv);

/* *row is NULL at the end; else it is valid until the next call. */
LL_CHECK ll_status ll_io_csv_next(ll_io_csv *csv, const ll_io_row **row, ll_error *error);

/* The text at hand behind the last row, line ends LF, for whoever reads some rows faster than `next`; *size is 0 where
 * it may not be. Then the first `size` bytes of it, which are `lines` whole lines with a row each, are skipped. */
void ll_io_csv_peek(const ll_io_csv *csv, const char **text, size_t *size);
void ll_io_csv_skip(ll_io_csv *csv, size_t size, long lines);
/* The line at which the next row begins. */
long ll_io_csv_line(const ll_io_csv *csv);

/* Back to the first row; see ll_io_bytes_keep. */
LL_CHECK ll_status ll_io_csv_rewind(ll_io_csv *csv, ll_error *error);

#endif

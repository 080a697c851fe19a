/* Rows of a table of predictions that need no more than a look: an id without a quotation mark, where there is one, and
 * short decimal numbers with nothing between them but commas. Most rows of most files are such; the others are left to
 * csv_read. */
#ifndef LL_IO_PLAIN_ROWS_H
#define LL_IO_PLAIN_ROWS_H

#include "lossleak.h"

typedef struct {
    const char *text; /* lines that end in LF */
    size_t size;
    long columns;            /* of numbers */
    int has_id, counts_rows; /* counts_rows: the ids are row, row + 1, ... */
    long row;                /* of the first line */
} ll_io_plain;

/* Up to `most` rows from the beginning of the text, until one is not plain or its line is not whole: *rows of them.
 * Returns the bytes that they take. */
size_t ll_io_plain_rows(const ll_io_plain *plain, double *out, long most, long *rows);

#endif

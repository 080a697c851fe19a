/* What is wrong with a field or a line, by its name: missing values, and files with other separators than commas. */
#ifndef LL_IO_SLIPS_H
#define LL_IO_SLIPS_H

#include "io/formats/csv_read.h"

/* NA, N/A, NaN, null, None and their like, in the case that programs write; or nothing at all. */
int ll_io_is_missing(const char *text, size_t length);

/* What a file is that begins so and is none that is read here, such as "Parquet"; NULL: it may be one. */
const char *ll_io_foreign(const char *start, size_t size);

/* "semicolons" or "tabs", where a line of one field looks like several with these between them; else NULL. */
const char *ll_io_other_separator(const ll_io_row *row);

/* LL_DOMAIN, in words; of a line that has one. */
ll_status ll_io_refuse_separator(const ll_io_row *row, const char *path, ll_error *error);

/* The fields of a header as "'a', 'b', ...", cut to size. */
void ll_io_list_columns(char *text, size_t size, const ll_io_row *header);

#endif

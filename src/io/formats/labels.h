/* Label files in: one label a line, a column of a CSV file or of JSON lines, .npy, IDX; gzip'd or not. */
#ifndef LL_IO_LABELS_H
#define LL_IO_LABELS_H

#include "io/formats/row_ids.h"
#include "io/formats/target_values.h"

typedef struct {
    int32_t *labels; /* 0 .. classes-1 */
    long rows;       /* >= 1 */
    long classes;    /* >= 2 */
    char **names;    /* where the file's labels were mapped: what label i was called there; else NULL */
    long name_count; /* <= classes */
    ll_io_ids ids;   /* of the rows, where a CSV file with a header has them */
} ll_io_labels;

/* `source` is a file name, or FILE:COLUMN for a CSV file (a name of its header, or else a number from 1), "-" for
 * standard input. A source that is the name of an existing file is that file, whatever colons it has. What is in the
 * file decides what kind it is. Lines: no header. One exception: a CSV file whose first line is `row,label` (as
 * ll_io_write_verdict makes it) needs no COLUMN. CSV: has a header, unless COLUMN is a number and the first field or the
 * chosen one of the first line is a number. .npy: bool, integers, or floats that are integers; one dimension, or one
 * column. IDX: one dimension of integers. The first column holds ids where its name says so (see predictions.h), or the
 * second where the first has no name. NA and its like are refused where all other labels are integers. Labels are numbered as ll_io_classes_decide says. rows and classes are what
 * is expected, or 0; max_memory 0: no limit. LL_DOMAIN with file, line and reason for anything else; out is unchanged
 * then. */
LL_CHECK ll_status ll_io_read_labels(ll_io_labels *out, const char *source, long rows, long classes, size_t max_memory,
                                     ll_error *error);
/* The same of a file of numeric targets: every label is one of these numbers, text or .npy of any type; names are
 * theirs. LL_DOMAIN names the first that is none of them, and the nearest. */
LL_CHECK ll_status ll_io_read_targets(ll_io_labels *out, const char *source, long rows, const ll_io_targets *targets,
                                      size_t max_memory, ll_error *error);
void ll_io_clear_labels(ll_io_labels *labels);

/* The labels of a verdict, as CSV `row,label' with rows from 0. A label of -1 is open: its place stays empty. Where rows
 * may be absent the next column says whether a row is public, and where labels are only likely the last one is
 * `probability'. names (name_count of them) stand for the numbers, unless NULL. See write_file.h for what path may be. */
LL_CHECK ll_status ll_io_write_verdict(const char *path, const ll_verdict *verdict, const char *const *names,
                                       long name_count, ll_error *error);

#endif

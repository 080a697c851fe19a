/* Prediction files in and out: CSV, .npy, or one row repeated. */
#ifndef LL_IO_PREDICTIONS_H
#define LL_IO_PREDICTIONS_H

#include "io/formats/labels.h"

typedef struct ll_io_predictions ll_io_predictions;

/* Open `path` as a source of predictions; "-" is standard input. What is in the file decides what kind it is; any kind
 * may be gzip'd. CSV: numbers with a header, or one column without. With two or more columns the first is an id, in
 * order and of any text, where it is called row, id or index (in any case), ends in Id, ID, or id after something other
 * than a letter, or has no name; a first column whose name only ends in the letters id (valid, imageid) is refused,
 * since it may be either. The ids of a column called row must count 0, 1, ...; columns called p0, p1, ... must stand in
 * that order. One column of numbers: of class 1. exact = 0: nearest doubles, all in memory. exact = 1: exact entries,
 * read from the file again and again (standard input and pipes are copied into a temporary file), best in order; a row
 * that was not asked for is not checked for being numbers. .npy: float64, integers and bools as doubles, float32 and
 * float16 as floats, whatever `exact` says: every one of them is exact. Mapped where the file is regular and not
 * gzip'd, so it must not be cut while it is open. constant:P or constant:P0,P1,...: this row, `rows` times. Every entry
 * that get gives is finite; otherwise get (or open, for CSV doubles) fails with file, line and reason. rows: how many
 * are expected, or 0. max_memory: what may be held in memory (0: no limit); LL_UNABLE beyond. Outputs are unchanged on
 * failure. *source is valid until *out is closed. */
LL_CHECK ll_status ll_io_open_predictions(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                                          int exact, size_t max_memory, ll_error *error);
/* The same for rows with these labels. Where the file has ids that are shared with theirs (see row_ids.h), its rows are
 * brought into their order, and *moved says whether that changed it. An id that only one of the two has is LL_DOMAIN.
 * Where one column's first prediction is a word and the labels' classes have names, every prediction is one of these
 * names, as it is written, and stands for the number of its class; a word that is none of them is LL_DOMAIN. Without a
 * header the first row then is one if it names no class. The names outlive *out.
 * keep, unless NULL: gets the ids of a file that has some; the caller clears it. */
LL_CHECK ll_status ll_io_open_matched(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                                      const ll_io_labels *labels, ll_io_ids *keep, int *moved, int exact,
                                      size_t max_memory, ll_error *error);
/* ll_io_open_predictions over a file's bytes in memory, CSV or .npy, which must outlive *out; name: for messages. most:
 * bytes that gzip'd ones may become. */
LL_CHECK ll_status ll_io_read_predictions(ll_io_predictions **out, ll_predictions *source, const char *name,
                                          const void *data, size_t size, size_t most, size_t max_memory,
                                          ll_error *error);
void ll_io_close_predictions(ll_io_predictions *predictions);

typedef enum { LL_IO_PREDICTIONS_CSV, LL_IO_PREDICTIONS_NPY } ll_io_predictions_form;

/* Write all rows of a source: CSV with header row,p or row,p0,p1,..., doubles and floats with 17 significant digits,
 * exact entries as ll_exact_write makes them; or .npy of float64 (LL_DOMAIN for exact entries). See write_file.h for
 * what path may be. */
LL_CHECK ll_status ll_io_write_predictions(const char *path, ll_io_predictions_form form, const ll_predictions *source,
                                           ll_error *error);

#endif

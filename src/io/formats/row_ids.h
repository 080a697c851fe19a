/* The ids of the rows of a CSV file, and the order that brings the rows of another file to theirs. */
#ifndef LL_IO_ROW_IDS_H
#define LL_IO_ROW_IDS_H

#include "io/formats/csv_read.h"
#include "io/formats/string_list.h"

/* All zero: there are no ids. */
typedef struct {
    char *path;           /* of the file, for messages */
    char *column;         /* what its header calls them; NULL: there are none */
    ll_io_strings values; /* one per row */
} ll_io_ids;

typedef enum { LL_IO_NO_ID, LL_IO_IS_ID, LL_IO_MAY_BE_ID } ll_io_id_answer;

/* Is this the name of a column of ids? See predictions.h for the rule. */
ll_io_id_answer ll_io_names_id(const ll_io_field *name);

LL_CHECK ll_status ll_io_ids_begin(ll_io_ids *ids, const char *path, const char *column, ll_error *error);
LL_CHECK ll_status ll_io_ids_add(ll_io_ids *ids, const ll_io_field *id, size_t limit, ll_error *error);
void ll_io_ids_clear(ll_io_ids *ids);

/* Do the two columns name the same things? Both are called the same (whatever the case), or both by a name that only
 * ids have: a column called row or index, or without a name, is a position in one file. */
int ll_io_ids_are_shared(const ll_io_ids *a, const ll_io_ids *b);

/* *order is NULL where row i of `found` has the id of row i of `wanted` for all of them; else allocated, and row i of
 * `wanted` is row (*order)[i] of `found`. LL_DOMAIN names the first id that only one of them has, or that occurs twice;
 * line_of: the line of a row of `found`. */
LL_CHECK ll_status ll_io_ids_match(long **order, const ll_io_ids *wanted, const ll_io_ids *found,
                                   long (*line_of)(const void *self, long row), const void *self, ll_error *error);

#endif

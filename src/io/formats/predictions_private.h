/* What the kinds of prediction files share. */
#ifndef LL_IO_PREDICTIONS_PRIVATE_H
#define LL_IO_PREDICTIONS_PRIVATE_H

#include "io/files/byte_stream.h"
#include "io/formats/predictions.h"

struct ll_io_predictions {
    char *path;
    ll_predictions source; /* its self is the kind's own */
    void (*close)(void *self);
    const ll_io_labels *labels; /* set before a file is opened, and only read then; NULL: not known */
    int keeps_ids;              /* likewise */
    ll_io_ids ids;
};

/* Each sets source and close of *p, or leaves close NULL and fails. p->path outlives them. Streams are taken
 * over. */
LL_CHECK ll_status ll_io_predictions_from_csv(ll_io_predictions *p, ll_io_bytes *bytes, int exact, size_t max_memory,
                                              ll_error *error);
LL_CHECK ll_status ll_io_predictions_from_npy(ll_io_predictions *p, ll_io_bytes *bytes, size_t max_memory,
                                              ll_error *error);
/* Bring the rows of a CSV file into this order, (order)[i] first for i = 0; order is taken over, even on failure. */
LL_CHECK ll_status ll_io_predictions_reorder_csv(ll_io_predictions *p, long *order, ll_error *error);
/* The line of a row in the order of the file. */
long ll_io_predictions_csv_line(const void *self, long row);
/* text: what follows "constant:" */
LL_CHECK ll_status ll_io_predictions_from_text(ll_io_predictions *p, const char *text, long rows, int exact,
                                               ll_error *error);

#endif

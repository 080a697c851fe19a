/* The predictions of a query as a file that lives until the query is answered. Nothing is synced: after a crash it is
 * of no use. Errors name the query (from 1); LL_UNABLE where there is no room. */
#ifndef LL_IO_QUERY_FILE_H
#define LL_IO_QUERY_FILE_H

#include "io/formats/predictions.h"

/* CSV in a file without a name, which is gone when it is closed; *file is above 2, and its own to close where it is not
 * -1, whatever the status. */
LL_CHECK ll_status ll_io_query_put_unnamed(int *file, const ll_predictions *predictions, long query, ll_error *error);

/* A new file of this path, for the user alone; it may be there half where the status is not LL_OK. */
LL_CHECK ll_status ll_io_query_put(const char *path, ll_io_predictions_form form, const ll_predictions *predictions,
                                   long query, ll_error *error);

#endif

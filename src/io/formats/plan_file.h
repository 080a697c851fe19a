/* plan.json: all that is needed to make a plan again, and what tells that nobody changed it since. Never labels. */
#ifndef LL_IO_PLAN_FILE_H
#define LL_IO_PLAN_FILE_H

#include "io/formats/predictions.h"
#include <jansson.h>

enum { LL_IO_DIGEST = 64 }; /* characters of a digest */

typedef struct {
    json_t *scorer; /* an object; whoever holds the plan file owns one reference */
    char *code;     /* with its variant */
    long rows, classes, columns, block, queries;
    int likely;     /* else certified; then failure and repeats are 0 */
    double failure; /* as asked for */
    long repeats;
    int exact; /* are the entries exact? */
    ll_io_predictions_form form;
    char digest[LL_IO_DIGEST + 1]; /* of the plan, as the library gives it */
} ll_io_plan;

/* See write_file.h for what path may be. */
LL_CHECK ll_status ll_io_write_plan(const char *path, const ll_io_plan *plan, ll_error *error);

/* Strict: every key must be there, no other one, of its type and in its range, and the check sum over all of them must
 * fit. LL_DOMAIN with file, line where there is one, and reason otherwise; out is unchanged then. Whether the digest is
 * the plan's only the library can tell: see ll_io_plan_changed. */
LL_CHECK ll_status ll_io_read_plan(ll_io_plan *out, const char *path, ll_error *error);
void ll_io_clear_plan(ll_io_plan *plan);

/* LL_DOMAIN: `what` of this file was changed. */
ll_status ll_io_plan_changed(const char *path, const char *what, ll_error *error);

/* "query-0001.csv" for query 0. */
void ll_io_query_name(char *text, size_t size, long query, ll_io_predictions_form form);

#endif

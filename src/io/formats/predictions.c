#include "io/formats/predictions.h"

#include "io/files/io_fail.h"
#include "io/formats/idx.h"
#include "io/formats/npy.h"
#include "io/formats/predictions_private.h"

#include <stdlib.h>
#include <string.h>

static const char constant[] = "constant:";

/* Takes the stream over. */
static ll_status open_stream(ll_io_predictions *p, ll_io_bytes *bytes, int exact, size_t max_memory, ll_error *error)
{
    unsigned char *start;
    size_t size;
    ll_status status = ll_io_bytes_peek(bytes, &start, &size, 8, error);
    if (status == LL_OK && ll_io_idx_is(start, size))
        status = ll_io_fail(error, LL_DOMAIN, p->path, 0, "an IDX file; predictions are CSV or .npy");
    if (status != LL_OK) {
        ll_io_bytes_close(bytes);
        return status;
    }
    if (ll_io_npy_is(start, size))
        return ll_io_predictions_from_npy(p, bytes, max_memory, error);
    return ll_io_predictions_from_csv(p, bytes, exact, max_memory, error);
}

static ll_status open_file(ll_io_predictions *p, int exact, size_t max_memory, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_status status = ll_io_bytes_open(&bytes, p->path, error);
    return status == LL_OK ? open_stream(p, bytes, exact, max_memory, error) : status;
}

static ll_status start_predictions(ll_io_predictions **out, const char *path, ll_error *error)
{
    ll_io_predictions *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path))) {
        free(p);
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    }
    *out = p;
    return LL_OK;
}

static ll_status give_out(ll_io_predictions **out, ll_predictions *source, ll_io_predictions *p, ll_status status)
{
    if (status != LL_OK) {
        ll_io_close_predictions(p);
        return status;
    }
    *source = p->source;
    *out = p;
    return LL_OK;
}

static ll_status check_rows(const ll_io_predictions *p, long rows, ll_error *error)
{
    if (rows <= 0 || p->source.rows == rows)
        return LL_OK;
    return ll_io_fail(error, LL_DOMAIN, p->path, 0, "%ld rows of predictions where %ld %s expected", p->source.rows,
                      rows, rows == 1 ? "is" : "are");
}

/* Only CSV files have ids. */
static ll_status match(ll_io_predictions *p, const ll_io_ids *ids, int *moved, ll_error *error)
{
    long *order;
    ll_status status = ll_io_ids_match(&order, ids, &p->ids, ll_io_predictions_csv_line, p->source.self, error);
    *moved = status == LL_OK && order != NULL;
    return *moved ? ll_io_predictions_reorder_csv(p, order, error) : status;
}

static ll_status open_any(ll_io_predictions *p, long rows, int exact, size_t max_memory, ll_error *error)
{
    if (strncmp(p->path, constant, strlen(constant)) == 0)
        return ll_io_predictions_from_text(p, p->path + strlen(constant), rows, exact, error);
    return open_file(p, exact, max_memory > 0 ? max_memory : SIZE_MAX, error);
}

ll_status ll_io_open_matched(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                             const ll_io_labels *labels, ll_io_ids *keep, int *moved, int exact, size_t max_memory,
                             ll_error *error)
{
    ll_io_predictions *p = NULL;
    ll_status status = start_predictions(&p, path, error);
    if (status != LL_OK)
        return status;
    const ll_io_ids *ids = labels != NULL ? &labels->ids : NULL;
    p->labels = labels;
    p->keeps_ids = keep != NULL || (ids != NULL && ids->column != NULL);
    status = open_any(p, rows, exact, max_memory, error);
    if (status == LL_OK && ids != NULL && ll_io_ids_are_shared(ids, &p->ids))
        status = match(p, ids, moved, error);
    if (status == LL_OK)
        status = check_rows(p, rows, error);
    if (status == LL_OK && keep != NULL) {
        *keep = p->ids;
        p->ids = (ll_io_ids){0};
    }
    ll_io_ids_clear(&p->ids); /* they have served */
    return give_out(out, source, p, status);
}

ll_status ll_io_open_predictions(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                                 int exact, size_t max_memory, ll_error *error)
{
    int moved;
    return ll_io_open_matched(out, source, path, rows, NULL, NULL, &moved, exact, max_memory, error);
}

ll_status ll_io_read_predictions(ll_io_predictions **out, ll_predictions *source, const char *name, const void *data,
                                 size_t size, size_t most, size_t max_memory, ll_error *error)
{
    ll_io_predictions *p = NULL;
    ll_io_bytes *bytes = NULL;
    ll_status status = start_predictions(&p, name, error);
    if (status == LL_OK)
        status = ll_io_bytes_open_memory(&bytes, name, data, size, most, error);
    if (status == LL_OK)
        status = open_stream(p, bytes, 0, max_memory, error);
    return give_out(out, source, p, status);
}

void ll_io_close_predictions(ll_io_predictions *p)
{
    if (!p)
        return;
    if (p->close)
        p->close(p->source.self);
    ll_io_ids_clear(&p->ids);
    free(p->path);
    free(p);
}

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

ll_status ll_io_open_predictions(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                                 int exact, size_t max_memory, ll_error *error)
{
    ll_io_predictions *p = NULL;
    ll_status status = start_predictions(&p, path, error);
    if (status != LL_OK)
        return status;
    if (strncmp(path, constant, strlen(constant)) == 0)
        status = ll_io_predictions_from_text(p, p->path + strlen(constant), rows, exact, error);
    else
        status = open_file(p, exact, max_memory > 0 ? max_memory : SIZE_MAX, error);
    if (status == LL_OK && rows > 0 && p->source.rows != rows)
        status = ll_io_fail(error, LL_DOMAIN, path, 0, "%ld rows of predictions where %ld are expected", p->source.rows,
                            rows);
    return give_out(out, source, p, status);
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
    free(p->path);
    free(p);
}

const char *ll_io_predictions_column(const ll_io_predictions *p, long column)
{
    return p->column && column >= 0 && column < p->source.columns ? p->column(p->source.self, column) : NULL;
}

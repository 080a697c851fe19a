#include "io/formats/predictions.h"

#include "io/files/io_fail.h"
#include "io/formats/idx.h"
#include "io/formats/npy.h"
#include "io/formats/predictions_private.h"

#include <stdlib.h>
#include <string.h>

static const char constant[] = "constant:";

static ll_status open_file(ll_io_predictions *p, int exact, size_t max_memory, ll_error *error)
{
    ll_io_bytes *bytes;
    unsigned char *start;
    size_t size;
    ll_status status = ll_io_bytes_open(&bytes, p->path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_bytes_peek(bytes, &start, &size, 8, error);
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

ll_status ll_io_open_predictions(ll_io_predictions **out, ll_predictions *source, const char *path, long rows,
                                 int exact, size_t max_memory, ll_error *error)
{
    ll_io_predictions *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path))) {
        free(p);
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    }
    ll_status status;
    if (strncmp(path, constant, strlen(constant)) == 0)
        status = ll_io_predictions_from_text(p, p->path + strlen(constant), rows, exact, error);
    else
        status = open_file(p, exact, max_memory > 0 ? max_memory : SIZE_MAX, error);
    if (status == LL_OK && rows > 0 && p->source.rows != rows)
        status = ll_io_fail(error, LL_DOMAIN, path, 0, "%ld rows of predictions where %ld are expected", p->source.rows,
                            rows);
    if (status != LL_OK) {
        ll_io_close_predictions(p);
        return status;
    }
    *source = p->source;
    *out = p;
    return LL_OK;
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

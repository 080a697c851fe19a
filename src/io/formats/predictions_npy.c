#include "io/files/io_fail.h"
#include "io/formats/npy.h"
#include "io/formats/predictions_private.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *path;
    ll_io_whole whole;
    ll_io_array array;
} npy_source;

/* In place: the block points into the file. */
static ll_status get_in_place(npy_source *s, ll_block *out, long first, long count, ll_error *error)
{
    const double *doubles = ll_io_array_doubles(&s->array);
    const float *floats = ll_io_array_floats(&s->array);
    size_t offset = (size_t)first * (size_t)s->array.columns;
    out->rows = count;
    out->columns = s->array.columns;
    out->entries = doubles ? LL_ENTRIES_DOUBLE : LL_ENTRIES_FLOAT;
    out->doubles = doubles ? doubles + offset : NULL;
    out->floats = doubles ? NULL : floats + offset;
    out->exacts = NULL;
    return doubles ? ll_io_array_check_doubles(&s->array, out->doubles, first, count, s->path, error)
                   : ll_io_array_check_floats(&s->array, out->floats, first, count, s->path, error);
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    npy_source *s = self;
    const ll_io_array *a = &s->array;
    if (ll_io_array_doubles(a) || ll_io_array_floats(a))
        return get_in_place(s, out, first, count, error);
    if (a->kind == LL_IO_FLOAT && a->item < 8) {
        float *floats = ll_block_reserve_floats(out, count, a->columns);
        return floats ? ll_io_array_get_floats(a, floats, first, count, s->path, error)
                      : ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    }
    double *doubles = ll_block_reserve_doubles(out, count, a->columns);
    return doubles ? ll_io_array_get_doubles(a, doubles, first, count, s->path, error)
                   : ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
}

static void where(void *self, char *text, size_t size, long row)
{
    char place[300];
    ll_io_place(place, sizeof place, ((npy_source *)self)->path, 0);
    (void)snprintf(text, size, "%s: row %ld (from 0)", place, row);
}

static void close_npy(void *self)
{
    npy_source *s = self;
    ll_io_whole_clear(&s->whole);
    free(s);
}

ll_status ll_io_predictions_from_npy(ll_io_predictions *p, ll_io_bytes *bytes, size_t max_memory, ll_error *error)
{
    npy_source *s = calloc(1, sizeof *s);
    if (!s) {
        ll_io_bytes_close(bytes);
        return ll_io_fail(error, LL_MEMORY, p->path, 0, "out of memory");
    }
    ll_status status = ll_io_bytes_whole(bytes, &s->whole, max_memory, error);
    ll_io_bytes_close(bytes);
    if (status == LL_OK) {
        s->path = p->path;
        status = ll_io_npy_parse(&s->array, s->whole.data, s->whole.size, p->path, error);
        if (status != LL_OK)
            ll_io_whole_clear(&s->whole);
    }
    if (status != LL_OK) {
        free(s);
        return status;
    }
    int narrow = s->array.kind == LL_IO_FLOAT && s->array.item < 8;
    p->source =
        (ll_predictions){s, s->array.rows, s->array.columns, narrow ? LL_ENTRIES_FLOAT : LL_ENTRIES_DOUBLE, get, where};
    p->close = close_npy;
    return LL_OK;
}

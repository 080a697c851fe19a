/* What a network says of rows of features, as predictions. Rows are computed in batches, and kept where all of them fit
 * into a quarter of the memory; else only the last batch is. A graph can count the rows that come with a row, or look
 * at them, and say other things among 2201 rows than among 64: ll_onnx_outputs_check sees that. */
#include "onnx/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ll_onnx_outputs {
    ll_evaluation *evaluation;
    ll_predictions features;
    ll_block block;
    double *rows; /* of features, `batch` of them */
    long batch;   /* rows at a time */
    long fixed;   /* the model takes just so many at a time; 0: any number */
    long columns;
    double *kept; /* outputs: of all rows, or of one batch */
    char *known;  /* [batch]: is it there? NULL where only one is kept */
    long current; /* the one that is kept then */
};

void ll_onnx_outputs_destroy(ll_onnx_outputs *outputs)
{
    if (!outputs)
        return;
    ll_evaluation_destroy(outputs->evaluation);
    ll_block_clear(&outputs->block);
    free(outputs->rows);
    free(outputs->kept);
    free(outputs->known);
    free(outputs);
}

/* Rows first..first+count-1 of the features, the last one again up to a whole batch where the model wants it. */
static ll_status load(ll_onnx_outputs *o, long first, long count, ll_error *error)
{
    long width = o->features.columns;
    ll_status status = o->features.get(o->features.self, &o->block, first, count, error);
    if (status != LL_OK)
        return status;
    if (o->block.entries == LL_ENTRIES_EXACT)
        return ll_fail(error, LL_DOMAIN, "features are doubles or floats");
    for (long i = 0; i < count * width; i++)
        o->rows[i] = o->block.entries == LL_ENTRIES_DOUBLE ? o->block.doubles[i] : (double)o->block.floats[i];
    for (long r = count; r < o->fixed; r++)
        memcpy(o->rows + r * width, o->rows + (count - 1) * width, (size_t)width * sizeof *o->rows);
    return LL_OK;
}

static ll_status run(ll_onnx_outputs *o, const ll_tensor **out, long first, long count, ll_error *error)
{
    long rows = o->fixed ? o->fixed : count;
    ll_status status = load(o, first, count, error);
    if (status == LL_OK)
        status = ll_evaluation_run(o->evaluation, out, o->rows, o->rows, rows, o->features.columns, error);
    if (status != LL_OK)
        return status;
    /* A graph may mix rows, and its output then fits some numbers of rows only. */
    long columns = o->columns ? o->columns : (*out)->count / rows;
    if (columns == 0 || (*out)->count != rows * columns)
        return ll_fail(error, LL_DOMAIN, "its output has %ld entries for %ld rows", (*out)->count, rows);
    return LL_OK;
}

/* The outputs of a batch, wherever they are kept. */
static ll_status get_batch(ll_onnx_outputs *o, const double **rows, long batch, ll_error *error)
{
    const ll_tensor *out;
    long first = batch * o->batch, left = o->features.rows - first, count = left < o->batch ? left : o->batch;
    double *to = o->kept + (o->known ? first * o->columns : 0);
    *rows = to;
    if (o->known ? o->known[batch] : o->current == batch)
        return LL_OK;
    o->current = -1;
    ll_status status = run(o, &out, first, count, error);
    if (status != LL_OK)
        return status;
    int is_float = out->type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
    for (long i = 0; i < count * o->columns; i++)
        to[i] = is_float ? (double)(float)out->low[i] : out->low[i];
    o->current = batch;
    if (o->known)
        o->known[batch] = 1;
    return LL_OK;
}

static ll_status get(void *self, ll_block *block, long first, long count, ll_error *error)
{
    ll_onnx_outputs *o = self;
    const double *rows;
    double *to = ll_block_reserve_doubles(block, count, o->columns);
    if (!to)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of outputs", count);
    for (long row = first; row < first + count;) {
        long batch = row / o->batch, end = (batch + 1) * o->batch, stop = end < first + count ? end : first + count;
        ll_status status = get_batch(o, &rows, batch, error);
        if (status != LL_OK)
            return status;
        memcpy(to + (row - first) * o->columns, rows + (row - batch * o->batch) * o->columns,
               (size_t)((stop - row) * o->columns) * sizeof *to);
        row = stop;
    }
    return LL_OK;
}

static ll_status make_room(ll_onnx_outputs *o, ll_error *error)
{
    double limit = o->evaluation->budget.limit / 4 / sizeof *o->kept, width = (double)o->columns;
    int all = (double)o->features.rows * width <= limit;
    if (!all && (double)o->batch * width > limit)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld outputs are more than memory allows", o->batch, o->columns);
    o->kept = malloc((size_t)((all ? o->features.rows + o->batch : o->batch) * o->columns) * sizeof *o->kept);
    o->known = all ? calloc((size_t)(o->features.rows / o->batch + 1), 1) : NULL;
    o->current = -1;
    return o->kept && (o->known || !all) ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for the outputs of a model");
}

static ll_status prepare(ll_onnx_outputs *o, const ll_onnx *model, ll_error *error)
{
    enum { ROWS = 64 };
    long dims[LL_TENSOR_RANK];
    int rank = -1;
    const ll_tensor *out;
    const Onnx__ValueInfoProto *input = ll_onnx_input(model);
    ll_onnx_declared(input, dims, LL_TENSOR_RANK, &rank);
    o->fixed = rank > 1 && dims[0] > 0 ? dims[0] : 0;
    o->batch = o->fixed ? o->fixed : ROWS;
    double bytes = (double)o->batch * (double)o->features.columns * sizeof *o->rows;
    if (bytes > o->evaluation->budget.limit)
        return ll_fail(error, LL_UNABLE, "it takes %ld rows at a time, which is more than memory allows", o->batch);
    o->rows = malloc((size_t)bytes + 1);
    if (!o->rows)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", o->batch);
    ll_status status = run(o, &out, 0, 1, error);
    if (status == LL_OK)
        o->columns = out->count / (o->fixed ? o->fixed : 1);
    return status == LL_OK ? make_room(o, error) : status;
}

/* ------------------------------------------------------------------ rows among others */

static int is_other(double x, double y)
{
    return isnan(x) != isnan(y) || fabs(x - y) > 1e-5 * (1 + fabs(x));
}

/* The first `count` rows in one batch, against the batches. */
static ll_status compare_batch(ll_onnx_outputs *o, long count, ll_error *error)
{
    const ll_tensor *out;
    const double *kept;
    ll_status status = run(o, &out, 0, count, error);
    double *found = status == LL_OK ? calloc((size_t)(count * o->columns) + 1, sizeof *found) : NULL;
    if (status != LL_OK)
        return status;
    if (!found)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of outputs", count);
    memcpy(found, out->low, (size_t)(count * o->columns) * sizeof *found);
    for (long i = 0; i < count && status == LL_OK; i++) {
        status = get_batch(o, &kept, i / o->batch, error);
        kept += i % o->batch * o->columns;
        for (long k = 0; k < o->columns && status == LL_OK; k++)
            if (is_other(found[i * o->columns + k], kept[k]))
                status =
                    ll_fail(error, LL_DOMAIN,
                            "what it says of row %ld depends on the rows beside it: %.6g among %ld, %.6g among %ld", i,
                            found[i * o->columns + k], count, kept[k], o->batch);
    }
    free(found);
    return status;
}

ll_status ll_onnx_outputs_check(ll_onnx_outputs *o, ll_error *error)
{
    double *few = o->rows, width = (double)o->features.columns, rows = (double)o->features.rows;
    ll_error why = {0};
    if (o->fixed)
        return LL_OK;
    ll_status status = compare_batch(o, 1, error);
    if (status != LL_OK || o->features.rows <= o->batch || rows * width * sizeof *few > o->evaluation->budget.limit / 4)
        return status;
    o->rows = malloc((size_t)(rows * width) * sizeof *few);
    status = o->rows ? compare_batch(o, o->features.rows, &why) : LL_UNABLE;
    free(o->rows);
    o->rows = few;
    /* Too many for one batch here: then for a curator's as well. */
    return status == LL_UNABLE || status == LL_OK ? LL_OK : ll_fail(error, status, "%.300s", why.text);
}

ll_status ll_onnx_outputs_create(ll_onnx_outputs **out, ll_predictions *predictions, const ll_onnx *model,
                                 const ll_predictions *features, const ll_budget *budget, ll_error *error)
{
    ll_onnx_outputs *o = calloc(1, sizeof *o);
    if (!o)
        return ll_fail(error, LL_MEMORY, "no memory for the outputs of a model");
    o->features = *features;
    ll_block_init(&o->block);
    ll_status status = ll_evaluation_create(&o->evaluation, model, budget, error);
    if (status == LL_OK)
        status = prepare(o, model, error);
    if (status != LL_OK) {
        ll_onnx_outputs_destroy(o);
        return status;
    }
    *out = o;
    *predictions = (ll_predictions){o, features->rows, o->columns, LL_ENTRIES_DOUBLE, get, NULL};
    return LL_OK;
}

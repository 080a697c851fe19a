/* LabelInf in balls: an odometer over all labellings, row 0 the fastest wheel. suffix[i] is the sum of the weights
 * of rows i and above, so that a step of the odometer costs as many additions as wheels turn: K/(K-1) on
 * average. */
#include "search/exhaustive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    arb_srcptr weights;
    long rows, classes;
    slong prec;
    arb_ptr suffix; /* rows + 1 */
    int32_t *labels;
} odometer;

static void settle(odometer *o, long row)
{
    for (long i = row; i >= 0; i--)
        arb_add(o->suffix + i, o->suffix + i + 1, o->weights + i * o->classes + o->labels[i], o->prec);
}

static int turn(odometer *o)
{
    long row = 0;
    while (row < o->rows && o->labels[row] == o->classes - 1)
        o->labels[row++] = 0;
    if (row == o->rows)
        return 0;
    o->labels[row]++;
    settle(o, row);
    return 1;
}

static void note(ll_search_result *out, arf_t nearest, const odometer *o, const arb_t distance, const arb_t tolerance,
                 long limit)
{
    size_t size = sizeof(int32_t) * (size_t)o->rows;
    if (arf_cmp(arb_midref(distance), nearest) < 0) {
        arf_set(nearest, arb_midref(distance));
        memcpy(out->best, o->labels, size);
    }
    if (arb_gt(distance, tolerance))
        return;
    if (out->kept < limit)
        memcpy(out->labellings + out->kept++ * o->rows, o->labels, size);
    out->count++;
}

ll_status ll_search_exhaustive_balls(ll_search_result *out, arb_srcptr weights, long rows, long classes,
                                     const arb_t target, const arb_t tolerance, long limit, slong prec, ll_error *error)
{
    if (rows < 1 || classes < 2)
        return ll_fail(error, LL_DOMAIN, "an exhaustive search needs at least 1 row and 2 classes");
    if ((double)rows * log2((double)classes) > 32)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld labels have over 2^32 labellings: too many for balls", rows,
                       classes);
    odometer o = {.weights = weights, .rows = rows, .classes = classes, .prec = prec};
    o.labels = calloc((size_t)rows, sizeof *o.labels);
    if (o.labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", rows);
    o.suffix = _arb_vec_init(rows + 1);
    arb_t distance;
    arb_init(distance);
    out->count = 0;
    out->kept = 0;
    arf_t nearest;
    arf_init(nearest);
    arf_pos_inf(nearest);
    settle(&o, rows - 1);
    do {
        arb_sub(distance, o.suffix, target, prec);
        arb_abs(distance, distance);
        note(out, nearest, &o, distance, tolerance, limit);
    } while (turn(&o));
    out->nearest = arf_get_d(nearest, ARF_RND_NEAR);
    arf_clear(nearest);
    arb_clear(distance);
    _arb_vec_clear(o.suffix, rows + 1);
    free(o.labels);
    return LL_OK;
}

/* Rows by their least difference.
 *
 * Let the rows be in order of delta, the least difference between two labels of a row, and let below[i] be the sum of
 * the ranges of the rows before row i. Where delta_i >= below[i], the rows before cannot make up for row i: the least
 * |difference| of all pairs that differ in row i and in none after it is delta_i - below[i], and it is attained
 * (docs/proofs/bounds.md). Any order with this property is one by delta: delta_i >= below[i] >= range_j >= delta_j. */
#include "separate/separate_private.h"

#include <stdlib.h>

ll_status ll_spans_init(ll_spans *spans, const ll_terms *terms)
{
    spans->rows = terms->rows;
    spans->below = NULL;
    spans->labels = malloc((size_t)terms->classes * sizeof *spans->labels);
    spans->spans = malloc((size_t)terms->rows * sizeof *spans->spans);
    if (spans->labels == NULL || spans->spans == NULL) {
        free(spans->spans);
        spans->spans = NULL;
        return LL_MEMORY;
    }
    for (long i = 0; i < terms->rows; i++) {
        spans->spans[i] = (ll_span){.row = i};
        arb_init(spans->spans[i].delta);
        arb_init(spans->spans[i].range);
    }
    spans->below = _arb_vec_init(terms->rows + 1);
    return LL_OK;
}

void ll_spans_clear(ll_spans *spans)
{
    for (long i = 0; spans->spans != NULL && i < spans->rows; i++) {
        arb_clear(spans->spans[i].delta);
        arb_clear(spans->spans[i].range);
    }
    if (spans->below != NULL)
        _arb_vec_clear(spans->below, spans->rows + 1);
    free(spans->labels);
    free(spans->spans);
    *spans = (ll_spans){0};
}

typedef struct {
    arb_srcptr terms; /* of one row */
} row_order;

static int by_term(const void *a, const void *b, void *context)
{
    arb_srcptr terms = ((const row_order *)context)->terms;
    return arf_cmp(arb_midref(terms + *(const int32_t *)a), arb_midref(terms + *(const int32_t *)b));
}

static int by_delta(const void *a, const void *b)
{
    const ll_span *x = a, *y = b;
    int order = arf_cmp(arb_midref(x->delta), arb_midref(y->delta));
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Where two neighbours' balls overlap, their difference reaches 0, so that the order of midpoints never hides a
 * smaller one. */
static void compute_row(ll_span *span, arb_srcptr terms, int32_t *labels, long classes, slong prec)
{
    row_order order = {terms};
    arb_t difference, delta, least, greatest;
    arb_init(difference);
    arb_init(delta);
    arb_pos_inf(delta);
    arb_init(least);
    arb_init(greatest);
    for (long k = 0; k < classes; k++)
        labels[k] = (int32_t)k;
    qsort_r(labels, (size_t)classes, sizeof *labels, by_term, &order);
    span->low = labels[0];
    span->high = labels[classes - 1];
    arb_set(least, terms + span->low);
    arb_set(greatest, terms + span->high);
    for (long k = 1; k < classes; k++) {
        arb_sub(difference, terms + labels[k], terms + labels[k - 1], prec);
        if (k == 1 || arf_cmp(arb_midref(difference), arb_midref(delta)) < 0) {
            span->near_low = labels[k - 1];
            span->near_high = labels[k];
        }
        arb_min(delta, delta, difference, prec);
        arb_max(greatest, greatest, terms + labels[k], prec);
        arb_min(least, least, terms + labels[k], prec);
    }
    arb_sub(span->range, greatest, least, prec);
    arb_swap(span->delta, delta);
    arb_clear(difference);
    arb_clear(delta);
    arb_clear(least);
    arb_clear(greatest);
}

void ll_spans_compute(ll_spans *spans, const ll_terms *terms)
{
    for (long i = 0; i < spans->rows; i++) {
        ll_span *span = &spans->spans[i];
        compute_row(span, terms->terms + span->row * terms->classes, spans->labels, terms->classes, terms->prec);
    }
    qsort(spans->spans, (size_t)spans->rows, sizeof *spans->spans, by_delta);
    for (long i = 0; i < spans->rows; i++)
        arb_add(spans->below + i + 1, spans->below + i, spans->spans[i].range, terms->prec);
}

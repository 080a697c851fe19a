/* Breadth first from the heaviest row: the list of partial labellings that can still reach the sum. With
 * superincreasing weights and a sum known to better than half the gap the list never holds more than one. */
#include "code/greedy.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    arb_srcptr weights;
    long rows, classes, limit;
    slong prec;
    arb_ptr least, greatest; /* [row]: of the sums of rows 0 .. row-1 */
    arb_ptr left;            /* [i]: what partial labelling i still has to make */
    int32_t *labels;         /* [i * rows + row] */
    long count;
} search;

static void set_ranges(search *s)
{
    for (long row = 0; row < s->rows; row++) {
        arb_srcptr w = s->weights + row * s->classes;
        arb_t low, high;
        arb_init(low);
        arb_init(high);
        arb_set(low, w);
        arb_set(high, w);
        for (long k = 1; k < s->classes; k++) {
            arb_min(low, low, w + k, s->prec);
            arb_max(high, high, w + k, s->prec);
        }
        arb_add(s->least + row + 1, s->least + row, low, s->prec);
        arb_add(s->greatest + row + 1, s->greatest + row, high, s->prec);
        arb_clear(low);
        arb_clear(high);
    }
}

/* May the rows below `row` make `left`? */
static int may_fit(const search *s, const arb_t left, long row)
{
    return !arb_lt(left, s->least + row) && !arb_gt(left, s->greatest + row);
}

/* Extend every partial labelling by the labels of `row` that may fit; 0 where the list would overflow. */
static int extend(search *s, long row, arb_ptr next_left, int32_t *next_labels)
{
    long next = 0;
    arb_t left;
    arb_init(left);
    for (long i = 0; i < s->count; i++) {
        for (long k = 0; k < s->classes; k++) {
            arb_sub(left, s->left + i, s->weights + row * s->classes + k, s->prec);
            if (!may_fit(s, left, row))
                continue;
            if (next == s->limit) {
                arb_clear(left);
                return 0;
            }
            arb_set(next_left + next, left);
            memcpy(next_labels + next * s->rows, s->labels + i * s->rows, sizeof(int32_t) * (size_t)s->rows);
            next_labels[next++ * s->rows + row] = (int32_t)k;
        }
    }
    arb_clear(left);
    s->count = next;
    for (long i = 0; i < next; i++)
        arb_swap(s->left + i, next_left + i);
    memcpy(s->labels, next_labels, sizeof(int32_t) * (size_t)(next * s->rows));
    return 1;
}

/* Rows at and above `decided` are known in every partial labelling; those below are open. */
static void report(const search *s, ll_decoded *out, long decided)
{
    out->count = s->count == 0 ? 0 : s->count == 1 && decided == 0 ? 1 : 2;
    memset(out->candidates, 0, (size_t)s->rows * (size_t)s->classes);
    for (long row = 0; row < s->rows; row++) {
        unsigned char *candidates = out->candidates + row * s->classes;
        if (row < decided && s->count > 0)
            memset(candidates, 1, (size_t)s->classes);
        for (long i = 0; i < s->count && row >= decided; i++)
            candidates[s->labels[i * s->rows + row]] = 1;
        long fits = 0, which = -1;
        for (long k = 0; k < s->classes; k++)
            if (candidates[k]) {
                fits++;
                which = k;
            }
        out->labels[row] = fits == 1 ? (int32_t)which : -1;
    }
}

static void walk(search *s, ll_decoded *out, arb_ptr next_left, int32_t *next_labels)
{
    set_ranges(s);
    long row = s->rows;
    while (row > 0 && s->count > 0 && extend(s, row - 1, next_left, next_labels))
        row--;
    report(s, out, s->count > 0 ? row : 0);
}

ll_status ll_greedy_decode(ll_decoded *out, arb_srcptr weights, long rows, long classes, const arb_t sum, long limit,
                           slong prec, ll_error *error)
{
    search s = {.weights = weights, .rows = rows, .classes = classes, .limit = limit, .prec = prec, .count = 1};
    size_t size = sizeof(int32_t) * (size_t)(limit * rows);
    int32_t *next_labels = calloc(1, size);
    s.labels = calloc(1, size);
    if (s.labels == NULL || next_labels == NULL) {
        free(s.labels);
        free(next_labels);
        return ll_fail(error, LL_MEMORY, "no memory for %ld partial labellings", limit);
    }
    s.least = _arb_vec_init(rows + 1);
    s.greatest = _arb_vec_init(rows + 1);
    s.left = _arb_vec_init(limit);
    arb_ptr next_left = _arb_vec_init(limit);
    arb_set(s.left, sum);
    walk(&s, out, next_left, next_labels);
    _arb_vec_clear(next_left, limit);
    _arb_vec_clear(s.left, limit);
    _arb_vec_clear(s.least, rows + 1);
    _arb_vec_clear(s.greatest, rows + 1);
    free(s.labels);
    free(next_labels);
    return LL_OK;
}

/* Classes that a number may have read of predictions in several ways, ties at a threshold for one: the labels behind
 * the scores are those that one of the ways leaves (docs/proofs/states.md). The program goes one way with all
 * predictions, so each way is an inference of its own. */
#include "infer/evidence.h"

#include "number/budget.h"
#include "number/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- two verdicts ---- */

static void label_rows(ll_verdict *v)
{
    v->certain = 0;
    for (long i = 0; i < v->rows; i++) {
        long left = 0;
        for (int32_t k = 0; k < v->classes; k++) {
            int may_be = v->candidates[i * v->classes + k];
            v->labels[i] = may_be ? k : v->labels[i];
            left += may_be;
        }
        v->labels[i] = left == 1 ? v->labels[i] : -1;
        v->certain += left == 1;
    }
}

/* Labellings that both leave are counted twice: an upper bound. */
static ll_status add_counts(ll_inference *to, const ll_inference *more)
{
    fmpz_t a, b;
    if (to->count == NULL || more->count == NULL) {
        free(to->count);
        to->count = NULL;
        return LL_OK;
    }
    fmpz_init(a);
    fmpz_init(b);
    (void)fmpz_set_str(a, to->count, 10);
    (void)fmpz_set_str(b, more->count, 10);
    fmpz_add(a, a, b);
    char *text = fmpz_get_str(NULL, 10, a);
    fmpz_clear(a);
    fmpz_clear(b);
    free(to->count);
    to->count = text != NULL ? strdup(text) : NULL;
    flint_free(text);
    to->is_most = 1;
    return to->count != NULL ? LL_OK : LL_MEMORY;
}

static ll_status add_examples(ll_inference *to, const ll_inference *more)
{
    enum { SHOWN = 16 };
    size_t row = sizeof *to->labellings * (size_t)to->verdict->rows;
    long added = more->kept < SHOWN - to->kept ? more->kept : SHOWN - to->kept;
    if (added <= 0)
        return LL_OK;
    int32_t *all = realloc(to->labellings, row * (size_t)(to->kept + added));
    if (all == NULL)
        return LL_MEMORY;
    memcpy(all + to->kept * to->verdict->rows, more->labellings, row * (size_t)added);
    to->labellings = all;
    to->kept += added;
    return LL_OK;
}

/* Both leave some labelling. */
static ll_status join(ll_inference *to, const ll_inference *more)
{
    ll_verdict *v = to->verdict;
    for (long i = 0; i < v->rows * v->classes; i++)
        v->candidates[i] |= more->verdict->candidates[i];
    label_rows(v);
    v->wrong_description += more->verdict->wrong_description;
    to->is_likely |= more->is_likely;
    v->kind = v->certain == v->rows && !to->is_likely ? LL_UNIQUE : LL_AMBIGUOUS;
    v->certain = to->is_likely ? 0 : v->certain;
    to->probability = v->probability = fmin(to->probability, more->probability);
    to->spurious_bits = fmax(to->spurious_bits, more->spurious_bits);
    to->score_bits = fmin(to->score_bits, more->score_bits);
    ll_status status = add_counts(to, more);
    return status == LL_OK ? add_examples(to, more) : status;
}

/* *to and *more, whichever leaves labels, or both: then *more is cleared. */
static ll_status take(ll_inference *to, ll_inference *more, ll_error *error)
{
    ll_status status = LL_OK;
    if (to->verdict == NULL || to->verdict->kind == LL_NONE) {
        ll_inference empty = *to;
        *to = *more;
        *more = empty;
    } else if (more->verdict->kind != LL_NONE) {
        status = join(to, more);
    }
    ll_inference_clear(more);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for a verdict");
}

/* ---- one after the other ---- */

static long count_distinct(const ll_evidence *e)
{
    long count = 0;
    for (long w = 0; w < e->ways; w++)
        count += e->alike[w] == 0;
    return count;
}

static ll_status infer_each(const ll_evidence *e, ll_inference *out, ll_method method, const ll_budget *budget,
                            ll_error *error)
{
    ll_budget share;
    ll_budget_init(&share);
    ll_status status = budget != NULL ? ll_value_read(&share, sizeof share, budget, "budget", error) : LL_OK;
    share.seconds = ll_budget_seconds(budget) / (double)count_distinct(e);
    for (long w = 0; w < e->ways && status == LL_OK; w++) {
        ll_evidence way = *e;
        ll_inference one;
        way.parts = e->parts + w * e->part_count;
        if (e->alike[w] != 0)
            continue;
        ll_inference_init(&one);
        status = ll_evidence_infer_way(&way, &one, method, &share, error);
        if (status == LL_OK)
            status = take(out, &one, error);
    }
    return status;
}

ll_status ll_evidence_infer(const ll_evidence *evidence, ll_inference *out, ll_method method, const ll_budget *budget,
                            ll_error *error)
{
    ll_inference made;
    if (count_distinct(evidence) <= 1)
        return ll_evidence_infer_way(evidence, out, method, budget, error);
    ll_inference_init(&made);
    ll_status status = infer_each(evidence, &made, method, budget, error);
    return ll_inference_give(out, &made, status, error);
}

/* What every row of given predictions adds with every label: natively a pass over all rows for each label, else row by
 * row. */
#include "metric/scoring.h"

#include <stdlib.h>
#include <string.h>

static ll_status native_terms(ll_scoring *s, double *out, const ll_predictions *predictions, ll_error *error)
{
    double *terms = malloc(sizeof *terms * (size_t)s->rows);
    int32_t *labels = malloc(sizeof *labels * (size_t)s->rows);
    ll_status status =
        terms != NULL && labels != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld rows", s->rows);
    s->labels = labels;
    for (long k = 0; k < s->classes && status == LL_OK; k++) {
        for (long i = 0; i < s->rows; i++)
            labels[i] = (int32_t)k;
        status = ll_score_native_terms(s, terms, predictions, error);
        for (long i = 0; i < s->rows && status == LL_OK; i++)
            out[i * s->classes + k] = terms[i];
    }
    free(labels);
    free(terms);
    return status;
}

typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    double *terms;
} visitor;

/* Errors name the row of the predictions, not of the block. */
static ll_status fail_row(const visitor *v, long row, ll_status status, const ll_error *own, ll_error *error)
{
    const char *text = strncmp(own->text, "row 0: ", 7) == 0 ? own->text + 7 : own->text;
    return ll_rows_fail(v->predictions, row, error, status, "%s", text);
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    visitor *v = state;
    long classes = v->scoring->classes;
    arb_t term;
    arb_init(term);
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows && status == LL_OK; i++)
        for (long k = 0; k < classes && status == LL_OK; k++) {
            ll_error own = {0};
            status = ll_scoring_term(v->scoring, term, block, i, k, &own);
            v->terms[(first + i) * classes + k] = arf_get_d(arb_midref(term), ARF_RND_NEAR);
            if (status != LL_OK)
                status = fail_row(v, first + i, status, &own, error);
        }
    arb_clear(term);
    return status;
}

ll_status ll_score_all_terms(const ll_scoring *scoring, double *terms, const ll_predictions *predictions,
                             ll_error *error)
{
    ll_scoring any = *scoring;
    visitor v = {&any, predictions, terms};
    if (scoring->how->kind == LL_KIND_NATIVE)
        return native_terms(&any, terms, predictions, error);
    return ll_rows_each(predictions, visit, &v, error);
}

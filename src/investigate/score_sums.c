#include "investigate/score_sums.h"

#include <stdlib.h>

void ll_score_sums_clear(ll_score_sums *s)
{
    for (long i = 0; i < s->count; i++)
        ll_known_sum_clear(&s->sums[i]);
    for (long i = 0; i < s->view_count; i++)
        ll_view_sums_clear(&s->views[i]);
    free(s->sums);
    free(s->views);
    *s = (ll_score_sums){0};
}

static ll_status add_equations(ll_score_sums *out, const ll_evidence *e, ll_error *error)
{
    ll_linear system;
    ll_error ignored;
    ll_status status = ll_evidence_equations(e, &system, &ignored);
    if (status != LL_OK) /* weights that are too large beside the tolerance: nothing is read of them */
        return status == LL_MEMORY ? ll_fail(error, status, "no memory for equations of %ld rows", e->rows) : LL_OK;
    for (long q = 0; q < system.scores && status == LL_OK; q++)
        status = ll_score_sums_add_equation(out, &system, q);
    ll_linear_clear(&system);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for equations of %ld rows", e->rows);
}

static ll_status add_view(ll_score_sums *out, const ll_evidence *e, ll_error *error)
{
    ll_error ignored;
    ll_view_sums *grown = realloc(out->views, sizeof *grown * (size_t)(out->view_count + 1));
    if (grown == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a score");
    out->views = grown;
    ll_status status = ll_evidence_view_sums(e, 0, &grown[out->view_count], &ignored);
    out->view_count += status == LL_OK;
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for sums of %ld rows", e->rows) : LL_OK;
}

static ll_status add_number(ll_score_sums *out, const ll_evidence *e, ll_error *error)
{
    return e->has_terms ? add_equations(out, e, error) : add_view(out, e, error);
}

/* Do all ways of taking predictions for classes read the same? Otherwise numbers that have several tell nothing here. */
static int is_one_way(const ll_evidence *e)
{
    for (long w = 1; w < e->ways; w++)
        if (e->alike[w] == 0)
            return 0;
    return 1;
}

ll_status ll_score_sums_read(ll_score_sums *out, const ll_scorer *scorer, const ll_predictions *predictions,
                             const char *score, ll_error *error)
{
    ll_evidence *e = NULL;
    *out = (ll_score_sums){0};
    ll_status status = ll_evidence_create(&e, scorer, error);
    if (status == LL_OK)
        status = ll_evidence_add(e, predictions, score, error);
    if (status == LL_OK && e->part_count == 0)
        status = add_number(out, e, error);
    for (long p = 0; status == LL_OK && is_one_way(e) && p < e->part_count; p++)
        status = add_number(out, e->parts[p], error);
    ll_evidence_destroy(e);
    return status;
}

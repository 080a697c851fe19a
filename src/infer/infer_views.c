/* Scores that are no sums of terms, of counts or ranks: their predictions, and whether labels explain them. */
#include "infer/evidence.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 320 };

/* ---- one score ---- */

typedef struct {
    const ll_evidence *evidence;
    const ll_predictions *predictions;
    double *values;
} reading;

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    reading *r = state;
    ll_exact scratch, back;
    ll_status status = LL_OK;
    const ll_computation *how = r->evidence->scoring.how;
    int exact = how->kind == LL_KIND_EXACT, single = !exact && how->rows.format.fraction_bits == 23;
    ll_exact_init(&scratch);
    ll_exact_init(&back);
    for (long i = 0; i < block->rows * block->columns && status == LL_OK; i++) {
        const ll_exact *x = ll_rows_exact(&scratch, block, i);
        long row = first + i / block->columns;
        double *value = &r->values[first * block->columns + i];
        status = ll_rows_check(&r->evidence->scoring, r->predictions, x, row, error);
        if (status != LL_OK)
            break;
        *value = ll_exact_get_d(x);
        if (single) /* as the program compares them */
            *value = (double)(float)*value;
        if (isfinite(*value))
            ll_exact_set_d(&back, *value);
        if (!isfinite(*value) || (exact && ll_exact_cmp(&back, x) != 0))
            status = ll_rows_fail(r->predictions, row, error, LL_DOMAIN,
                                  "a prediction that no double holds: give an arithmetic of floats");
    }
    ll_exact_clear(&scratch);
    ll_exact_clear(&back);
    return status;
}

ll_status ll_evidence_read_view(const ll_evidence *e, ll_observation *out, const ll_predictions *predictions,
                                ll_error *error)
{
    reading r = {e, predictions, malloc(sizeof(double) * (size_t)(e->rows * predictions->columns))};
    out->values = r.values;
    out->columns = predictions->columns;
    if (r.values == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
    return ll_rows_each(predictions, visit, &r, error);
}

ll_status ll_evidence_read_number(const ll_evidence *e, arb_t number, const char *text, ll_error *error)
{
    const ll_release *release = &e->scorer->release;
    slong prec = PREC + e->scorer->computation.precision;
    ll_status status = ll_release_read(release, number, text, &e->texts, LL_STATED_AND_OWN, prec, error);
    if (status == LL_OK && ll_release_undo(release, number, 0, LL_STATED_AND_OWN, prec) != LL_OK)
        status = ll_fail(error, LL_DOMAIN, "the score '%.40s' is below 0, and no root is", text);
    return status;
}

/* ---- labels ---- */

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_observation *o = self;
    (void)error;
    out->rows = count;
    out->columns = o->columns;
    out->entries = LL_ENTRIES_DOUBLE;
    out->doubles = o->values + first * o->columns;
    out->floats = NULL;
    out->exacts = NULL;
    return LL_OK;
}

ll_status ll_evidence_explains_view(const ll_evidence *e, const ll_observation *o, const int32_t *labels, int *fits,
                                    ll_error *error)
{
    ll_scoring scoring = e->scoring;
    ll_observation shown = *o;
    ll_predictions predictions = {
        .self = &shown, .rows = e->rows, .columns = o->columns, .entries = LL_ENTRIES_DOUBLE, .get = get};
    ll_unreleased unreleased;
    arb_t number;
    scoring.labels = labels;
    ll_unreleased_init(&unreleased);
    arb_init(number);
    ll_status status = ll_score_any(&scoring, &unreleased, &predictions, e->scorer->computation.precision + 64, error);
    *fits = status == LL_OK || status == LL_UNABLE; /* what cannot be bounded excludes nothing */
    if (status == LL_OK) {
        arb_set_interval_arf(number, unreleased.lower, unreleased.upper, PREC + e->scorer->computation.precision);
        *fits = arb_overlaps(number, o->sum);
    }
    arb_clear(number);
    ll_unreleased_clear(&unreleased);
    return status == LL_DOMAIN || status == LL_UNABLE ? LL_OK : status;
}

/* What every row adds to the sum with every label: the score of a data set of one row, by the room scorer. */
#include "separate/separate_private.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const ll_terms *terms;
    long first; /* row of the data set that is row 0 here */
} slice;

/* Rows of the block that is held, without a copy. */
static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)error;
    const slice *source = self;
    ll_rows_slice(out, &source->terms->block, source->first + first, count);
    return LL_OK;
}

static void where(void *self, char *text, size_t size, long row)
{
    const slice *source = self;
    const ll_predictions *predictions = source->terms->predictions;
    if (predictions->where != NULL)
        predictions->where(predictions->self, text, size, source->first + row);
    else
        (void)snprintf(text, size, "row %ld", source->first + row);
}

static ll_status score(const ll_terms *terms, ll_unreleased *out, const int32_t *labels, long first, long rows,
                       slong bits, ll_error *error)
{
    slice source = {terms, first};
    ll_predictions predictions = {.self = &source,
                                  .rows = rows,
                                  .columns = terms->block.columns,
                                  .entries = terms->block.entries,
                                  .get = get,
                                  .where = where};
    ll_scoring scoring = *terms->scoring;
    scoring.labels = labels;
    scoring.rows = rows;
    scoring.classes = terms->classes;
    return ll_score_any(&scoring, out, &predictions, bits, error);
}

ll_status ll_terms_score(const ll_terms *terms, ll_unreleased *out, const int32_t *labels, slong bits, ll_error *error)
{
    return score(terms, out, labels, 0, terms->rows, bits, error);
}

ll_status ll_terms_init(ll_terms *terms, const ll_scorer *scorer, const ll_scoring *scoring,
                        const ll_predictions *predictions, double max_memory, ll_error *error)
{
    *terms = (ll_terms){.release = &scorer->release,
                        .scoring = scoring,
                        .predictions = predictions,
                        .rows = predictions->rows,
                        .classes = scoring->classes,
                        .max_memory = max_memory};
    ll_block_init(&terms->block);
    double bytes = (double)terms->rows * (double)terms->classes * (double)sizeof *terms->terms;
    if (bytes > max_memory)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld classes need %.3g bytes of memory, %.3g are allowed",
                       terms->rows, terms->classes, bytes, max_memory);
    terms->terms = _arb_vec_init(terms->rows * terms->classes);
    return predictions->get(predictions->self, &terms->block, 0, terms->rows, error);
}

void ll_terms_clear(ll_terms *terms)
{
    if (terms->terms != NULL)
        _arb_vec_clear(terms->terms, terms->rows * terms->classes);
    ll_block_clear(&terms->block);
    terms->terms = NULL;
}

/* A float's term is an interval; an exact one the ball that the scorer gave. */
static void keep(arb_t out, const ll_unreleased *unreleased)
{
    if (unreleased->is_float && arf_equal(unreleased->lower, unreleased->upper))
        arb_set_arf(out, unreleased->lower);
    else if (unreleased->is_float)
        arb_set_interval_arf(out, unreleased->lower, unreleased->upper, 256);
    else
        arb_set(out, unreleased->number);
}

/* The largest exponent of a term, at least 0, so that prec bits reach 2^-bits below every sum. */
static void note_size(fmpz_t most, const arb_t term)
{
    if (!arf_is_special(arb_midref(term)) && fmpz_cmp(ARF_EXPREF(arb_midref(term)), most) > 0)
        fmpz_set(most, ARF_EXPREF(arb_midref(term)));
}

static ll_status fail_memory(const ll_terms *terms, slong bits, ll_error *error)
{
    return ll_fail(error, LL_UNABLE, "the terms of %ld rows to 2^-%ld need more than %.3g bytes of memory", terms->rows,
                   (long)bits, terms->max_memory);
}

ll_status ll_terms_compute(ll_terms *terms, slong bits, ll_error *error)
{
    ll_unreleased unreleased;
    fmpz_t most;
    double bytes = 0;
    ll_unreleased_init(&unreleased);
    fmpz_init(most);
    ll_status status = LL_OK;
    for (long i = 0; i < terms->rows && status == LL_OK; i++)
        for (long k = 0; k < terms->classes && status == LL_OK; k++) {
            int32_t label = (int32_t)k;
            arb_ptr term = terms->terms + i * terms->classes + k;
            status = score(terms, &unreleased, &label, i, 1, bits, error);
            if (status != LL_OK)
                break;
            keep(term, &unreleased);
            note_size(most, term);
            bytes += (double)arb_allocated_bytes(term);
            if (bytes > terms->max_memory)
                status = fail_memory(terms, bits, error);
        }
    if (status == LL_OK && fmpz_cmp_si(most, WORD(1) << 34) > 0)
        status = fail_memory(terms, bits, error);
    if (status == LL_OK) {
        terms->bits = bits;
        terms->prec = bits + fmpz_get_si(most) + 80;
    }
    fmpz_clear(most);
    ll_unreleased_clear(&unreleased);
    return status;
}

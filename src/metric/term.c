/* The term of one row: the score of a data set of one row. */
#include "metric/fit.h"
#include "metric/score_weighted.h"
#include "metric/scoring.h"
#include "metric/view.h"

typedef struct {
    const ll_block *block;
    long row;
} one_row;

/* The row as a block of its own, pointing into the other. */
static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)first;
    (void)count;
    (void)error;
    const one_row *source = self;
    const ll_block *block = source->block;
    long at = source->row * block->columns;
    out->rows = 1;
    out->columns = block->columns;
    out->entries = block->entries;
    out->doubles = block->doubles != NULL ? block->doubles + at : NULL;
    out->floats = block->floats != NULL ? block->floats + at : NULL;
    out->exacts = block->exacts != NULL ? block->exacts + at : NULL;
    return LL_OK;
}

static ll_status score_plain(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions, slong bits,
                             ll_error *error)
{
    switch (ll_metric_view(scoring->how->metric)) {
    case LL_VIEW_CONFUSION:
        return ll_score_confusion(scoring, out, predictions, bits, error);
    case LL_VIEW_RANKS:
        return ll_score_ranks(scoring, out, predictions, bits, error);
    case LL_VIEW_FIT:
        return ll_score_fit(scoring, out, predictions, bits, error);
    default:
        break;
    }
    if (scoring->how->kind == LL_KIND_NATIVE)
        return ll_score_native(scoring, out, predictions, error);
    if (scoring->how->kind == LL_KIND_FORMAT)
        return ll_score_format(scoring, out, predictions, error);
    return ll_score_exact(scoring, out, predictions, bits, error);
}

ll_status ll_score_any(const ll_scoring *scoring, ll_raw *out, const ll_predictions *predictions, slong bits,
                       ll_error *error)
{
    int is_sum = scoring->how->is_weighted && ll_metric_view(scoring->how->metric) == LL_VIEW_TERMS;
    return is_sum ? ll_score_weighted(scoring, out, predictions, bits, error)
                  : score_plain(scoring, out, predictions, bits, error);
}

ll_status ll_score_row(const ll_scoring *scoring, ll_raw *out, const ll_block *block, long row, long label,
                       ll_error *error)
{
    int32_t labels[1] = {(int32_t)label};
    ll_scoring one = *scoring;
    one.labels = labels;
    one.rows = 1;
    one_row source = {block, row};
    ll_predictions predictions = {
        .self = &source, .rows = 1, .columns = block->columns, .entries = block->entries, .get = get};
    return score_plain(&one, out, &predictions, one.how->precision + 64, error);
}

ll_status ll_scoring_term(const ll_scoring *scoring, arb_t out, const ll_block *block, long row, long label,
                          ll_error *error)
{
    ll_raw raw;
    ll_raw_init(&raw);
    long precision = scoring->how->kind == LL_KIND_EXACT ? scoring->how->precision : 0;
    ll_status status = ll_score_row(scoring, &raw, block, row, label, error);
    if (status == LL_OK)
        arb_set_interval_arf(out, raw.lower, raw.upper, 192 + precision);
    ll_raw_clear(&raw);
    return status;
}

ll_status ll_scoring_term_number(const ll_scoring *scoring, arb_t out, const ll_block *block, long row, long label,
                                 ll_error *error)
{
    ll_raw raw;
    ll_raw_init(&raw);
    ll_status status = ll_score_row(scoring, &raw, block, row, label, error);
    if (status == LL_OK)
        arb_set(out, raw.number);
    ll_raw_clear(&raw);
    return status;
}

/* The term of one row: the score of a data set of one row. */
#include "metric/metric_private.h"

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
    ll_rows_slice(out, source->block, source->row, 1);
    return LL_OK;
}

ll_status ll_score_any(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                       ll_error *error)
{
    const ll_metric_family *family = scoring->how->metric->row->family;
    int is_own = scoring->how->is_weighted && family->score_weighted != NULL;
    return (is_own ? family->score_weighted : family->score)(scoring, out, predictions, bits, error);
}

ll_status ll_score_row(const ll_scoring *scoring, ll_unreleased *out, const ll_block *block, long row, long label,
                       ll_error *error)
{
    int32_t labels[1] = {(int32_t)label};
    ll_scoring one = *scoring;
    one.labels = labels;
    one.rows = 1;
    one_row source = {block, row};
    ll_predictions predictions = {
        .self = &source, .rows = 1, .columns = block->columns, .entries = block->entries, .get = get};
    return one.how->metric->row->family->score(&one, out, &predictions, one.how->precision + 64, error);
}

ll_status ll_scoring_term(const ll_scoring *scoring, arb_t out, const ll_block *block, long row, long label,
                          ll_error *error)
{
    ll_unreleased unreleased;
    ll_unreleased_init(&unreleased);
    long precision = scoring->how->kind == LL_KIND_EXACT ? scoring->how->precision : 0;
    ll_status status = ll_score_row(scoring, &unreleased, block, row, label, error);
    if (status == LL_OK)
        arb_set_interval_arf(out, unreleased.lower, unreleased.upper, 192 + precision);
    ll_unreleased_clear(&unreleased);
    return status;
}

ll_status ll_scoring_term_number(const ll_scoring *scoring, arb_t out, const ll_block *block, long row, long label,
                                 ll_error *error)
{
    ll_unreleased unreleased;
    ll_unreleased_init(&unreleased);
    ll_status status = ll_score_row(scoring, &unreleased, block, row, label, error);
    if (status == LL_OK)
        arb_set(out, unreleased.number);
    ll_unreleased_clear(&unreleased);
    return status;
}

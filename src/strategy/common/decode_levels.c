#include "strategy/common/decode_levels.h"

#include "code/positional.h"

#include <stdlib.h>

typedef ll_levels_decoder decoder;

int ll_levels_begin(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    own->readings = calloc(queries, sizeof *own->readings);
    own->sums = calloc(queries, sizeof *own->sums);
    return own->readings != NULL && own->sums != NULL;
}

void ll_levels_end(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    for (long q = 0; q < ll_plan_distinct(d->plan) && own->readings != NULL; q++)
        ll_reading_clear(&own->readings[q]);
    free(own->readings);
    free(own->sums);
}

ll_status ll_levels_keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long query = ll_decoder_query(d);
    ll_status status = ll_reading_take(d, &own->readings[query], released);
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for a block's labels");
    if (status != LL_OK)
        return status;
    arb_t sum;
    arb_init(sum);
    ll_reading_allowed(d->plan, sum, &own->readings[query]);
    own->sums[query].count = ll_code_count_integers(&own->sums[query].low, sum);
    d->is_refuted = d->is_refuted || own->sums[query].count == 0;
    arb_clear(sum);
    return LL_OK;
}

/* 0 where no sum fits some query, else the most sums that fit one. */
static int count_worst(const ll_sum_range *sums, long queries)
{
    int worst = 1;
    for (long q = 0; q < queries; q++)
        if (sums[q].count == 0 || (sums[q].count > worst && worst != 0))
            worst = sums[q].count;
    return worst;
}

/* The labels must explain every score of the block. Where just one sum fitted a query, it is the labels' own. */
static void check_residuals(decoder *own, long first, long queries, ll_decoded *decoded)
{
    const ll_plan *plan = own->common.plan;
    arb_t sum;
    arb_init(sum);
    for (long q = first; q < first + queries && decoded->count == 1; q++) {
        const ll_code *code = ll_plan_code(plan, q * plan->bounds.repeats);
        if (own->sums[q].count == 1)
            arb_set_si(sum, own->sums[q].low);
        else
            ll_code_sum_labelling(code, sum, decoded->labels, plan->prec);
        if (!ll_reading_explains(&own->common, &own->readings[q], code, sum))
            ll_decoded_set_none(decoded, code->rows, plan->classes);
    }
    arb_clear(sum);
}

/* Every sum is known. */
static ll_status decode_sums(const ll_code *code, ll_decoded *decoded, const ll_sum_range *ranges, long queries,
                             ll_error *error)
{
    int64_t *sums = malloc(sizeof *sums * (size_t)queries);
    if (sums == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", queries);
    for (long q = 0; q < queries; q++)
        sums[q] = ranges[q].low;
    ll_status status = ll_code_decode_levels(code, decoded, sums, error);
    free(sums);
    return status;
}

ll_status ll_levels_close(ll_decoder *d, ll_decoded *decoded, ll_error *error)
{
    decoder *own = (decoder *)d;
    const ll_code *code = ll_plan_code(d->plan, d->query);
    long first = ll_decoder_first_query(d), queries = code->queries;
    const ll_sum_range *sums = own->sums + first;
    int worst = count_worst(sums, queries);
    ll_status status = LL_OK;
    if (worst == 0)
        ll_decoded_set_none(decoded, code->rows, code->classes);
    else if (worst == 1)
        status = decode_sums(code, decoded, sums, queries, error);
    else if (ll_code_parity(code) >= 0)
        status =
            ll_parity_decode(ll_plan_code(d->plan, first * d->plan->bounds.repeats), decoded, sums, queries, error);
    else
        ll_decoded_set_open(decoded, code->rows, code->classes);
    if (status == LL_OK && decoded->count != 1)
        arb_indeterminate(d->missing);
    if (status == LL_OK && decoded->count == 1) {
        check_residuals(own, first, queries, decoded);
        ll_decoded_open_counted(code, decoded);
    }
    return status;
}

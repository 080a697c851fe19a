/* Level codes: a query gives an integer, a block's integers give its labels. */
#include "code/positional.h"
#include "plan/decoder.h"

#include <stdlib.h>

/* The integers of an interval. One that is too wide for integers, or endless, leaves all of them open. */
static void set_range(ll_sum_range *range, const arb_t sum)
{
    fmpz_t low, high;
    fmpz_init(low);
    fmpz_init(high);
    *range = (ll_sum_range){.count = 3};
    if (ll_code_integers(low, high, sum) == LL_OK) {
        fmpz_sub(high, high, low);
        if (fmpz_sgn(high) < 0)
            range->count = 0;
        else if (fmpz_cmp_si(high, 2) < 0)
            range->count = fmpz_fits_si(low) ? (int)fmpz_get_si(high) + 1 : 0; /* no sum is so large */
        range->low = range->count > 0 && fmpz_fits_si(low) ? fmpz_get_si(low) : 0;
    }
    fmpz_clear(low);
    fmpz_clear(high);
}

ll_status ll_decoder_keep_sum(ll_decoder *d, const ll_reading *r)
{
    const ll_plan *plan = d->plan;
    ll_pending *p = &d->pending[d->query / plan->repeats];
    arb_t sum;
    arb_init(sum);
    arb_sub(p->rest, r->score, r->offset, plan->prec);
    arb_set(p->noise, r->noise);
    arb_set(p->deviation, r->deviation);
    arb_set(p->rounding, r->rounding);
    ll_status status = ll_decoder_base_sum(d, p->base);
    ll_decoder_allowed_sum(plan, sum, p->base, p->rest, p->deviation, p->rounding);
    if (status == LL_OK)
        set_range(&d->sums[d->query / plan->repeats], sum);
    arb_clear(sum);
    return status;
}

/* Are all queries of the block answered (this one is now)? *worst: 0 where no sum fits some query, else the most sums
 * that fit one. */
static int is_complete(const ll_decoder *d, long first, long queries, int *worst)
{
    *worst = 1;
    for (long q = first + queries - 1; q >= first; q--) { /* in this order the first that lacks is found at once */
        int count = d->sums[q].count;
        if (!d->complete[q] && q != d->query / d->plan->repeats)
            return 0;
        if (count == 0 || (count > *worst && *worst != 0))
            *worst = count;
    }
    return 1;
}

/* The labels must explain every score of the block. Where just one sum fitted a query, it is the labels' own. */
static void check_residuals(ll_decoder *d, long first, long queries, ll_decoded *decoded)
{
    const ll_plan *plan = d->plan;
    arb_t residual, sum;
    arb_init(residual);
    arb_init(sum);
    for (long q = first; q < first + queries && decoded->count == 1; q++) {
        ll_pending *p = &d->pending[q];
        const ll_code *code = ll_plan_code(plan, q * plan->repeats);
        if (d->sums[q].count == 1)
            arb_set_si(sum, d->sums[q].low);
        else
            ll_code_sum_labelling(code, sum, decoded->labels, plan->prec);
        ll_decoder_residual(plan, residual, p->base, p->rest, p->deviation, sum);
        if (ll_decoder_explains(residual, p->rounding))
            ll_decoder_keep_margins(d, code, p->noise, p->rounding, p->deviation, residual);
        else {
            ll_decoder_keep_missing(d, residual, p->rounding);
            ll_decoded_set_none(decoded, code->rows, plan->classes);
        }
    }
    arb_clear(residual);
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

ll_status ll_decoder_decode_block(ll_decoder *d, ll_decoded *decoded, ll_error *error)
{
    const ll_code *code = ll_plan_code(d->plan, d->query);
    long first = ll_plan_first_query(d->plan, ll_plan_block(d->plan, d->query)), queries = code->queries;
    int worst;
    ll_status status = LL_OK;
    decoded->count = -1;
    if (!is_complete(d, first, queries, &worst))
        return LL_OK;
    if (ll_decoder_init_decoded(d, decoded, error) != LL_OK)
        return LL_MEMORY;
    if (worst == 0)
        ll_decoded_set_none(decoded, code->rows, code->classes);
    else if (worst == 1)
        status = decode_sums(code, decoded, d->sums + first, queries, error);
    else if (ll_code_parity(code) >= 0)
        status =
            ll_parity_decode(ll_plan_code(d->plan, first * d->plan->repeats), decoded, d->sums + first, queries, error);
    else
        ll_decoded_set_open(decoded, code->rows, code->classes);
    if (status == LL_OK && decoded->count != 1)
        arb_indeterminate(d->missing);
    if (status == LL_OK && decoded->count == 1)
        check_residuals(d, first, queries, decoded);
    return status;
}

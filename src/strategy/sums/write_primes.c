/* prime-rows under exact log-loss: entry (j, k) is p * c, p its prime and c near 1 over the sum of the row's primes, a
 * number of 64 bits that all entries of the row share. So -ln of it is -ln p - ln c: no deviation, and the row sums to
 * 1 - 2^-60 or so. The paper's own c is the exact quotient, which has no finite digits. */
#include "number/ball_bits.h"
#include "strategy/common/writers.h"
#include "strategy/sums/sums.h"

#include <string.h>

static int suits(const ll_plan *plan)
{
    return plan->scoring.how->kind == LL_KIND_EXACT && ll_metric_is_log(plan->scoring.how->metric) &&
           plan->scoring.how->clip_mode == LL_CLIP_NONE && plan->state->code->row->fixed_unit;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    arb_t gap, span;
    arb_init(gap);
    arb_init(span);
    ll_code_gap(plan->state->code, gap, 64);
    ll_code_span(plan->state->code, span, 64);
    plan->columns = plan->classes;
    arb_one(plan->state->unit);
    slong small = -ll_ball_bits(gap); /* gap >= 2^-small or so */
    plan->prec = small + ll_ball_bits(span) + 192;
    arb_mul_2exp_si(gap, gap, -1);
    int fits = arb_gt(gap, plan->state->noise);
    arb_clear(gap);
    arb_clear(span);
    if (!fits)
        return ll_fail(error, LL_DOMAIN,
                       "prime-rows is for scores without noise: %ld rows leave room for less than 2^-%ld; use "
                       "paper-multiclass, or a precision of %ld for an exact score",
                       plan->block, small, small + 32);
    return LL_OK;
}

/* the primes of row `row`, in order, times the row's factor; a row of weight 0 has equal entries */
static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)error;
    ll_exact *entry = to;
    fmpz_t sum, factor;
    fmpz_init(sum);
    fmpz_init(factor);
    for (long c = 0; c < plan->columns; c++) {
        fmpz_set_ui(entry[c].mantissa, row < 0 ? 1 : ll_prime_rows_prime(code, row, c));
        fmpz_add(sum, sum, entry[c].mantissa);
    }
    slong bits = (slong)fmpz_bits(sum) + 64;
    fmpz_one(factor);
    fmpz_mul_2exp(factor, factor, (ulong)bits);
    fmpz_fdiv_q(factor, factor, sum);
    for (long c = 0; c < plan->columns; c++) {
        fmpz_mul(entry[c].mantissa, entry[c].mantissa, factor);
        fmpz_set_si(entry[c].two, -bits);
        fmpz_zero(entry[c].five);
    }
    fmpz_clear(sum);
    fmpz_clear(factor);
    return LL_OK;
}

/* Entries are in the ratio of their primes, checked exactly by multiplying crosswise with the first: no deviation. */
static int is_as_planned(const ll_plan *plan, const ll_code *code, const ll_exact *entry, long row)
{
    fmpz_t left, right;
    fmpz_init(left);
    fmpz_init(right);
    int equal = 1;
    for (long c = 0; c < plan->columns && equal; c++) {
        equal = fmpz_equal(entry[c].two, entry->two) && fmpz_is_zero(entry[c].five) && fmpz_sgn(entry->mantissa) > 0;
        fmpz_mul_ui(left, entry[c].mantissa, row < 0 ? 1 : ll_prime_rows_prime(code, row, 0));
        fmpz_mul_ui(right, entry->mantissa, row < 0 ? 1 : ll_prime_rows_prime(code, row, c));
        equal = equal && fmpz_equal(left, right);
    }
    fmpz_clear(left);
    fmpz_clear(right);
    return equal;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_exact *entry = block->exacts + index * plan->columns;
    if (is_as_planned(plan, code, entry, row)) {
        ll_product_multiply(stored_error->product, entry);
        return LL_OK;
    }
    for (long k = 0; k < plan->classes; k++) {
        ll_exact_get_log(stored_error->terms + k, entry + k, plan->prec);
        arb_neg(stored_error->terms + k, stored_error->terms + k);
        if (!arb_is_finite(stored_error->terms + k))
            return ll_fail(error, LL_DOMAIN, "a stored prediction is not above 0");
    }
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

const ll_writer ll_writer_primes = {
    .name = "rows of primes",
    .suits = suits,
    .prepare = prepare,
    .write = write_row,
    .measure = measure,
};

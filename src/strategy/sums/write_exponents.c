/* log-loss in exact arithmetic with an integer code: every prediction is a power of two.
 *
 * The unit is U ln 2, U an integer. Entry k of row j is 2^-E_k with E_k = (digit(k) - digit(base)) * U * 2^shift(j),
 * base the label of least weight, so that -ln of it is exactly (weight(k) - weight(base)) * unit: the deviation is 0.
 * The entry of the base label is 1 and the row sums to 1 + 2^-E, as near to 1 as anybody can see.
 *
 * Two classes and weights >= 0: one column suffices, p = 2^-E. Label 1 adds E ln 2 exactly; label 0 adds -ln(1 - p),
 * which lies in [0, 2p] as p <= 1/2: that is its deviation. */
#include "strategy/common/writers.h"
#include "strategy/sums/sums.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>

enum { LEAST_UNIT = 64 }; /* p <= 2^-64, so that the deviations of label 0 do not count even without noise */

typedef struct {
    fmpz_t unit;      /* U */
    fmpz *exponents;  /* [k]: -(digit(k) - digit(base)) * U */
    ll_exact neutral; /* the entry of a row with weight 0 */
} state;

static int suits(const ll_plan *plan)
{
    return plan->scoring.how->kind == LL_KIND_EXACT && ll_metric_is_log(plan->scoring.how->metric) &&
           plan->scoring.how->clip_mode == LL_CLIP_NONE && ll_code_is_integral(plan->state->code);
}

static long lightest(const ll_plan *plan)
{
    return plan->state->code->row->digits.sign > 0 ? 0 : plan->classes - 1;
}

/* 2^64/K rounded down, over 2^64: rows of K equal entries that sum to 1 - 2^-60 or so; 1/2 exactly for two. */
static void set_neutral(ll_exact *out, long classes)
{
    fmpz_one(out->mantissa);
    fmpz_mul_2exp(out->mantissa, out->mantissa, 64);
    fmpz_fdiv_q_ui(out->mantissa, out->mantissa, (ulong)classes);
    fmpz_set_si(out->two, -64);
}

static void set_unit(const ll_plan *plan, state *s)
{
    arb_t needed, ln2;
    arb_init(needed);
    arb_init(ln2);
    ll_plan_needed_unit(plan, needed);
    arb_const_log2(ln2, 128);
    arb_div(needed, needed, ln2, 128);
    arf_t most;
    arf_init(most);
    arb_get_ubound_arf(most, needed, 128);
    arf_get_fmpz(s->unit, most, ARF_RND_CEIL);
    if (fmpz_cmp_ui(s->unit, LEAST_UNIT) < 0)
        fmpz_set_ui(s->unit, LEAST_UNIT);
    arf_clear(most);
    arb_clear(needed);
    arb_clear(ln2);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->state->data = s;
    plan->state->base = lightest(plan);
    int one = plan->classes == 2 && plan->state->base == 0 && plan->scoring.how->columns != LL_COLUMNS_ALL;
    plan->columns = one ? 1 : plan->classes;
    set_unit(plan, s);
    plan->prec = ll_plan_sum_bits(plan) + (slong)fmpz_bits(s->unit) + 192;
    arb_const_log2(plan->state->unit, plan->prec);
    arb_mul_fmpz(plan->state->unit, plan->state->unit, s->unit, plan->prec);
    ll_exact_init(&s->neutral);
    set_neutral(&s->neutral, plan->classes);
    s->exponents = _fmpz_vec_init(plan->classes);
    fmpz_t base;
    fmpz_init(base);
    ll_code_digit(plan->state->code, base, plan->state->base);
    for (long k = 0; k < plan->classes; k++) {
        ll_code_digit(plan->state->code, s->exponents + k, k);
        fmpz_sub(s->exponents + k, base, s->exponents + k);
        fmpz_mul(s->exponents + k, s->exponents + k, s->unit);
    }
    fmpz_clear(base);
    return LL_OK;
}

static void clear(ll_plan *plan)
{
    state *s = plan->state->data;
    if (s == NULL)
        return;
    if (s->exponents != NULL)
        _fmpz_vec_clear(s->exponents, plan->classes);
    ll_exact_clear(&s->neutral);
    fmpz_clear(s->unit);
    free(s);
}

static void write_one(const ll_plan *plan, const ll_code *code, ll_exact *entry, long row, ll_code_power *last)
{
    const state *s = plan->state->data;
    for (long c = 0; c < plan->columns; c++, entry++) {
        if (row < 0) {
            ll_exact_set(entry, &s->neutral);
            continue;
        }
        fmpz_one(entry->mantissa);
        fmpz_zero(entry->five);
        ll_code_scale(code, entry->two, s->exponents + (plan->columns == 1 ? 1 : c), row, last);
    }
}

static ll_status write_rows(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error)
{
    (void)error;
    ll_code_power last = {0};
    for (long i = 0; i < rows; i++)
        write_one(plan, code, (ll_exact *)to + i * plan->columns, row + i, &last);
    fmpz_clear(last.power);
    return LL_OK;
}

/* Is the entry 2^(exponent * K^row)? */
static int is_scaled_power(const ll_code *code, const ll_exact *entry, const fmpz_t exponent, long row,
                           ll_code_power *last)
{
    fmpz_t planned;
    fmpz_init(planned);
    ll_code_scale(code, planned, exponent, row, last);
    int equal = fmpz_is_one(entry->mantissa) && fmpz_is_zero(entry->five) && fmpz_equal(entry->two, planned);
    fmpz_clear(planned);
    return equal;
}

/* Is the entry 2^(exponent << shift)? Reads every limb once. */
static int is_power(const ll_exact *entry, const fmpz_t exponent, ulong shift)
{
    if (!fmpz_is_one(entry->mantissa) || !fmpz_is_zero(entry->five))
        return 0;
    if (fmpz_is_zero(exponent))
        return fmpz_is_zero(entry->two);
    if (fmpz_bits(entry->two) != fmpz_bits(exponent) + shift || fmpz_val2(entry->two) != fmpz_val2(exponent) + shift)
        return 0;
    fmpz_t top;
    fmpz_init(top);
    fmpz_tdiv_q_2exp(top, entry->two, shift);
    int equal = fmpz_equal(top, exponent);
    fmpz_clear(top);
    return equal;
}

static int is_as_planned(const ll_plan *plan, const ll_code *code, const ll_exact *entry, long row, ll_code_power *last)
{
    const state *s = plan->state->data;
    if (code->row->digits.kind == LL_DIGITS_RADIX) {
        for (long c = 0; c < plan->columns; c++)
            if (!is_scaled_power(code, entry + c, s->exponents + (plan->columns == 1 ? 1 : c), row, last))
                return 0;
        return 1;
    }
    for (long c = 0; c < plan->columns; c++)
        if (!is_power(entry + c, s->exponents + (plan->columns == 1 ? 1 : c), ll_code_shift(code, row)))
            return 0;
    return 1;
}

/* high += 2p, p = 2^-E: an upper bound of -ln(1 - p). */
static void add_label_zero(ll_stored_error *stored_error, const ll_exact *p)
{
    arb_t most;
    arb_init(most);
    ll_exact_get_ball(most, p, 32);
    arb_mul_2exp_si(most, most, 1);
    arb_add(stored_error->high, stored_error->high, most, 64);
    arb_clear(most);
}

/* A row that is not as planned, or neutral: logarithms of what is stored. */
static ll_status measure_by_logarithms(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                                       const ll_exact *entry, long row, ll_error *error)
{
    for (long k = 0; k < plan->classes; k++) {
        if (plan->columns > 1)
            ll_exact_get_log(stored_error->terms + k, entry + k, plan->prec);
        else if (k == 1)
            ll_exact_get_log(stored_error->terms + k, entry, plan->prec);
        else {
            ll_exact_get_complement(stored_error->terms + k, entry, plan->prec);
            arb_log(stored_error->terms + k, stored_error->terms + k, plan->prec);
        }
        arb_neg(stored_error->terms + k, stored_error->terms + k);
        if (!arb_is_finite(stored_error->terms + k))
            return ll_fail(error, LL_DOMAIN, "a stored prediction is not in (0,1)");
    }
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

static int is_neutral(const ll_plan *plan, const ll_exact *entry)
{
    for (long c = 0; c < plan->columns; c++)
        if (ll_exact_cmp(entry + c, &((const state *)plan->state->data)->neutral) != 0)
            return 0;
    return 1;
}

static ll_status measure_one(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                             const ll_block *block, long index, long row, ll_code_power *last, ll_error *error)
{
    const ll_exact *entry = block->exacts + index * plan->columns;
    if (row < 0 && is_neutral(plan, entry)) {
        ll_product_multiply(stored_error->product, entry); /* every label adds -ln of the same number */
        return LL_OK;
    }
    if (row < 0 || !is_as_planned(plan, code, entry, row, last))
        return measure_by_logarithms(plan, code, stored_error, entry, row, error);
    if (plan->columns == 1)
        add_label_zero(stored_error, entry);
    return LL_OK;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    return measure_one(plan, code, stored_error, block, index, row, NULL, error);
}

static ll_status measure_rows(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                              const ll_block *block, long index, long row, long rows, ll_error *error)
{
    ll_code_power last = {0};
    ll_status status = LL_OK;
    for (long i = 0; i < rows && status == LL_OK; i++)
        status = measure_one(plan, code, stored_error, block, index + i, row + i, &last, error);
    fmpz_clear(last.power);
    return status;
}

const ll_writer ll_writer_exponents = {
    .name = "powers of two",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .measure = measure,
    .write_rows = write_rows,
    .measure_rows = measure_rows,
};

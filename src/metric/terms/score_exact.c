/* Scores in exact arithmetic: balls around the true value.
 *
 * log-loss is one logarithm: the mean of -ln q_i is -ln(prod q_i)/N, exponents are added, mantissas multiplied, however
 * long they are. Factors that are no exact numbers (1-p, row sums) are balls with a relative error of 2^-prec, which is
 * an absolute error of their logarithm, so prec = bits + log2 N + 8 is enough before the pass begins.
 *
 * Other losses: each row's term is a ball, computed with twice the precision until its radius is at most 2^-(bits+2)/(N
 * where terms are summed and not averaged). Terms that are fractions are also summed as such, while they are short, for
 * ties of the rounding. */
#include "metric/scoring.h"

#include <stdlib.h>

#define MOST_ROW_BITS (WORD(1) << 24)

typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    slong bits, prec;
    ll_product *product, *row_sums; /* of the q_i, and of what rows were divided by */
    long clamped;                   /* rows at the bound of LL_LOG_CLAMP */
    arb_t total;                    /* of other losses */
    int is_rational;                /* so far */
    ll_value rational;              /* the same total */
    ll_exact *scratch;              /* one a column */
    const ll_exact **row;           /* the same row: in the block, or in scratch */
    ll_value *values, *fractions;   /* the same row, and its term: balls, and fractions */
    arb_t ball, ball2;
} pass;

static ll_status fail_row(const pass *p, long row, ll_error *error, ll_status status, const char *why)
{
    return ll_rows_fail(p->predictions, row, error, status, "%s", why);
}

/* ---- log-loss ---- */

static ll_status multiply(pass *p, const ll_exact *x, int complement, long row, ll_error *error)
{
    if (!complement) {
        if (ll_exact_sgn(x) == 0)
            return fail_row(p, row, error, LL_DOMAIN, "the true class has probability 0: the score is infinite");
        ll_product_multiply(p->product, x);
        return LL_OK;
    }
    ll_exact_get_complement(p->ball, x, p->prec);
    if (!arb_is_positive(p->ball))
        return fail_row(p, row, error, LL_DOMAIN, "the true class has probability 0: the score is infinite");
    ll_product_multiply_ball(p->product, p->ball, p->prec);
    return LL_OK;
}

/* Is -ln q above the bound? q is x or 1-x, a rational number, and no logarithm of one but ln 1 = 0 is rational: with
 * enough bits it is always decided. */
static ll_truth is_clamped(pass *p, const ll_exact *x, int complement)
{
    for (slong prec = 64; prec <= 1 << 16; prec *= 2) {
        if (complement)
            ll_exact_get_complement(p->ball, x, prec);
        else
            ll_exact_get_ball(p->ball, x, prec);
        if (arb_is_zero(p->ball))
            return LL_TRUE;
        arb_log(p->ball, p->ball, prec);
        arb_neg(p->ball, p->ball);
        ll_exact_get_ball(p->ball2, &p->scoring->how->low, prec);
        if (arb_gt(p->ball, p->ball2))
            return LL_TRUE;
        if (arb_le(p->ball, p->ball2))
            return LL_FALSE;
    }
    return LL_UNKNOWN;
}

static ll_status log_clamped(pass *p, const ll_exact *x, int complement, long row, ll_error *error)
{
    ll_truth clamped = is_clamped(p, x, complement);
    if (clamped == LL_UNKNOWN)
        return fail_row(p, row, error, LL_UNABLE, "the logarithm is too close to the clamp to decide");
    if (clamped == LL_FALSE)
        return multiply(p, x, complement, row, error);
    ++p->clamped;
    return LL_OK;
}

/* ln(q + eps), q the clipped x or 1 - x; LL_LOG_SHIFT: x as it is. */
static void log_plus(pass *p, const ll_exact *x, int complement)
{
    const ll_computation *resolved = p->scoring->how;
    x = resolved->clip_mode == LL_LOG_SHIFT ? x : ll_computation_clip(resolved, x);
    if (complement)
        ll_exact_get_complement(p->ball, x, p->prec);
    else
        ll_exact_get_ball(p->ball, x, p->prec);
    ll_exact_get_ball(p->ball2, &resolved->low, p->prec);
    arb_add(p->ball, p->ball, p->ball2, p->prec);
    ll_product_multiply_ball(p->product, p->ball, p->prec);
}

/* max(x, eps), or max(1-x, eps): the latter is eps from x = 1-eps on. */
static ll_status log_floor(pass *p, const ll_exact *x, int complement, long row, ll_error *error)
{
    const ll_computation *resolved = p->scoring->how;
    int below = complement ? ll_exact_cmp(x, &resolved->high) > 0 : ll_exact_cmp(x, &resolved->low) < 0;
    return below ? multiply(p, &resolved->low, 0, row, error) : multiply(p, x, complement, row, error);
}

static void divide_by_sum(pass *p)
{
    arb_zero(p->ball);
    for (long j = 0; j < p->predictions->columns; ++j) {
        ll_exact_get_ball(p->ball2, ll_computation_clip(p->scoring->how, p->row[j]), p->prec);
        arb_add(p->ball, p->ball, p->ball2, p->prec);
    }
    ll_product_multiply_ball(p->row_sums, p->ball, p->prec);
}

static ll_status add_log(pass *p, long row, ll_error *error)
{
    long label = p->scoring->labels[row];
    int one_column = p->predictions->columns == 1, complement = one_column && label == 0;
    const ll_exact *x = one_column ? p->row[0] : p->row[label];
    switch (p->scoring->how->clip_mode) {
    case LL_CLIP_RENORMALISE:
        if (!one_column) /* p + (1-p) is 1 */
            divide_by_sum(p);
        return multiply(p, ll_computation_clip(p->scoring->how, x), complement, row, error);
    case LL_CLIP:
        return multiply(p, ll_computation_clip(p->scoring->how, x), complement, row, error);
    case LL_LOG_CLAMP:
        return log_clamped(p, x, complement, row, error);
    case LL_LOG_PLUS:
    case LL_LOG_SHIFT:
        log_plus(p, x, complement);
        return LL_OK;
    case LL_FLOOR:
        return log_floor(p, x, complement, row, error);
    default:
        return multiply(p, x, complement, row, error);
    }
}

/* ---- other losses ---- */

static const ll_exact *clipped_entry(const pass *p, long j)
{
    return p->scoring->how->clip_mode == LL_CLIP ? ll_computation_clip(p->scoring->how, p->row[j]) : p->row[j];
}

static ll_status row_term(pass *p, long row, slong prec)
{
    ll_arithmetic balls;
    long columns = p->predictions->columns;
    ll_arithmetic_set_ball(&balls, prec);
    for (long j = 0; j < columns; ++j)
        ll_exact_get_ball(p->values[j].ball, clipped_entry(p, j), prec);
    ll_value *out = &p->values[columns];
    return ll_metric_score(p->scoring->how->metric, &balls, out, p->values, columns, p->scoring->labels[row]);
}

/* total += term, rounded so that the new error is below 2^-(bits+4)/N. 0 where the term is too large for that. */
static int add_term(pass *p, const arb_t term)
{
    mag_t size, before;
    mag_init(size);
    mag_init(before);
    arb_get_mag(size, term);
    arb_get_mag(before, p->total);
    mag_add(size, size, before);
    int fits = mag_cmp_2exp_si(size, MOST_ROW_BITS) <= 0;
    if (fits) {
        slong exponent = mag_cmp_2exp_si(size, 0) > 0 ? fmpz_get_si(MAG_EXPREF(size)) : 0;
        arb_add(p->total, p->total, term, p->prec + 8 + exponent);
    }
    mag_clear(size);
    mag_clear(before);
    return fits;
}

static void add_fraction(pass *p, long row)
{
    static const ll_arithmetic fractions = {.ops = &ll_arithmetic_rational, .prec = 64};
    long columns = p->predictions->columns;
    ll_value *out = &p->fractions[columns];
    for (long j = 0; j < columns; ++j)
        fractions.ops->set_exact(&fractions, &p->fractions[j], clipped_entry(p, j));
    ll_status status =
        ll_metric_score(p->scoring->how->metric, &fractions, out, p->fractions, columns, p->scoring->labels[row]);
    if (status == LL_OK)
        fractions.ops->add(&fractions, &p->rational, &p->rational, out);
    p->is_rational = status == LL_OK && fractions.ops->is_finite(&fractions, &p->rational) == LL_TRUE;
}

static ll_status add_other(pass *p, long row, ll_error *error)
{
    arb_ptr term = p->values[p->predictions->columns].ball;
    slong prec = p->prec;
    ll_status status;
    for (;; prec *= 2) {
        status = row_term(p, row, prec);
        if (status == LL_DOMAIN)
            return fail_row(p, row, error, LL_DOMAIN, "the loss is infinite, or has no value, at this row");
        if (status == LL_OK && mag_cmp_2exp_si(arb_radref(term), -p->prec) <= 0 && add_term(p, term))
            break;
        if (status == LL_MEMORY || prec > MOST_ROW_BITS)
            return fail_row(p, row, error, status == LL_MEMORY ? status : LL_UNABLE,
                            "the loss needs more bits than are allowed to be found to the precision asked for");
    }
    if (p->is_rational)
        add_fraction(p, row);
    return LL_OK;
}

/* ---- rows ---- */

static ll_status check_sum(pass *p, long row, ll_error *error)
{
    if (!ll_rows_must_sum(p->scoring, p->predictions->columns))
        return LL_OK;
    return ll_rows_check_sum(p->scoring, p->predictions, ll_rows_sum(p->row, p->predictions->columns), row, error);
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    pass *p = state;
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows && status == LL_OK; ++i) {
        for (long j = 0; j < block->columns && status == LL_OK; ++j) {
            p->row[j] = ll_rows_exact(&p->scratch[j], block, i * block->columns + j);
            status = ll_rows_check(p->scoring, p->predictions, p->row[j], first + i, error);
        }
        if (status == LL_OK)
            status = check_sum(p, first + i, error);
        if (status == LL_OK && ll_metric_is_log(p->scoring->how->metric))
            status = add_log(p, first + i, error);
        else if (status == LL_OK)
            status = add_other(p, first + i, error);
    }
    return status;
}

/* ---- the whole pass ---- */

static ll_status begin(pass *p, ll_error *error)
{
    long columns = p->predictions->columns;
    p->product = ll_product_create();
    p->row_sums = ll_product_create();
    p->scratch = calloc((size_t)columns, sizeof *p->scratch); /* all-zero is an initialised ll_exact */
    p->row = calloc((size_t)columns, sizeof(const ll_exact *));
    p->values = calloc((size_t)columns + 1, sizeof *p->values);
    p->fractions = calloc((size_t)columns + 1, sizeof *p->fractions);
    arb_init(p->total);
    arb_init(p->ball);
    arb_init(p->ball2);
    fmpq_init(p->rational.fraction);
    for (long j = 0; p->values && j <= columns; ++j)
        arb_init(p->values[j].ball);
    for (long j = 0; p->fractions && j <= columns; ++j)
        fmpq_init(p->fractions[j].fraction);
    if (!p->product || !p->row_sums || !p->scratch || !p->row || !p->values || !p->fractions)
        return ll_fail(error, LL_MEMORY, "no memory for rows of %ld columns", columns);
    return LL_OK;
}

static void end(pass *p)
{
    long columns = p->predictions->columns;
    for (long j = 0; p->scratch && j < columns; ++j)
        ll_exact_clear(&p->scratch[j]);
    for (long j = 0; p->values && j <= columns; ++j)
        arb_clear(p->values[j].ball);
    for (long j = 0; p->fractions && j <= columns; ++j)
        fmpq_clear(p->fractions[j].fraction);
    ll_product_destroy(p->product);
    ll_product_destroy(p->row_sums);
    free(p->scratch);
    free(p->row);
    free(p->values);
    free(p->fractions);
    arb_clear(p->total);
    arb_clear(p->ball);
    arb_clear(p->ball2);
    fmpq_clear(p->rational.fraction);
}

static void total_log(pass *p)
{
    arb_t part;
    arb_init(part);
    ll_product_log(p->total, p->product, p->bits + 4);
    ll_product_log(part, p->row_sums, p->bits + 4);
    arb_neg(p->total, p->total);
    slong prec = arb_bits(p->total) + arb_bits(part) + p->prec;
    arb_add(p->total, p->total, part, prec);
    ll_exact_get_ball(part, &p->scoring->how->low, prec);
    arb_addmul_si(p->total, part, p->clamped, prec);
    arb_clear(part);
}

/* The P-th root of a sum that is not negative, though its ball may reach below 0. */
static void take_root(arb_t x, const ll_exact *degree, slong prec)
{
    arb_t exponent;
    arf_t high;
    arb_init(exponent);
    arf_init(high);
    ll_exact_get_ball(exponent, degree, prec);
    arb_inv(exponent, exponent, prec);
    int reaches_zero = !arb_is_positive(x);
    arb_get_ubound_arf(high, x, prec);
    if (reaches_zero)
        arb_set_arf(x, high);
    if (!arb_is_zero(x))
        arb_pow(x, x, exponent, prec);
    if (reaches_zero) {
        arb_get_ubound_arf(high, x, prec);
        arf_t zero;
        arf_init(zero);
        arb_set_interval_arf(x, zero, high, prec);
        arf_clear(zero);
    }
    arb_clear(exponent);
    arf_clear(high);
}

static void finish(pass *p, ll_unreleased *out)
{
    const ll_computation *resolved = p->scoring->how;
    if (ll_metric_is_log(resolved->metric))
        total_log(p);
    slong prec = arb_bits(p->total) + p->prec + 64;
    if (ll_metric_is_sum(resolved->metric))
        take_root(p->total, ll_metric_parameter(resolved->metric), prec);
    else
        arb_div_si(p->total, p->total, p->scoring->rows, prec);
    arb_set(out->number, p->total);
    ll_unreleased_ends(out->lower, out->upper, p->total);
    out->is_float = 0;
    out->is_rational = 0;
    if (p->is_rational)
        ll_unreleased_set_fraction(out, p->rational.fraction, p->scoring->rows);
}

static slong bits_of(long n)
{
    return 64 - __builtin_clzl((unsigned long)n);
}

ll_status ll_score_exact(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                         ll_error *error)
{
    pass p = {.scoring = scoring, .predictions = predictions, .bits = bits, .prec = bits + bits_of(scoring->rows) + 8};
    p.is_rational = !ll_metric_is_log(scoring->how->metric) && !ll_metric_is_sum(scoring->how->metric);
    ll_status status = begin(&p, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &p, error);
    if (status == LL_OK)
        finish(&p, out);
    end(&p);
    return status;
}

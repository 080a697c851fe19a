/* Scores in native floats: the number that a simulated curator gets, and an interval that holds the real program's.
 *
 * The kernels hand over a ball around the sum of the ideal terms, a bound on how far the real program's terms are off,
 * and the sum of their magnitudes. Here the error of the summation, of the division (or the root) and the rounding
 * of the ends to the format are added: docs/proofs/score-interval.md. */
#include "metric/terms/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MORE (1 + 0x1p-10) /* for products of errors */

/* ---- rows as doubles ---- */

static void convert(double *out, const ll_block *block, long n, int single)
{
    for (long i = 0; i < n; ++i) {
        if (block->entries == LL_ENTRIES_EXACT)
            out[i] = single ? (double)ll_exact_get_f(&block->exacts[i]) : ll_exact_get_d(&block->exacts[i]);
        else if (block->entries == LL_ENTRIES_FLOAT)
            out[i] = (double)block->floats[i];
        else
            out[i] = (double)(float)block->doubles[i];
    }
}

static int reserve(ll_native *pass, long rows)
{
    size_t entries = (size_t)rows * (size_t)pass->columns;
    if (rows <= pass->capacity)
        return 1;
    free(pass->rows);
    free(pass->q);
    free(pass->terms);
    free(pass->extra);
    pass->rows = malloc(entries * sizeof *pass->rows);
    pass->q = malloc((size_t)rows * sizeof *pass->q);
    pass->terms = malloc((size_t)rows * sizeof *pass->terms);
    pass->extra = malloc((size_t)rows * sizeof *pass->extra);
    pass->capacity = rows;
    return pass->rows && pass->q && pass->terms && pass->extra;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    ll_native *pass = state;
    if (!reserve(pass, block->rows))
        return ll_fail(error, LL_MEMORY, "no memory for a block of %ld rows", block->rows);
    const double *rows = block->doubles;
    if (block->entries != LL_ENTRIES_DOUBLE || pass->single) {
        convert(pass->rows, block, block->rows * block->columns, pass->single);
        rows = pass->rows;
    }
    ll_status status = (pass->kernel != NULL ? pass->kernel->block : ll_native_other)(
        pass, rows, pass->scoring->labels + first, block->rows, first, error);
    if (status == LL_OK && pass->kept)
        memcpy(pass->kept + first, pass->terms, (size_t)block->rows * sizeof *pass->kept);
    else if (status == LL_OK)
        ll_sum_add_doubles(pass->sum, pass->terms, block->rows);
    return status;
}

/* ---- the pass ---- */

/* The largest double at or below exp(-bound). */
static double find_threshold(const ll_computation *resolved)
{
    arb_t x;
    arf_t low;
    arb_init(x);
    arf_init(low);
    arb_set_d(x, -resolved->float_low);
    arb_exp(x, x, 192);
    arb_get_lbound_arf(low, x, 192);
    double threshold = arf_get_d(low, ARF_RND_FLOOR);
    arb_clear(x);
    arf_clear(low);
    return threshold;
}

static ll_status begin(ll_native *pass, ll_error *error)
{
    const ll_scoring *scoring = pass->scoring;
    ll_arithmetic doubles = {.ops = &ll_arithmetic_fp64, .format = {11, 52}};
    pass->columns = pass->predictions->columns;
    pass->single = scoring->how->rows.format.fraction_bits == 23;
    pass->single_term = scoring->how->term.format.fraction_bits == 23;
    if (scoring->how->clip_mode == LL_LOG_CLAMP)
        pass->threshold = find_threshold(scoring->how);
    pass->kernel = ll_terms_of(scoring->how->metric)->kernel;
    pass->counts_matches = ll_metric_counts(scoring->how->metric) > 0;
    arb_init(pass->ideal);
    mag_init(pass->error);
    mag_init(pass->magnitude);
    ll_log_product_init(&pass->product);
    pass->sum = ll_sum_create(&scoring->how->total, scoring->how->order, scoring->rows);
    pass->exact = ll_sum_create(&doubles, LL_SUM_EXACT, scoring->rows);
    pass->scratch = malloc((size_t)pass->columns * sizeof *pass->scratch);
    pass->floats = malloc((size_t)pass->columns * sizeof *pass->floats);
    if (!pass->sum || !pass->exact || !pass->scratch || !pass->floats)
        return ll_fail(error, LL_MEMORY, "no memory for rows of %ld columns", pass->columns);
    return LL_OK;
}

static void end(ll_native *pass)
{
    arb_clear(pass->ideal);
    mag_clear(pass->error);
    mag_clear(pass->magnitude);
    ll_sum_destroy(pass->sum);
    ll_sum_destroy(pass->exact);
    free(pass->rows);
    free(pass->q);
    free(pass->terms);
    free(pass->extra);
    free(pass->scratch);
    free(pass->floats);
}

/* ---- the interval ---- */

/* |x| * units * u more, and half the smallest subnormal for a result that underflows. */
static void add_relative(arb_t x, double units, long fraction)
{
    mag_t size, part;
    mag_init(size);
    mag_init(part);
    arb_get_mag(size, x);
    ll_native_units(part, units * MORE, fraction);
    mag_mul(size, size, part);
    mag_one(part);
    mag_mul_2exp_si(part, part, fraction == 23 ? -150 : -1075);
    mag_add(size, size, part);
    arb_add_error_mag(x, size);
    mag_clear(size);
    mag_clear(part);
}

/* pass->ideal becomes a ball around the real program's sum. 0 where that may have overflowed. */
static int bound_sum(ll_native *pass)
{
    const ll_scoring *scoring = pass->scoring;
    long fraction = scoring->how->total.format.fraction_bits;
    mag_t part;
    mag_init(part);
    mag_set_d(part, MORE);
    mag_mul(pass->error, pass->error, part);
    mag_add(pass->magnitude, pass->magnitude, pass->error);
    arb_add_error_mag(pass->ideal, pass->error);
    ll_sum_bound(part, scoring->how->order, scoring->rows, fraction, pass->magnitude);
    if (ll_metric_counts(scoring->how->metric) != 0 && scoring->rows <= 1L << (fraction + 1))
        mag_zero(part); /* counts up to 2^(fraction+1) are exact */
    arb_add_error_mag(pass->ideal, part);
    mag_add(part, part, pass->magnitude);
    int fits = mag_cmp_2exp_si(part, fraction == 23 ? 127 : 1023) <= 0;
    mag_clear(part);
    return fits;
}

/* pow(sum, 1/P): the exponent is off by u/P, which changes the root by |ln sum| u/P relatively. */
static void bound_root(ll_native *pass)
{
    const ll_computation *r = pass->scoring->how;
    double degree = ll_exact_get_d(ll_metric_parameter(r->metric));
    arf_t low, high;
    arb_t exponent;
    arf_init(low);
    arf_init(high);
    arb_init(exponent);
    arb_get_interval_arf(low, high, pass->ideal, 128);
    if (arf_sgn(low) < 0)
        arf_zero(low);
    ll_exact_get_ball(exponent, ll_metric_parameter(r->metric), 128);
    arb_inv(exponent, exponent, 128);
    arf_struct *ends[] = {low, high};
    double logs = 0;
    for (int i = 0; i < 2; ++i) {
        if (arf_is_zero(ends[i]))
            continue;
        logs =
            fmax(logs, fabs(arf_get_d(ends[i], ARF_RND_NEAR)) > 0 ? fabs(log(arf_get_d(ends[i], ARF_RND_NEAR))) : 745);
        arb_set_arf(pass->ideal, ends[i]);
        arb_pow(pass->ideal, pass->ideal, exponent, 128);
        if (i == 0)
            arb_get_lbound_arf(low, pass->ideal, 128);
        else
            arb_get_ubound_arf(high, pass->ideal, 128);
    }
    arb_set_interval_arf(pass->ideal, low, high, 128);
    add_relative(pass->ideal, 2 * r->log_ulps + 2 * (logs + 1) / degree, r->total.format.fraction_bits);
    arf_clear(low);
    arf_clear(high);
    arb_clear(exponent);
}

static void bound_mean(ll_native *pass)
{
    long fraction = pass->scoring->how->total.format.fraction_bits, rows = pass->scoring->rows;
    arb_div_si(pass->ideal, pass->ideal, rows, 192);
    add_relative(pass->ideal, rows <= 1L << (fraction + 1) ? 1 : 2, fraction);
}

/* The real program's number is a value of the format: the ends move inward to the next ones. */
static void round_inward(arf_t low, arf_t high, long fraction)
{
    double from = arf_get_d(low, ARF_RND_CEIL), to = arf_get_d(high, ARF_RND_FLOOR);
    if (fraction == 23) {
        float f = (float)from, t = (float)to;
        from = (double)f < from ? (double)nextafterf(f, INFINITY) : (double)f;
        to = (double)t > to ? (double)nextafterf(t, -INFINITY) : (double)t;
    }
    arf_set_d(low, from);
    arf_set_d(high, to);
}

/* ---- the number ---- */

static double simulate(ll_native *pass)
{
    const ll_computation *r = pass->scoring->how;
    int single = r->total.format.fraction_bits == 23;
    ll_value sum;
    ll_sum_get(pass->sum, &sum);
    if (!ll_metric_is_sum(r->metric))
        return ll_native_round(sum.native / ll_native_round((double)pass->scoring->rows, single), single);
    double exponent = ll_native_round(1 / ll_exact_get_d(ll_metric_parameter(r->metric)), single);
    return ll_native_round(pow(sum.native, exponent), single);
}

static ll_status finish(ll_native *pass, ll_unreleased *out, ll_error *error)
{
    const ll_computation *r = pass->scoring->how;
    long fraction = r->total.format.fraction_bits;
    double number = simulate(pass);
    if (pass->kernel != NULL)
        pass->kernel->finish(pass);
    if (!bound_sum(pass) || !isfinite(number))
        return ll_fail(error, LL_DOMAIN, "the sum of the losses overflows in %s", fraction == 23 ? "fp32" : "fp64");
    int counted = ll_metric_counts(r->metric) != 0 && !ll_metric_is_sum(r->metric) && arb_is_exact(pass->ideal);
    if (ll_metric_is_sum(r->metric))
        bound_root(pass);
    else
        bound_mean(pass);
    out->is_float = 1;
    out->format = r->total.format;
    arb_set_d(out->number, number);
    arb_get_interval_arf(out->lower, out->upper, pass->ideal, 192);
    round_inward(out->lower, out->upper, fraction);
    if (counted) { /* an exact count, one correctly rounded division; or 1 less that of the others */
        double rows = (double)pass->scoring->rows, count = (double)pass->matches;
        double share = ll_native_round(count / rows, fraction == 23), other = share;
        if (ll_metric_counts(r->metric) < 0)
            other = ll_native_round(1 - ll_native_round((rows - count) / rows, fraction == 23), fraction == 23);
        arf_set_d(out->lower, fmin(share, other));
        arf_set_d(out->upper, fmax(share, other));
    }
    return LL_OK;
}

ll_status ll_score_native(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                          ll_error *error)
{
    ll_native pass = {.scoring = scoring, .predictions = predictions};
    ll_status status = begin(&pass, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &pass, error);
    if (status == LL_OK)
        status = finish(&pass, out, error);
    end(&pass);
    return status;
}

ll_status ll_score_native_terms(const ll_scoring *scoring, double *terms, const ll_predictions *predictions,
                                ll_error *error)
{
    ll_native pass = {.scoring = scoring, .predictions = predictions, .kept = terms};
    ll_status status = begin(&pass, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &pass, error);
    end(&pass);
    return status;
}

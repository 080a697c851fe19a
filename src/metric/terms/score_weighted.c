/* Weighted scores: NumPy's average, the sum of w t over the sum of w. Terms are those of the plain score, each with its
 * interval; a product is one rounding of its own size, both sums have their bound, the quotient what the link allows
 * for (docs/proofs/score-interval.md). */
#include "metric/terms/native.h"
#include "metric/terms/terms.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 192 };

typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    double *weights; /* one a row */
    double *terms;   /* native: what a simulated curator computes */
    arb_t sum, total, term;
    mag_t magnitude;
    int is_rational; /* exact: is the sum a fraction? */
    fmpq_t fraction, divisor;
    slong prec;
} pass;

/* Ties of the rounding are decided by fractions, as long as all terms are such. */
static void add_fraction(pass *p, const ll_unreleased *unreleased, double weight)
{
    ll_exact exact;
    fmpq_t term, w;
    fmpz_t divisor;
    ll_exact_init(&exact);
    fmpq_init(term);
    fmpq_init(w);
    fmpz_init_set_si(divisor, unreleased->divisor);
    ll_exact_set_d(&exact, weight);
    p->is_rational =
        unreleased->is_rational && ll_exact_get_fmpq(term, &unreleased->sum) && ll_exact_get_fmpq(w, &exact);
    if (p->is_rational) {
        fmpq_div_fmpz(term, term, divisor);
        fmpq_addmul(p->fraction, term, w);
        fmpq_add(p->divisor, p->divisor, w);
    }
    ll_exact_clear(&exact);
    fmpq_clear(term);
    fmpq_clear(w);
    fmpz_clear(divisor);
}

static ll_status find_term(pass *p, const ll_block *block, long i, long row, ll_error *error)
{
    ll_unreleased unreleased;
    if (!p->is_rational)
        return ll_scoring_term(p->scoring, p->term, block, i, p->scoring->labels[row], error);
    ll_unreleased_init(&unreleased);
    ll_status status = ll_score_row(p->scoring, &unreleased, block, i, p->scoring->labels[row], error);
    if (status == LL_OK) {
        arb_set_interval_arf(p->term, unreleased.lower, unreleased.upper, p->prec);
        add_fraction(p, &unreleased, p->weights[row]);
    }
    ll_unreleased_clear(&unreleased);
    return status;
}

static ll_status add_row(pass *p, const ll_block *block, long i, long row, ll_error *error)
{
    mag_t size;
    arb_t weight;
    ll_status status = find_term(p, block, i, row, error);
    if (status != LL_OK)
        return status;
    mag_init(size);
    arb_init(weight);
    arb_set_d(weight, p->weights[row]);
    arb_add(p->total, p->total, weight, p->prec);
    arb_mul(p->term, p->term, weight, p->prec);
    arb_get_mag(size, p->term);
    mag_add(p->magnitude, p->magnitude, size);
    arb_add(p->sum, p->sum, p->term, p->prec);
    arb_clear(weight);
    mag_clear(size);
    return LL_OK;
}

/* The plain score names the row of a bad entry; then every row is asked by itself. */
static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    pass *p = state;
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows && status == LL_OK; i++)
        status = add_row(p, block, i, first + i, error);
    return status;
}

/* ---- native ---- */

/* x widened by `units` roundings of its own size, and some of the least numbers. */
static void widen(arb_t x, const mag_t size, double units, long fraction)
{
    mag_t part, least;
    mag_init(part);
    mag_init(least);
    ll_native_units(part, units, fraction);
    mag_mul(part, part, size);
    mag_set_ui_2exp_si(least, 1, fraction == 23 ? -110 : -1030);
    mag_add(part, part, least);
    arb_add_error_mag(x, part);
    mag_clear(part);
    mag_clear(least);
}

static void widen_sum(const pass *p, arb_t x, const mag_t size)
{
    const ll_computation *how = p->scoring->how;
    mag_t part;
    mag_init(part);
    ll_sum_bound(part, how->order, p->scoring->rows, how->total.format.fraction_bits, size);
    arb_add_error_mag(x, part);
    mag_clear(part);
}

static void bound_quotient(pass *p, arb_t out)
{
    long fraction = p->scoring->how->total.format.fraction_bits;
    mag_t size;
    mag_init(size);
    widen(p->sum, p->magnitude, 1 + 0x1p-9, fraction);
    ll_native_units(size, 2, fraction);
    mag_add_ui(size, size, 1);
    mag_mul(size, size, p->magnitude); /* of the rounded products */
    widen_sum(p, p->sum, size);
    arb_div(out, p->sum, p->total, PREC);
    ll_link_add_roundoff(p->scoring->how, out, p->scoring->rows);
    mag_clear(size);
}

/* As the program does it: products, two sums, a quotient. */
static ll_status simulate(pass *p, double *out, ll_error *error)
{
    const ll_computation *how = p->scoring->how;
    long rows = p->scoring->rows;
    int single = how->total.format.fraction_bits == 23;
    ll_sum *sum = ll_sum_create(&how->total, how->order, rows), *total = ll_sum_create(&how->total, how->order, rows);
    ll_status status = sum != NULL && total != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a sum");
    if (status == LL_OK) {
        ll_value above, below;
        for (long i = 0; i < rows; i++) {
            p->weights[i] = ll_native_round(p->weights[i], single);
            p->terms[i] = ll_native_round(p->terms[i] * p->weights[i], single);
        }
        ll_sum_add_doubles(sum, p->terms, rows);
        ll_sum_add_doubles(total, p->weights, rows);
        ll_sum_get(sum, &above);
        ll_sum_get(total, &below);
        *out = ll_native_round(above.native / below.native, single);
        if (!isfinite(*out))
            status = ll_fail(error, LL_DOMAIN, "the weighted sum of the losses has no finite mean");
    }
    ll_sum_destroy(sum);
    ll_sum_destroy(total);
    return status;
}

static void round_inward(arf_t low, arf_t high, int single)
{
    double from = arf_get_d(low, ARF_RND_CEIL), to = arf_get_d(high, ARF_RND_FLOOR);
    if (single) {
        float f = (float)from, t = (float)to;
        from = (double)f < from ? (double)nextafterf(f, INFINITY) : (double)f;
        to = (double)t > to ? (double)nextafterf(t, -INFINITY) : (double)t;
    }
    arf_set_d(low, from);
    arf_set_d(high, to);
}

static ll_status finish_native(pass *p, ll_unreleased *out, ll_error *error)
{
    const ll_computation *how = p->scoring->how;
    double number;
    arb_t mean;
    arb_init(mean);
    bound_quotient(p, mean);
    ll_status status = simulate(p, &number, error);
    if (status == LL_OK && !arb_is_finite(mean))
        status = ll_fail(error, LL_DOMAIN, "the weighted sum of the losses overflows in %s", how->arithmetic);
    if (status == LL_OK) {
        out->is_float = 1;
        out->format = how->total.format;
        arb_set_d(out->number, number);
        arb_get_interval_arf(out->lower, out->upper, mean, PREC);
        round_inward(out->lower, out->upper, how->total.format.fraction_bits == 23);
    }
    arb_clear(mean);
    return status;
}

/* ---- all of it ---- */

static ll_status finish(pass *p, ll_unreleased *out, ll_error *error)
{
    if (!arb_is_positive(p->total))
        return ll_fail(error, LL_DOMAIN, "the weights of these rows add up to 0");
    if (p->scoring->how->kind == LL_KIND_NATIVE)
        return finish_native(p, out, error);
    arb_div(out->number, p->sum, p->total, p->prec);
    ll_unreleased_ends(out->lower, out->upper, out->number);
    out->is_float = 0;
    out->is_rational = 0;
    if (p->is_rational) {
        fmpq_div(p->fraction, p->fraction, p->divisor);
        ll_unreleased_set_fraction(out, p->fraction, 1);
    }
    return LL_OK;
}

static int start(pass *p)
{
    size_t rows = (size_t)p->scoring->rows;
    p->weights = malloc(sizeof *p->weights * (rows + 1));
    p->terms = malloc(sizeof *p->terms * (rows + 1));
    arb_init(p->sum);
    arb_init(p->total);
    arb_init(p->term);
    mag_init(p->magnitude);
    fmpq_init(p->fraction);
    fmpq_init(p->divisor);
    p->is_rational = p->scoring->how->kind == LL_KIND_EXACT;
    return p->weights && p->terms;
}

static void end(pass *p)
{
    free(p->weights);
    free(p->terms);
    arb_clear(p->sum);
    arb_clear(p->total);
    arb_clear(p->term);
    mag_clear(p->magnitude);
    fmpq_clear(p->fraction);
    fmpq_clear(p->divisor);
}

ll_status ll_score_weighted(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                            slong bits, ll_error *error)
{
    const ll_computation *how = scoring->how;
    pass p = {.scoring = scoring, .predictions = predictions, .prec = PREC + bits};
    ll_status status = start(&p) ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld weights", scoring->rows);
    if (status == LL_OK)
        status = ll_computation_label_weights(how, p.weights, scoring->labels, scoring->rows, scoring->classes, error);
    if (status == LL_OK && how->kind == LL_KIND_NATIVE)
        status = ll_score_native_terms(scoring, p.terms, predictions, error);
    else if (status == LL_OK)
        status = ll_score_exact(scoring, out, predictions, bits, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &p, error);
    if (status == LL_OK)
        status = finish(&p, out, error);
    end(&p);
    return status;
}

/* The ends of networks, and how many bits of the wanted predictions each keeps.
 *
 * What goes into a head is a logarithm, rounded to the format. Its true image under the head is computed with MPFR and
 * compared with the target; what a runtime's own arithmetic adds is bounded by the constants of the table (measured
 * with ONNX Runtime in tests/real/r-mutnet.py, and doubled at least). See docs/proofs/mutnet.md. */
#include "mutnet/mutnet.h"
#include "number/random.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 160 };

typedef struct {
    const char *name;
    double relative, absolute; /* error of a runtime, in units of 2^-53 (2^-24) */
} head_row;

static const head_row heads[] = {
    [LL_HEAD_AUTO] = {"auto", 0, 0},        [LL_HEAD_LINEAR] = {"linear", 0, 0},
    [LL_HEAD_SOFTMAX] = {"softmax", 12, 0}, [LL_HEAD_RECIPROCAL] = {"reciprocal", 8, 0},
    [LL_HEAD_SIGMOID] = {"sigmoid", 4, 4},
};

const char *ll_head_name(ll_head head)
{
    return (int)head >= 0 && (size_t)head < sizeof heads / sizeof heads[0] ? heads[head].name : NULL;
}

/* ------------------------------------------------------------------ what goes in */

/* Multiples of 2^-k of a size that keeps the difference of two numbers up to `size` exact in the format. */
static double grid_of(double size, int type)
{
    int exponent;
    frexp(2 * size, &exponent);
    return ldexp(1, exponent - (type == LL_TYPE_DOUBLE ? 53 : 24));
}

static double round_to(double x, double grid)
{
    return rint(x / grid) * grid;
}

/* ln p_k + c: a constant is free, and makes no two models alike. The same one for all rows, so that equal rows stay
 * equal. */
static void softmax_inputs(ll_ending *ending, const double *p, double *z, uint64_t seed)
{
    long columns = ending->inputs.columns;
    double shift = (double)ll_random_below(seed, LL_DRAW_SHIFT, 0, 2048) / 1024 - 1, largest = 1;
    for (long k = 0; k < columns; k++) {
        z[k] = log(p[k]) + shift;
        largest = fmax(largest, fabs(z[k]));
    }
    for (long k = 0; k < columns; k++)
        z[k] = round_to(z[k], grid_of(largest, ending->type));
}

static double logit(double p)
{
    mpfr_t a, b;
    mpfr_inits2(PRECISION, a, b, (mpfr_ptr)0);
    mpfr_set_d(a, p, MPFR_RNDN);
    mpfr_ui_sub(b, 1, a, MPFR_RNDN);
    mpfr_div(a, a, b, MPFR_RNDN);
    mpfr_log(a, a, MPFR_RNDN);
    double z = mpfr_get_d(a, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)0);
    return z;
}

static void fill_row(ll_ending *ending, const double *p, uint64_t seed, long row)
{
    double *z = ending->inputs.x + row * ending->inputs.columns;
    if (ending->head == LL_HEAD_SOFTMAX) {
        softmax_inputs(ending, p, z, seed);
        return;
    }
    for (long k = 0; k < ending->inputs.columns; k++)
        z[k] = ll_mutnet_round(ending->head == LL_HEAD_LINEAR ? p[k] : logit(p[k]), ending->type);
}

/* ------------------------------------------------------------------ what comes out */

/* |image / p - 1| of entry k of a row, the image computed to PRECISION bits. */
static double image_error(const ll_ending *ending, const double *z, double p, long k)
{
    mpfr_t sum, term;
    mpfr_inits2(PRECISION, sum, term, (mpfr_ptr)0);
    if (ending->head == LL_HEAD_LINEAR)
        mpfr_set_d(sum, z[k], MPFR_RNDN);
    else {
        mpfr_set_ui(sum, ending->head == LL_HEAD_SOFTMAX ? 0 : 1, MPFR_RNDN);
        for (long j = 0; j < (ending->head == LL_HEAD_SOFTMAX ? ending->inputs.columns : 1); j++) {
            mpfr_set_d(term, ending->head == LL_HEAD_SOFTMAX ? z[j] : 0, MPFR_RNDN);
            mpfr_sub_d(term, term, z[k], MPFR_RNDN);
            mpfr_exp(term, term, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
        }
        mpfr_ui_div(sum, 1, sum, MPFR_RNDN);
    }
    double error = 0;
    if (p != 0 || !mpfr_zero_p(sum)) {
        mpfr_div_d(sum, sum, p, MPFR_RNDN);
        mpfr_sub_ui(sum, sum, 1, MPFR_RNDN);
        error = fabs(mpfr_get_d(sum, MPFR_RNDA));
    }
    mpfr_clears(sum, term, (mpfr_ptr)0);
    return isnan(error) ? INFINITY : error;
}

/* The relative error of entry p as it comes out, at most. */
static double entry_error(const ll_ending *ending, const double *z, double p, long k)
{
    double unit = ll_mutnet_unit(ending->type), error = image_error(ending, z, p, k);
    const head_row *h = &heads[ending->head];
    if (ending->head != LL_HEAD_LINEAR)
        error += h->relative * unit + h->absolute * unit / p;
    if (ending->out_type == ending->type)
        return ending->head == LL_HEAD_LINEAR ? error
                                              : error + (ending->type == LL_TYPE_DOUBLE ? 0x1p-1074 : 0x1p-149) / p;
    double narrow = ll_mutnet_round(p, ending->out_type);
    return error + (error == 0 && narrow == p ? 0 : fmax(ll_mutnet_unit(ending->out_type), fabs(narrow / p - 1)));
}

/* Predictions that the head can give at all. */
static ll_status check_entry(const ll_ending *ending, double p, long row, long k, ll_error *error)
{
    if (ending->head == LL_HEAD_LINEAR)
        return isfinite(p) && isfinite(ll_mutnet_round(p, ending->out_type))
                   ? LL_OK
                   : ll_fail(error, LL_DOMAIN, "row %ld: %g is beyond the numbers of the network", row, p);
    if (p > 0 && p < 1)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "row %ld, column %ld: the %s head gives probabilities between 0 and 1 and never %g; use the linear one", row, k,
        heads[ending->head].name, p);
}

static ll_status fill(ll_ending *ending, const ll_mutnet_request *request, const ll_matrix *targets, double wanted,
                      ll_error *error)
{
    double worst = 0, worst_p = 0;
    long worst_row = 0;
    for (long i = 0; i < targets->rows; i++) {
        const double *p = targets->x + i * targets->columns, *z = ending->inputs.x + i * targets->columns;
        for (long k = 0; k < targets->columns; k++) {
            ll_status status = check_entry(ending, p[k], i, k, error);
            if (status != LL_OK)
                return status;
        }
        fill_row(ending, p, request->seed, i);
        for (long k = ending->first; k < targets->columns; k++) {
            double e = entry_error(ending, z, p[k], k);
            if (e > worst) {
                worst = e;
                worst_p = p[k];
                worst_row = i;
            }
        }
    }
    ending->bits = worst == 0 ? INFINITY : -log2(worst) - 1e-6; /* its own rounding */
    if (ending->bits >= wanted)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "the %s head in %s keeps %.3g bits of %g (row %ld) where %g are asked for%s; use the linear head or "
                   "ask for fewer bits",
                   heads[ending->head].name, ending->out_type == LL_TYPE_DOUBLE ? "float64" : "float32",
                   ending->bits > 0 ? ending->bits : 0, worst_p, worst_row, wanted,
                   ending->head == LL_HEAD_SIGMOID ? ": runtimes compute Sigmoid with an absolute error" : "");
}

/* ------------------------------------------------------------------ choice */

static ll_status check_head(ll_head head, const ll_mutnet_request *request, long columns, ll_error *error)
{
    if (request->is_logit && head != LL_HEAD_LINEAR)
        return ll_fail(error, LL_DOMAIN, "the scorer takes logits: the head must be linear, not %s", heads[head].name);
    if (head == LL_HEAD_SOFTMAX && columns < 2)
        return ll_fail(error, LL_DOMAIN, "a softmax has two or more columns; use the reciprocal head");
    if (head == LL_HEAD_RECIPROCAL && columns != 1)
        return ll_fail(error, LL_DOMAIN, "the reciprocal head has one column, not %ld; use the softmax head", columns);
    return LL_OK;
}

static ll_status try_head(ll_ending *ending, ll_head head, const ll_mutnet_request *request, const ll_matrix *targets,
                          ll_error *error)
{
    double wanted = request->bits > 0 ? request->bits : ending->out_type == LL_TYPE_DOUBLE ? 40 : 16;
    ll_status status = check_head(head, request, targets->columns, error);
    ending->head = head;
    return status == LL_OK ? fill(ending, request, targets, wanted, error) : status;
}

ll_status ll_ending_create(ll_ending *out, const ll_mutnet_request *request, const ll_matrix *targets, int type,
                           int out_type, int has_features, long first, ll_error *error)
{
    ll_error ignored;
    ll_status status = LL_DOMAIN;
    *out = (ll_ending){
        .type = type, .out_type = out_type, .inputs = {targets->rows, targets->columns, NULL}, .first = first};
    out->inputs.x = calloc((size_t)(targets->rows * targets->columns), sizeof *out->inputs.x);
    if (!out->inputs.x)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", targets->rows);
    if (request->head != LL_HEAD_AUTO)
        status = try_head(out, request->head, request, targets, error);
    else {
        if (!request->is_logit && !has_features)
            status =
                try_head(out, targets->columns > 1 ? LL_HEAD_SOFTMAX : LL_HEAD_RECIPROCAL, request, targets, &ignored);
        if (status != LL_OK)
            status = try_head(out, LL_HEAD_LINEAR, request, targets, error);
    }
    if (status != LL_OK)
        ll_ending_clear(out);
    return status;
}

void ll_ending_clear(ll_ending *ending)
{
    ll_matrix_clear(&ending->inputs);
}

/* ------------------------------------------------------------------ nodes */

const char *ll_ending_build(ll_onnx_builder *builder, const ll_ending *ending, const char *z, const char *output)
{
    const double one[1] = {1};
    int narrows = ending->type != ending->out_type;
    const char *last = narrows ? NULL : output;
    if (ending->head == LL_HEAD_SOFTMAX) {
        z = ll_onnx_node(builder, "Softmax", last, z, NULL, NULL);
        ll_onnx_set_int(builder, "axis", 1);
    } else if (ending->head == LL_HEAD_SIGMOID)
        z = ll_onnx_node(builder, "Sigmoid", last, z, NULL, NULL);
    else if (ending->head == LL_HEAD_RECIPROCAL) {
        z = ll_onnx_node(builder, "Neg", NULL, z, NULL, NULL);
        z = ll_onnx_node(builder, "Exp", NULL, z, NULL, NULL);
        z = ll_onnx_node(builder, "Add", NULL, z, ll_onnx_numbers(builder, "one", one, 1, 0), NULL);
        z = ll_onnx_node(builder, "Reciprocal", last, z, NULL, NULL);
    } else if (!narrows)
        z = ll_onnx_node(builder, "Identity", last, z, NULL, NULL);
    if (narrows) {
        z = ll_onnx_node(builder, "Cast", output, z, NULL, NULL);
        ll_onnx_set_int(builder, "to", ending->out_type);
    }
    return z;
}

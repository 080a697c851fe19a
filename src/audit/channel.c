/* From a scorer to a channel. The reach is not taken from a formula but asked of the scorer's own arithmetic: the loss
 * of a row depends on its label most where the row is all for one class, since weights are monotone in the prediction
 * (docs/proofs/audit.md). */
#include "audit/channel.h"

#include "audit/row_terms.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- reach ---- */

/* greatest - least term of a row that is all for class `one`, with `low` elsewhere; infinite where a term is. */
static ll_status find_span(const ll_scoring *s, double *span, double *greatest, long one, double low, ll_error *error)
{
    enum { MOST = 64 };
    long columns = s->classes > 2 ? s->classes : 1;
    double row[MOST] = {0}, terms[MOST] = {0}, least = INFINITY;
    if (columns > MOST)
        columns = MOST;
    for (long c = 0; c < columns; c++)
        row[c] = columns == 1 ? (one == 1 ? 1 - low : low) : c == one ? 1 : low;
    ll_scoring few = *s;
    few.classes = columns > 2 ? columns : 2;
    ll_status status = ll_row_terms(&few, terms, row, columns);
    *span = *greatest = INFINITY;
    if (status == LL_MEMORY)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    if (status != LL_OK)
        return LL_OK;
    *greatest = -INFINITY;
    for (long k = 0; k < few.classes; k++) {
        least = fmin(least, terms[k]);
        *greatest = fmax(*greatest, terms[k]);
    }
    *span = *greatest - least;
    return LL_OK;
}

/* The smallest positive number of the rows' format, where that is a double. */
static double least_number(const ll_computation *r)
{
    if (r->kind == LL_KIND_EXACT)
        return 0;
    double bias = ldexp(1, (int)fmin((double)r->rows.format.exponent_bits, 12) - 1) - 1;
    return ldexp(1, (int)fmax(1 - bias - (double)r->rows.format.fraction_bits, -1074));
}

/* Rows at the very ends; where a loss is infinite there, at the smallest number that the rows can hold. */
static ll_status find_reach(const ll_scoring *s, double *reach, double *greatest, ll_error *error)
{
    *reach = *greatest = 0;
    for (long one = 0; one < 2; one++) {
        double ends[] = {0, least_number(s->how)}, span = INFINITY, most = INFINITY;
        for (int i = 0; i < 2 && isinf(span) && (i == 0 || ends[i] > 0); i++) {
            ll_status status = find_span(s, &span, &most, one, ends[i], error);
            if (status != LL_OK)
                return status;
        }
        *reach = fmax(*reach, span);
        *greatest = fmax(*greatest, most);
    }
    return LL_OK;
}

/* ---- answers ---- */

static void set_release(ll_channel *c, const ll_scorer *scorer)
{
    const ll_release *r = &scorer->release;
    c->scale = fabs((double)ll_release_scale(r));
    c->noise = r->noise;
    c->noise_size = r->noise == LL_NOISE_NONE ? 0 : ll_exact_get_d(&r->noise_size);
    c->grid = r->rounding == LL_ROUND_DECIMALS ? pow(10, -r->places) : 0;
    c->digits = r->rounding == LL_ROUND_DIGITS ? r->places : 0;
    if (r->has_ladder)
        c->grid = fmax(c->grid, ll_exact_get_d(&r->ladder));
    c->queries = scorer->queries > 0 ? (double)scorer->queries : INFINITY;
}

/* log2 of the floats from 0 to x, all of them where x is infinite; all exponents from the least on. */
static double count_floats(const ll_format *format, double x)
{
    double exponents = exp2((double)format->exponent_bits), bias = exponents / 2 - 1;
    double used = isfinite(x) && x > 0 ? fmin(exponents, floor(log2(x)) + bias + 2) : exponents;
    return (double)format->fraction_bits + log2(fmax(used, 1));
}

static void set_range(ll_channel *c, const ll_scorer *scorer, double greatest)
{
    const ll_computation *r = &scorer->computation;
    double rows = (double)c->rows;
    c->is_linear = ll_release_is_linear(&scorer->release) && !ll_metric_is_sum(r->metric);
    c->is_count = ll_metric_input(r->metric) == LL_INPUT_LABEL;
    c->range = c->is_linear ? c->scale * c->reach : INFINITY;
    c->sensitivity = c->scale * c->reach / rows;
    c->spread = c->is_linear ? c->scale * c->reach * sqrt(c->share_variance / rows) : INFINITY;
    if (!ll_release_is_linear(&scorer->release)) {
        c->range = sqrt(greatest);
        c->sensitivity = sqrt(c->reach / rows);
    } else if (!c->is_linear) { /* (number wrong)^(1/P): steepest at the bottom for P >= 1, else at the top */
        double power = 1 / ll_exact_get_d(ll_metric_parameter(r->metric));
        c->range = pow(rows, power);
        c->sensitivity = fmax(1, c->range - pow(rows - 1, power));
    }
    c->fraction_bits = (double)r->total.format.fraction_bits;
    c->float_bits = r->kind == LL_KIND_EXACT ? INFINITY : count_floats(&r->total.format, c->scale * greatest);
}

/* ---- labels ---- */

static ll_status set_labels(ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    double classes = (double)c->classes, sum = 0;
    c->label_bits = log2(classes);
    c->guess = 1 / classes;
    c->share_variance = floor(classes / 2) * ceil(classes / 2) / (classes * classes);
    if (scorer->prior == NULL)
        return LL_OK;
    if (scorer->prior_count != c->classes)
        return ll_fail(error, LL_DOMAIN, "the prior has %ld shares for %ld classes", scorer->prior_count, c->classes);
    c->label_bits = c->guess = 0;
    for (long k = 0; k < c->classes; k++) {
        double p = scorer->prior[k];
        sum += p;
        c->label_bits -= p > 0 ? p * log2(p) : 0;
        c->guess = fmax(c->guess, p);
    }
    if (!(fabs(sum - 1) < 1e-6))
        return ll_fail(error, LL_DOMAIN, "the shares of the prior sum to %.6g, not to 1", sum);
    c->share_variance = c->classes == 2   ? c->guess * (1 - c->guess)
                        : c->guess >= 0.5 ? c->guess * (1 - c->guess)
                                          : 0.25;
    return LL_OK;
}

ll_status ll_channel_init(ll_channel *out, const ll_scorer *scorer, ll_error *error)
{
    double greatest = 0;
    ll_status status = ll_scorer_need(scorer, error);
    if (status != LL_OK)
        return status;
    *out = (ll_channel){.rows = scorer->rows, .classes = scorer->classes > 0 ? scorer->classes : 2};
    if (scorer->rows < 1)
        return ll_fail(error, LL_DOMAIN, "an audit needs the number of rows, at least 1");
    const ll_scoring s = {.how = &scorer->computation, .rows = 1, .classes = out->classes};
    status = set_labels(out, scorer, error);
    if (status == LL_OK)
        status = find_reach(&s, &out->reach, &greatest, error);
    if (status == LL_OK && ll_metric_input(s.how->metric) == LL_INPUT_LOGIT)
        out->reach = greatest = INFINITY;
    if (status == LL_OK) {
        set_release(out, scorer);
        set_range(out, scorer, greatest);
    }
    return status;
}

double ll_channel_noise_sd(const ll_channel *c)
{
    double size = c->noise_size, noise = 0;
    if (c->noise == LL_NOISE_GAUSSIAN)
        noise = size * size;
    else if (c->noise == LL_NOISE_LAPLACE)
        noise = 2 * size * size;
    else if (c->noise == LL_NOISE_BOUNDED)
        noise = size * size / 3;
    return sqrt(noise + c->grid * c->grid / 12);
}

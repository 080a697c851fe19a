#include "scorer/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#define UP (1 + 0x1p-40) /* doubles of a few steps, rounded up */

ll_shape ll_scorer_shape(const ll_scorer *scorer, long rows)
{
    const ll_metric *metric = scorer->computation.metric;
    ll_shape shape = {1, 1, (double)rows};
    if (ll_metric_is_sum(metric))
        shape = (ll_shape){1, 1 / ll_exact_get_d(ll_metric_parameter(metric)), 1};
    ll_release_add_steps(&scorer->release, &shape.scale, &shape.power);
    return shape;
}

/* x^power rises by that much from x to x + d, without cancellation. */
static double power_rise(double x, double d, double power)
{
    if (!(x > 0))
        return pow(d, power);
    double grown = expm1(power * log1p(d / x));
    return pow(x, power) * grown;
}

/* x^power is steepest at the bottom up to power 1, above it at the top. */
double ll_shape_rise(const ll_shape *c, double least, double most, double length)
{
    if (c->power == 1)
        return c->scale * (length / c->divisor);
    double from = c->power < 1 ? fmax(least, 0) : fmax(most - length, 0);
    return c->scale * power_rise(from / c->divisor, length / c->divisor, c->power);
}

/* Errors of the sum, in units of the last place of `most`. */
static double sum_units(const ll_computation *how, long rows, double unit)
{
    mag_t bound, sum;
    mag_init(bound);
    mag_init(sum);
    mag_set_d(sum, (double)rows);
    ll_sum_bound(bound, how->order, rows, how->total.format.fraction_bits, sum);
    double units = mag_get_d(bound) / (double)rows / unit;
    mag_clear(bound);
    mag_clear(sum);
    return units;
}

double ll_shape_slack(const ll_shape *c, const ll_computation *how, long rows, double least, double most, int is_count)
{
    long fraction = how->total.format.fraction_bits;
    if (how->kind == LL_KIND_EXACT)
        return 0;
    double unit = ldexp(1, (int)-(fraction < 1000 ? fraction : 1000)), top = pow(most / c->divisor, c->power);
    double units = 8 * fmax(1, c->power) + (is_count ? 0 : sum_units(how, rows, unit));
    if (c->power >= 1)
        return c->scale * (top * units * unit);
    return ll_shape_rise(c, fmax(0, least - most * units * unit), most, most * units * unit) + c->scale * (top * unit);
}

/* ---- one submission ---- */

typedef struct {
    double *spans; /* [row]: the most that its term depends on its label */
    double least, most, sizes;
} spans;

static ll_status find_spans(const ll_scoring *s, spans *out, const ll_predictions *predictions, ll_error *error)
{
    long rows = s->rows, classes = s->classes;
    double *terms = malloc(sizeof *terms * (size_t)rows * (size_t)classes);
    *out = (spans){.spans = malloc(sizeof *out->spans * (size_t)rows)};
    ll_status status = terms != NULL && out->spans != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for spans");
    if (status == LL_OK)
        status = ll_score_all_terms(s, terms, predictions, error);
    for (long i = 0; i < rows && status == LL_OK; i++) {
        const double *term = terms + i * classes;
        double low = term[0], high = term[0];
        for (long k = 1; k < classes; k++) {
            low = fmin(low, term[k]);
            high = fmax(high, term[k]);
        }
        out->spans[i] = high - low;
        out->least += low;
        out->most += high;
        out->sizes += fmax(fabs(low), fabs(high));
    }
    free(terms);
    return status;
}

/* A label moves the exact number by at most the rise over its span, and the two computed numbers are each within the
 * slack of theirs. */
ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                               const ll_predictions *predictions, ll_error *error)
{
    spans s;
    ll_shape shape = ll_scorer_shape(scorer, scoring->rows);
    int is_count = ll_metric_input(scoring->how->metric) == LL_INPUT_LABEL;
    ll_status status = find_spans(scoring, &s, predictions, error);
    double slack = ll_shape_slack(&shape, scoring->how, scoring->rows, s.least, s.sizes, is_count), sum = 0;
    for (long i = 0; i < scoring->rows && status == LL_OK; i++) {
        double most = ll_shape_rise(&shape, s.least * (1 - 0x1p-40), s.most * UP, s.spans[i]) + 2 * slack;
        sum += most * most;
    }
    free(s.spans);
    if (status == LL_OK && !isfinite(sum))
        return ll_fail(error, LL_DOMAIN,
                       "the loss of a row has no limit here, so there is no noise in proportion to it: "
                       "clip the predictions");
    *out = sqrt(sum) / 2 * UP;
    return status;
}

#include "scorer/sensitivity.h"

#include "metric/confusion.h"
#include "metric/view.h"

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

/* ---- functions of counts ---- */

enum { MOST_COUNTED = 8192 }; /* every pair of counts is tried */

/* The most that the label of a row predicted 1 (`of`), or 0, moves the number: the others predicted 1 have any number
 * of hits, those predicted 0 any number of misses. Labellings without a number move nothing. */
static double count_span(const ll_computation *how, long guessed, long rows, int of)
{
    const ll_work work = {LL_WORK_DOUBLES, 64};
    double most = 0;
    ll_worked number;
    ll_worked_init(&number);
    for (long hits = 0; hits <= guessed - of; hits++) {
        double last = (double)NAN;
        for (long missed = 0; missed <= rows - guessed - !of; missed++) {
            double pair[2];
            for (int label = 0; label < 2; label++) {
                ll_two two = {hits + (of && label), guessed, hits + missed + label, rows};
                int again = label == 0 && !of && missed > 0; /* what the row before it had with label 1 */
                pair[label] = again                                             ? last
                              : ll_view_two(how, &work, &number, &two) == LL_OK ? number.native
                                                                                : (double)NAN;
            }
            last = pair[1];
            most = fabs(pair[1] - pair[0]) > most ? fabs(pair[1] - pair[0]) : most;
        }
    }
    ll_worked_clear(&number);
    return most;
}

static ll_status count_spread(const ll_scorer *scorer, const ll_scoring *s, double *out,
                              const ll_predictions *predictions, ll_error *error)
{
    ll_confusion counts;
    ll_scoring any = *s;
    ll_shape shape = {1, 1, 1};
    ll_release_add_steps(&scorer->release, &shape.scale, &shape.power);
    if (s->classes > 2 || s->rows > MOST_COUNTED || shape.power != 1)
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion: what a label can move %s is known for two classes, up to %d rows and "
                       "without a root",
                       ll_metric_row(s->how->metric)->name, (int)MOST_COUNTED);
    ll_status status = ll_confusion_init(&counts, s->classes, error);
    if (status == LL_OK)
        status = ll_confusion_count(&any, &counts, predictions, error);
    if (status == LL_OK) {
        long guessed = (long)counts.guesses[1];
        double one = guessed > 0 ? count_span(s->how, guessed, s->rows, 1) : 0;
        double zero = guessed < s->rows ? count_span(s->how, guessed, s->rows, 0) : 0;
        double slack = 0x1p-40; /* far more than the few roundings of a number of at most 1 in size */
        one = shape.scale * (one + slack);
        zero = shape.scale * (zero + slack);
        *out = sqrt((double)guessed * one * one + (double)(s->rows - guessed) * zero * zero) / 2 * UP;
    }
    ll_confusion_clear(&counts);
    return status;
}

/* ---- sums ---- */

/* A label moves the exact number by at most the rise over its span, and the two computed numbers are each within the
 * slack of theirs. */
static ll_status sum_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
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

ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                               const ll_predictions *predictions, ll_error *error)
{
    switch (ll_metric_view(scoring->how->metric)) {
    case LL_VIEW_TERMS:
        return sum_spread(scorer, scoring, out, predictions, error);
    case LL_VIEW_CONFUSION:
        return count_spread(scorer, scoring, out, predictions, error);
    default:
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move %s is not known",
                       ll_metric_row(scoring->how->metric)->name);
    }
}

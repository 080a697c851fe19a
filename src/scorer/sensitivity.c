#include "scorer/sensitivity.h"

#include "metric/confusion.h"
#include "metric/ranks.h"
#include "metric/view.h"
#include "scorer/area_noise.h"
#include "scorer/overlap_noise.h"

#include <float.h>
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

int ll_shape_overflows(const ll_shape *c, const ll_computation *how, double most)
{
    if (how->kind == LL_KIND_EXACT)
        return !isfinite(most);
    mpfr_t largest;
    mpfr_init2(largest, 64);
    ll_format_max_finite(&how->total.format, largest);
    double limit = mpfr_nan_p(largest) ? DBL_MAX : mpfr_get_d(largest, MPFR_RNDD);
    mpfr_clear(largest);
    return !(most * fmax(1, c->scale) * UP < limit / 2); /* half: for what roundings add */
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

#define SLACK 0x1p-40 /* far more than the few roundings of a number of at most 1 in size */

/* Half of these moves, each by a little more. */
static double overlap_spread(const ll_scorer *scorer, long rows, double moves)
{
    double scale = 1, power = 1;
    ll_release_add_steps(&scorer->release, &scale, &power);
    return scale * (moves + SLACK * sqrt((double)rows)) / 2 * UP;
}

double ll_scorer_overlap_spread(const ll_scorer *scorer, long rows, long guessed, long positives, long hits)
{
    return overlap_spread(scorer, rows, ll_overlap_moves(rows, guessed, positives, hits));
}

double ll_scorer_count_spread(const ll_scorer *scorer, long rows, long guessed)
{
    const ll_computation *how = &scorer->computation;
    double scale = 1, power = 1, slack = SLACK;
    if (ll_view_is_overlap(how))
        return overlap_spread(scorer, rows, ll_overlap_reach(rows, guessed));
    ll_release_add_steps(&scorer->release, &scale, &power);
    double one = guessed > 0 ? count_span(how, guessed, rows, 1) : 0;
    double zero = guessed < rows ? count_span(how, guessed, rows, 0) : 0;
    one = scale * (one + slack);
    zero = scale * (zero + slack);
    return sqrt((double)guessed * one * one + (double)(rows - guessed) * zero * zero) / 2 * UP;
}

double ll_scorer_size_told(const ll_scorer *scorer, long rows)
{
    const ll_computation *how = &scorer->computation;
    double ones = scorer->prior != NULL && scorer->prior_count > 1 ? scorer->prior[1] : 0.5, zeros = 1 - ones;
    double bits = (ones > 0 ? -ones * log2(ones) : 0) + (zeros > 0 ? -zeros * log2(zeros) : 0);
    return ll_view_area_slope(how) != 0 ? ll_area_told(rows, ones, bits)
           : ll_view_is_overlap(how)    ? ll_overlap_told(rows, ones, bits)
                                        : 0;
}

/* Of F1 with these labels, where its noise follows them; else over all labels. */
static double matrix_spread(const ll_scorer *scorer, const ll_confusion *counts)
{
    long rows = (long)counts->rows, guessed = (long)counts->guesses[1];
    double c = ll_release_get_figures(&scorer->release).proportion;
    if (ll_view_is_overlap(&scorer->computation) && ll_overlap_follows(ll_scorer_size_told(scorer, rows), rows, c))
        return ll_scorer_overlap_spread(scorer, rows, guessed, (long)counts->truth[1], (long)counts->cells[3]);
    return ll_scorer_count_spread(scorer, rows, guessed);
}

static ll_status count_spread(const ll_scorer *scorer, const ll_scoring *s, double *out,
                              const ll_predictions *predictions, ll_error *error)
{
    ll_confusion counts;
    ll_scoring any = *s;
    ll_status status = ll_confusion_init(&counts, s->classes, error);
    if (status == LL_OK)
        status = ll_confusion_count(&any, &counts, predictions, error);
    if (status == LL_OK)
        *out = matrix_spread(scorer, &counts);
    ll_confusion_clear(&counts);
    return status;
}

/* ---- ranks ---- */

/* Of midranks about their mean, the mean square. Ties are counted from the top. */
static double rank_square(const ll_ranking *r)
{
    double rows = (double)r->rows, sum = 0, above = 0;
    for (long t = 0; t < r->ties; t++) {
        double upto = (double)(r->above[2 * t] + r->above[2 * t + 1]), off = (above + upto - rows) / 2;
        sum += (upto - above) * off * off;
        above = upto;
    }
    return sum / rows * UP;
}

/* The two computed numbers are each within the error of theirs. */
static double area_spread(const ll_scorer *scorer, const ll_scoring *s, const ll_ranking *r)
{
    double scale = 1, power = 1, slope = ll_view_area_slope(s->how);
    mag_t off;
    mag_init(off);
    ll_release_add_steps(&scorer->release, &scale, &power);
    ll_view_area_error(s->how, off, r->ties, 2);
    double each = slope * ll_area_moves(rank_square(r), r->rows, r->positives) / 2, rows = (double)r->rows;
    double spread = scale * (each + sqrt(rows) * mag_get_d(off)) * UP;
    mag_clear(off);
    return spread;
}

static ll_status rank_spread(const ll_scorer *scorer, const ll_scoring *s, double *out,
                             const ll_predictions *predictions, ll_error *error)
{
    ll_ranking ranking;
    ll_status status = ll_ranking_init(s, &ranking, predictions, 0, error);
    if (status != LL_OK)
        return status;
    if (ranking.positives > 0 && ranking.positives < ranking.rows)
        *out = area_spread(scorer, s, &ranking);
    else
        status = ll_fail(error, LL_DOMAIN, "the labels are all of one class: there is no spread");
    ll_ranking_clear(&ranking);
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
    if (status == LL_OK && (!isfinite(sum) || ll_shape_overflows(&shape, scoring->how, s.sizes)))
        return ll_fail(error, LL_DOMAIN,
                       "the loss of a row has no limit here, so there is no noise in proportion to it: "
                       "clip the predictions");
    *out = sqrt(sum) / 2 * UP;
    return status;
}

/* 0: not known yet */
static ll_status check_spread(const ll_scorer *scorer, long rows, long classes, ll_error *error)
{
    double scale = 1, power = 1;
    const ll_metric *metric = scorer->computation.metric;
    ll_release_add_steps(&scorer->release, &scale, &power);
    ll_view view = ll_metric_view(metric);
    if (scorer->computation.is_weighted)
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move a weighted score is not known");
    if (view == LL_VIEW_TERMS)
        return LL_OK;
    if (view == LL_VIEW_FIT || (view == LL_VIEW_RANKS && ll_view_area_slope(&scorer->computation) == 0))
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move %s is not known",
                       ll_metric_row(metric)->name);
    int tries = view == LL_VIEW_CONFUSION && !ll_view_is_overlap(&scorer->computation);
    if (classes > 2 || power != 1 || (tries && rows > MOST_COUNTED))
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion: what a label can move %s is known for two classes, up to %d rows and "
                       "without a root",
                       ll_metric_row(metric)->name, (int)MOST_COUNTED);
    return LL_OK;
}

ll_status ll_scorer_check_spread(const ll_scorer *scorer, ll_error *error)
{
    return check_spread(scorer, scorer->rows, scorer->classes, error);
}

ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                               const ll_predictions *predictions, ll_error *error)
{
    static ll_status (*const spreads[])(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                                        const ll_predictions *predictions, ll_error *error) = {
        [LL_VIEW_TERMS] = sum_spread, [LL_VIEW_CONFUSION] = count_spread, [LL_VIEW_RANKS] = rank_spread};
    ll_status status = check_spread(scorer, scoring->rows, scoring->classes, error); /* others have none */
    return status == LL_OK ? spreads[ll_metric_view(scoring->how->metric)](scorer, scoring, out, predictions, error)
                           : status;
}

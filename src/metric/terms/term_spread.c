/* How far labels can move a sum of terms, and what is made of it. */
#include "metric/terms/shape.h"
#include "metric/terms/terms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define UP LL_ASKED_UP

ll_shape ll_shape_of(const ll_asked *asked)
{
    const ll_metric *metric = asked->how->metric;
    int is_sum = ll_metric_is_sum(metric);
    double own = is_sum ? 1 / ll_exact_get_d(ll_metric_parameter(metric)) : 1;
    return (ll_shape){asked->scale, own * asked->power, is_sum ? 1 : (double)asked->rows};
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
    if (c->power == 0)
        return INFINITY;
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

static void add_row(spans *out, long row, double low, double high)
{
    out->spans[row] = high - low;
    out->least += low;
    out->most += high;
    out->sizes += fmax(fabs(low), fabs(high));
}

/* An error falls with the target up to the prediction and rises beyond it; shares of a target rise up to 0 and fall
 * beyond it, too. So the ends, and the targets next to the prediction and to 0, are enough of a grid. */
enum { PROBES = 6, MOST_WALKED = 64 };

static void set_probes(long *labels, const ll_metric *metric, double x)
{
    const long last = ll_metric_target_count(metric) - 1;
    double low = ll_metric_target_double(metric, 0), width = ll_metric_target_double(metric, last) - low, at[] = {x, 0};
    labels[0] = 0;
    labels[1] = last;
    for (int i = 0; i < 2; i++) {
        double place = fmin(fmax((at[i] - low) / width * (double)last, 0), (double)last - 1);
        labels[2 + 2 * i] = (long)place;
        labels[3 + 2 * i] = (long)place + 1;
    }
}

typedef struct {
    const ll_scoring *scoring;
    spans *out;
} grid_visitor;

static ll_status visit_grid(void *state, const ll_block *block, long first, ll_error *error)
{
    const grid_visitor *v = state;
    long labels[PROBES];
    ll_status status = LL_OK;
    ll_exact scratch;
    arb_t term;
    ll_exact_init(&scratch);
    arb_init(term);
    for (long i = 0; i < block->rows && status == LL_OK; i++) {
        double low = INFINITY, high = -INFINITY;
        set_probes(labels, v->scoring->how->metric, ll_exact_get_d(ll_rows_exact(&scratch, block, i)));
        for (int k = 0; k < PROBES && status == LL_OK; k++) {
            status = ll_scoring_term(v->scoring, term, block, i, labels[k], error);
            low = fmin(low, arf_get_d(arb_midref(term), ARF_RND_FLOOR));
            high = fmax(high, arf_get_d(arb_midref(term), ARF_RND_CEIL));
        }
        add_row(v->out, first + i, low, high);
    }
    ll_exact_clear(&scratch);
    arb_clear(term);
    return status;
}

static ll_status find_spans(const ll_scoring *s, spans *out, const ll_predictions *predictions, ll_error *error)
{
    long rows = s->rows, classes = s->classes;
    int is_grid = ll_metric_takes_targets(s->how->metric) && classes > MOST_WALKED;
    double *terms = is_grid ? NULL : malloc(sizeof *terms * (size_t)rows * (size_t)classes);
    *out = (spans){.spans = calloc((size_t)rows, sizeof *out->spans)};
    if ((terms == NULL && !is_grid) || out->spans == NULL) {
        free(terms);
        return ll_fail(error, LL_MEMORY, "no memory for spans");
    }
    if (is_grid)
        return ll_rows_each(predictions, visit_grid, &(grid_visitor){s, out}, error);
    ll_status status = ll_score_all_terms(s, terms, predictions, error);
    for (long i = 0; i < rows && status == LL_OK; i++) {
        const double *term = terms + i * classes;
        double low = term[0], high = term[0];
        for (long k = 1; k < classes; k++) {
            low = fmin(low, term[k]);
            high = fmax(high, term[k]);
        }
        add_row(out, i, low, high);
    }
    free(terms);
    return status;
}

/* A label moves the exact number by at most the rise over its span, and the two computed numbers are each within the
 * slack of theirs. */
ll_status ll_terms_moves(const ll_asked *asked, const ll_scoring *scoring, double *out,
                         const ll_predictions *predictions, ll_error *error)
{
    spans s = {0};
    ll_shape shape = ll_shape_of(asked);
    int is_count = ll_metric_counts(scoring->how->metric) != 0, is_finite = 1;
    ll_status status = find_spans(scoring, &s, predictions, error);
    double slack = ll_shape_slack(&shape, scoring->how, scoring->rows, s.least, s.sizes, is_count);
    for (long i = 0; i < scoring->rows && status == LL_OK; i++) {
        out[i] = ll_shape_rise(&shape, s.least * (1 - 0x1p-40), s.most * UP, s.spans[i]) + 2 * slack;
        is_finite = is_finite && isfinite(out[i] * out[i]);
    }
    free(s.spans);
    if (status == LL_OK && (!is_finite || ll_shape_overflows(&shape, scoring->how, s.sizes)))
        return ll_fail(error, LL_DOMAIN,
                       "the loss of a row has no limit here, so there is no noise in proportion to it: "
                       "clip the predictions");
    return status;
}

ll_status ll_terms_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                          const ll_predictions *predictions, ll_error *error)
{
    double *moves = malloc(sizeof *moves * (size_t)scoring->rows), sum = 0;
    ll_status status = moves != NULL ? ll_terms_moves(asked, scoring, moves, predictions, error)
                                     : ll_fail(error, LL_MEMORY, "no memory for what labels move");
    for (long i = 0; i < scoring->rows && status == LL_OK; i++)
        sum += moves[i] * moves[i];
    free(moves);
    *out = sqrt(sum) / 2 * UP;
    return status == LL_OK && !isfinite(sum)
               ? ll_fail(error, LL_DOMAIN, "the losses of all rows together have no limit")
               : status;
}

/* ---- failures ---- */

/* Has a row that is sure of class 0 a finite loss with this label? */
static int is_finite(const ll_asked *asked, long label)
{
    ll_scoring scoring = {.how = asked->how, .rows = 1, .classes = 2};
    long columns = ll_computation_columns(asked->how, 2);
    ll_block block;
    arb_t term;
    ll_block_init(&block);
    arb_init(term);
    double *row = ll_block_reserve_doubles(&block, 1, columns);
    int finite = 0;
    if (row != NULL) {
        row[0] = columns == 2;
        row[columns - 1] = 0;
        finite = ll_scoring_term(&scoring, term, &block, 0, label, NULL) == LL_OK && arb_is_finite(term);
    }
    arb_clear(term);
    ll_block_clear(&block);
    return finite;
}

ll_failure_kind ll_terms_fail(const ll_asked *asked)
{
    if (!ll_metric_reads_probabilities(asked->how->metric) || is_finite(asked, 1))
        return LL_FAILS_NEVER;
    return asked->classes <= 2 && is_finite(asked, 0) ? LL_FAILS_ON_MISS : LL_FAILS_SOMEHOW;
}

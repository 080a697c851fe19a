/* From a scorer to a channel. The reach is not taken from a formula but asked of the scorer's own arithmetic: the loss
 * of a row depends on its label most where the row is all for one class, since weights are monotone in the prediction
 * (docs/proofs/audit.md). */
#include "audit/channel.h"

#include "scorer/failures.h"

#include "audit/joint_channel.h"
#include "audit/label_law.h"
#include "audit/row_terms.h"
#include "audit/target_reach.h"
#include "metric/view.h"
#include "scorer/area_noise.h"
#include "scorer/sensitivity.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- reach ---- */

enum { MOST_COLUMNS = 64 };

/* Columns that the scorer reads: one of labels; one or, of probabilities, one a class. More than 64 classes reach no
 * further than 64, since two entries decide. */
static long list_shapes(long shapes[2], const ll_scoring *s)
{
    ll_form form = ll_metric_form(s->how->metric);
    long all = s->classes < MOST_COLUMNS ? s->classes : MOST_COLUMNS;
    int many = form != LL_FORM_MATCH && form != LL_FORM_BINARY, one = form == LL_FORM_MATCH || s->classes == 2;
    shapes[0] = one && !(many && s->how->columns == LL_COLUMNS_ALL) ? 1 : all;
    shapes[1] = all;
    return shapes[0] == 1 && many && s->how->columns == LL_COLUMNS_EITHER ? 2 : 1;
}

/* An upper bound on greatest - least term of a row that is all for class `one`, with `low` elsewhere; infinite where a
 * term is. */
static ll_status find_span(const ll_scoring *s, double *span, double *greatest, long columns, long one, double low,
                           ll_error *error)
{
    double row[MOST_COLUMNS] = {0}, from[MOST_COLUMNS] = {0}, to[MOST_COLUMNS] = {0}, least = INFINITY;
    for (long c = 0; c < columns; c++)
        row[c] = columns == 1 ? (one == 1 ? 1 - low : low) : c == one ? 1 : low;
    ll_scoring few = *s;
    few.classes = columns > 1 ? columns : 2;
    ll_status status = ll_row_ends(&few, from, to, row, columns);
    *span = *greatest = INFINITY;
    if (status == LL_MEMORY)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    if (status != LL_OK)
        return LL_OK;
    *greatest = -INFINITY;
    for (long k = 0; k < few.classes; k++) {
        least = fmin(least, from[k]);
        *greatest = fmax(*greatest, to[k]);
    }
    *span = (*greatest - least) * LL_UP;
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
static ll_status add_ends(const ll_scoring *s, double *reach, double *greatest, long columns, long one, ll_error *error)
{
    double ends[] = {0, least_number(s->how)}, span = INFINITY, most = INFINITY;
    for (int i = 0; i < 2 && isinf(span) && (i == 0 || ends[i] > 0); i++) {
        ll_status status = find_span(s, &span, &most, columns, one, ends[i], error);
        if (status != LL_OK)
            return status;
    }
    *reach = fmax(*reach, span);
    *greatest = fmax(*greatest, most);
    return LL_OK;
}

/* Is the loss of a row that is all for one class infinite for another label? Then who predicts so sees through any
 * noise whether the row has it. */
static ll_status find_open(const ll_scoring *s, int *is_open, ll_error *error)
{
    long shapes[2], count = list_shapes(shapes, s);
    double span = 0, greatest = 0;
    ll_status status = LL_OK;
    *is_open = 0;
    for (long i = 0; i < count && status == LL_OK && ll_metric_input(s->how->metric) == LL_INPUT_PROBABILITY; i++) {
        status = find_span(s, &span, &greatest, shapes[i], 1, 0, error);
        *is_open |= isinf(span);
    }
    return status;
}

static ll_status find_reach(const ll_scoring *s, double *reach, double *greatest, ll_error *error)
{
    long shapes[2], count = list_shapes(shapes, s);
    ll_status status = LL_OK;
    if (ll_metric_takes_targets(s->how->metric))
        return ll_target_reach(s, reach, greatest, error);
    if (ll_metric_form(s->how->metric) == LL_FORM_RANK) { /* gains lie in [0, 1] */
        *reach = *greatest = LL_UP;
        return LL_OK;
    }
    *reach = *greatest = 0;
    for (long i = 0; i < count; i++)
        for (long one = 0; one < 2 && status == LL_OK; one++)
            status = add_ends(s, reach, greatest, shapes[i], one, error);
    ll_input input = ll_metric_input(s->how->metric);
    if (input == LL_INPUT_LOGIT || input == LL_INPUT_NUMBER)
        *reach = *greatest = INFINITY;
    return status;
}

/* Is the loss of a row without limit where nothing clips it? */
static int is_unbounded(const ll_metric *metric)
{
    if (ll_metric_takes_targets(metric)) /* what a label moves may be little, but what floats make of it is not */
        return 1;
    if (ll_metric_input(metric) == LL_INPUT_NUMBER)
        return 0; /* there is no range to clip to */
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    ll_status status = ll_metric_reach(metric, low, high, NULL, 64);
    int unbounded = status == LL_OK && (!arb_is_finite(low) || !arb_is_finite(high));
    arb_clear(low);
    arb_clear(high);
    return unbounded;
}

/* ---- answers ---- */

static void set_release(ll_channel *c, const ll_scorer *scorer)
{
    const ll_release *r = &scorer->release;
    const ll_metric *metric = scorer->computation.metric;
    c->noise = r->noise;
    ll_release_figures figures = ll_release_get_figures(r);
    c->noise_size = figures.noise;
    c->proportion = figures.proportion;
    c->digits = figures.digits;
    c->ladder = figures.step;
    c->grid = fmax(figures.grid, figures.step);
    c->old_answers = c->ladder > 0;
    c->form = ll_metric_form(metric);
    c->is_logit = ll_metric_input(metric) == LL_INPUT_LOGIT;
    c->has_clip = ll_metric_view(metric) == LL_VIEW_TERMS && is_unbounded(metric);
    c->reads_all = scorer->computation.columns == LL_COLUMNS_ALL;
    c->queries = scorer->queries > 0 ? (double)scorer->queries : INFINITY;
}

/* log2 of the floats from 0 to x, all of them where x is infinite; all exponents from the least on. An error is one
 * answer more. */
static double count_floats(const ll_format *format, double x)
{
    double exponents = exp2((double)format->exponent_bits), bias = exponents / 2 - 1;
    double used = isfinite(x) && x > 0 ? fmin(exponents, floor(log2(x)) + bias + 2) : exponents;
    return (double)format->fraction_bits + log2(fmax(used, 1) + exp2(-(double)format->fraction_bits));
}

/* log2 of the answers to one submission of numeric targets without a clip: the root of a mean square is a distance of
 * targets and predictions, so whatever these are, labels move it by no more than the grid is wide; a mean moves by no
 * more than a row's reach. Rounding grows with the score, but from where that is a step of the release on there are
 * fewer floats than steps (docs/proofs/targets.md): some units more than the width are counted, and an error. The
 * answers may be far apart all the same. Infinite where nothing of this holds. */
static double target_values(const ll_channel *c, const ll_computation *r, double power)
{
    const ll_shape mean = {1, 1, (double)c->rows};
    double units = ldexp(ll_shape_slack(&mean, r, c->rows, 0, (double)c->rows, 0), (int)r->total.format.fraction_bits);
    double width = ll_metric_is_square(r->metric) && power == 0.5 ? ll_target_width(r->metric)
                   : power == 1                                   ? c->reach
                                                                  : INFINITY;
    if (c->noise_size > 0 || !(c->grid > 0))
        return INFINITY;
    return log2(ceil((c->scale * width / c->grid + 4 * units + 4) * LL_UP) + 2);
}

/* A weighted mean lies where the terms do; the heaviest row moves it by its share of the weights. Where classes have
 * weights, one label may move what all others count for: by no more than all of it. Products and the sum of weights are
 * rounded, too. */
static void set_weighted(ll_channel *c, const ll_computation *r, const ll_shape *shape, double most, double slack)
{
    double rows = (double)c->rows, each = c->reach;
    c->spread = INFINITY;
    if (r->weights != NULL) {
        double total = arf_get_d(arb_midref(r->weight_total), ARF_RND_FLOOR) * (1 - 1e-12);
        each *= ll_computation_heaviest(r) / total * rows;
        c->range = (ll_shape_rise(shape, 0, most, rows * c->reach) + 8 * slack) * LL_UP;
        c->sensitivity = fmin((ll_shape_rise(shape, 0, most, each) + 8 * slack) * LL_UP, c->range);
        return;
    }
    c->range = c->sensitivity = (ll_shape_rise(shape, 0, most, most) + 8 * slack) * LL_UP;
}

static void set_range(ll_channel *c, const ll_scorer *scorer, double greatest)
{
    const ll_computation *r = &scorer->computation;
    const ll_shape shape = ll_scorer_shape(scorer, c->rows);
    int is_sum = ll_metric_is_sum(r->metric);
    double rows = (double)c->rows, each = is_sum ? 1 : c->reach, most = is_sum ? rows : rows * greatest;
    c->is_count = ll_metric_input(r->metric) == LL_INPUT_LABEL && !r->is_weighted;
    double slack = ll_shape_slack(&shape, r, c->rows, 0, most, c->is_count);
    c->scale = shape.scale;
    c->is_linear = shape.power == 1 && !is_sum;
    c->range = (ll_shape_rise(&shape, 0, most, rows * each) + 2 * slack) * LL_UP;
    c->sensitivity = (ll_shape_rise(&shape, 0, most, each) + 2 * slack) * LL_UP;
    c->spread = c->is_linear ? (c->scale * c->reach * sqrt(c->share_variance / rows) + slack) * LL_UP : INFINITY;
    if (r->is_weighted)
        set_weighted(c, r, &shape, most, slack);
    double heaviest = fmax(1, ll_computation_heaviest(r));
    if (ll_shape_overflows(&shape, r, most * heaviest)) /* an infinity is an answer that no noise hides */
        c->range = c->sensitivity = INFINITY;
    if (c->is_open) { /* a grid has a place for failing; noise does not hide it */
        c->sensitivity = c->spread = INFINITY;
        c->range = c->noise_size > 0 ? INFINITY : c->range;
    }
    int counts_rows = !r->is_weighted || r->weights != NULL; /* else labels move what rows count for */
    if (ll_metric_takes_targets(r->metric) && isinf(c->range) && counts_rows)
        c->value_bits = target_values(c, r, shape.power);
    int is_slow = r->is_weighted || ll_metric_input(r->metric) == LL_INPUT_NUMBER; /* balls, row by row */
    c->is_long = r->kind == LL_KIND_EXACT;
    c->cost = r->kind == LL_KIND_NATIVE ? (is_slow ? 40 : 1) : r->kind == LL_KIND_EXACT ? 16 : 64;
    c->fraction_bits = (double)r->total.format.fraction_bits;
    c->float_bits = r->kind == LL_KIND_EXACT
                        ? INFINITY
                        : count_floats(&r->total.format, ll_shape_rise(&shape, 0, most, most) + slack);
}

/* ---- counts and ranks ---- */

/* log2 of the numbers that given predictions can get. Counts: of g rows predicted the same the labels can be shared out
 * in C(g + K - 1, K - 1) ways; the product over classes is greatest for equal g, as log C is concave in g. Where class
 * counts are told one of the classes follows from the others (docs/proofs/several.md). AUC and
 * Kolmogorov-Smirnov: at most 2 P (N - P) + 1 values for each P, N^3/3 + N in all; of K rankings a mean has no more
 * values than they have together. */
static double count_values(const ll_channel *c, const ll_metric *metric)
{
    double n = (double)c->rows, k = (double)c->classes, g = n / k;
    if (ll_metric_view(metric) == LL_VIEW_CONFUSION)
        return (k - c->is_told) * (lgamma(g + k) - lgamma(g + 1) - lgamma(k)) / M_LN2 + 1e-6;
    double rankings = ll_metric_is_one_vs_rest(metric) ? k : 1;
    return ll_metric_counts_pairs(metric) ? rankings * log2(n * n * n / 3 + n + 1) : INFINITY;
}

/* With the class counts told, the size of AUC's noise and whether there is one at all are known beforehand. */
static void set_told_view(ll_channel *c, const ll_scorer *scorer)
{
    const ll_metric *metric = scorer->computation.metric;
    if (ll_metric_view(metric) != LL_VIEW_RANKS || !ll_metric_counts_pairs(metric))
        return;
    c->fails = ll_view_cancels(&scorer->computation);
    c->sensitivity = c->range;
    c->size_bits = 0;
    if (c->can_follow && c->classes == 2)
        c->swing = ll_area_swap(c->rows, (long)scorer->counts[1]);
}

/* One label may move the number by all of its range: that of the one row that a class has, for one. */
static void set_view(ll_channel *c, const ll_scorer *scorer)
{
    const ll_computation *r = &scorer->computation;
    double least = 0, most = 1, power = 1, spare = r->is_weighted ? 1e-5 : 1e-9;
    ll_metric_range(r->metric, &least, &most);
    c->scale = 1;
    ll_release_add_steps(&scorer->release, &c->scale, &power);
    c->form = ll_metric_view(r->metric) == LL_VIEW_CONFUSION ? LL_FORM_MATCH : LL_FORM_BINARY;
    c->fails = ll_computation_may_fail(r) || r->zero_division == LL_ZERO_RAISE || ll_view_cancels(r);
    c->value_bits = r->is_weighted ? INFINITY : count_values(c, r->metric);
    c->reach = (most - least) * LL_UP;
    c->range = c->scale * (most - least + spare) * LL_UP;
    if (ll_view_cancels(r))
        c->range = INFINITY;
    c->sensitivity = c->fails ? INFINITY : c->range;
    c->spread = INFINITY;
    if (c->can_follow)
        c->size_bits = ll_scorer_size_told(scorer, c->rows);
    c->may_ignore = ll_view_is_overlap(r);
    if (scorer->counts != NULL)
        set_told_view(c, scorer);
    c->cost = 1; /* rows are counted or sorted, in every arithmetic */
    if (c->proportion > 0 && ll_metric_view(r->metric) == LL_VIEW_CONFUSION && !c->may_ignore)
        c->cost += (double)c->rows; /* every pair of counts is tried for the spread of a submission */
    c->fraction_bits = (double)r->total.format.fraction_bits;
    c->float_bits = r->kind == LL_KIND_EXACT
                        ? INFINITY
                        : 1 + count_floats(&r->total.format,
                                           ll_view_cancels(r) ? INFINITY : c->scale * fmax(-least, 1) * (1 + 1e-5));
}

/* ---- labels ---- */

/* Labels that have the counts told, all of them alike, vary together at most N / (N - 1) times as much as independent
 * ones of these shares. */
static void set_told_labels(ll_channel *c, const int64_t *counts)
{
    double rows = (double)c->rows;
    c->is_told = 1;
    c->label_bits = ll_told_bits(counts, c->classes) / rows;
    c->share_variance *= rows / fmax(1, rows - 1);
    ll_cycles_init(c->cycles, counts, c->classes);
}

static ll_status set_labels(ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    double classes = (double)c->classes, sum = 0;
    c->label_bits = log2(classes);
    c->guess = 1 / classes;
    c->share_variance = floor(classes / 2) * ceil(classes / 2) / (classes * classes);
    c->swing = 1;
    if (scorer->prior == NULL && scorer->counts == NULL)
        return LL_OK;
    if (scorer->counts == NULL && scorer->prior_count != c->classes)
        return ll_fail(error, LL_DOMAIN, "the prior has %ld shares for %ld classes", scorer->prior_count, c->classes);
    c->label_bits = c->guess = 0;
    for (long k = 0; k < c->classes; k++) {
        double p = ll_label_share(scorer, c->classes, k);
        sum += p;
        c->label_bits -= p > 0 ? p * log2(p) : 0;
        c->guess_class = p > c->guess ? k : c->guess_class;
        c->guess = fmax(c->guess, p);
    }
    if (!(fabs(sum - 1) < 1e-6))
        return ll_fail(error, LL_DOMAIN, "the shares of the prior sum to %.6g, not to 1", sum);
    c->share_variance = c->classes == 2   ? c->guess * (1 - c->guess)
                        : c->guess >= 0.5 ? c->guess * (1 - c->guess)
                                          : 0.25;
    if (scorer->counts != NULL) /* given these no labelling is likelier than another, whatever the prior */
        set_told_labels(c, scorer->counts);
    return LL_OK;
}

ll_status ll_channel_init(ll_channel *out, const ll_scorer *scorer, ll_error *error)
{
    double greatest = 0;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_scorer_need_whole(scorer, "this bound", error);
    if (status == LL_OK && ll_scorer_count_numbers(scorer) > 1)
        return ll_channel_join(out, scorer, error);
    if (status != LL_OK)
        return status;
    *out = (ll_channel){.rows = scorer->rows, .classes = scorer->classes > 0 ? scorer->classes : 2};
    if (scorer->rows < 1)
        return ll_fail(error, LL_DOMAIN, "an audit needs the number of rows, at least 1");
    status = ll_metric_check_classes(scorer->computation.metric, out->classes, error);
    if (status != LL_OK)
        return status;
    const ll_scoring s = {.how = &scorer->computation, .rows = 1, .classes = out->classes};
    status = set_labels(out, scorer, error);
    out->value_bits = INFINITY;
    out->fails_free = scorer->failures_are_free && ll_scorer_failures(scorer) != LL_FAILS_NEVER;
    out->is_sum = ll_metric_view(scorer->computation.metric) == LL_VIEW_TERMS;
    out->can_follow = ll_scorer_check_spread(scorer, NULL) == LL_OK;
    if (status == LL_OK && !out->is_sum) {
        set_release(out, scorer);
        set_view(out, scorer);
        return LL_OK;
    }
    if (status == LL_OK)
        status = find_reach(&s, &out->reach, &greatest, error);
    if (status == LL_OK)
        status = find_open(&s, &out->is_open, error);
    if (status == LL_OK) {
        set_release(out, scorer);
        set_range(out, scorer, greatest);
    }
    return status;
}

double ll_channel_sure(const ll_channel *c)
{
    return isfinite(c->reach) && !c->is_open ? 1 : 0.99;
}

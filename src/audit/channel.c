/* From a scorer to a channel. The reach is not taken from a formula but asked of the scorer's own arithmetic: the loss
 * of a row depends on its label most where the row is all for one class, since weights are monotone in the prediction
 * (docs/proofs/audit.md). */
#include "audit/channel.h"

#include "audit/joint_channel.h"
#include "audit/label_law.h"
#include "audit/row_terms.h"
#include "audit/target_reach.h"
#include "metric/terms/terms.h"
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
    long all = s->classes < MOST_COLUMNS ? s->classes : MOST_COLUMNS;
    int many = ll_metric_has_rows(s->how->metric), one = ll_metric_reads_labels(s->how->metric) || s->classes == 2;
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
    ll_status status = ll_row_ends(&few, from, to, row, columns, few.classes);
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
    for (long i = 0; i < count && status == LL_OK && ll_metric_reads_probabilities(s->how->metric); i++) {
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
    if (ll_metric_reads_order(s->how->metric)) { /* gains lie in [0, 1] */
        *reach = *greatest = LL_UP;
        return LL_OK;
    }
    *reach = *greatest = 0;
    for (long i = 0; i < count; i++)
        for (long one = 0; one < 2 && status == LL_OK; one++)
            status = add_ends(s, reach, greatest, shapes[i], one, error);
    if (ll_metric_is_free(s->how->metric))
        *reach = *greatest = INFINITY;
    return status;
}

/* Is the loss of a row without limit where nothing clips it? */
static int is_unbounded(const ll_metric *metric)
{
    if (ll_metric_takes_targets(metric)) /* what a label moves may be little, but what floats make of it is not */
        return 1;
    if (ll_metric_is_free(metric) && !ll_metric_reads_logits(metric))
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
    c->stairs = (ll_staircases){.levels = figures.levels,
                                .improvements = figures.improvements,
                                .accounts = (double)scorer->accounts,
                                .is_leaderboard = scorer->is_leaderboard,
                                .own = (double)scorer->own_levels};
    c->columns = ll_computation_fewest_columns(&scorer->computation, c->classes);
    c->is_label = ll_metric_reads_labels(metric);
    c->is_numeric = ll_metric_takes_targets(metric);
    c->is_logit = ll_metric_reads_logits(metric);
    c->has_clip = c->is_sum && is_unbounded(metric);
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
 * fewer floats than steps (docs/proofs/targets.md): some units more than the width are counted, and an error; they are
 * enough for noise, which is one more number that is added. The answers may be far apart all the same. Infinite where
 * nothing of this holds. */
static double target_values(const ll_channel *c, const ll_computation *r, double power)
{
    const ll_shape mean = {1, 1, (double)c->rows};
    double units = ldexp(ll_shape_slack(&mean, r, c->rows, 0, (double)c->rows, 0), (int)r->total.format.fraction_bits);
    double width = ll_metric_is_square(r->metric) && power == 0.5 ? ll_metric_target_width(r->metric)
                   : power == 1                                   ? c->reach
                                                                  : INFINITY;
    if (c->proportion > 0 || !(c->grid > 0))
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
    c->is_count = ll_computation_counts(r) != 0;
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
    if (c->is_numeric && isinf(c->range) && counts_rows)
        c->value_bits = target_values(c, r, shape.power);
    int is_slow = r->is_weighted || (ll_metric_is_free(r->metric) && !c->is_logit); /* balls, row by row */
    int is_followed = ll_terms_of(r->metric)->kernel == NULL;                       /* operation by operation */
    c->is_long = r->kind == LL_KIND_EXACT;
    c->cost = r->kind != LL_KIND_NATIVE ? 64 : is_slow ? 40 : is_followed ? 8 : 1;
    c->fraction_bits = (double)r->total.format.fraction_bits;
    c->float_bits = r->kind == LL_KIND_EXACT
                        ? INFINITY
                        : count_floats(&r->total.format, ll_shape_rise(&shape, 0, most, most) + slack);
}

/* ---- counts and ranks ---- */

/* One label may move the number by all of its range: that of the one row that a class has, for one. */
static void set_view(ll_channel *c, const ll_scorer *scorer, const ll_exposure *e)
{
    const ll_computation *r = &scorer->computation;
    const ll_asked asked = ll_scorer_asked(scorer, c->rows, c->classes);
    double least = 0, most = 1, spare = r->is_weighted ? 1e-5 : 1e-9;
    ll_metric_range(r->metric, &least, &most);
    c->scale = asked.scale;
    c->fails = !e->is_settled && (ll_computation_may_fail(r) || r->zero_division == LL_ZERO_RAISE || e->is_any);
    c->value_bits = r->is_weighted ? INFINITY : e->value_bits;
    c->reach = (most - least) * LL_UP;
    c->range = e->is_any ? INFINITY : c->scale * (most - least + spare) * LL_UP;
    c->sensitivity = c->fails ? INFINITY : c->range;
    c->spread = INFINITY;
    c->size_bits = c->can_follow && !e->is_settled ? ll_asked_size_revealed(&asked) : 0;
    c->may_ignore = e->follows_few;
    c->swing = e->swing;
    c->cost = 1; /* rows are counted or sorted, in every arithmetic */
    if (c->proportion > 0 && e->is_slow)
        c->cost += (double)c->rows;
    c->fraction_bits = (double)r->total.format.fraction_bits;
    c->float_bits =
        r->kind == LL_KIND_EXACT
            ? INFINITY
            : 1 + count_floats(&r->total.format, e->is_any ? INFINITY : c->scale * fmax(-least, 1) * (1 + 1e-5));
}

/* ---- labels ---- */

/* Labels that have the counts known, all of them alike, vary together at most N / (N - 1) times as much as independent
 * ones of these shares. */
static void set_known_labels(ll_channel *c, const int64_t *counts)
{
    double rows = (double)c->rows;
    c->is_known = 1;
    c->label_bits = ll_known_counts_bits(counts, c->classes) / rows;
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
        set_known_labels(c, scorer->counts);
    return LL_OK;
}

/* A Ladder without a baseline shows its first score, and then only better ones: of the multiples of its step that the
 * scores of all submissions can be rounded to, the worst takes the baseline's place. With levels, that a submission
 * fails is not shown. */
static void set_staircases(ll_channel *c, double width)
{
    if (c->stairs.levels > 0)
        c->fails = c->fails_free = 0;
    else if (c->ladder > 0 && isfinite(width))
        c->stairs.levels = ceil(width / c->ladder * LL_UP) + 1;
}

/* The scores of all submissions lie in an interval of this length: terms are from 0 to `greatest`. */
static double score_width(const ll_channel *c, const ll_scorer *scorer, double greatest)
{
    const ll_computation *r = &scorer->computation;
    const ll_shape shape = ll_scorer_shape(scorer, c->rows);
    double most = ll_metric_is_sum(r->metric) ? (double)c->rows : (double)c->rows * greatest;
    if (r->is_weighted || !isfinite(most))
        return INFINITY;
    return (ll_shape_rise(&shape, 0, most, most) + 2 * ll_shape_slack(&shape, r, c->rows, 0, most, c->is_count)) *
           LL_UP;
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
    out->value_bits = out->table_bits = out->table_fixed = out->table_alone = INFINITY;
    out->fails_free = scorer->failures_are_free && ll_scorer_failures(scorer) != LL_FAILS_NEVER;
    ll_exposure exposure;
    const ll_asked asked = ll_scorer_asked(scorer, out->rows, out->classes);
    out->is_sum = !ll_asked_expose(&asked, &exposure);
    out->can_follow = ll_scorer_check_spread(scorer, NULL) == LL_OK;
    if (status == LL_OK && !out->is_sum) {
        set_release(out, scorer);
        set_view(out, scorer, &exposure);
        set_staircases(out, out->range);
        ll_channel_set_table(out, scorer);
        return LL_OK;
    }
    if (status == LL_OK)
        status = find_reach(&s, &out->reach, &greatest, error);
    if (status == LL_OK)
        status = find_open(&s, &out->is_open, error);
    if (status == LL_OK) {
        set_release(out, scorer);
        set_range(out, scorer, greatest);
        set_staircases(out, score_width(out, scorer, greatest));
        ll_channel_set_table(out, scorer);
    }
    return status;
}

double ll_channel_sure(const ll_channel *c)
{
    return isfinite(c->reach) && !c->is_open ? 1 : 0.99;
}

/* The leak meter: how many bits the score of given predictions can tell, and whether they bear a mark. */
#include "audit/inspect_groups.h"
#include "audit/positions.h"
#include "audit/traces.h"
#include "number/budget.h"
#include "number/sum.h"
#include "number/text_number.h"
#include "number/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_inspection_clear(ll_inspection *inspection)
{
    ll_inspection *all = ll_value_whole(inspection, sizeof *all);
    if (all == NULL)
        return;
    free(all->why);
    ll_value_reset(inspection);
}

/* ---- how many sums the labels can make ---- */

typedef struct {
    const double *terms;
    long classes;
} row_terms;

static int compare_rows(const void *a, const void *b)
{
    const row_terms *x = a, *y = b;
    for (long k = 0; k < x->classes; k++) {
        double left = x->terms[k] - x->terms[0], right = y->terms[k] - y->terms[0];
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* log2 of the ways to give `rows` equal rows their labels, order aside: C(rows + K - 1, K - 1). */
static double log2_ways(long rows, long classes)
{
    double n = (double)rows + (double)classes;
    return (lgamma(n) - lgamma((double)classes) - lgamma((double)rows + 1)) / log(2);
}

/* Equal rows add what their class counts say, whichever of them has which label. A row that no double holds counts by
 * itself. */
static ll_status count_sums(ll_inspection *out, const ll_weights *w, ll_error *error)
{
    row_terms *rows = malloc(sizeof *rows * (size_t)w->rows);
    if (rows == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", w->rows);
    long count = 0;
    out->label_bits = 0;
    for (long i = 0; i < w->rows; i++)
        if (w->is_beyond[i])
            out->label_bits += log2((double)w->classes);
        else if (!ll_weights_is_neutral(w, i))
            rows[count++] = (row_terms){w->terms + i * w->classes, w->classes};
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    for (long first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && compare_rows(rows + first, rows + next) == 0;)
            next++;
        out->label_bits += log2_ways(next - first, w->classes);
    }
    free(rows);
    return LL_OK;
}

/* ---- the release ---- */

/* Distance of neighbouring answers, in units of the score before a percent; 0 where every number can be an answer. */
static double find_grid(const ll_weights *w)
{
    const ll_release *s = &w->scorer->release;
    const ll_computation *r = w->scoring.how;
    double scale = fabs(ll_release_scale(s)), rows = (double)w->rows;
    double typical = fmax(w->least, w->mean - 8 * sqrt(w->variance)) / rows, grid = 0;
    if (r->kind != LL_KIND_EXACT && isfinite(typical))
        grid = ldexp(fabs(typical), (int)-r->total.format.fraction_bits - 1);
    if (!ll_release_is_power(s)) /* at least as many numbers before the steps as after */
        return grid;
    ll_release_figures figures = ll_release_get_figures(s);
    grid = fmax(grid, fmax(figures.grid, figures.step) / scale);
    if (figures.digits > 0 && isfinite(typical) && typical > 0)
        grid = fmax(grid, pow(10, floor(log10(typical)) + 1 - figures.digits));
    return grid;
}

/* Rounding makes the sum depend on the order of labels, too: some answers around each sum. */
static double order_bits(const ll_weights *w, double grid)
{
    const ll_computation *r = w->scoring.how;
    if (r->kind == LL_KIND_EXACT || grid == 0)
        return 0;
    double unit = ldexp(1, (int)-r->total.format.fraction_bits - 1);
    double error = (double)ll_sum_depth(w->scoring.how->order, w->rows) * unit * fabs(w->mean) / (double)w->rows;
    return log2(1 + 2 * error / grid);
}

static double noise_of(const ll_weights *w)
{
    return ll_exact_get_d(&w->scorer->release.noise_size) / fabs(ll_release_scale(&w->scorer->release));
}

static double count_values(const ll_weights *w, double grid)
{
    double range = (w->greatest - w->least) / (double)w->rows, values = INFINITY;
    if (!ll_release_is_linear(&w->scorer->release) && ll_release_is_power(&w->scorer->release))
        range = sqrt(range); /* at most so much longer where the score is small */
    if (grid > 0)
        values = ceil(range / grid) + 1;
    if (!ll_release_is_power(&w->scorer->release))
        return values;
    if (ll_release_has_any_law(&w->scorer->release) && noise_of(w) > 0)
        values = fmin(values, range / (2 * noise_of(w)) + 1);
    return isnan(values) ? INFINITY : values;
}

/* A variable of standard deviation sd, rounded to a grid, has at most the entropy of a normal one of sd + 1/2 steps;
 * under random noise the capacity for that variance bounds what passes. */
static double measure_spread(const ll_weights *w, double grid)
{
    const double pi_e = 17.0794684453471; /* 2 pi e */
    double sd = sqrt(w->variance) / (double)w->rows, bits = INFINITY;
    if (!ll_release_is_linear(&w->scorer->release))
        return bits;
    if (grid > 0)
        bits = 0.5 * log2(pi_e * ((sd / grid + 0.5) * (sd / grid + 0.5) + 1.0 / 12));
    double size = noise_of(w);
    const ll_law *law = w->scorer->release.noise;
    if (law != NULL && law->bits != NULL)
        bits = fmin(bits, law->bits(sd * sd, size));
    return isnan(bits) ? INFINITY : bits;
}

/* ---- the sentence ---- */

static int is_constant(const ll_weights *w)
{
    for (long i = 1; i < w->rows; i++)
        if (memcmp(w->terms, w->terms + i * w->classes, sizeof *w->terms * (size_t)w->classes) != 0)
            return 0;
    return w->rows > 1 && w->beyond == 0;
}

static char *write_why(const ll_inspection *out, const ll_weights *w, const ll_trace *mark)
{
    char text[480];
    double all = (double)w->rows * log2((double)w->classes);
    if (out->finding == LL_FINDING_CODED)
        (void)snprintf(text, sizeof text, "%s.", mark->text);
    else if (out->finding == LL_FINDING_CONSTANT)
        (void)snprintf(text, sizeof text,
                       "every row is the same, so the score tells how many labels of each class there are, and nothing "
                       "else.");
    else
        (void)ll_print(
            text, sizeof text,
            "no mark of a construction in %ld rows, %ld of them neutral, %ld at the clip, with %ld different "
            "weights; that is no proof that there is none. Its score tells up to %.4g of the %.4g bits of the labels, "
            "as "
            "an honest model's may.",
            w->rows, out->neutral, w->saturated, out->different, out->bits, all);
    return strdup(text);
}

static ll_status measure(ll_inspection *out, const ll_weights *w, ll_error *error)
{
    double grid = find_grid(w);
    ll_status status = count_sums(out, w, error);
    if (status != LL_OK)
        return status;
    out->value_bits = log2(count_values(w, grid));
    out->spread_bits = measure_spread(w, grid);
    double labels = out->label_bits > 0 ? out->label_bits + order_bits(w, grid) : 0;
    labels = fmin(labels, (double)w->rows * log2((double)w->classes));
    out->bits = fmax(0, fmin(labels, fmin(out->value_bits, out->spread_bits)));
    return LL_OK;
}

/* Nothing here knows a label, so what the score would be without any knowledge is all that can be said of it. */
static ll_status compare_constant(ll_inspection *out, const ll_weights *w, ll_error *error)
{
    out->blind_score = w->mean / (double)w->rows;
    out->blind_spread = sqrt(w->variance) / (double)w->rows;
    ll_status status = ll_weights_constant_score(&out->constant_score, w, error);
    double sign = ll_metric_is_gain(w->scoring.how->metric) ? -1 : 1;
    out->worse_than_constant = sign * (out->blind_score - out->constant_score);
    return status;
}

/* Predicted classes, where terms count the rows that match them: what they are tells nothing, but where they stand may. */
static int is_placed(ll_trace *mark, const ll_weights *w)
{
    int side = ll_metric_counts(w->scoring.how->metric), found = 0;
    int32_t *symbols = side != 0 ? calloc((size_t)w->rows, sizeof *symbols) : NULL;
    for (long i = 0; symbols != NULL && i < w->rows; i++)
        for (int32_t k = 1; k < w->classes; k++)
            if (side * (w->terms[i * w->classes + k] - w->terms[i * w->classes + symbols[i]]) > 0)
                symbols[i] = k;
    found = symbols != NULL && ll_trace_positions(mark, symbols, w->rows, w->classes);
    free(symbols);
    return found;
}

static ll_status inspect(ll_inspection *out, const ll_weights *w, ll_error *error)
{
    ll_sizes sizes;
    ll_trace mark = {.name = "constant"};
    ll_status status = ll_sizes_init(&sizes, w, error);
    if (status == LL_OK)
        status = measure(out, w, error);
    if (status == LL_OK)
        status = compare_constant(out, w, error);
    if (status == LL_OK) {
        out->rows = w->rows;
        out->classes = w->classes;
        out->neutral = sizes.neutral;
        out->different = sizes.count;
        out->finding = LL_FINDING_CONSTANT;
        if (!is_constant(w))
            out->finding = ll_trace_find(&mark, w, &sizes) || is_placed(&mark, w) ? LL_FINDING_CODED : LL_FINDING_NONE;
        out->mark = mark.name;
        out->unit = mark.unit;
        out->why = write_why(out, w, &mark);
        if (out->why == NULL)
            status = ll_fail(error, LL_MEMORY, "no memory for a sentence");
    }
    ll_sizes_clear(&sizes);
    return status;
}

static ll_status inspect_terms(ll_inspection *out, const ll_scorer *scorer, const ll_predictions *predictions,
                               double max_memory, ll_error *error)
{
    ll_weights weights;
    ll_status status = ll_weights_init(&weights, scorer, predictions, max_memory, error);
    if (status == LL_OK)
        status = inspect(out, &weights, error);
    ll_weights_clear(&weights);
    return status;
}

/* Of counts or ranks? Fits are neither, and are refused like all that has no terms. */
static int has_groups(const ll_scorer *scorer)
{
    const ll_metric *metric = scorer != NULL ? scorer->computation.metric : NULL;
    return metric != NULL && !ll_metric_has_terms(metric) && !ll_metric_is_fit(metric);
}

ll_status ll_inspect_predictions(ll_inspection *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                 const ll_budget *budget, ll_error *error)
{
    ll_inspection made;
    ll_inspection_init(&made);
    ll_status status = (has_groups(scorer) ? ll_inspect_groups : inspect_terms)(&made, scorer, predictions,
                                                                                ll_budget_memory(budget), error);
    if (status == LL_OK) {
        ll_inspection_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_inspection_clear(&made);
    return status;
}

/* The score of a thousand rows whose labels have the shares of the classes, for each constant that could be the best
 * one. Shares themselves are the best constant for losses of probabilities, which are proper; of labels every class is
 * tried, of numeric targets a grid. */
#include "scorer/baseline.h"

#include "metric/targets.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 1000, MOST_CLASSES = 64, POINTS = 65 };

typedef struct {
    const ll_scorer *scorer;
    long classes, columns;
    double shares[MOST_CLASSES], row[MOST_CLASSES];
    int32_t labels[ROWS];
} constant;

static ll_status get_rows(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const constant *c = self;
    double *to = ll_block_reserve_doubles(out, count, c->columns);
    (void)first;
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", count);
    for (long i = 0; i < count * c->columns; i++)
        to[i] = c->row[i % c->columns];
    return LL_OK;
}

/* Its score as it is released; NAN where it has none. */
static double score(constant *c)
{
    ll_unreleased number;
    ll_error error = {0};
    ll_predictions predictions = {
        .self = c, .rows = ROWS, .columns = c->columns, .entries = LL_ENTRIES_DOUBLE, .get = get_rows};
    const ll_scoring scoring = {
        .how = &c->scorer->computation, .labels = c->labels, .rows = ROWS, .classes = c->classes};
    ll_unreleased_init(&number);
    ll_status status = ll_computation_check_shape(scoring.how, c->columns, c->classes, &error);
    if (status == LL_OK)
        status = ll_score_any(&scoring, &number, &predictions, 64, &error);
    if (status == LL_OK)
        status = ll_release_transform(&c->scorer->release, &number, 64, &error);
    double out = status == LL_OK ? arf_get_d(arb_midref(number.number), ARF_RND_NEAR) : (double)NAN;
    ll_unreleased_clear(&number);
    return isfinite(out) ? out : (double)NAN;
}

/* ---- constants ---- */

static int is_any_number(const ll_metric *metric)
{
    return ll_metric_is_free(metric) && !ll_metric_reads_logits(metric);
}

/* How many are tried. */
static long count_constants(const constant *c)
{
    const ll_metric *metric = c->scorer->computation.metric;
    if (ll_metric_takes_targets(metric))
        return POINTS;
    return ll_metric_reads_labels(metric) ? c->classes : is_any_number(metric) ? 3 : 1;
}

static void set_constant(constant *c, long index)
{
    const ll_metric *metric = c->scorer->computation.metric;
    for (long k = 0; k < c->columns; k++)
        c->row[k] = ll_metric_reads_labels(metric) ? (double)index
                    : is_any_number(metric)
                        ? (double)(index - 1)
                        : ll_metric_of_share(metric, c->shares[c->columns == 1 ? 1 : k], c->columns);
    if (ll_metric_takes_targets(metric)) {
        double low = ll_metric_target_double(metric, 0);
        double high = ll_metric_target_double(metric, ll_metric_target_count(metric) - 1);
        c->row[0] = low + (high - low) * (double)index / (POINTS - 1);
    }
}

/* ---- labels ---- */

static void set_shares(constant *c)
{
    const ll_scorer *s = c->scorer;
    for (long k = 0; k < c->classes; k++)
        c->shares[k] = s->counts != NULL  ? (double)s->counts[k] / (double)s->rows
                       : s->prior != NULL ? s->prior[k]
                                          : 1 / (double)c->classes;
}

/* The first rows have the first class, and so on. */
static void set_labels(constant *c)
{
    double below = 0;
    for (long k = 0, i = 0; k < c->classes; k++) {
        below += c->shares[k];
        long end = k + 1 < c->classes ? lround(below * ROWS) : ROWS;
        for (; i < end && i < ROWS; i++)
            c->labels[i] = (int32_t)k;
    }
}

double ll_scorer_baseline(const ll_scorer *s)
{
    const ll_computation *how = &s->computation;
    long classes = s->classes > 0 ? s->classes : 2;
    double best = (double)NAN;
    if (how->is_weighted || ll_metric_is_sum(how->metric) || classes > MOST_CLASSES)
        return best;
    constant *c = calloc(1, sizeof *c);
    if (c == NULL)
        return best;
    c->scorer = s;
    c->classes = classes;
    c->columns = ll_computation_columns(how, classes);
    set_shares(c);
    set_labels(c);
    int is_high = ll_release_is_better_high(&s->release);
    for (long i = 0; i < count_constants(c) && c->columns <= MOST_CLASSES; i++) {
        set_constant(c, i);
        double found = score(c);
        best = isnan(best) ? found : is_high ? fmax(best, found) : fmin(best, found);
    }
    free(c);
    return best;
}

double ll_scorer_best(const ll_scorer *s)
{
    const ll_metric *metric = s->computation.metric;
    double least = 0, most = 0;
    ll_metric_range(metric, &least, &most);
    double best = !ll_metric_is_gain(metric) ? fmax(least, 0) : most > 0 ? most : 1;
    for (int i = 0; i < s->release.step_count; i++)
        best = ll_transform_step_plain(&s->release.steps[i], best);
    return best;
}

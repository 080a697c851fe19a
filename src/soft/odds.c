/* How many labellings explain the scores as well by chance? (docs/proofs/hadamard.md)
 *
 * The labels give query q a sum of h(q) heavy rows of N. Random signs of which no more is known than these sums make
 * every set of h(q) rows the heavy ones with equal probability, query by query. So a change of w rows moves sum q by
 * d = j - 2 u: j of the w rows change their bit (all of them for two classes), u of those j are heavy ones, which is
 * hypergeometric. The mean odds of all labellings that differ in w rows are
 *
 *     (number of them, weighted with the prior) * product over q of E[P(score | z + d) / P(score | z)].  */
#include "soft/soft.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_WEIGHTS = 512 }; /* up to so many rows, every weight; else steps of 6% above 64, from both ends */

typedef struct {
    const ll_soft_problem *problem;
    long *weights; /* rising */
    long count;
    double *log_factorials; /* [0 .. rows] */
    double *ratios;         /* [reach + d] */
    double *by_flips;       /* [weight]: E of the ratio where so many rows change their bit */
    double *logs;           /* [weight]: log of the product over queries */
    long reach;
} work;

/* ---- weights ---- */

static long next_weight(long rows, long w)
{
    long near = w < rows - w ? w : rows - w, step = near < 64 ? 1 : near / 16;
    return rows <= ALL_WEIGHTS ? w + 1 : w + step;
}

/* Of two weights a step apart, the one after each too: sums of even and of odd weights may differ. */
static void set_weights(work *w)
{
    long rows = w->problem->rows;
    for (long at = 1; at <= rows; at = next_weight(rows, at)) {
        w->weights[w->count++] = at;
        if (next_weight(rows, at) > at + 1 && at < rows)
            w->weights[w->count++] = at + 1;
    }
}

/* ---- one query ---- */

/* Whole numbers by which z may rise and fall inside its interval. */
static void set_window(work *w, long q, double z)
{
    long up = 0, down = 0;
    while (up < w->reach && ll_soft_log_chance(w->problem, q, z + (double)up + 1) == 0)
        up++;
    while (down < w->reach && ll_soft_log_chance(w->problem, q, z - (double)down - 1) == 0)
        down++;
    if (w->problem->is_any_law) /* wherever z stands in it: at most as many as around the middle */
        up = down = (up + down + 1) / 2;
    for (long d = -w->reach; d <= w->reach; d++)
        w->ratios[w->reach + d] = d >= -down && d <= up;
}

static void set_ratios(work *w, long q, double z)
{
    const ll_soft_problem *s = w->problem;
    if (s->noise.kind == LL_NOISE_NONE) {
        set_window(w, q, z);
        return;
    }
    double now = ll_soft_log_chance(s, q, z);
    for (long d = -w->reach; d <= w->reach; d++)
        w->ratios[w->reach + d] = exp(fmin(ll_soft_log_chance(s, q, z + (double)d) - now, 600));
}

static double log_choose(const work *w, long n, long k)
{
    return w->log_factorials[n] - w->log_factorials[k] - w->log_factorials[n - k];
}

static long at_least(long a, double b)
{
    return b > (double)a ? (long)b : a;
}

static long at_most(long a, double b)
{
    return b < (double)a ? (long)b : a;
}

/* E of the ratio at d = j - 2 u, u hypergeometric: j of the rows, of which h are heavy. Nine deviations are enough. */
static double mean_ratio(const work *w, long j, long h)
{
    long rows = w->problem->rows;
    double mean = (double)j * (double)h / (double)rows, spread = 9 * sqrt((double)j) / 2 + 3;
    long first = at_least(j > rows - h ? j - (rows - h) : 0, floor(mean - spread));
    long last = at_most(j < h ? j : h, ceil(mean + spread));
    first = at_least(first, ceil(((double)j - (double)w->reach) / 2));
    last = at_most(last, floor(((double)j + (double)w->reach) / 2));
    if (first > last)
        return 0;
    double mass = exp(log_choose(w, h, first) + log_choose(w, rows - h, j - first) - log_choose(w, rows, j)), sum = 0;
    for (long u = first; u <= last; u++) {
        sum += mass * w->ratios[w->reach + j - 2 * u];
        mass *= (double)(j - u) * (double)(h - u) / ((double)(u + 1) * (double)(rows - h - j + u + 1));
    }
    return sum;
}

/* More than two classes: j is binomial. The chance falls with j, so of weights between two that are known the lower one
 * counts. */
static double mix_flips(const work *w, long i)
{
    double groups = (double)w->problem->groups, p = (groups + 1) / 2 / groups, n = (double)w->weights[i];
    double sum = exp(n * log1p(-p)); /* none changes its bit: no score speaks */
    for (long k = 0; k <= i; k++) {
        long from = w->weights[k], to = k < i ? w->weights[k + 1] : from + 1;
        for (long j = from; j < to; j++)
            sum += w->by_flips[k] *
                   exp(log_choose(w, w->weights[i], j) + (double)j * log(p) + (n - (double)j) * log1p(-p));
    }
    return sum;
}

static void hear_query(work *w, long q, double twice)
{
    long h = lrint((twice + (double)w->problem->rows) / 2);
    set_ratios(w, q, twice / 2);
    for (long i = 0; i < w->count; i++)
        w->by_flips[i] = mean_ratio(w, w->weights[i], h);
    for (long i = 0; i < w->count; i++) {
        double mean = w->problem->groups == 1 ? w->by_flips[i] : mix_flips(w, i);
        w->logs[i] += mean > 0 ? log(mean) : -1000;
    }
}

/* ---- all queries ---- */

/* log of the mean over the rows of (1 - share)/share of their label: by Maclaurin's inequality the sum over all sets of
 * w rows of products of these is at most the number of sets times its power w. */
static double log_alternatives(const ll_soft_problem *s, const int32_t *labels)
{
    double sum = 0;
    for (long i = 0; i < s->rows; i++)
        sum +=
            s->prior == NULL ? (double)(s->classes - 1) : (1 - s->prior[labels[i]]) / fmax(s->prior[labels[i]], 1e-300);
    return log(sum / (double)s->rows);
}

/* Weights between two that were looked at count as the larger of both. */
static double add_up(const work *w, double each, long above)
{
    double odds = 0;
    for (long i = 0; i < w->count; i++) {
        long at = w->weights[i], next = i + 1 < w->count ? w->weights[i + 1] : at + 1;
        double own = log_choose(w, w->problem->rows, at) + (double)at * each + w->logs[i];
        if (at <= above)
            continue;
        odds += exp(fmin(own, 600));
        if (next > at + 1) {
            double other = log_choose(w, w->problem->rows, next) + (double)next * each + w->logs[i + 1];
            odds += (double)(next - at - 1) * exp(fmin(fmax(own, other), 600));
        }
    }
    return odds;
}

static int prepare(work *w, const double *sums)
{
    const ll_soft_problem *s = w->problem;
    size_t rows = (size_t)s->rows;
    double far = 0;
    for (long q = 0; q < s->queries; q++)
        far = fmax(far, fabs(sums[q]));
    w->reach = at_most(s->rows, ceil(far + 9 * sqrt((double)s->rows) + 8));
    w->weights = malloc(sizeof *w->weights * (rows + 1));
    w->log_factorials = malloc(sizeof *w->log_factorials * (rows + 1));
    w->ratios = malloc(sizeof *w->ratios * (size_t)(2 * w->reach + 1));
    w->by_flips = malloc(sizeof *w->by_flips * (rows + 1));
    w->logs = calloc(rows + 1, sizeof *w->logs);
    if (w->weights == NULL || w->log_factorials == NULL || w->ratios == NULL || w->by_flips == NULL || w->logs == NULL)
        return 0;
    for (long i = 0; i <= s->rows; i++)
        w->log_factorials[i] = lgamma((double)i + 1);
    set_weights(w);
    return 1;
}

static void clear(work *w)
{
    free(w->weights);
    free(w->log_factorials);
    free(w->ratios);
    free(w->by_flips);
    free(w->logs);
}

ll_status ll_soft_expect_odds(const ll_soft_problem *problem, double *odds, const double *sums, const int32_t *labels,
                              long weight)
{
    work w = {.problem = problem};
    int ready = prepare(&w, sums);
    for (long q = 0; ready && q < problem->queries; q++)
        if (problem->answered[q])
            hear_query(&w, q, sums[q]);
    if (ready)
        *odds = add_up(&w, log_alternatives(problem, labels), weight);
    clear(&w);
    return ready ? LL_OK : LL_MEMORY;
}

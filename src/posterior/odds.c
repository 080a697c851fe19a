/* How many labellings explain the scores as well by chance? (docs/proofs/hadamard.md)
 *
 * The labels give query q a sum of h(q) heavy rows of N. Random signs of which no more is known than these sums make
 * every set of h(q) rows the heavy ones with equal probability, query by query. So a change of w rows moves sum q by
 * d = j - 2 u: j of the w rows change their bit (all of them for two classes), u of those j are heavy ones, which is
 * hypergeometric. The mean odds of all labellings that differ in w rows are
 *
 *     (number of them, weighted with the prior) * product over q of E[P(score | z + d) / P(score | z)].
 *
 * Under much random noise that mean is made by the rare signs that follow the noise. Odds of at most 1 are at most
 * their roots, whose mean is not: of the two bounds the smaller counts, weight by weight. */
#include "posterior/posterior.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_WEIGHTS = 512 }; /* up to so many rows, every weight; else steps of 6% above 64, from both ends */

typedef struct {
    const ll_posterior_problem *problem;
    long *weights; /* rising */
    long count;
    double *log_factorials; /* [0 .. rows] */
    double *ratios[2];      /* [power][reach + d]; power 0: odds, 1: roots */
    double *by_flips[2];    /* [power][weight]: E of the ratio where so many rows change their bit */
    double *logs;           /* [power * count + weight]: log of the product over queries */
    int powers;             /* 1 without random noise: odds are 0 or 1 */
    double *mix;            /* more than two classes, [weight * count + weight]: so many of them change their bit */
    long reach, fall, rise; /* ratios are 0 below -fall and above rise, both at most reach */
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

static long at_least(long a, double b)
{
    return b > (double)a ? (long)b : a;
}

static long at_most(long a, double b)
{
    return b < (double)a ? (long)b : a;
}

/* Whole numbers by which z may rise and fall inside its interval. */
static void set_window(work *w, long q, double z)
{
    long up = 0, down = 0;
    while (up < w->reach && ll_posterior_log_chance(w->problem, q, z + (double)up + 1) == 0)
        up++;
    while (down < w->reach && ll_posterior_log_chance(w->problem, q, z - (double)down - 1) == 0)
        down++;
    if (w->problem->is_any_law) /* wherever z stands in it: at most as many as around the middle */
        up = down = (up + down + 1) / 2;
    w->fall = at_most(w->reach, (double)down);
    w->rise = at_most(w->reach, (double)up);
    for (long d = -w->fall; d <= w->rise; d++)
        w->ratios[0][w->reach + d] = w->ratios[1][w->reach + d] = 1;
}

static void set_ratios(work *w, long q, double z)
{
    const ll_posterior_problem *s = w->problem;
    if (s->noise.law == NULL) {
        set_window(w, q, z);
        return;
    }
    double now = ll_posterior_log_chance(s, q, z);
    w->fall = w->rise = w->reach;
    for (long d = -w->reach; d <= w->reach; d++) {
        double odds = ll_posterior_log_chance(s, q, z + (double)d) - now;
        for (int power = 0; power < w->powers; power++)
            w->ratios[power][w->reach + d] = exp(fmin(odds / (1 + power), 600));
    }
}

static double log_choose(const work *w, long n, long k)
{
    return w->log_factorials[n] - w->log_factorials[k] - w->log_factorials[n - k];
}

/* E of the ratios at d = j - 2 u, u hypergeometric: j of the rows, of which h are heavy. Nine deviations are enough. */
static void set_means(work *w, long i, long h)
{
    long j = w->weights[i];
    long rows = w->problem->rows;
    double mean = (double)j * (double)h / (double)rows, spread = 9 * sqrt((double)j) / 2 + 3;
    long first = at_least(j > rows - h ? j - (rows - h) : 0, floor(mean - spread));
    long last = at_most(j < h ? j : h, ceil(mean + spread));
    first = at_least(first, ceil(((double)j - (double)w->rise) / 2));
    last = at_most(last, floor(((double)j + (double)w->fall) / 2));
    double mass = 0, odds = 0, roots = 0;
    if (first <= last)
        mass = exp(log_choose(w, h, first) + log_choose(w, rows - h, j - first) - log_choose(w, rows, j));
    for (long u = first; u <= last; u++) {
        odds += mass * w->ratios[0][w->reach + j - 2 * u];
        roots += mass * w->ratios[1][w->reach + j - 2 * u];
        mass *= (double)(j - u) * (double)(h - u) / ((double)(u + 1) * (double)(rows - h - j + u + 1));
    }
    w->by_flips[0][i] = odds;
    w->by_flips[1][i] = roots;
}

static double mix_flips(const work *w, long i, int power)
{
    const double *mix = w->mix + i * w->count;
    double groups = (double)w->problem->groups, p = (groups + 1) / 2 / groups;
    double sum = exp((double)w->weights[i] * log1p(-p)); /* none changes its bit: no score speaks */
    for (long k = 0; k <= i; k++)
        sum += mix[k] * w->by_flips[power][k];
    return sum;
}

static void hear_query(work *w, long q, double twice)
{
    long h = lrint((twice + (double)w->problem->rows) / 2);
    set_ratios(w, q, twice / 2);
    for (long i = 0; i < w->count; i++)
        set_means(w, i, h);
    for (int power = 0; power < w->powers; power++)
        for (long i = 0; i < w->count; i++) {
            double mean = w->problem->groups == 1 ? w->by_flips[power][i] : mix_flips(w, i, power);
            w->logs[power * w->count + i] += mean > 0 ? log(mean) : -1000;
        }
}

/* ---- all queries ---- */

/* The sum, over other labels, of their share over that of label k, or of the roots of that. */
static double alternatives(const ll_posterior_problem *s, int32_t own, int power)
{
    double sum = 0;
    for (long k = 0; k < s->classes && s->prior != NULL; k++)
        sum += k == own ? 0 : pow(s->prior[k] / fmax(s->prior[own], 1e-300), 1.0 / (1 + power));
    return s->prior != NULL ? sum : (double)(s->classes - 1);
}

/* Sets of rows that change: any, or those with one given row. By Maclaurin's inequality the sum over all sets of w rows
 * of products of their alternatives is at most the number of sets times the power w of the mean over the rows; of sets
 * with a given row, its own alternatives times the same of w - 1 of the others. */
typedef struct {
    long given;                 /* rows: 0 or 1 */
    double own[2], mean_log[2]; /* logs; [power] */
} choice;

static choice choose_any(const ll_posterior_problem *s, const int32_t *labels)
{
    choice c = {0};
    for (int power = 0; power < 2; power++) {
        double sum = 0;
        for (long i = 0; i < s->rows; i++)
            sum += alternatives(s, labels != NULL ? labels[i] : 0, power);
        c.mean_log[power] = log(sum / (double)s->rows);
    }
    return c;
}

static choice choose_row(const ll_posterior_problem *s, const choice *any, int32_t label)
{
    choice c = {.given = 1};
    for (int power = 0; power < 2; power++) {
        double own = alternatives(s, label, power), all = exp(any->mean_log[power]) * (double)s->rows;
        c.own[power] = log(own);
        c.mean_log[power] = log(fmax(all - own, 0) / fmax((double)s->rows - 1, 1));
    }
    return c;
}

static double log_term(const work *w, const choice *c, long i)
{
    long free_rows = w->weights[i] - c->given;
    double least = INFINITY, sets = log_choose(w, w->problem->rows - c->given, free_rows);
    for (int power = 0; power < w->powers; power++) {
        double others = free_rows > 0 ? (double)free_rows * c->mean_log[power] : 0;
        least = fmin(least, sets + c->own[power] + others + w->logs[power * w->count + i]);
    }
    return fmin(least, 600);
}

/* Weights between two that were looked at count as the larger of both. */
static double add_up(const work *w, const choice *c, long above)
{
    double odds = 0;
    for (long i = 0; i < w->count; i++) {
        long at = w->weights[i], next = i + 1 < w->count ? w->weights[i + 1] : at + 1;
        if (at <= above)
            continue;
        odds += exp(log_term(w, c, i));
        if (next > at + 1)
            odds += (double)(next - at - 1) * exp(fmax(log_term(w, c, i), log_term(w, c, i + 1)));
    }
    return odds;
}

/* More than two classes: j is binomial. The chance falls with j, so of numbers between two weights that are looked at
 * the lower one counts. */
static int set_mix(work *w)
{
    double groups = (double)w->problem->groups, p = (groups + 1) / 2 / groups;
    if (w->problem->groups == 1)
        return 1;
    w->mix = calloc((size_t)(w->count * w->count), sizeof *w->mix);
    for (long i = 0; i < w->count && w->mix != NULL; i++)
        for (long k = 0; k <= i; k++) {
            long n = w->weights[i], to = k < i ? w->weights[k + 1] : n + 1;
            for (long j = w->weights[k]; j < to; j++)
                w->mix[i * w->count + k] += exp(log_choose(w, n, j) + (double)j * log(p) + (double)(n - j) * log1p(-p));
        }
    return w->mix != NULL;
}

static int prepare(work *w, const double *sums)
{
    const ll_posterior_problem *s = w->problem;
    size_t rows = (size_t)s->rows;
    double far = 0;
    for (long q = 0; q < s->queries; q++)
        far = fmax(far, fabs(sums[q]));
    w->reach = at_most(s->rows, ceil(far + 9 * sqrt((double)s->rows) + 8));
    w->weights = malloc(sizeof *w->weights * (rows + 1));
    w->log_factorials = malloc(sizeof *w->log_factorials * (rows + 1));
    for (int power = 0; power < 2; power++) {
        w->ratios[power] = malloc(sizeof(double) * (size_t)(2 * w->reach + 1));
        w->by_flips[power] = malloc(sizeof(double) * (rows + 1));
    }
    w->logs = calloc(2 * (rows + 1), sizeof *w->logs);
    w->powers = s->noise.law == NULL ? 1 : 2;
    if (w->weights == NULL || w->log_factorials == NULL || w->logs == NULL)
        return 0;
    for (int power = 0; power < 2; power++)
        if (w->ratios[power] == NULL || w->by_flips[power] == NULL)
            return 0;
    for (long i = 0; i <= s->rows; i++)
        w->log_factorials[i] = lgamma((double)i + 1);
    set_weights(w);
    return set_mix(w);
}

static void clear(work *w)
{
    free(w->weights);
    free(w->log_factorials);
    for (int power = 0; power < 2; power++) {
        free(w->ratios[power]);
        free(w->by_flips[power]);
    }
    free(w->logs);
    free(w->mix);
}

static void tell_odds(const work *w, double *odds, double *of_row, const int32_t *labels, long weight)
{
    const ll_posterior_problem *s = w->problem;
    choice any = choose_any(s, labels);
    *odds = add_up(w, &any, weight);
    for (int32_t k = 0; k < s->classes && of_row != NULL; k++) {
        choice row = choose_row(s, &any, k);
        of_row[k] = fmin(add_up(w, &row, weight), *odds);
    }
}

ll_status ll_posterior_expect_odds(const ll_posterior_problem *problem, double *odds, double *of_row,
                                   const double *sums, const int32_t *labels, long weight)
{
    work w = {.problem = problem};
    int ready = prepare(&w, sums);
    for (long q = 0; ready && q < problem->queries; q++)
        if (problem->answered[q])
            hear_query(&w, q, sums[q]);
    if (ready)
        tell_odds(&w, odds, of_row, labels, weight);
    clear(&w);
    return ready ? LL_OK : LL_MEMORY;
}

/* ---- before any score is there ---- */

enum { SAMPLES = 128 };

/* Sums as random signs make them, and what the channel tells of them. */
typedef struct {
    double sums[SAMPLES], low[SAMPLES], high[SAMPLES];
    unsigned char answered[SAMPLES];
} sample;

/* Even draws: noise by its quantiles in order, sums and places by those of multiples of two irrational numbers. What
 * one score tells may be far less than what it varies by, so that independent draws would not do. */
static void draw_sample(sample *s, const ll_posterior_channel *c)
{
    for (int i = 0; i < SAMPLES; i++) {
        double u = fmod((i + 0.5) * 0.6180339887498949, 1), v = fmod((i + 0.5) * 0.4142135623730951, 1);
        double heavy = round((double)c->rows / 2 + sqrt((double)c->rows) / 2 * ll_normal_quantile(u));
        double z = fmin(fmax(heavy, 0), (double)c->rows) - (double)c->rows / 2;
        double noise = c->noise.law != NULL ? c->noise.size * c->noise.law->quantile((i + 0.5) / SAMPLES) : 0;
        double at = z + noise, place = isnan(c->place) ? v : c->place;
        if (c->grid > 0)
            at = (round(at / c->grid + place) - place) * c->grid;
        s->sums[i] = 2 * z;
        s->low[i] = at - c->grid / 2 - 1e-9;
        s->high[i] = at + c->grid / 2 + 1e-9;
        s->answered[i] = 1;
    }
}

ll_status ll_posterior_forecast_odds(const ll_posterior_channel *channel, double *odds)
{
    sample drawn;
    draw_sample(&drawn, channel);
    const ll_posterior_problem problem = {.rows = channel->rows,
                                          .classes = channel->classes,
                                          .queries = SAMPLES,
                                          .groups = (1 << ll_posterior_bits(channel->classes)) - 1,
                                          .low = drawn.low,
                                          .high = drawn.high,
                                          .answered = drawn.answered,
                                          .noise = channel->noise};
    work w = {.problem = &problem};
    int ready = prepare(&w, drawn.sums);
    for (long q = 0; ready && q < SAMPLES; q++)
        hear_query(&w, q, drawn.sums[q]);
    for (long i = 0; ready && i < w.powers * w.count; i++)
        w.logs[i] *= (double)channel->queries / SAMPLES;
    if (ready)
        tell_odds(&w, odds, NULL, NULL, 0);
    clear(&w);
    return ready ? LL_OK : LL_MEMORY;
}

/* What x-proportional plays with: metrics once more, in plain doubles, beliefs over all labellings, strategies. */
#ifndef LL_TESTS_PROPORTIONAL_GAME_H
#define LL_TESTS_PROPORTIONAL_GAME_H

#include "../unit/curator_tools.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 12 };

/* ---- metrics, once more ---- */

typedef struct {
    const char *settings;
    double (*loss)(double x, int label);
    double (*write)(double weight); /* a prediction whose weight is about that part, -1 .. 1, of the greatest */
    int is_root;
    void (*whole)(double *scores, const double *x, long rows); /* [labelling]; in place of mean losses; NAN: fails */
    /* [labelling]: half of the root of the sum of squares of what each label can move, where it depends on labels. */
    void (*spreads)(double *out, const double *x, long rows);
} own_metric;

#define CLIP 0.01

static double log_loss(double x, int label)
{
    double p = x < CLIP ? CLIP : x > 1 - CLIP ? 1 - CLIP : x;
    return -log(label ? p : 1 - p);
}

static double squared(double x, int label)
{
    return ((double)label - x) * ((double)label - x);
}

static double match(double x, int label)
{
    return x == (double)label;
}

static double write_log(double w)
{
    return 1 / (1 + exp(w * log((1 - CLIP) / CLIP)));
}

static double write_squared(double w)
{
    return (1 - w) / 2;
}

static double write_label(double w)
{
    return w > 0;
}

static void f1(double *scores, const double *x, long rows)
{
    unsigned long said = 0;
    for (long i = 0; i < rows; i++)
        said |= (unsigned long)(x[i] > 0) << i;
    for (unsigned long y = 0; y < 1UL << rows; y++) {
        int hits = __builtin_popcountl(y & said), all = __builtin_popcountl(y) + __builtin_popcountl(said);
        scores[y] = all > 0 ? 2.0 * hits / all : 0;
    }
}

/* docs/proofs/proportional.md: m (2 - F)^2 + (N - m) F^2, over m + P - 1. */
static void f1_spreads(double *out, const double *x, long rows)
{
    double said = 0;
    for (long i = 0; i < rows; i++)
        said += x[i];
    f1(out, x, rows);
    for (unsigned long y = 0; y < 1UL << rows; y++) {
        double below = fmax(1, said + __builtin_popcountl(y) - 1), f = out[y], rest = 2 - f;
        out[y] = sqrt(said * rest * rest + ((double)rows - said) * f * f) / below / 2;
    }
}

static double write_rank(double w)
{
    return w;
}

/* The least row that is a positive wins against all negatives what the others do not lose to it. */
static double wins(const double *x, unsigned long labels, long rows, double without)
{
    long i = __builtin_ctzl(labels);
    for (long j = 0; j < rows; j++) {
        double over = x[i] > x[j] ? 1 : x[i] == x[j] ? 0.5 : 0; /* of a pair, ties by half */
        if (j != i)
            without += labels >> j & 1 ? over - 1 : over;
    }
    return without;
}

/* Pairs in the right order: counted, then divided. */
static void auc(double *scores, const double *x, long rows)
{
    scores[0] = 0;
    for (unsigned long y = 1; y < 1UL << rows; y++)
        scores[y] = wins(x, y, rows, scores[y & (y - 1)]);
    for (unsigned long y = 0; y < 1UL << rows; y++) {
        double ones = __builtin_popcountl(y), pairs = ones * ((double)rows - ones);
        scores[y] = pairs > 0 ? scores[y] / pairs : (double)NAN;
    }
}

/* docs/proofs/proportional.md: (A + g^2 M) / E^2, A the sum of squares of midranks about their mean. */
static void auc_spreads(double *out, const double *x, long rows)
{
    double n = (double)rows, sum = 0, by_ones[MOST_ROWS + 1];
    for (long i = 0; i < rows; i++) {
        double twice = 0; /* the midrank about its mean */
        for (long j = 0; j < rows; j++)
            twice += (x[j] < x[i]) - (x[j] > x[i]);
        sum += twice * twice / 4;
    }
    for (long p = 0; p <= rows; p++) {
        double ones = (double)p, off = 2 * ones - n, pairs = ones * (n - ones);
        double below = (ones - 1) * (n - ones + 1), above = (ones + 1) * (n - ones - 1);
        double fewest = below > 0 && above > 0 ? fmin(below, above) : fmax(below, above);
        by_ones[p] = sqrt(sum + fmin(n / 4, sum / pairs) * fmax(0, off * off - n)) / fewest / 2;
    }
    for (unsigned long y = 0; y < 1UL << rows; y++)
        out[y] = by_ones[__builtin_popcountl(y)];
}

static const own_metric metrics[] = {
    {"metric=log-loss; clip=0.01; clip-mode=clip", log_loss, write_log, 0, NULL, NULL},
    {"metric=squared", squared, write_squared, 0, NULL, NULL},
    {"metric=squared; transform=root", squared, write_squared, 1, NULL, NULL},
    {"metric=accuracy; transform=percent", match, write_label, 0, NULL, NULL},
    {"metric=f1", NULL, write_label, 0, f1, NULL},
    {"metric=auc", NULL, write_rank, 0, auc, auc_spreads},
};
enum { METRICS = sizeof metrics / sizeof *metrics, AUC = METRICS - 1 };

/* The noise on F1 that a curator takes where there are more rows than can be tried here: drawn by the test. */
static const own_metric followed_f1 = {"metric=f1", NULL, write_label, 0, f1, f1_spreads};

/* ---- a world ---- */

typedef struct {
    const own_metric *metric;
    long rows, answers;
    double c, prior; /* of label 1 */
    long ones;       /* told: so many labels are 1; 0: not known */
} world;

typedef struct {
    const world *world;
    unsigned long truth;
    double *belief;          /* [labelling], sums to 1 */
    double means[MOST_ROWS]; /* of the labels, by it */
    long asked;
    double weights[MOST_ROWS];
} game;

/* Of every labelling: that of the one without its least 1, and what that label changes. */
static void score_all(const world *w, double *scores, const double *x)
{
    double zero = 0, change[MOST_ROWS];
    unsigned long all = 1UL << w->rows;
    int is_percent = strstr(w->metric->settings, "percent") != NULL;
    if (w->metric->whole) {
        w->metric->whole(scores, x, w->rows);
        return;
    }
    for (long i = 0; i < w->rows; i++) {
        zero += w->metric->loss(x[i], 0);
        change[i] = w->metric->loss(x[i], 1) - w->metric->loss(x[i], 0);
    }
    scores[0] = zero;
    for (unsigned long y = 1; y < all; y++)
        scores[y] = scores[y & (y - 1)] + change[__builtin_ctzl(y)];
    for (unsigned long y = 0; y < all; y++) {
        double mean = fmax(scores[y], 0) / (double)w->rows;
        scores[y] = w->metric->is_root ? sqrt(mean) : is_percent ? 100 * mean : mean;
    }
}

/* Half of the root of the sum of squares of what each label can move, whatever the others are. */
static double spread(const world *w, const double *scores)
{
    double sum = 0;
    for (long i = 0; i < w->rows; i++) {
        double most = 0;
        unsigned long bit = 1UL << i;
        for (unsigned long first = 0; first < 1UL << w->rows; first += 2 * bit)
            for (unsigned long y = first; y < first + bit; y++) {
                double move = fabs(scores[y] - scores[y + bit]);
                most = move > most ? move : most;
            }
        sum += most * most;
    }
    return sqrt(sum) / 2;
}

static void set_means(game *g)
{
    for (long i = 0; i < g->world->rows; i++) {
        double mean = 0;
        unsigned long bit = 1UL << i;
        for (unsigned long first = bit; first < 1UL << g->world->rows; first += 2 * bit)
            for (unsigned long y = first; y < first + bit; y++)
                mean += g->belief[y];
        g->means[i] = mean;
    }
}

/* What a label moves is never more than the spread of the labels at hand allows. */
static void check_moves(const world *w, const double *scores, const double *spreads)
{
    for (unsigned long y = 0; y < 1UL << w->rows; y++) {
        double sum = 0, most = 2 * (spreads[y] * (1 + 1e-9) + 1e-12);
        for (long i = 0; i < w->rows; i++) {
            double move = scores[y] - scores[y ^ 1UL << i];
            sum += isnan(move) ? 0 : move * move; /* one of the two fails: that is counted for itself */
        }
        assert_true(isnan(scores[y]) || sum <= most * most);
    }
}

/* ln of the density of an answer, NAN for a refusal, up to a constant. */
static double log_density(double answer, double score, double deviation, double log_deviation)
{
    if (isnan(answer) || isnan(score))
        return isnan(answer) && isnan(score) ? 0 : -INFINITY;
    double off = (answer - score) / deviation;
    return -off * off / 2 - log_deviation;
}

/* scores become the densities. */
static void learn(game *g, double *scores, double answer, const double *spreads)
{
    double best = -INFINITY, sum = 0, c = g->world->c, last = 0, log_last = 0;
    unsigned long all = 1UL << g->world->rows;
    for (unsigned long y = 0; y < all; y++) {
        if (spreads[y] != last) {
            last = spreads[y];
            log_last = log(c * last);
        }
        scores[y] = log_density(answer, scores[y], c * last, log_last);
        best = scores[y] > best ? scores[y] : best;
    }
    for (unsigned long y = 0; y < all; y++)
        sum += g->belief[y] *= scores[y] - best > -60 ? exp(scores[y] - best) : 0; /* e^-60: never seen again */
    for (unsigned long y = 0; y < all; y++)
        g->belief[y] /= sum;
    set_means(g);
}

/* ---- strategies: g->weights, parts of the greatest weight ---- */

static double sign(void)
{
    return below(2) ? 1 : -1;
}

static void only(game *g, long row)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = i == row;
}

static void random_signs(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = sign();
}

static void random_weights(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = 2 * uniform() - 1;
}

static void powers(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = ldexp(1, -(int)((i + g->asked) % g->world->rows));
}

static void row_by_row(game *g)
{
    only(g, g->asked % g->world->rows);
}

static void pairs(game *g)
{
    only(g, g->asked % g->world->rows);
    g->weights[(g->asked + 1) % g->world->rows] = -1;
}

static long least_certain_row(const game *g)
{
    long best = 0;
    for (long i = 1; i < g->world->rows; i++)
        if (fabs(g->means[i] - 0.5) < fabs(g->means[best] - 0.5))
            best = i;
    return best;
}

static void least_certain(game *g)
{
    only(g, least_certain_row(g));
}

/* One row until it is settled, then the next. */
static void sequential_tests(game *g)
{
    long row = 0;
    while (row + 1 < g->world->rows && fabs(g->means[row] - 0.5) > 0.35)
        row++;
    only(g, row);
}

static void set_covariance(const game *g, double out[MOST_ROWS][MOST_ROWS])
{
    long rows = g->world->rows;
    memset(out, 0, sizeof(double[MOST_ROWS][MOST_ROWS]));
    for (unsigned long y = 0; y < 1UL << rows; y++)
        for (unsigned long one = y; one; one &= one - 1)
            for (unsigned long other = one; other; other &= other - 1)
                out[__builtin_ctzl(one)][__builtin_ctzl(other)] += g->belief[y];
    for (long i = 0; i < rows; i++)
        for (long j = i; j < rows; j++)
            out[j][i] = out[i][j] -= g->means[i] * g->means[j];
}

/* The direction in which the posterior varies most: power iteration on its covariance. */
static void largest_variance(game *g)
{
    double covariance[MOST_ROWS][MOST_ROWS];
    set_covariance(g, covariance);
    random_weights(g);
    for (int step = 0; step < 12; step++) {
        double next[MOST_ROWS] = {0}, most = 1e-300;
        for (long i = 0; i < g->world->rows; i++) {
            for (long j = 0; j < g->world->rows; j++)
                next[i] += covariance[i][j] * g->weights[j];
            most = fmax(most, fabs(next[i]));
        }
        for (long i = 0; i < g->world->rows; i++)
            g->weights[i] = next[i] / most;
    }
}

static void signs_of_largest_variance(game *g)
{
    largest_variance(g);
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = g->weights[i] >= 0 ? 1 : -1;
}

/* Rows that are still open, at random signs. */
static void open_rows(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = fabs(g->means[i] - 0.5) < 0.4 ? sign() : 0;
    g->weights[least_certain_row(g)] = 1;
}

typedef struct {
    const char *name;
    void (*ask)(game *g);
} strategy;

static const strategy strategies[] = {
    {"random signs", random_signs},
    {"random weights", random_weights},
    {"powers", powers},
    {"row by row", row_by_row},
    {"pairs", pairs},
    {"least certain row (adaptive)", least_certain},
    {"sequential tests (adaptive)", sequential_tests},
    {"largest posterior variance (adaptive)", largest_variance},
    {"signs of it (adaptive)", signs_of_largest_variance},
    {"open rows (adaptive)", open_rows},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

#endif

/* Message passing between scores and labels, random signs (approximate message passing: Donoho, Maleki, Montanari 2009;
 * Rangan 2011).
 *
 *     z ~ N(p, v)      v is the variance of all rows together, p the sum of their means less v times what the score
 * said the last time (else every row would hear itself); score            gives z a mean and a variance: it says s =
 * (mean - p)/v, with precision (1 - variance/v)/v; x                each row hears the sum of sign * s over its
 * queries, beside gamma * its own mean.
 *
 * For more than two classes every query asks about a bit of each row: a row has a mean for each of its T bits. */
#include "posterior/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200 };
/* Of v: sums move by whole steps, so a belief sharper than a third of a step would only say that a sum is inside its
 * interval, and no score would speak against any label any more. */
static const double least_variance = 1.0 / 9;

typedef struct {
    const ll_posterior_problem *problem;
    ll_quadrature rule;
    int label_bits;
    size_t places;     /* 2^label_bits, of a row */
    size_t kind_count; /* 2 T */
    uint16_t *kinds;   /* [row] */
    double *says;      /* [query]: s */
    double *means;     /* [row * places + t] */
    double *by_kind;   /* [row * kinds + kind]: the mean with its sign */
    double *heard;     /* [row * kinds + kind]: sum of what scores said */
    double *evidence;  /* of one row, [t] */
    double *scratch;   /* means of one row */
    double *log_prior;
    double variance, gamma; /* v; precision of what a row hears of a bit */
} work;

static int prepare(work *w)
{
    const ll_posterior_problem *s = w->problem;
    size_t rows = (size_t)s->rows;
    w->places = (size_t)1 << w->label_bits;
    w->kind_count = 2 * (size_t)s->groups;
    w->kinds = malloc(sizeof *w->kinds * rows);
    w->says = calloc((size_t)s->queries, sizeof *w->says);
    w->means = calloc(rows * w->places, sizeof *w->means);
    w->by_kind = calloc(rows * w->kind_count, sizeof *w->by_kind);
    w->heard = malloc(sizeof *w->heard * rows * w->kind_count);
    w->evidence = malloc(sizeof *w->evidence * w->places);
    w->scratch = malloc(sizeof *w->scratch * w->places);
    w->log_prior = s->prior != NULL ? malloc(sizeof *w->log_prior * (size_t)s->classes) : NULL;
    if (w->kinds == NULL || w->says == NULL || w->means == NULL || w->by_kind == NULL || w->heard == NULL ||
        w->evidence == NULL || w->scratch == NULL || (s->prior != NULL && w->log_prior == NULL))
        return 0;
    for (long k = 0; w->log_prior != NULL && k < s->classes; k++)
        w->log_prior[k] = log(fmax(s->prior[k], 1e-300));
    w->variance = (double)s->rows / 4; /* signs are random: z has mean 0 */
    ll_quadrature_init(&w->rule);
    return 1;
}

static void clear(work *w)
{
    free(w->kinds);
    free(w->says);
    free(w->means);
    free(w->by_kind);
    free(w->heard);
    free(w->evidence);
    free(w->scratch);
    free(w->log_prior);
}

/* ---- scores ---- */

static double sum_means(const work *w)
{
    const double *own = w->by_kind;
    double sum = 0;
    for (long i = 0; i < w->problem->rows; i++, own += w->kind_count)
        sum += own[w->kinds[i]];
    return sum;
}

static void tell_rows(work *w, double says)
{
    double *own = w->heard;
    for (long i = 0; i < w->problem->rows; i++, own += w->kind_count)
        own[w->kinds[i]] += says;
}

static void hear_scores(work *w, double damping)
{
    const ll_posterior_problem *s = w->problem;
    double precision = 0, v = w->variance, deviation = sqrt(v);
    memset(w->heard, 0, sizeof *w->heard * w->kind_count * (size_t)s->rows);
    for (long q = 0; q < s->queries; q++) {
        ll_observed about;
        double low, high;
        if (!s->answered[q])
            continue;
        s->kinds(s->self, w->kinds, q);
        double p = sum_means(w) - v * w->says[q];
        ll_posterior_widen(s, &low, &high, q);
        ll_law_observe(s->noise.law, &w->rule, &about, s->noise.size, low, high, p, deviation);
        w->says[q] += damping * ((about.mean - p) / v - w->says[q]);
        precision += fmax(1 - about.variance / v, 1e-12) / v;
        tell_rows(w, w->says[q]);
    }
    w->gamma = precision / s->groups;
}

/* ---- labels ---- */

/* The greatest change of a mean. */
static double hear_row(work *w, double *shares, long row, double damping)
{
    double *own = w->means + (size_t)row * w->places, change = 0;
    double *kinds = w->by_kind + (size_t)row * w->kind_count, *heard = w->heard + (size_t)row * w->kind_count;
    for (size_t t = 1; t < w->places; t++)
        w->evidence[t] = heard[2 * t - 2] - heard[2 * t - 1] + w->gamma * own[t];
    ll_posterior_row(shares, w->scratch, w->evidence, w->log_prior, w->problem->classes, w->label_bits);
    for (size_t t = 1; t < w->places; t++) {
        double step = damping * (w->scratch[t] - own[t]);
        own[t] += step;
        kinds[2 * t - 2] = own[t];
        kinds[2 * t - 1] = -own[t];
        change = fmax(change, fabs(step));
        w->variance += fmax(0.25 - own[t] * own[t], 0) / (double)w->problem->groups;
    }
    return change;
}

static double go_round(work *w, double *shares, double damping)
{
    double change = 0;
    hear_scores(w, damping);
    w->variance = 0;
    for (long row = 0; row < w->problem->rows; row++)
        change = fmax(change, hear_row(w, shares + row * w->problem->classes, row, damping));
    w->variance = fmax(w->variance, least_variance);
    return change;
}

ll_status ll_posterior_decode_random(const ll_posterior_problem *problem, double *shares)
{
    work w = {.problem = problem, .label_bits = ll_posterior_bits(problem->classes)};
    int ready = prepare(&w);
    double change = 1;
    for (int round = 0; ready && round < ROUNDS && change > 1e-5; round++)
        change = go_round(&w, shares, round < 1 ? 1 : 0.8);
    clear(&w);
    return ready ? LL_OK : LL_MEMORY;
}

ll_status ll_posterior_sums_random(const ll_posterior_problem *s, double *sums, const int32_t *labels)
{
    uint16_t *kinds = malloc(sizeof *kinds * (size_t)s->rows);
    if (kinds == NULL)
        return LL_MEMORY;
    for (long q = 0; q < s->queries; q++) {
        long sum = -s->rows;
        s->kinds(s->self, kinds, q);
        for (long i = 0; i < s->rows; i++) {
            int bit = __builtin_parityl((unsigned long)labels[i] & ((unsigned long)kinds[i] / 2 + 1));
            sum += 2 * (bit != (kinds[i] & 1));
        }
        sums[q] = (double)sum;
    }
    free(kinds);
    return LL_OK;
}

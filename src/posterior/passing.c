/* Message passing between scores and labels, signs of a Sylvester matrix (random ones: sampled.c).
 *
 * A group's sums are z = H x with H a Sylvester matrix of 2^bits lines: columns that no row has stand for x = 0, lines
 * that no query asks for are not known. H / sqrt(n) is orthogonal, so beliefs of one precision about all z are beliefs
 * of one precision about all x and back, by one transform. The loop (expectation propagation with one variance a side:
 * Opper and Winther 2005; Rangan, Schniter, Fletcher 2019):
 *
 *     z ~ N(p, 1/tau) -> each score gives its z a mean and a variance; b = average variance * tau;
 *                        what the scores say beyond p: (mean - b p)/(1 - b), precision tau (1-b)/b
 *     x = r + noise   -> each row gives its labels shares, so its x means and variances; likewise back.
 *
 * The first round without the way back is the linear estimate, H' score / n. */
#include "posterior/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300 };
static const double least = 1e-12; /* of the factors b and a, and of their distance from 1 */
/* Of tau: sums move by whole steps, so a belief sharper than a third of a step would only say that a sum is inside its
 * interval, and no score would speak against any label any more. */
static const double sharpest = 9;

typedef struct {
    const ll_posterior_problem *problem;
    ll_quadrature rule;
    size_t n;
    int label_bits;
    double *x, *z;            /* [group * n + place]: r, then what labels say of x; p, then what scores say of z */
    double *tau, *gamma;      /* [group]: precision of p; of r */
    double *variance;         /* [group]: sum over rows of the variance of x */
    double *log_prior;        /* [class] or NULL */
    double *hat;              /* [group * rows + row]: the mean of x, flipped as its column is */
    double *evidence, *means; /* scratch, 2^label_bits */
} work;

static size_t column_of(uint32_t column)
{
    return column >> 1;
}

static double flip_of(uint32_t column)
{
    return column & 1 ? -1 : 1;
}

static double keep_inside(double factor)
{
    return fmin(fmax(factor, least), 1 - least);
}

/* ---- one side: scores ---- */

/* From p and tau of a group to r and gamma. */
static void hear_scores(work *w, int t)
{
    const ll_posterior_problem *s = w->problem;
    double *z = w->z + (size_t)t * w->n, *x = w->x + (size_t)t * w->n;
    double deviation = 1 / sqrt(w->tau[t]), known = 0;
    long heard = 0;
    memcpy(x, z, sizeof *x * w->n);
    for (long q = t; q < s->queries; q += s->groups) {
        ll_observed about;
        double low, high;
        if (!s->answered[q])
            continue;
        ll_posterior_widen(s, &low, &high, q);
        ll_law_observe(s->noise.law, &w->rule, &about, s->noise.size, low, high, z[s->lines[q]], deviation);
        x[s->lines[q]] = about.mean;
        known += about.variance * w->tau[t];
        heard++;
    }
    double b = keep_inside((known + (double)(w->n - (size_t)heard)) / (double)w->n);
    for (size_t j = 0; j < w->n; j++)
        x[j] = (x[j] - b * z[j]) / ((1 - b) * (double)w->n);
    w->gamma[t] = w->tau[t] * (1 - b) / b * (double)w->n;
    ll_posterior_transform(x, s->bits);
}

/* ---- the other side: labels ---- */

void ll_posterior_row(double *shares, double *means, double *evidence, const double *log_prior, long classes,
                      int label_bits)
{
    double most = -INFINITY, sum = 0;
    size_t size = (size_t)1 << label_bits;
    evidence[0] = 0;
    ll_posterior_transform(evidence, label_bits); /* x(t) of label k is -(-1)^parity(k & t) / 2 */
    for (long k = 0; k < classes; k++) {
        shares[k] = -evidence[k] / 2 + (log_prior != NULL ? log_prior[k] : 0);
        most = fmax(most, shares[k]);
    }
    for (long k = 0; k < classes; k++)
        sum += shares[k] = exp(shares[k] - most);
    memset(means, 0, sizeof *means * size);
    for (long k = 0; k < classes; k++)
        means[k] = -(shares[k] /= sum) / 2;
    ll_posterior_transform(means, label_bits);
}

static void hear_row(work *w, double *shares, long row)
{
    const ll_posterior_problem *s = w->problem;
    for (int t = 0; t < s->groups; t++) {
        uint32_t column = s->columns[(size_t)t * (size_t)s->rows + (size_t)row];
        w->evidence[t + 1] = w->gamma[t] * flip_of(column) * w->x[(size_t)t * w->n + column_of(column)];
    }
    ll_posterior_row(shares, w->means, w->evidence, w->log_prior, s->classes, w->label_bits);
    for (int t = 0; t < s->groups; t++) {
        size_t at = (size_t)t * (size_t)s->rows + (size_t)row;
        w->variance[t] += fmax(0.25 - w->means[t + 1] * w->means[t + 1], 0);
        w->hat[at] = flip_of(s->columns[at]) * w->means[t + 1];
    }
}

/* What the labels of a group say of x beyond r, as beliefs about z. damping: how much of the new p is taken. */
static void answer(work *w, int t, double damping)
{
    const ll_posterior_problem *s = w->problem;
    double *x = w->x + (size_t)t * w->n, *z = w->z + (size_t)t * w->n;
    double a = keep_inside(w->variance[t] / (double)w->n * w->gamma[t]);
    for (size_t i = 0; i < w->n; i++)
        x[i] *= -a / (1 - a);
    for (long row = 0; row < s->rows; row++) {
        size_t at = (size_t)t * (size_t)s->rows + (size_t)row;
        x[column_of(s->columns[at])] += w->hat[at] / (1 - a);
    }
    ll_posterior_transform(x, s->bits);
    for (size_t j = 0; j < w->n; j++)
        z[j] += damping * (x[j] - z[j]);
    w->tau[t] = fmin(w->gamma[t] * (1 - a) / a / (double)w->n, sharpest);
}

/* ---- the loop ---- */

static void clear(work *w)
{
    free(w->x);
    free(w->z);
    free(w->tau);
    free(w->gamma);
    free(w->variance);
    free(w->log_prior);
    free(w->hat);
    free(w->evidence);
    free(w->means);
}

static int set_prior(work *w)
{
    const ll_posterior_problem *s = w->problem;
    if (s->prior == NULL)
        return 1;
    w->log_prior = malloc(sizeof *w->log_prior * (size_t)s->classes);
    for (long k = 0; w->log_prior != NULL && k < s->classes; k++)
        w->log_prior[k] = log(fmax(s->prior[k], 1e-300));
    return w->log_prior != NULL;
}

static int prepare(work *w)
{
    const ll_posterior_problem *s = w->problem;
    size_t groups = (size_t)s->groups, places = (size_t)1 << w->label_bits;
    w->n = (size_t)1 << s->bits;
    w->x = malloc(sizeof *w->x * w->n * groups);
    w->z = calloc(w->n * groups, sizeof *w->z);
    w->tau = malloc(sizeof *w->tau * groups);
    w->gamma = malloc(sizeof *w->gamma * groups);
    w->variance = malloc(sizeof *w->variance * groups);
    w->hat = malloc(sizeof *w->hat * groups * (size_t)s->rows);
    w->evidence = malloc(sizeof *w->evidence * places);
    w->means = malloc(sizeof *w->means * places);
    if (w->x == NULL || w->z == NULL || w->tau == NULL || w->gamma == NULL || w->variance == NULL || w->hat == NULL ||
        w->evidence == NULL || w->means == NULL || !set_prior(w))
        return 0;
    for (size_t t = 0; t < groups; t++)
        w->tau[t] = 4 / (double)s->rows; /* signs are random: z has mean 0 and variance rows / 4 */
    ll_quadrature_init(&w->rule);
    return 1;
}

/* One round; the greatest relative change of a precision. */
static double go_round(work *w, double *shares, double damping)
{
    const ll_posterior_problem *s = w->problem;
    double change = 0;
    for (int t = 0; t < s->groups; t++)
        hear_scores(w, t);
    memset(w->variance, 0, sizeof *w->variance * (size_t)s->groups);
    for (long row = 0; row < s->rows; row++)
        hear_row(w, shares + row * s->classes, row);
    for (int t = 0; t < s->groups; t++) {
        double before = w->tau[t];
        answer(w, t, damping);
        change = fmax(change, fabs(w->tau[t] / before - 1));
    }
    return change;
}

static int is_settled(const work *w)
{
    double open = 0;
    for (int t = 0; t < w->problem->groups; t++)
        open = fmax(open, w->variance[t]);
    return open < 1e-9;
}

ll_status ll_posterior_decode(const ll_posterior_problem *problem, double *shares)
{
    if (problem->is_random)
        return ll_posterior_decode_random(problem, shares);
    work w = {.problem = problem, .label_bits = ll_posterior_bits(problem->classes)};
    if (!prepare(&w)) {
        clear(&w);
        return LL_MEMORY;
    }
    double change = 1;
    for (int round = 0; round < ROUNDS && change > 1e-6; round++) {
        change = go_round(&w, shares, round < 1 ? 1 : 0.9);
        if (is_settled(&w))
            break;
    }
    clear(&w);
    return LL_OK;
}

ll_status ll_posterior_sums(const ll_posterior_problem *s, double *sums, const int32_t *labels)
{
    if (s->is_random)
        return ll_posterior_sums_random(s, sums, labels);
    size_t n = (size_t)1 << s->bits;
    double *x = malloc(sizeof *x * n);
    if (x == NULL)
        return LL_MEMORY;
    for (int t = 0; t < s->groups; t++) {
        memset(x, 0, sizeof *x * n);
        for (long row = 0; row < s->rows; row++) {
            uint32_t column = s->columns[(size_t)t * (size_t)s->rows + (size_t)row];
            int bit = __builtin_parityl((unsigned long)labels[row] & (unsigned long)(t + 1));
            x[column_of(column)] = bit ? flip_of(column) : -flip_of(column);
        }
        ll_posterior_transform(x, s->bits); /* integers below 2^53: exact */
        for (long q = t; q < s->queries; q += s->groups)
            sums[q] = x[s->lines[q]];
    }
    free(x);
    return LL_OK;
}

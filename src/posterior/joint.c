/* The probability that all labels are right: one against the posterior odds of all other labellings. Those near by are
 * added up one by one; those farther off are taken as random signs make them on average (docs/proofs/hadamard.md). */
#include "posterior/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is not proved is never quite sure. */
static const double surest = 1 - 1e-9;
/* Columns of a Sylvester matrix are not random: what lies farther off is not known. */
static const double structured = 0.5;
/* What is farther off tells rows where it is at most such a part of what is near by. */
static const double outweighed = 0.1;

/* log of prior and likelihood together, up to a constant. */
static double log_posterior(const ll_posterior_problem *s, const double *sums, const int32_t *labels)
{
    double sum = 0;
    for (long q = 0; q < s->queries; q++)
        sum += s->answered[q] ? ll_posterior_log_chance(s, q, sums[q] / 2) : 0;
    for (long i = 0; i < s->rows && s->prior != NULL; i++)
        sum += log(fmax(s->prior[labels[i]], 1e-300));
    return sum;
}

/* The best labelling near by, and what speaks against it. */
typedef struct {
    int32_t *labels;
    double *sums;
    double *each;   /* [row * classes + k]: odds of those near by that give the row label k */
    double *alone;  /* [row * classes + k]: shares by the row's own signs */
    double *of_row; /* [k]: odds of those farther off that change a row of label k */
    ll_posterior_nearby near;
    double far, probability, log_posterior;
} weighed;

static ll_status weigh(const ll_posterior_problem *s, weighed *w)
{
    ll_status status = ll_posterior_search(s, &w->near, w->each, w->labels);
    if (status == LL_OK)
        status = ll_posterior_sums(s, w->sums, w->labels);
    if (status == LL_OK && w->near.weight < s->rows)
        status = ll_posterior_expect_odds(s, &w->far, w->of_row, w->sums, w->labels, w->near.weight);
    if (status != LL_OK)
        return status;
    w->probability = w->near.fits ? fmin(1 / (1 + w->near.odds + w->far), surest) : 0;
    if (!s->is_random && w->near.weight < s->rows)
        w->probability = fmin(w->probability, structured);
    w->log_posterior = log_posterior(s, w->sums, w->labels);
    return LL_OK;
}

/* ---- rows ---- */

/* Do the odds tell the probability of each row? All others have to be known, or to be outweighed. */
static int is_known(const ll_posterior_problem *s, const weighed *w)
{
    if (!w->near.fits || !w->near.is_complete)
        return 0;
    if (w->near.weight == s->rows)
        return 1;
    return s->is_random && (w->probability >= 0.5 || w->far <= outweighed * (1 + w->near.odds));
}

/* Of all labels other than `own`, the part that label k has beforehand. */
static double part_of(const ll_posterior_problem *s, int32_t own, int32_t k)
{
    if (s->prior == NULL)
        return 1 / (double)(s->classes - 1);
    return s->prior[k] / fmax(1 - s->prior[own], 1e-300);
}

/* Shares of one row: the odds of all labellings that give it another label, against those that are known. No label is
 * less likely to be right than all of them together, and none is quite sure. */
static void tell_row(const ll_posterior_problem *s, const weighed *w, double *share, long row)
{
    const double *each = w->each + row * s->classes;
    int32_t own = w->labels[row];
    double wrong = 0;
    for (int32_t k = 0; k < s->classes; k++) {
        share[k] = k == own ? 0 : (each[k] + w->of_row[own] * part_of(s, own, k)) / (1 + w->near.odds);
        wrong += share[k];
    }
    double stated = fmax(fmin(wrong, 1 - w->probability), 1 - surest);
    for (int32_t k = 0; k < s->classes; k++)
        share[k] = k == own ? 1 - stated : wrong > 0 ? share[k] * stated / wrong : stated * part_of(s, own, k);
}

/* The likeliest label of every row. */
static void choose_labels(const ll_posterior_problem *s, const double *shares, int32_t *labels)
{
    for (long row = 0; row < s->rows; row++) {
        const double *share = shares + row * s->classes;
        int32_t best = 0;
        for (int32_t k = 1; k < s->classes; k++)
            best = share[k] > share[best] ? k : best;
        labels[row] = best;
    }
}

/* Message passing is exact for endlessly many rows; for N of them its beliefs are off by an order of 1/sqrt(N). All
 * rows share that doubt: where it is true, a row knows what its own signs tell, and no more. */
static void doubt_row(const ll_posterior_problem *s, double *share, const double *alone)
{
    double doubt = 1 / sqrt((double)s->rows);
    for (long k = 0; k < s->classes; k++)
        share[k] += doubt * (alone[k] - share[k]);
}

/* Labels that explain every score weigh more than what message passing settled on: the rows that had to change get the
 * shares of the two labels exchanged. */
static void exchange(double *share, int32_t from, int32_t to)
{
    double old = share[to];
    share[to] = share[from];
    share[from] = old;
}

/* No label is less likely to be right than all of them together. */
static void raise_row(const ll_posterior_problem *s, double *share, int32_t label, double probability)
{
    double own = share[label];
    for (int32_t k = 0; k < s->classes && own < probability; k++)
        share[k] = k == label ? probability : share[k] * (1 - probability) / (1 - own);
}

static void tell_rows(const ll_posterior_problem *s, const weighed *w, double *shares, const int32_t *labels)
{
    int better = w->probability >= 0.5;
    for (long row = 0; row < s->rows; row++) {
        double *share = shares + row * s->classes;
        if (is_known(s, w)) {
            tell_row(s, w, share, row);
            continue;
        }
        if (better)
            exchange(share, labels[row], w->labels[row]);
        doubt_row(s, share, w->alone + row * s->classes);
        raise_row(s, share, better ? w->labels[row] : labels[row], better ? w->probability : 0);
    }
}

/* Where all labels together are hardly right, the likeliest labelling has fewer right labels than the likeliest labels:
 * these are kept then, with their own part of the probability. */
static ll_status choose(const ll_posterior_problem *s, weighed *w, double *probability, double *shares, int32_t *labels)
{
    memcpy(w->labels, labels, sizeof *labels * (size_t)s->rows);
    ll_status status = weigh(s, w);
    if (status == LL_OK && !is_known(s, w))
        status = ll_posterior_alone(s, w->alone);
    if (status != LL_OK)
        return status;
    tell_rows(s, w, shares, labels);
    *probability = w->probability;
    if (w->probability >= 0.5) {
        memcpy(labels, w->labels, sizeof *labels * (size_t)s->rows);
        return LL_OK;
    }
    choose_labels(s, shares, labels);
    status = ll_posterior_sums(s, w->sums, labels);
    if (status == LL_OK && w->probability > 0)
        *probability *= exp(fmin(log_posterior(s, w->sums, labels) - w->log_posterior, 0));
    return status;
}

ll_status ll_posterior_joint(const ll_posterior_problem *problem, double *probability, double *shares, int32_t *labels)
{
    size_t rows = (size_t)problem->rows, classes = (size_t)problem->classes;
    weighed w = {.labels = malloc(sizeof *w.labels * rows),
                 .sums = malloc(sizeof *w.sums * (size_t)problem->queries),
                 .each = malloc(sizeof *w.each * rows * classes),
                 .alone = malloc(sizeof *w.alone * rows * classes),
                 .of_row = calloc(classes, sizeof *w.of_row)};
    int ready = w.labels != NULL && w.sums != NULL && w.each != NULL && w.alone != NULL && w.of_row != NULL;
    ll_status status = ready ? choose(problem, &w, probability, shares, labels) : LL_MEMORY;
    free(w.labels);
    free(w.sums);
    free(w.each);
    free(w.alone);
    free(w.of_row);
    return status;
}

/* The probability that all labels are right: one against the posterior odds of all other labellings. Those near by are
 * added up one by one; those farther off are taken as random signs make them on average (docs/proofs/hadamard.md). */
#include "soft/soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is not proved is never quite sure. */
static const double surest = 1 - 1e-9;
/* Columns of a Sylvester matrix are not random: what lies farther off is not known. */
static const double structured = 0.5;

/* log of prior and likelihood together, up to a constant. */
static double log_posterior(const ll_soft_problem *s, const double *sums, const int32_t *labels)
{
    double sum = 0;
    for (long q = 0; q < s->queries; q++)
        sum += s->answered[q] ? ll_soft_log_chance(s, q, sums[q] / 2) : 0;
    for (long i = 0; i < s->rows && s->prior != NULL; i++)
        sum += log(fmax(s->prior[labels[i]], 1e-300));
    return sum;
}

typedef struct {
    double probability, log_posterior;
} weighed;

static ll_status weigh(const ll_soft_problem *s, weighed *out, double *sums, int32_t *labels)
{
    ll_soft_nearby near = {0};
    double far = 0;
    ll_status status = ll_soft_search(s, &near, labels);
    if (status == LL_OK)
        status = ll_soft_sums(s, sums, labels);
    if (status == LL_OK && near.weight < s->rows)
        status = ll_soft_expect_odds(s, &far, sums, labels, near.weight);
    if (status != LL_OK)
        return status;
    out->probability = near.fits ? fmin(1 / (1 + near.odds + far), surest) : 0;
    if (!s->is_random && near.weight < s->rows)
        out->probability = fmin(out->probability, structured);
    out->log_posterior = log_posterior(s, sums, labels);
    return LL_OK;
}

/* Where all labels together are hardly right, the likeliest labelling has fewer right labels than the likeliest labels:
 * these are kept then, with their own part of the probability. */
static ll_status choose(const ll_soft_problem *s, double *probability, int32_t *labels, int32_t *better, double *sums)
{
    weighed best;
    ll_status status = ll_soft_sums(s, sums, labels);
    double first = status == LL_OK ? log_posterior(s, sums, labels) : 0;
    memcpy(better, labels, sizeof *labels * (size_t)s->rows);
    if (status == LL_OK)
        status = weigh(s, &best, sums, better);
    if (status != LL_OK)
        return status;
    if (best.probability >= 0.5)
        memcpy(labels, better, sizeof *labels * (size_t)s->rows);
    else if (best.probability > 0)
        best.probability *= exp(fmin(first - best.log_posterior, 0));
    *probability = best.probability;
    return LL_OK;
}

ll_status ll_soft_joint(const ll_soft_problem *problem, double *probability, int32_t *labels)
{
    double *sums = malloc(sizeof *sums * (size_t)problem->queries);
    int32_t *better = malloc(sizeof *better * (size_t)problem->rows);
    ll_status status = sums != NULL && better != NULL ? choose(problem, probability, labels, better, sums) : LL_MEMORY;
    free(sums);
    free(better);
    return status;
}

/* What the scores tell of one row by its own signs alone, exactly (docs/proofs/hadamard.md).
 *
 * Random signs are fair coins: whatever the labels are, each of the other rows is heavy with probability 1/2, and so
 * their number in a query is binomial, independent of the row's own sign and of all other queries. The scores are
 * therefore independent given the row's label and signs, and Bayes' rule is a sum over queries:
 *
 *     log P(scores | label k) = sum over q of log P(score q | the row is heavy, or light, under k). */
#include "posterior/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_posterior_problem *problem;
    uint16_t *kinds;  /* [row] */
    double *heard;    /* [row * classes + k]: log-likelihood, then share */
    double *mass;     /* [heavy]: of the other rows; 0 far from the middle */
    long first, last; /* where it is not 0 */
} work;

static void set_mass(work *w)
{
    long others = w->problem->rows - 1;
    double far = 9 * sqrt((double)others) / 2 + 1, middle = (double)others / 2;
    w->first = (long)fmax(floor(middle - far), 0);
    w->last = (long)fmin(ceil(middle + far), (double)others);
    for (long b = w->first; b <= w->last; b++)
        w->mass[b] = exp(lgamma((double)others + 1) - lgamma((double)b + 1) - lgamma((double)(others - b) + 1) -
                         (double)others * M_LN2);
}

/* log P(score q), where so many rows are heavy beside the others. */
static double log_score(const work *w, long q, double own)
{
    double sum = 0, half = (double)w->problem->rows / 2, most = -INFINITY;
    for (long b = w->first; b <= w->last; b++)
        most = fmax(most, ll_posterior_log_chance(w->problem, q, (double)b + own - half));
    for (long b = w->first; b <= w->last && most > -INFINITY; b++)
        sum += w->mass[b] * exp(ll_posterior_log_chance(w->problem, q, (double)b + own - half) - most);
    return sum > 0 ? log(sum) + most : -INFINITY;
}

/* What nobody explains, heavy or light, speaks for nothing. */
static void hear_score(work *w, long q)
{
    const ll_posterior_problem *s = w->problem;
    double gain = fmin(fmax(log_score(w, q, 1), -1e300) - fmax(log_score(w, q, 0), -1e300), 700);
    s->kinds(s->self, w->kinds, q);
    for (long i = 0; i < s->rows; i++)
        for (long k = 0; k < s->classes; k++) {
            int bit = __builtin_parityl((unsigned long)k & ((unsigned long)w->kinds[i] / 2 + 1));
            w->heard[i * s->classes + k] += bit != (w->kinds[i] & 1) ? fmax(gain, -700) : 0;
        }
}

static void share_row(const ll_posterior_problem *s, double *share)
{
    double most = -INFINITY, sum = 0;
    for (long k = 0; k < s->classes; k++) {
        share[k] += s->prior != NULL ? log(fmax(s->prior[k], 1e-300)) : 0;
        most = fmax(most, share[k]);
    }
    for (long k = 0; k < s->classes; k++)
        sum += share[k] = exp(share[k] - most);
    for (long k = 0; k < s->classes; k++)
        share[k] /= sum;
}

ll_status ll_posterior_alone(const ll_posterior_problem *s, double *shares)
{
    work w = {.problem = s, .heard = shares};
    w.kinds = malloc(sizeof *w.kinds * (size_t)s->rows);
    w.mass = calloc((size_t)s->rows, sizeof *w.mass);
    int ready = w.kinds != NULL && w.mass != NULL;
    memset(shares, 0, sizeof *shares * (size_t)(s->rows * s->classes));
    if (ready)
        set_mass(&w);
    for (long q = 0; ready && s->is_random && !s->is_any_law && q < s->queries; q++)
        if (s->answered[q])
            hear_score(&w, q);
    for (long i = 0; ready && i < s->rows; i++)
        share_row(s, shares + i * s->classes);
    free(w.kinds);
    free(w.mass);
    return ready ? LL_OK : LL_MEMORY;
}

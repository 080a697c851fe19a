/* Laws of noise by the likelihood of samples: every law of the table that states its chances is asked. */
#include "identify/noise_law.h"

#include <math.h>
#include <stddef.h>

/* log of the chance of the numbers, each to within half a thousandth of a percent of the deviation, under the law that has
 * their mean and their deviation. */
static const double cell = 1e-5;

static double likelihood(const ll_law *law, const double *x, long count, double mean, double deviation)
{
    double sum = 0, size = deviation / sqrt(law->variance);
    for (long i = 0; i < count; i++) {
        double at = (x[i] - mean) / size, half = cell * deviation / size / 2;
        sum += law->log_chance(at - half, at + half);
    }
    return sum;
}

/* The same under a uniform law between ends as far apart as the numbers suggest. The range fits whatever the law is, so
 * that it must win by 2: of 27 Gaussian numbers one in ten draws is taken for uniform then, as before for short tails. */
static double bounded_likelihood(const double *x, long count, double deviation)
{
    const double fitted = 2;
    double least = x[0], most = x[0];
    for (long i = 1; i < count; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    double range = (most - least) * (double)(count + 1) / (double)(count - 1);
    return (double)count * log(cell * deviation / range) - fitted;
}

const ll_law *ll_noise_law_find(double *size, const double *x, long count, double mean, double deviation)
{
    const ll_law *best = NULL, *law = NULL;
    double most = bounded_likelihood(x, count, deviation);
    for (long i = 0; (law = ll_law_get(i)) != NULL; i++) {
        double found = law->log_chance != NULL ? likelihood(law, x, count, mean, deviation) : -INFINITY;
        if (found > most) {
            most = found;
            best = law;
            *size = deviation / sqrt(law->variance);
        }
    }
    return best;
}

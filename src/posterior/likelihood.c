/* How well a sum explains its score: log P(z + noise in [low, high]). */
#include "posterior/posterior.h"

#include <math.h>

/* Sums of weights 0 and 1 are z + rows/2, whole numbers. */
static int is_inside(const ll_posterior_problem *s, long q, double z)
{
    double half = (double)s->rows / 2, sum = z + half;
    return sum >= nextafter(s->low[q] + half, -INFINITY) && sum <= nextafter(s->high[q] + half, INFINITY);
}

void ll_posterior_widen(const ll_posterior_problem *s, double *low, double *high, long q)
{
    double half = (double)s->rows / 2;
    *low = s->low[q];
    *high = s->high[q];
    if (s->noise.law != NULL)
        return;
    double first = ceil(nextafter(*low + half, -INFINITY)), last = floor(nextafter(*high + half, INFINITY));
    if (first > last)
        return;
    *low = first - half - 0.5;
    *high = last - half + 0.5;
}

double ll_posterior_log_chance(const ll_posterior_problem *s, long q, double z)
{
    double size = s->noise.size;
    if (s->noise.law == NULL)
        return is_inside(s, q, z) ? 0 : -INFINITY;
    double a = (s->low[q] - z) / size, b = (s->high[q] - z) / size;
    return s->noise.law->log_chance(a, b);
}

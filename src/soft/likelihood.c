/* How well a sum explains its score: log P(z + noise in [low, high]). */
#include "soft/soft.h"

#include <math.h>

/* log P(a < normal < b), a <= b. By symmetry the interval lies mostly above 0; far out, Phi's tail is its density over
 * its argument, to one part in a^2. */
static double log_normal(double a, double b)
{
    const double log_root_two_pi = 0.91893853320467274178;
    if (a + b < 0) {
        double swap = a;
        a = -b;
        b = -swap;
    }
    if (b - a < 1e-4) /* the density in the middle */
        return log(fmax(b - a, 1e-300)) - (a + b) * (a + b) / 8 - log_root_two_pi;
    if (a < 30)
        return log((erfc(a * M_SQRT1_2) - erfc(b * M_SQRT1_2)) / 2);
    return -a * a / 2 - log_root_two_pi - log(a) + log1p(-exp((a - b) * (a + b) / 2) * a / b);
}

/* The same for Laplace noise of scale 1. */
static double log_laplace(double a, double b)
{
    if (a + b < 0) {
        double swap = a;
        a = -b;
        b = -swap;
    }
    if (b - a < 1e-9)
        return log(fmax(b - a, 1e-300)) - fabs(a + b) / 2 - M_LN2;
    if (a >= 0)
        return -a + log(-expm1(a - b)) - M_LN2;
    return log(-(expm1(a) + expm1(-b)) / 2);
}

/* Sums of weights 0 and 1 are z + rows/2, whole numbers. */
static int is_inside(const ll_soft_problem *s, long q, double z)
{
    double half = (double)s->rows / 2, sum = z + half;
    return sum >= nextafter(s->low[q] + half, -INFINITY) && sum <= nextafter(s->high[q] + half, INFINITY);
}

void ll_soft_widen(const ll_soft_problem *s, double *low, double *high, long q)
{
    double half = (double)s->rows / 2;
    *low = s->low[q];
    *high = s->high[q];
    if (s->noise.kind != LL_NOISE_NONE)
        return;
    double first = ceil(nextafter(*low + half, -INFINITY)), last = floor(nextafter(*high + half, INFINITY));
    if (first > last)
        return;
    *low = first - half - 0.5;
    *high = last - half + 0.5;
}

double ll_soft_log_chance(const ll_soft_problem *s, long q, double z)
{
    double size = s->noise.size;
    if (s->noise.kind == LL_NOISE_NONE)
        return is_inside(s, q, z) ? 0 : -INFINITY;
    double a = (s->low[q] - z) / size, b = (s->high[q] - z) / size;
    return s->noise.kind == LL_NOISE_GAUSSIAN ? log_normal(a, b) : log_laplace(a, b);
}

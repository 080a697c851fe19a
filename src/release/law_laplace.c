/* Laplace noise: its size is the scale. */
#include "release/laws.h"

#include "number/random.h"

#include <math.h>

static double draw(ll_draw how, uint64_t seed, uint64_t stream)
{
    (void)how;
    return ll_random_laplace(seed, stream, 0);
}

/* P(|mean of r Laplace draws of scale 1| > x). The sum of r is, up to its sign, a Gamma variable of shape s with
 * probability 2 C(2r-1-s, r-s) 2^-(2r-s), s = 1 .. r. What e^-at would lose below the least double is owed, and paid
 * when the terms have grown. */
static double tail(double x, long r)
{
    double at = x * (double)r, owed = fmax(at - 600, 0), term = exp(owed - at), poisson = 0, sum = 0;
    double weight = exp(lgamma((double)(2 * r - 1)) - 2 * lgamma((double)r) - (double)(2 * r - 2) * M_LN2);
    for (long s = 1; s <= r; s++) {
        poisson += term; /* P(Gamma of shape s > at) */
        term *= at / (double)s;
        sum += weight * poisson;
        weight *= 2 * (double)(r - s) / (double)(2 * r - 1 - s);
        if (owed > 0 && term > 0x1p800) {
            double paid = exp(-fmin(owed, 500));
            owed -= fmin(owed, 500);
            term *= paid;
            poisson *= paid;
            sum *= paid;
        }
    }
    return sum * exp(-owed);
}

static double quantile(double u)
{
    return u < 0.5 ? log(2 * u) : -log(2 - 2 * u);
}

/* log P(a < noise < b), a <= b; by symmetry the interval lies mostly above 0. */
static double log_chance(double a, double b)
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

/* Laplace noise, all in units of the deviation: a, b the ends of the interval. A factor that the three parts share is
 * left out where the interval has no width. */
static ll_density add_noise(const ll_quadrature *rule, double a, double b, double scale)
{
    double width = (b - a) / scale, outside = width > 0 ? log(-expm1(-width) / 2) : 0;
    ll_density below = ll_density_integrate(rule, -INFINITY, a, 1 / scale, 0),
               above = ll_density_integrate(rule, b, INFINITY, -1 / scale, 0);
    below.log_mass += outside - a / scale;
    above.log_mass += outside + b / scale;
    ll_density all = ll_density_join(below, above);
    return width > 0 ? ll_density_join(all, ll_density_integrate(rule, a, b, 0, scale)) : all;
}

static void observe(const ll_quadrature *rule, ll_observed *out, double size, double low, double high, double mean,
                    double deviation)
{
    double a = (low - mean) / deviation, b = (high - mean) / deviation;
    ll_density_observe(out, add_noise(rule, a, b, size / deviation), mean, deviation, 1, 0);
}

/* h(signal + noise) - h(noise): a normal law has the greatest entropy of its variance. */
static double bits(double variance, double size)
{
    const double two_pi_e = 2 * M_PI * M_E;
    return 0.5 * log2(two_pi_e * (variance + 2 * size * size)) - log2(2 * M_E * size);
}

/* No more than the divergence of an end from the middle: t + e^-t - 1 nats, t = range / 2b. */
static double ranged_bits(double range, double size)
{
    double t = range / (2 * size);
    return (t + expm1(-t)) / M_LN2 + 0x1p-50 * t;
}

const ll_law ll_law_laplace = {
    .name = "laplace",
    .advice = "add Laplace noise of scale % to every score",
    .assumption = ", Laplace noise drawn anew for every answer",
    .is_random = 1,
    .draw = draw,
    .tail = tail,
    .quantile = quantile,
    .log_chance = log_chance,
    .variance = 2,
    .far = 24,
    .fine = 3,
    .bounds_odds = 1,
    .observe = observe,
    .bits = bits,
    .ranged_bits = ranged_bits,
    .growth = 1,
};

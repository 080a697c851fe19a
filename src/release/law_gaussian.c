/* Gaussian noise: its size is the standard deviation. */
#include "release/laws.h"

#include "number/random.h"

#include <math.h>

double ll_gaussian_draw(ll_draw draw, uint64_t seed, uint64_t stream)
{
    (void)draw;
    return ll_random_gaussian(seed, stream, 0);
}

double ll_gaussian_tail(double x, long repeats)
{
    return erfc(x * sqrt((double)repeats) * M_SQRT1_2);
}

/* log P(a < normal < b), a <= b. By symmetry the interval lies mostly above 0; far out, Phi's tail is its density over
 * its argument, to one part in a^2. */
static double log_chance(double a, double b)
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

/* z + noise is Gaussian itself, and z given it is linear in it: gain^2 + rest^2 = 1. */
static void observe(const ll_quadrature *rule, ll_observed *out, double size, double low, double high, double mean,
                    double deviation)
{
    double wide = hypot(deviation, size), a = (low - mean) / wide, b = (high - mean) / wide;
    ll_density_observe(out, ll_density_integrate(rule, a, b, 0, 0), mean, deviation, deviation / wide, size / wide);
}

/* h(signal + noise) - h(noise): a normal law has the greatest entropy of its variance. */
static double bits(double variance, double size)
{
    return 0.5 * log2(1 + variance / (size * size));
}

const ll_law ll_law_gaussian = {
    .name = "gaussian",
    .advice = "add Gaussian noise of standard deviation % to every score",
    .size_word = "sigma",
    .python = "    if max(moves) > unit * %.9g * (1 + 1e-6) + 3:\n"
              "        raise ValueError(\"refused: losses are beyond the range that the noise is for\")\n"
              "    noise = gaussian(ceil((unit * sigma * (1 + 1e-5)) ** 2))\n",
    .assumption = ", Gaussian noise drawn anew for every answer",
    .is_random = 1,
    .draw = ll_gaussian_draw,
    .tail = ll_gaussian_tail,
    .quantile = ll_normal_quantile,
    .log_chance = log_chance,
    .variance = 1,
    .fine = 1,
    .is_normal = 1,
    .observe = observe,
    .bits = bits,
    .growth = 0.5,
};

/* What one score tells about its sum: mean and variance of a Gaussian z, once z + noise is known to lie in [low, high].
 *
 * In units t = (z - mean) / deviation the density is exp(-t^2/2) times the probability L(t) that noise brings z into
 * the interval. L is 1 on the interval without noise. With Gaussian noise, z + noise is Gaussian itself and z given it
 * is linear in it. With Laplace noise of scale b, L is exp(t/b) below the interval, exp(-t/b) above it, up to factors,
 * and 1 - (exp(-(t-low)/b) + exp(-(high-t)/b))/2 within. So all is made of integrals of exp(-t^2/2 + tilt t) times
 * something smooth over an interval. Only where the exponent is within 40 of its greatest does it count, which is a
 * short interval: 32 nodes of Gauss and Legendre give ten digits. */
#include "soft/soft.h"

#include <math.h>

static const double nats = 40;

/* A part of the density: log of its mass, mean, variance. */
typedef struct {
    double log_mass, mean, variance;
} part;

/* exp(-t^2/2 + tilt t) over [a, b]; where scale > 0, times the probability that noise of that scale stays within. */
static part integrate(const ll_soft_rule *rule, double a, double b, double tilt, double scale)
{
    double top = fmin(fmax(tilt, a), b), reach = sqrt((top - tilt) * (top - tilt) + 2 * nats);
    double from = fmax(a, tilt - reach), to = fmin(b, tilt + reach);
    double middle = (from + to) / 2, half = (to - from) / 2, mass = 0, first = 0, second = 0;
    double w[LL_SOFT_NODES];
    for (int i = 0; i < LL_SOFT_NODES; i++) {
        double t = middle + half * rule->nodes[i];
        w[i] = rule->weights[i] * exp(-(t - top) * (t + top - 2 * tilt) / 2);
        if (scale > 0)
            w[i] *= -(expm1((a - t) / scale) + expm1((t - b) / scale)) / 2;
        mass += w[i];
        first += w[i] * rule->nodes[i];
    }
    first /= mass;
    for (int i = 0; i < LL_SOFT_NODES; i++)
        second += w[i] * (rule->nodes[i] - first) * (rule->nodes[i] - first);
    return (part){log(half * mass) + top * (tilt - top / 2), middle + half * first, half * half * second / mass};
}

/* Both densities together. */
static part join(part a, part b)
{
    if (!(b.log_mass > -INFINITY))
        return a;
    if (!(a.log_mass > -INFINITY))
        return b;
    double most = fmax(a.log_mass, b.log_mass), share = 1 / (1 + exp(b.log_mass - a.log_mass));
    double apart = a.mean - b.mean;
    return (part){most + log(exp(a.log_mass - most) + exp(b.log_mass - most)), b.mean + share * apart,
                  share * a.variance + (1 - share) * b.variance + share * (1 - share) * apart * apart};
}

/* Laplace noise, all in units of the deviation: a, b the ends of the interval. A factor that the three parts share is
 * left out where the interval has no width. */
static part add_laplace(const ll_soft_rule *rule, double a, double b, double scale)
{
    double width = (b - a) / scale, outside = width > 0 ? log(-expm1(-width) / 2) : 0;
    part below = integrate(rule, -INFINITY, a, 1 / scale, 0), above = integrate(rule, b, INFINITY, -1 / scale, 0);
    below.log_mass += outside - a / scale;
    above.log_mass += outside + b / scale;
    part all = join(below, above);
    return width > 0 ? join(all, integrate(rule, a, b, 0, scale)) : all;
}

void ll_soft_moments(const ll_soft_rule *rule, ll_soft_known *out, const ll_soft_noise *noise, double low, double high,
                     double mean, double deviation)
{
    const double log_root_two_pi = 0.91893853320467274178;
    double size = noise->kind == LL_NOISE_NONE ? 0 : noise->size;
    double wide = noise->kind == LL_NOISE_GAUSSIAN ? hypot(deviation, size) : deviation;
    double a = (low - mean) / wide, b = (high - mean) / wide;
    part p = noise->kind == LL_NOISE_LAPLACE ? add_laplace(rule, a, b, size / deviation) : integrate(rule, a, b, 0, 0);
    double gain = deviation / wide, rest = size / wide; /* gain^2 + rest^2 = 1 with Gaussian noise */
    if (noise->kind != LL_NOISE_GAUSSIAN)
        rest = 0;
    out->log_mass = p.log_mass - log_root_two_pi;
    out->mean = mean + deviation * gain * p.mean;
    out->variance = deviation * deviation * (gain * gain * p.variance + rest * rest);
}

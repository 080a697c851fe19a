/* What one score tells about its sum: mean and variance of a Gaussian z, once z + noise is known to lie in [low, high].
 *
 * In units t = (z - mean) / deviation the density is exp(-t^2/2) times the probability L(t) that noise brings z into
 * the interval. L is 1 on the interval without noise. With Gaussian noise, z + noise is Gaussian itself and z given it
 * is linear in it. With Laplace noise of scale b, L is exp(t/b) below the interval, exp(-t/b) above it, up to factors,
 * and 1 - (exp(-(t-low)/b) + exp(-(high-t)/b))/2 within. So all is made of integrals of exp(-t^2/2 + tilt t) times
 * something smooth over an interval. Only where the exponent is within 40 of its greatest does it count, which is a
 * short interval: 32 nodes of Gauss and Legendre give ten digits. */
#include "release/law.h"

#include <math.h>
#include <stddef.h>

static const double nats = 40;

ll_density ll_density_integrate(const ll_quadrature *rule, double a, double b, double tilt, double scale)
{
    double top = fmin(fmax(tilt, a), b), reach = sqrt((top - tilt) * (top - tilt) + 2 * nats);
    double from = fmax(a, tilt - reach), to = fmin(b, tilt + reach);
    double middle = (from + to) / 2, half = (to - from) / 2, mass = 0, first = 0, second = 0;
    double w[LL_QUADRATURE_NODES];
    for (int i = 0; i < LL_QUADRATURE_NODES; i++) {
        double t = middle + half * rule->nodes[i];
        w[i] = rule->weights[i] * exp(-(t - top) * (t + top - 2 * tilt) / 2);
        if (scale > 0)
            w[i] *= -(expm1((a - t) / scale) + expm1((t - b) / scale)) / 2;
        mass += w[i];
        first += w[i] * rule->nodes[i];
    }
    first /= mass;
    for (int i = 0; i < LL_QUADRATURE_NODES; i++)
        second += w[i] * (rule->nodes[i] - first) * (rule->nodes[i] - first);
    return (ll_density){log(half * mass) + top * (tilt - top / 2), middle + half * first, half * half * second / mass};
}

ll_density ll_density_join(ll_density a, ll_density b)
{
    if (!(b.log_mass > -INFINITY))
        return a;
    if (!(a.log_mass > -INFINITY))
        return b;
    double most = fmax(a.log_mass, b.log_mass), share = 1 / (1 + exp(b.log_mass - a.log_mass));
    double apart = a.mean - b.mean;
    return (ll_density){most + log(exp(a.log_mass - most) + exp(b.log_mass - most)), b.mean + share * apart,
                        share * a.variance + (1 - share) * b.variance + share * (1 - share) * apart * apart};
}

void ll_density_observe(ll_observed *out, ll_density p, double mean, double deviation, double gain, double rest)
{
    const double log_root_two_pi = 0.91893853320467274178;
    out->log_mass = p.log_mass - log_root_two_pi;
    out->mean = mean + deviation * gain * p.mean;
    out->variance = deviation * deviation * (gain * gain * p.variance + rest * rest);
}

void ll_law_observe(const ll_law *law, const ll_quadrature *rule, ll_observed *out, double size, double low,
                    double high, double mean, double deviation)
{
    if (law != NULL) {
        law->observe(rule, out, size, low, high, mean, deviation);
        return;
    }
    double a = (low - mean) / deviation, b = (high - mean) / deviation;
    ll_density_observe(out, ll_density_integrate(rule, a, b, 0, 0), mean, deviation, 1, 0);
}

/* Laws of noise: draws for simulations, and tails. */
#include "release/release.h"

#include "number/random.h"

#include <math.h>

int ll_law_is_random(ll_noise law)
{
    return law == LL_NOISE_GAUSSIAN || law == LL_NOISE_LAPLACE || law == LL_NOISE_PROPORTIONAL;
}

/* P(|mean of r Laplace draws of scale 1| > x). The sum of r is, up to its sign, a Gamma variable of shape s with
 * probability 2 C(2r-1-s, r-s) 2^-(2r-s), s = 1 .. r. */
static double laplace_tail(double x, long r)
{
    double at = x * (double)r, term = exp(-at), poisson = 0, sum = 0;
    for (long s = 1; s <= r; s++) {
        poisson += term; /* P(Gamma of shape s > at) */
        term *= at / (double)s;
        double log_weight = lgamma((double)(2 * r - s)) - lgamma((double)(r - s + 1)) - lgamma((double)r) -
                            (double)(2 * r - s - 1) * M_LN2;
        sum += exp(log_weight) * poisson;
    }
    return sum;
}

static double tail(ll_noise law, double x, long repeats)
{
    if (law == LL_NOISE_LAPLACE)
        return laplace_tail(x, repeats);
    return erfc(x * sqrt((double)repeats) * M_SQRT1_2);
}

double ll_law_quantile(ll_noise law, double size, long repeats, double probability)
{
    double low = 0, high = 1;
    while (tail(law, high, repeats) > probability && high < 1e6)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (tail(law, middle, repeats) > probability * (1 - 1e-9))
            low = middle;
        else
            high = middle;
    }
    return size * high * (1 + 1e-9);
}

double ll_release_quantile(const ll_release *r, long repeats, double probability)
{
    return ll_law_is_random(r->noise) ? ll_law_quantile(r->noise, ll_exact_get_d(&r->noise_size), repeats, probability)
                                      : 0;
}

double ll_release_draw(const ll_release *r, uint64_t seed, uint64_t stream)
{
    const double most = 1 - 0x1p-52;
    if (r->noise == LL_NOISE_GAUSSIAN || r->noise == LL_NOISE_PROPORTIONAL)
        return ll_random_gaussian(seed, stream, 0);
    if (r->noise == LL_NOISE_LAPLACE)
        return ll_random_laplace(seed, stream, 0);
    if (r->draw == LL_DRAW_UNIFORM)
        return (2 * ll_random_uniform(seed, stream, 0) - 1) * most;
    return r->draw == LL_DRAW_PLUS ? most : -most;
}

/* Laws of noise. */
#ifndef LL_RELEASE_LAW_H
#define LL_RELEASE_LAW_H

typedef enum {
    LL_NOISE_NONE,
    LL_NOISE_BOUNDED,
    LL_NOISE_GAUSSIAN,
    LL_NOISE_LAPLACE,
    LL_NOISE_PROPORTIONAL /* Gaussian, as large as the submission's own spread times its size */
} ll_noise;

int ll_law_is_random(ll_noise law); /* without a bound */

/* The least x, rounded up, with P(|mean of `repeats` independent draws| > x) <= probability. Gaussian: size is the
 * standard deviation; Laplace: the scale. */
enum { LL_LAW_REPEATS = 4096 };
double ll_law_quantile(ll_noise law, double size, long repeats, double probability);

#endif

/* Laws of noise: one file and one row of functions each (law_*.c). Who computes with noise asks its law; nobody asks
 * which law it is. A release without noise has none: NULL. */
#ifndef LL_RELEASE_LAW_H
#define LL_RELEASE_LAW_H

#include "number/quadrature.h"

#include <stdint.h>

/* How a simulated curator draws noise of which only a bound is known. */
typedef enum { LL_DRAW_UNIFORM, LL_DRAW_PLUS, LL_DRAW_MINUS } ll_draw;

/* A Gaussian z, once its score is known. */
typedef struct {
    double mean, variance;
    double log_mass; /* log of the probability (without noise or with a wide interval) of that score */
} ll_observed;

typedef struct ll_law ll_law;
struct ll_law {
    const char *name;        /* "gaussian" */
    const char *advice;      /* what a host is asked to do, % standing for the size; NULL: it is not proposed */
    const char *size_word;   /* of its size in Python: "sigma" */
    const char *python;      /* a line or more of Python that draw `noise` (src/audit/release_python.c) for a label that
                                moves the score by at most the number that is printed for %.9g, where the law needs
                                one; NULL: there is no code for it */
    const char *assumption;  /* for the sentence of a proved limit: ", Gaussian noise drawn anew for every answer" */
    int is_random;           /* it has no bound; else its size is the bound, and the rest of the law is not known */
    const ll_law *of_spread; /* its size is a multiple of the submission's spread, and then it is this law; else NULL */
    double (*draw)(ll_draw draw, uint64_t seed, uint64_t stream); /* of size 1 */

    /* Random laws, all of size 1. */
    double (*tail)(double x, long repeats);   /* P(|mean of so many draws| > x) */
    double (*quantile)(double u);             /* x with P(noise < x) = u */
    double (*log_chance)(double a, double b); /* log P(a < noise < b), a <= b */
    double variance;
    double far;      /* beyond so many sizes more than Gaussian tails reach there is next to nothing */
    double fine;     /* a grid of one size over this is as good as none */
    int is_normal;   /* two shifted laws are told apart as normal ones: so many standard deviations, over answers in
                        squares */
    int bounds_odds; /* a shift by r sizes changes the log of the odds by at most r, over answers in sum */
    /* What the score tells of z ~ N(mean, deviation^2), where z + noise lies in [low, high]. */
    void (*observe)(const ll_quadrature *rule, ll_observed *out, double size, double low, double high, double mean,
                    double deviation);
    /* The most bits that one answer tells of a signal of at most that variance; of one in an interval of that length
     * (NULL: nothing beyond its variance). */
    double (*bits)(double variance, double size), (*ranged_bits)(double range, double size);
    double growth; /* the size that keeps a limit grows with so many answers to this power */
};

/* The laws, from 0 on; NULL past the last. And the one of that name, `length` characters of it; NULL: there is none. */
const ll_law *ll_law_get(long index);
const ll_law *ll_law_find(const char *name, unsigned long length);

/* Both take NULL: without noise. */
int ll_law_is_random(const ll_law *law);
void ll_law_observe(const ll_law *law, const ll_quadrature *rule, ll_observed *out, double size, double low,
                    double high, double mean, double deviation);

/* The least x, rounded up, with P(|mean of `repeats` independent draws| > x) <= probability, for noise of that size. */
enum { LL_LAW_REPEATS = 4096 };
double ll_law_quantile(const ll_law *law, double size, long repeats, double probability);

/* ---- within the laws (observe.c) ---- */

/* A part of a density, in units of the deviation: log of its mass, mean, variance. */
typedef struct {
    double log_mass, mean, variance;
} ll_density;

/* exp(-t^2/2 + tilt t) over [a, b]; where scale > 0, times the probability that Laplace noise of that scale stays
 * within.
 */
ll_density ll_density_integrate(const ll_quadrature *rule, double a, double b, double tilt, double scale);
ll_density ll_density_join(ll_density a, ll_density b);
/* z = mean + deviation (gain t + a normal of variance rest^2), t of that density. */
void ll_density_observe(ll_observed *out, ll_density p, double mean, double deviation, double gain, double rest);

#endif

/* Laws of noise: one file and one table of functions each (law_*.c). Other code calls these functions and never asks
 * which law it has. A release without noise has no law: NULL. */
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
    const char *advice;      /* advice to a host, with % in place of the size; NULL: it is not proposed */
    const char *size_word;   /* of its size in Python: "sigma" */
    const char *python;      /* Python code that draws `noise` (src/audit/release_python.c). If the law needs the most
                                that one label moves the score, that number is printed for %.9g. NULL: no code */
    const char *assumption;  /* for the sentence about a proved limit: ", Gaussian noise drawn anew for every answer" */
    int is_random;           /* 0: its size is a bound, and nothing else about it is known */
    const ll_law *of_spread; /* this law, with a size that is a multiple of the submission's spread; else NULL */
    double (*draw)(ll_draw draw, uint64_t seed, uint64_t stream); /* of size 1 */

    /* Random laws, all of size 1. */
    double (*tail)(double x, long repeats);   /* P(|mean of `repeats` draws| > x) */
    double (*quantile)(double u);             /* x with P(noise < x) = u */
    double (*log_chance)(double a, double b); /* log P(a < noise < b), a <= b */
    double variance;
    double far;      /* sizes beyond the reach of Gaussian tails after which the rest of the law is negligible */
    double fine;     /* a grid of size / fine or less has no effect worth counting */
    int is_normal;   /* shifted laws differ as normal ones do: by a number of standard deviations whose squares add up
                        over answers */
    int bounds_odds; /* a shift by r sizes changes the log of the odds by at most r; these add up over answers */
    /* The posterior of z ~ N(mean, deviation^2), given that z + noise lies in [low, high]. */
    void (*observe)(const ll_quadrature *rule, ll_observed *out, double size, double low, double high, double mean,
                    double deviation);
    /* The most bits that one answer reveals about a signal of at most that variance; and about a signal in an interval
     * of that length (NULL: only the variance counts). */
    double (*bits)(double variance, double size), (*ranged_bits)(double range, double size);
    double growth; /* the size that keeps a limit grows as (number of answers)^growth */
};

/* Law number `index`, from 0; NULL after the last. The law whose name is the first `length` characters; NULL: none. */
const ll_law *ll_law_get(long index);
const ll_law *ll_law_find(const char *name, unsigned long length);

/* Both accept NULL: no noise. */
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

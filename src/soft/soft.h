/* Labels with probabilities, from many noisy sums of signs (docs/proofs/hadamard.md).
 *
 * Label k of 0 .. K-1 has T = 2^m - 1 bits, m the least with 2^m >= K: bit t of 1 .. T is the parity of k & t, so that
 * two labels differ in 2^(m-1) of them; K = 2 has just one bit. Query q asks about one bit of every label: that of its
 * group t = 1 + q mod T. Bit 1 counts as x = +1/2, bit 0 as -1/2, and
 *
 *     z(q) = sum over rows of sign(q, row) * x(row),    sign = (-1)^parity((2 line(q) + 1) & column(t, row))
 *
 * with lines below 2^bits and columns 2 c + flip, c different for the rows of a group: signs of a Sylvester matrix.
 * What is known of z(q) is an interval in which z(q) + e must lie, e random noise. */
#ifndef LL_SOFT_SOFT_H
#define LL_SOFT_SOFT_H

#include "lossleak.h"
#include "release/law.h"

/* Random noise on top of the interval: none (then the interval is all that is known), Gaussian or Laplace. */
typedef struct {
    ll_noise kind;
    double size; /* standard deviation, or scale, in units of z */
} ll_soft_noise;

/* Gauss and Legendre's nodes and weights on [-1, 1]. */
enum { LL_SOFT_NODES = 32 };
typedef struct {
    double nodes[LL_SOFT_NODES], weights[LL_SOFT_NODES];
} ll_soft_rule;

void ll_soft_rule_init(ll_soft_rule *rule);

/* x of 2^bits numbers becomes its Walsh-Hadamard transform: y[j] = sum over i of (-1)^parity(i & j) x[i]. */
void ll_soft_transform(double *x, int bits);

/* The least m with 2^m >= n. */
int ll_soft_bits(long n);

typedef struct {
    double mean, variance; /* of z, once its score is known */
    double log_mass;       /* log of the probability (without noise or with a wide interval) of that score */
} ll_soft_known;

/* z ~ N(mean, deviation^2) before; z + noise lies in [low, high], low <= high. */
void ll_soft_moments(const ll_soft_rule *rule, ll_soft_known *out, const ll_soft_noise *noise, double low, double high,
                     double mean, double deviation);

typedef struct {
    long rows, classes, queries;
    int groups;                    /* T */
    int bits;                      /* of a line: rows < 2^bits and queries / groups <= 2^bits */
    const uint32_t *columns;       /* [t * rows + row], t from 0 */
    const uint32_t *lines;         /* [query] */
    const double *low, *high;      /* [query] */
    const unsigned char *answered; /* [query]: 0 where nothing is known of it */
    ll_soft_noise noise;
    const double *prior; /* class shares; NULL: all alike */
} ll_soft_problem;

/* shares[row * classes + k]: the probability that the row has label k, as far as message passing tells. LL_MEMORY. */
LL_CHECK ll_status ll_soft_decode(const ll_soft_problem *problem, double *shares);

/* z(q) of given labels, exactly, for all queries: sums[query] = 2 z(q), an integer. LL_MEMORY. */
LL_CHECK ll_status ll_soft_sums(const ll_soft_problem *problem, double *sums, const int32_t *labels);

/* Change labels, one at a time, while that brings their sums nearer to the intervals. No random noise. LL_MEMORY. */
LL_CHECK ll_status ll_soft_polish(const ll_soft_problem *problem, int32_t *labels);

typedef struct {
    int fits;       /* do the labels explain all scores? Always 1 with random noise */
    int is_only;    /* and are they proved to be the only ones that do? */
    int impossible; /* no labels explain some score */
} ll_soft_proof;

LL_CHECK ll_status ll_soft_certify(const ll_soft_problem *problem, ll_soft_proof *out, const int32_t *labels);

/* Shares of the labels of one row from r(t) = x(t) + noise of precision p(t): the product r p is given for t = 1 .. T
 * (evidence[0] is not read). means[t]: the mean of x(t). Both arrays are scratch and have 2^m places; shares has
 * classes. log_prior may be NULL. */
void ll_soft_row(double *shares, double *means, double *evidence, const double *log_prior, long classes,
                 int label_bits);

/* ---- prediction ---- */

/* What the release does to z, and how many queries see it. */
typedef struct {
    long rows, classes, queries;
    double grid;  /* width of the interval that a score tells of z; 0: only noise */
    double place; /* where z = 0 stands in its interval, 0 in the middle, 1/2 at an end; NAN: anywhere */
    ll_soft_noise noise;
    const double *prior;
} ll_soft_channel;

typedef struct {
    double share;   /* expected share of right labels */
    double failure; /* estimate of the probability that some label is wrong; may be above 1 */
} ll_soft_forecast;

LL_CHECK ll_status ll_soft_evolve(ll_soft_forecast *out, const ll_soft_channel *channel); /* LL_MEMORY */

#endif

/* Labels with probabilities, from many noisy sums of signs (docs/proofs/hadamard.md).
 *
 * Label k of 0 .. K-1 has T = 2^m - 1 bits, m the least with 2^m >= K: bit t of 1 .. T is the parity of k & t, so that
 * two labels differ in 2^(m-1) of them; K = 2 has just one bit. Query q asks about one bit t(q, row) of every label.
 * Bit 1 counts as x = +1/2, bit 0 as -1/2, and z(q) = sum over rows of sign(q, row) * x(row). Which bit and which sign
 * is the row's kind: 2 (t - 1) + (1 where the sign is -).
 *
 * Kinds are random, or those of a Sylvester matrix: t = 1 + q mod T is the query's group, and
 *
 *     sign = (-1)^parity((2 line(q) + 1) & column(t, row))
 *
 * with lines below 2^bits and columns 2 c + flip, c different for the rows of a group.
 * What is known of z(q) is an interval in which z(q) + e must lie, e random noise. */
#ifndef LL_POSTERIOR_POSTERIOR_H
#define LL_POSTERIOR_POSTERIOR_H

#include "lossleak.h"
#include "release/law.h"

/* Random noise on top of the interval. */
typedef struct {
    const ll_law *law; /* NULL: none, and the interval is all that is known */
    double size;       /* in units of z */
} ll_posterior_noise;

/* x of 2^bits numbers becomes its Walsh-Hadamard transform: y[j] = sum over i of (-1)^parity(i & j) x[i]. */
void ll_posterior_transform(double *x, int bits);

/* The least m with 2^m >= n. */
int ll_posterior_bits(long n);

typedef struct {
    long rows, classes, queries;
    int groups;                                                 /* T */
    void (*kinds)(const void *self, uint16_t *out, long query); /* of all rows in a query */
    const void *self;
    int is_random;                 /* what follows is for signs of a Sylvester matrix only */
    int bits;                      /* of a line: rows < 2^bits and queries / groups <= 2^bits */
    const uint32_t *columns;       /* [t * rows + row], t from 0 */
    const uint32_t *lines;         /* [query] */
    const double *low, *high;      /* [query] */
    const unsigned char *answered; /* [query]: 0 where nothing is known of it */
    ll_posterior_noise noise;
    int is_any_law;      /* without random noise: errors inside the interval follow no law that is known */
    const double *prior; /* class shares; NULL: all alike */
} ll_posterior_problem;

/* shares[row * classes + k]: the probability that the row has label k, as far as message passing tells. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_decode(const ll_posterior_problem *problem, double *shares);

/* The same from each row's own signs alone, exactly: where signs are random and the noise has a law; else shares are
 * those beforehand. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_alone(const ll_posterior_problem *problem, double *shares);

/* z(q) of given labels, exactly, for all queries: sums[query] = 2 z(q), an integer. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_sums(const ll_posterior_problem *problem, double *sums, const int32_t *labels);

/* Change labels, one at a time, while that brings their sums nearer to the intervals. No random noise, signs of a
 * Sylvester matrix. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_polish(const ll_posterior_problem *problem, int32_t *labels);

/* The interval of query q for a sum that is believed to be Gaussian: without random noise each whole number inside
 * counts half a unit to either side, so that one at an end counts as much as one in the middle. */
void ll_posterior_widen(const ll_posterior_problem *problem, double *low, double *high, long q);

/* log P(z + noise in the interval of query q), up to a constant of the query; -INFINITY where that cannot be. z is
 * such that the sum of weights is a whole number; a millionth of a unit outside of the interval is inside. */
double ll_posterior_log_chance(const ll_posterior_problem *problem, long q, double z);

/* Labellings near by: changes of up to `weight` rows, all of them. Labels are changed for better ones until none near
 * by is better. odds: the posterior odds of all others near by against the labels, together; where those pass 1e5, and
 * not all labellings are near by, some of them. each[row * classes + k]: of those of them that give the row label k, 0
 * for its own; may be NULL. LL_MEMORY. */
typedef struct {
    long weight;
    double odds;
    int is_complete; /* are the odds those of all near by? */
    int fits;        /* do the labels explain all scores? */
} ll_posterior_nearby;

/* Additions that one enumeration of such a search takes; it takes a few of these. */
double ll_posterior_search_work(long rows, long classes, double queries, int is_random);
LL_CHECK ll_status ll_posterior_search(const ll_posterior_problem *problem, ll_posterior_nearby *out, double *each,
                                       int32_t *labels);

/* The posterior odds of all labellings that differ in more than `weight` rows against the labels, in the mean over all
 * signs that give the labels the sums that they have. of_row[k]: of those of them that change one given row whose label
 * is k; may be NULL. sums: those of the labels, as by ll_posterior_sums. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_expect_odds(const ll_posterior_problem *problem, double *odds, double *of_row,
                                            const double *sums, const int32_t *labels, long weight);

/* What is stated (docs/proofs/hadamard.md): a lower estimate of the probability that all labels are right, 0 where they
 * do not explain every score, and shares[row * classes + k], which are those of message passing before. Labels are
 * changed for better ones near by where those are vouched for. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_joint(const ll_posterior_problem *problem, double *probability, double *shares,
                                      int32_t *labels);

typedef struct {
    int fits;       /* do the labels explain all scores? Always 1 with random noise */
    int is_only;    /* and are they proved to be the only ones that do? */
    int impossible; /* no labels explain some score */
} ll_posterior_proof;

LL_CHECK ll_status ll_posterior_certify(const ll_posterior_problem *problem, ll_posterior_proof *out,
                                        const int32_t *labels);

/* Shares of the labels of one row from r(t) = x(t) + noise of precision p(t): the product r p is given for t = 1 .. T
 * (evidence[0] is not read). means[t]: the mean of x(t). Both arrays are scratch and have 2^m places; shares has
 * classes. log_prior may be NULL. */
void ll_posterior_row(double *shares, double *means, double *evidence, const double *log_prior, long classes,
                      int label_bits);

/* ---- prediction ---- */

/* What the release does to z, and how many queries see it. */
typedef struct {
    long rows, classes, queries;
    double grid;  /* width of the interval that a score tells of z; 0: only noise */
    double place; /* where z = 0 stands in its interval, 0 in the middle, 1/2 at an end; NAN: anywhere */
    ll_posterior_noise noise;
    const double *prior;
} ll_posterior_channel;

typedef struct {
    double share;   /* expected share of right labels */
    double failure; /* estimate of the probability that some label is wrong, or of what the answer will state for it;
                       may be above 1 */
} ll_posterior_forecast;

/* The odds of all wrong labellings against the right one, typical scores taken. LL_MEMORY. */
LL_CHECK ll_status ll_posterior_forecast_odds(const ll_posterior_channel *channel, double *odds);

LL_CHECK ll_status ll_posterior_evolve(ll_posterior_forecast *out, const ll_posterior_channel *channel); /* LL_MEMORY */

#endif

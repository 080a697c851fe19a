/* What answers about numbers of right labels tell of two classes of labels: "this submission has between so many and so
 * many right". The counts of all submissions are taken for jointly Gaussian, and each interval is learned in turn by the
 * first two moments of what it leaves (assumed density filtering). */
#ifndef LL_AUDIT_COUNT_POSTERIOR_H
#define LL_AUDIT_COUNT_POSTERIOR_H

#include "lossleak.h"

typedef struct {
    long rows, words;    /* of labels, and of 64 bits that hold them */
    long count, most;    /* submissions that were learned, and for which there is room */
    double share;        /* of class 1 beforehand */
    uint64_t *predicted; /* words of each submission: its labels */
    double *weights;     /* the mean of a new count is moved by weights . links */
    double *precision;   /* its variance by -links' precision links, most x most */
    double *links;       /* covariances of the submission that was looked at last with those that were learned */
    double *directions;  /* of `learn` */
} ll_count_posterior;

/* *out must be cleared in any case. LL_MEMORY. */
LL_CHECK ll_status ll_count_posterior_init(ll_count_posterior *out, long rows, long most, double share,
                                           ll_error *error);
void ll_count_posterior_clear(ll_count_posterior *p);

/* Mean and variance of the number of right labels of a submission (`words` words; bits past the last row are 0). */
void ll_count_posterior_look(ll_count_posterior *p, const uint64_t *predicted, double *mean, double *variance);
/* That number lies in [low, high], ends may be infinite. There must be room. */
void ll_count_posterior_learn(ll_count_posterior *p, const uint64_t *predicted, double low, double high);
/* The probability of class 1 of every row, by the Gaussian: it may lie outside of [0, 1] a little. */
void ll_count_posterior_rows(const ll_count_posterior *p, double *out);

/* The probability that a Gaussian of this mean and variance is at least x. */
double ll_gaussian_above(double mean, double variance, double x);

#endif

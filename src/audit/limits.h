/* What no method can exceed against a channel (docs/proofs/audit.md). Figures that bound from above are rounded up by a
 * part in 2^40, those that bound from below down. */
#ifndef LL_AUDIT_LIMITS_H
#define LL_AUDIT_LIMITS_H

#include "audit/channel.h"

/* Does failing tell what is counted nowhere else? With noise that follows the submission it may be counted there. */
int ll_limit_fails(const ll_channel *channel, int follows);

/* Does noise of that proportion follow the labels, where it may, so that its size tells of them? */
int ll_limit_follows_labels(const ll_channel *channel, double proportion);

/* Bits that each answer can tell beside what all of them tell once (channel->once_bits): whatever is asked, and where
 * all queries are fixed before the first answer. */
double ll_limit_bits(const ll_channel *channel);
double ll_limit_bits_fixed(const ll_channel *channel);
/* Bits that one answer can tell in all, what is told once included; and so many answers together. */
double ll_limit_bits_alone(const ll_channel *channel);
double ll_limit_bits_alone_fixed(const ll_channel *channel);
/* The last of these by counting staircases; infinity where the release is not one of levels. */
double ll_limit_staircase_bits(const ll_channel *channel, double queries);

/* Least number of answers for all labels, each of so many bits beside what is told once, and of `alone` in all;
 * infinity where none is enough. */
double ll_limit_queries(const ll_channel *channel, double bits, double alone);

/* Greatest expected share of right labels after `queries` answers, by any method; at least what guessing gets. */
double ll_limit_share(const ll_channel *channel, double queries);

/* Fano's inequality turned around: the greatest share of right labels that `bits` for each label allow. */
double ll_limit_share_of_bits(const ll_channel *channel, double bits);

/* Label-differential privacy of all answers together. Laplace: epsilon, delta = 0. Gaussian: epsilon at that delta by
 * zCDP. Infinity without random noise. */
double ll_limit_epsilon(const ll_channel *channel, double queries, double delta);
/* Success on one label, at most: e^epsilon against the prior; Gaussian noise by the trade-off of two normals. */
double ll_limit_private_share(const ll_channel *channel, double queries);

/* The same from epsilon, and back: the largest epsilon that keeps success at or below `share`; 0 where guessing
 * does as well. */
double ll_limit_share_of_epsilon(const ll_channel *channel, double epsilon);
double ll_limit_epsilon_of_share(const ll_channel *channel, double share);

/* Noise for (epsilon, delta) over `queries` answers: scale of Laplace, sigma of Gaussian by zCDP. */
double ll_limit_laplace(const ll_channel *channel, double queries, double epsilon);
double ll_limit_gaussian(const ll_channel *channel, double queries, double epsilon, double delta);

/* The least noise that keeps the share there over `queries` answers: in proportion to the submission's spread, or
 * Gaussian of one size by the trade-off of two normals or by its bits; infinity where none does. */
double ll_limit_proportional(const ll_channel *channel, double queries, double share);
double ll_limit_size_of_share(const ll_channel *channel, const ll_law *law, double queries, double share);

/* The distribution function of the standard normal law. */
double ll_limit_normal(double x);

#endif

/* What no method can exceed against a channel (docs/proofs/audit.md). Figures that bound from above are rounded up by a
 * part in 2^40, those that bound from below down. */
#ifndef LL_AUDIT_LIMITS_H
#define LL_AUDIT_LIMITS_H

#include "audit/channel.h"

/* Does a failure reveal something that is not counted elsewhere? Noise in proportion may already count it. */
int ll_limit_fails(const ll_channel *channel, int follows);

/* Does the size of noise of that proportion depend on the labels, so that it reveals something about them? */
int ll_limit_follows_labels(const ll_channel *channel, double proportion);

/* Bits that each answer can reveal, besides what all of them reveal once (channel->once_bits): for any queries, and for
 * queries that are all fixed before the first answer. */
double ll_limit_bits(const ll_channel *channel);
double ll_limit_bits_fixed(const ll_channel *channel);
/* Bits that a single answer can reveal, including what is revealed once. */
double ll_limit_bits_alone(const ll_channel *channel);
double ll_limit_bits_alone_fixed(const ll_channel *channel);
/* Bits that `queries` answers reveal together, by counting staircases; infinity if the release is not one of levels. */
double ll_limit_staircase_bits(const ll_channel *channel, double queries);

/* Least number of answers for all labels, if each reveals `bits` besides what is revealed once, and a single one
 * `alone` in total; infinity if no number is enough. */
double ll_limit_queries(const ll_channel *channel, double bits, double alone);

/* Greatest expected share of right labels after `queries` answers, by any method; at least that of guessing. */
double ll_limit_share(const ll_channel *channel, double queries);

/* By Fano's inequality: the greatest share of right labels if `bits` are known per label. */
double ll_limit_share_of_bits(const ll_channel *channel, double bits);

/* Label-differential privacy of all answers together. Laplace: epsilon, delta = 0. Gaussian: epsilon at that delta by
 * zCDP. Infinity without random noise. */
double ll_limit_epsilon(const ll_channel *channel, double queries, double delta);
/* Success on one label, at most: e^epsilon against the prior; Gaussian noise by the trade-off of two normals. */
double ll_limit_private_share(const ll_channel *channel, double queries);

/* The same from epsilon; and the largest epsilon that keeps success at or below `share`, 0 if guessing reaches it. */
double ll_limit_share_of_epsilon(const ll_channel *channel, double epsilon);
double ll_limit_epsilon_of_share(const ll_channel *channel, double share);

/* Noise for (epsilon, delta) over `queries` answers: scale of Laplace, sigma of Gaussian by zCDP. */
double ll_limit_laplace(const ll_channel *channel, double queries, double epsilon);
double ll_limit_gaussian(const ll_channel *channel, double queries, double epsilon, double delta);

/* The least noise that keeps the share at or below `share` over `queries` answers: noise in proportion to the
 * submission's spread, or noise of one size by `law`, by the trade-off of two normals or by its bits; infinity if none
 * does. */
double ll_limit_proportional(const ll_channel *channel, double queries, double share);
double ll_limit_size_of_share(const ll_channel *channel, const ll_law *law, double queries, double share);

#endif

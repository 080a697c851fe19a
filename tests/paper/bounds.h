/* What no predictions and no method can exceed (docs/proofs/bounds.md): closed forms, against which tests hold what is
 * found. */
#ifndef LL_TEST_BOUNDS_H
#define LL_TEST_BOUNDS_H

/* Upper bounds on Lambda, rounded up. range: of the score over all labellings. */
double ll_bound_pigeonhole(double range, long rows, long classes); /* range / (classes^rows - 1) */
double ll_bound_monotone(double range, long rows);                 /* monotone set functions: range / rows */
double ll_bound_discrete_lp(long rows, long classes);              /* 0, but 1 for one row of two classes */

/* Counting. `values`: how many different answers one query can have. Least number of queries that can tell all
 * labellings apart; the greatest probability to get every label right, and the greatest expected share of right ones
 * (two classes), with uniform labels, by any method. */
double ll_bound_counting_queries(double values, long rows, long classes);
double ll_bound_counting_success(double values, double queries, long rows, long classes);
double ll_bound_counting_share(double values, double queries, long rows);

#endif

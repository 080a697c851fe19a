/* Everything that is a sum of weights of the rows, in one query or several: the codes of src/code
 * (docs/proofs/separability.md). */
#ifndef LL_STRATEGY_SUMS_SUMS_H
#define LL_STRATEGY_SUMS_SUMS_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_powers, ll_candidate_primes, ll_candidate_paper_multiclass,
    ll_candidate_prime_rows, ll_candidate_icml21, ll_candidate_radix, ll_candidate_sum_distinct, ll_candidate_detecting;

/* ---- within this folder ---- */

extern const ll_writer ll_writer_exponents, ll_writer_primes, ll_writer_logits, ll_writer_inverse;
extern const ll_strategy ll_strategy_sums, ll_strategy_levels;

#endif

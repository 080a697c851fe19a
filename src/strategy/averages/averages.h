/* Sums of signs of all rows, read together: labels with probabilities, under any noise (docs/proofs/hadamard.md). */
#ifndef LL_STRATEGY_AVERAGES_AVERAGES_H
#define LL_STRATEGY_AVERAGES_AVERAGES_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_hadamard;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_hadamard;
extern const ll_writer ll_writer_signs;

#endif

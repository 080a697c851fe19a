/* icml21: the baseline of Aggarwal et al. 2021 in its corrected form (thm:from_icml, docs/proofs/icml21.md):
 * theta_i = 3^(2^i N tau) / (1 + 3^(2^i N tau)), so that label 1 *lowers* the log-loss by 2^i N tau ln 3.
 * In units of 2 N tau ln 3: -2^j for label 1, j = 0..N-1. */
#include "code/rows.h"

const ll_code_row ll_code_icml21 = {
    .info = {.name = "icml21",
             .variants = "",
             .result = "Theorem 10",
             .guarantee = "proved",
             .weights = "-2^j for label 1, j = 0..N-1",
             .gap = "1",
             .bits = "N",
             .cost = "linear: the digits of one integer",
             .classes = "2"},
    .binary_only = 1,
    .digits = {LL_DIGITS_PLAIN, -1},
};

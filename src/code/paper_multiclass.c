/* paper-multiclass: thm:multi_class_proof. Entry (n, k) of the unnormalised predictions is 3^(2^((n-1)K+k) N tau), k
 * = 1..K, so that label k of row n lowers the log-loss by 2^((n-1)K+k) N tau ln 3, up to a constant of the row. In
 * units of 2 N tau ln 3, with labels and rows from 0: -2^(jK+k). A sum is an integer with just one bit in each group of
 * K (docs/proofs/paper-multiclass.md). It spends K bits a label where log2 K would do. */
#include "code/rows.h"

const ll_code_row ll_code_paper_multiclass = {
    .info = {.name = "paper-multiclass",
             .variants = "",
             .result = "Theorem 3",
             .guarantee = "proved",
             .weights = "-2^(jK+k), j = 0..N-1, k = 0..K-1",
             .gap = "1",
             .bits = "N K",
             .cost = "linear: the bits of one integer",
             .classes = "2 or more"},
    .digits = {LL_DIGITS_ONE_HOT, -1},
};

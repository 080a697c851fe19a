/* radix: label k of row j adds k K^j: the digits of one integer in base K (docs/proofs/radix.md). K^N different sums, 1
 * apart: no code of one query can do with a smaller range, since K^N labellings need K^N sums. */
#include "code/positional.h"
#include "code/rows.h"

const ll_code_row ll_code_radix = {
    .info = {.name = "radix",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights = "k K^j, j = 0..N-1, k = 0..K-1",
             .gap = "1",
             .bits = "N log2 K",
             .cost = "subquadratic: the digits of one integer in base K",
             .classes = "2 or more"},
    .digits = {LL_DIGITS_RADIX, 1},
};

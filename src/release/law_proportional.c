/* Gaussian noise as large as the submission's own spread times its size (docs/proofs/proportional.md). */
#include "release/laws.h"

const ll_law ll_law_proportional = {
    .name = "proportional",
    .advice = "add Gaussian noise scaled to each submission (factor %)",
    .size_word = "c",
    .python = "    noise = gaussian(ceil(c * c / 4 * sum(x * x for x in moves) * (1 + 1e-9)))\n",
    .assumption = ", Gaussian noise in proportion to each submission's spread, drawn anew for every answer",
    .is_random = 1,
    .of_spread = &ll_law_gaussian,
    .draw = ll_gaussian_draw,
    .tail = ll_gaussian_tail,
    .growth = 0.5,
};

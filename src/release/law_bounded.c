/* Noise of which only a bound is known, its size. A simulated curator draws it uniformly, or takes one end. */
#include "release/laws.h"

#include "number/random.h"

static double draw(ll_draw how, uint64_t seed, uint64_t stream)
{
    const double most = 1 - 0x1p-52;
    if (how == LL_DRAW_UNIFORM)
        return (2 * ll_random_uniform(seed, stream, 0) - 1) * most;
    return how == LL_DRAW_PLUS ? most : -most;
}

const ll_law ll_law_bounded = {
    .name = "bounded",
    .assumption = ", noise of any law within its bound that does not look at them",
    .draw = draw,
};

/* What averaging gets out of many answers. Every answer is the sum of one label's share, W/N at most, and noise; with
 * signs whose columns are orthogonal over the queries, all labels are averaged at once and do not disturb each other
 * (docs/proofs/hadamard.md). 2^b queries carry 2^b - 1 such columns. */
#include "audit/audit_private.h"

#include <math.h>

double ll_average_share(const ll_channel *c, const ll_scorer *scorer, double queries)
{
    (void)scorer;
    double sd = ll_channel_noise_sd(c), rows = (double)c->rows;
    if (!c->is_linear || c->classes != 2 || !(queries >= 2) || !isfinite(c->sensitivity) || sd <= 0)
        return c->guess;
    if (isinf(queries))
        return c->noise == LL_NOISE_NONE ? c->guess : 1;
    if (c->noise == LL_NOISE_NONE && c->spread < c->grid / 2) /* rounding always goes the same way */
        return c->guess;
    double reached = fmin(rows, queries - 1), distance = sqrt(queries) * c->sensitivity / sd;
    double odds = log(c->guess / (1 - c->guess)) / fmax(distance, 1e-9);
    double each =
        c->guess * ll_limit_normal(distance / 2 + odds) + (1 - c->guess) * ll_limit_normal(distance / 2 - odds);
    return (reached * each + (rows - reached) * c->guess) / rows;
}

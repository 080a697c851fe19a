/* What the scores of a scorer can be at all: every term is 0 or more, and some are bounded above too. */
#include "scorer/scorer.h"

static const double spare_share = 0.25; /* for the rounding errors of a long sum in a short format */

void ll_scorer_get_range(const ll_scorer *scorer, double *low, double *high)
{
    double least = 0, most = 0;
    ll_metric_range(scorer->computation.metric, &least, &most);
    if (!(least < 0) && !scorer->release.is_nonnegative)
        least = -1e-3;
    else if (least < 0)
        least *= 1 + spare_share;
    ll_release_get_range(&scorer->release, low, high, least,
                         (1 + spare_share) * ll_computation_most(&scorer->computation, scorer->rows));
}

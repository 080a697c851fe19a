/* What the scores of a scorer can be at all: every term is 0 or more, and some are bounded above too. */
#include "scorer/scorer.h"

#include <math.h>

static const double spare_share = 0.25; /* for the rounding errors of a long sum in a short format */

/* The most that log-loss can be in a row: -ln of the clip. */
static double clip_bound(const ll_computation *how)
{
    double low = ll_exact_get_d(&how->low);
    if (how->clip_mode == LL_CLIP_NONE)
        return (double)INFINITY;
    return how->clip_mode == LL_LOG_CLAMP ? low : -log(low);
}

static double most_of(const ll_scorer *scorer)
{
    const ll_computation *how = &scorer->computation;
    if (ll_metric_view(how->metric) != LL_VIEW_TERMS)
        return 1;
    if (ll_metric_is_sum(how->metric))
        return scorer->rows > 0 ? pow((double)scorer->rows, 1 / ll_exact_get_d(ll_metric_parameter(how->metric)))
                                : (double)INFINITY;
    if (ll_metric_counts(how->metric) != 0)
        return 1;
    ll_kernel kernel = ll_metric_kernel(how->metric);
    return kernel == LL_KERNEL_SQUARED ? 2 : kernel == LL_KERNEL_LOG ? clip_bound(how) : (double)INFINITY;
}

void ll_scorer_get_range(const ll_scorer *scorer, double *low, double *high)
{
    double least = 0, most = 0;
    ll_metric_range(scorer->computation.metric, &least, &most);
    if (!(least < 0) && !scorer->release.is_nonnegative)
        least = -1e-3;
    else if (least < 0)
        least *= 1 + spare_share;
    ll_release_get_range(&scorer->release, low, high, least, (1 + spare_share) * most_of(scorer));
}

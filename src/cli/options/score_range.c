/* Every loss is 0 or more in every row, and the score is its mean; some are bounded above too. */
#include "cli/options/score_range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPARE = 1e-3, SPARE_SHARE = 0.25; /* for the rounding errors of a long sum in a short format */

static int is(const char *text, const char *name)
{
    return strcmp(text, name) == 0;
}

/* The most that log-loss can be in a row: -ln of the clip. */
static double clip_bound(const ll_scorer *scorer)
{
    if (scorer->clip_mode == LL_CLIP_NONE)
        return (double)INFINITY;
    if (is(scorer->clip, "auto"))
        return is(scorer->arithmetic, "fp64") || is(scorer->arithmetic, "exact") ? 52 * log(2)
               : is(scorer->arithmetic, "fp32")                                  ? 23 * log(2)
                                                                                 : (double)INFINITY;
    double clip = strtod(scorer->clip, NULL);
    return scorer->clip_mode == LL_LOG_CLAMP ? clip : clip > 0 ? -log(clip) : (double)INFINITY;
}

static double most_of(const ll_scorer *scorer)
{
    double most = is(scorer->loss, "accuracy")   ? 1
                  : is(scorer->loss, "squared")  ? (scorer->classes > 2 ? 2 : 1)
                  : is(scorer->loss, "log-loss") ? clip_bound(scorer)
                                                 : (double)INFINITY;
    return scorer->transform == LL_ROOT ? sqrt(most) : most;
}

/* What noise and rounding of the release may add or take. */
static double moved_by(const ll_scorer *scorer, double most)
{
    int is_random = scorer->noise == LL_NOISE_GAUSSIAN || scorer->noise == LL_NOISE_LAPLACE || scorer->ladder;
    double noise = is_random                           ? (double)INFINITY
                   : scorer->noise == LL_NOISE_BOUNDED ? strtod(scorer->noise_size, NULL)
                                                       : 0;
    double rounding = scorer->rounding == LL_ROUND_DECIMALS ? pow(10, -scorer->places)
                      : scorer->rounding == LL_ROUND_DIGITS ? most * pow(10, 1 - scorer->places)
                                                            : 0;
    return noise + rounding;
}

void ll_cli_score_range(double *low, double *high, const ll_scorer *scorer)
{
    double most = most_of(scorer), moved = moved_by(scorer, most);
    double scale = scorer->transform == LL_PERCENT ? 100 : 1;
    /* A bound of 0 is left by rounding to digits only where the score is not 0, and then to the same side. */
    double below = -scale * (isinf(most) && scorer->rounding == LL_ROUND_DIGITS ? moved_by(scorer, 1) : moved) - SPARE;
    double above = scale * ((1 + SPARE_SHARE) * most + moved) + SPARE;
    *low = scorer->transform == LL_NEGATE ? -above : below;
    *high = scorer->transform == LL_NEGATE ? -below : above;
}

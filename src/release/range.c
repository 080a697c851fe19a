/* The range of what is released, in doubles: for refusing scores that cannot be, not for proofs. */
#include "release/release.h"

#include <math.h>
#include <stdlib.h>

static const double spare = 1e-3;

/* What noise and rounding may add or take at a number of this size; own roundoff may be of larger ones, where a step
 * cancels. */
static double moved_by(const ll_release *r, double size, double largest)
{
    double noise = r->noise == NULL ? 0 : ll_release_is_bounded(r) ? ll_exact_get_d(&r->noise_size) : (double)INFINITY;
    double rounding = r->rounding == LL_ROUND_DECIMALS ? pow(10, -r->places)
                      : r->rounding == LL_ROUND_DIGITS ? (size + noise) * pow(10, 1 - r->places)
                                                       : 0;
    double own = r->is_float ? ldexp(largest + noise, 2 - (int)r->format.fraction_bits) : 0; /* a few roundings */
    return noise + rounding + own + spare * fmax(1, fabs(ll_release_scale(r)));
}

void ll_release_get_range(const ll_release *r, double *low, double *high, double least, double most)
{
    double a = least, b = most, largest = 0;
    for (int i = 0; i < r->step_count; i++) {
        const ll_transform_step *step = &r->steps[i];
        double before = fmax(fabs(a), fabs(b));
        a = ll_transform_step_plain(step, a);
        b = ll_transform_step_plain(step, b);
        largest = step->row->shifts   ? fmax(largest, before)
                  : step->row->scales ? largest * fabs(ll_exact_get_d(&step->own))
                                      : 0;
    }
    *low = fmin(a, b) - moved_by(r, fabs(fmin(a, b)), fmax(largest, fabs(fmin(a, b))));
    *high = fmax(a, b) + moved_by(r, fabs(fmax(a, b)), fmax(largest, fabs(fmax(a, b))));
    if (r->has_ladder) { /* an old best may be shown for ever */
        *low = -(double)INFINITY;
        *high = (double)INFINITY;
    }
}

void ll_release_add_steps(const ll_release *r, double *scale, double *power)
{
    if (!ll_release_is_power(r)) {
        *scale = INFINITY;
        *power = 0;
        return;
    }
    for (int i = 0; i < r->step_count; i++) {
        const ll_transform *row = r->steps[i].row;
        *scale = pow(*scale, row->power) * (row->scales ? fabs(ll_exact_get_d(&r->steps[i].own)) : 1);
        *power *= row->power;
    }
}

ll_release_figures ll_release_get_figures(const ll_release *r)
{
    ll_release_figures f = {0};
    double size = r->noise == NULL ? 0 : ll_exact_get_d(&r->noise_size);
    f.noise = ll_release_follows_spread(r) ? 0 : size;
    f.proportion = ll_release_follows_spread(r) ? size : 0;
    f.grid = r->rounding == LL_ROUND_DECIMALS ? pow(10, -r->places) : 0;
    f.digits = r->rounding == LL_ROUND_DIGITS ? r->places : 0;
    f.step = r->has_ladder ? ll_exact_get_d(&r->ladder) * ll_levels_step(&r->levels) : 0;
    f.levels = (double)r->levels.count;
    f.improvements = r->improvements > 0 ? (double)r->improvements : (double)INFINITY;
    return f;
}

#include "audit/keeps_target.h"

#include "audit/trial.h"

#include <math.h>

/* Is there noise of a fixed size, or rounding, and nothing that bounds what a label can move? Then no attack that is
 * known need be the best: farther predictions read through any noise, and where labels move only a little the rounding
 * of large sums makes much of it (docs/proofs/targets.md). Rounding shows even a small move next to an edge, and
 * predictions of any size bring the sum there; so do those of any metric once the class counts are known. */
static int is_open(const ll_channel *c, const ll_computation *how)
{
    int is_rounded = c->noise == NULL && (c->grid > 0 || c->digits > 0);
    int is_free = c->is_numeric && how->clip_mode == LL_CLIP_NONE;
    return (is_rounded && (is_free || c->is_known)) || (!isfinite(c->sensitivity) && (is_rounded || c->noise_size > 0));
}

/* Do attacks that are run speak for those that are not? Trials draw noise by one law; where only its bound is known, a
 * constant may be subtracted by who averages. Of several numbers no attack reads all that they tell together,
 * and none reads an account's own levels beside records. */
static int can_tell(const ll_channel *c, const ll_scorer *scorer)
{
    return c->is_sum && c->numbers == 0 && !(c->stairs.own > 0) && !is_open(c, &scorer->computation) &&
           !ll_release_has_any_law(&scorer->release);
}

int ll_decide_proved(const ll_channel *c, const ll_findings *f)
{
    return f->bound <= f->target && !c->fails_free;
}

ll_truth ll_decide_leaks(const ll_channel *c, const ll_scorer *scorer, const ll_findings *f)
{
    if (f->share > f->target)
        return LL_TRUE;
    int stays_below = f->all && can_tell(c, scorer) && ll_tried_most(f->tried, f->tried_count) <= f->target;
    return stays_below || ll_decide_proved(c, f) ? LL_FALSE : LL_UNKNOWN;
}

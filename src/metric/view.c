/* From a number that was worked out to one that is released. */
#include "metric/view.h"

#include "metric/metric_private.h"

#include <math.h>

enum {
    GUARD = 64,    /* bits: numbers are below 2^2, and a step loses a few */
    WEIGHTS = 4096 /* weights of 1e-100 beside some of 1e100, squared, and differences of such squares */
};

ll_work ll_view_work(const ll_computation *how, slong bits)
{
    if (how->kind == LL_KIND_EXACT)
        return (ll_work){LL_WORK_FRACTIONS | LL_WORK_BALLS, bits + GUARD + (how->is_weighted ? WEIGHTS : 0)};
    return (ll_work){LL_WORK_DOUBLES | LL_WORK_BALLS | LL_WORK_ROUNDED, 192};
}

/* The program's number is a double: the ends move inward to the next ones. */
static void round_inward(ll_unreleased *out)
{
    arf_set_d(out->lower, arf_get_d(out->lower, ARF_RND_CEIL));
    arf_set_d(out->upper, arf_get_d(out->upper, ARF_RND_FLOOR));
}

void ll_view_finish(const ll_computation *how, ll_unreleased *out, const ll_worked *number)
{
    ll_unreleased_ends(out->lower, out->upper, number->ball);
    out->is_float = how->kind != LL_KIND_EXACT;
    out->is_rational = 0;
    if (!out->is_float) {
        arb_set(out->number, number->ball);
        if (number->is_fraction)
            ll_unreleased_set_fraction(out, number->fraction, 1);
        return;
    }
    out->format = how->total.format;
    arb_set_d(out->number, number->native);
    round_inward(out);
}

/* ---- two classes ---- */

void ll_two_flip(ll_two *two, int base, int state)
{
    int64_t step = base == 1 ? -1 : 1;
    two->tp = (base == 1 ? two->positives : 0) + step * (state == 1);
    two->guessed = (base == 1 ? two->rows : 0) + step * (state < 2);
}

ll_status ll_score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    return how->metric->row->family->score_two(how, work, out, two);
}

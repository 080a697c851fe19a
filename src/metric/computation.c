/* What a computation does, whatever family its metric belongs to. */
#include "metric/metric_private.h"
#include "number/roundoff.h"

#include <string.h>

ll_status ll_view_resolve(ll_computation *how, ll_error *error)
{
    static const ll_format fp64 = {11, 52};
    if (how->kind == LL_KIND_EXACT)
        return LL_OK;
    if (how->kind == LL_KIND_FORMAT)
        return ll_fail(error, LL_DOMAIN, "%s is known in exact, fp64 and fp32 arithmetic, not in %s",
                       ll_metric_row(how->metric)->name, how->arithmetic);
    how->total = how->term = (ll_arithmetic){.ops = &ll_arithmetic_fp64, .format = fp64};
    return LL_OK;
}

void ll_computation_clear(ll_computation *computation)
{
    ll_metric_destroy(computation->metric);
    ll_exact_clear(&computation->low);
    ll_exact_clear(&computation->high);
    ll_computation_clear_weights(computation);
    memset(computation, 0, sizeof *computation);
}

const ll_exact *ll_computation_clip(const ll_computation *how, const ll_exact *x)
{
    if (ll_exact_cmp(x, &how->low) < 0)
        return &how->low;
    return ll_exact_cmp(x, &how->high) > 0 ? &how->high : x;
}

int ll_computation_may_fail(const ll_computation *how)
{
    return ll_metric_may_fail(how->metric) && !how->has_undefined;
}

void ll_computation_add_roundoff(const ll_computation *how, arb_t x, double units)
{
    if (how->kind != LL_KIND_EXACT)
        ll_roundoff_add(x, &how->total.format, units);
}

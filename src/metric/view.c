/* From a number that was worked out to one that is released. */
#include "metric/view.h"

#include <math.h>

enum { GUARD = 64 }; /* bits: numbers are below 2^2, and a step loses a few */

ll_work ll_view_work(const ll_computation *how, slong bits)
{
    if (how->kind == LL_KIND_EXACT)
        return (ll_work){LL_WORK_FRACTIONS | LL_WORK_BALLS, bits + GUARD};
    return (ll_work){LL_WORK_DOUBLES | LL_WORK_BALLS | LL_WORK_ROUNDED, 192};
}

/* sum / divisor, where the divisor is a long, so that ties of the rounding are decided. */
static void set_fraction(ll_raw *out, const ll_worked *number)
{
    out->is_rational = number->is_fraction && fmpz_fits_si(fmpq_denref(number->fraction));
    if (!out->is_rational)
        return;
    fmpz_set(out->sum.mantissa, fmpq_numref(number->fraction));
    fmpz_zero(out->sum.two);
    fmpz_zero(out->sum.five);
    out->divisor = fmpz_get_si(fmpq_denref(number->fraction));
}

/* The program's number is a double: the ends move inward to the next ones. */
static void round_inward(ll_raw *out)
{
    arf_set_d(out->lower, arf_get_d(out->lower, ARF_RND_CEIL));
    arf_set_d(out->upper, arf_get_d(out->upper, ARF_RND_FLOOR));
}

void ll_view_finish(const ll_computation *how, ll_raw *out, const ll_worked *number)
{
    ll_raw_ends(out->lower, out->upper, number->ball);
    out->is_float = how->kind != LL_KIND_EXACT;
    out->is_rational = 0;
    if (!out->is_float) {
        arb_set(out->number, number->ball);
        set_fraction(out, number);
        return;
    }
    out->format = how->total.format;
    arb_set_d(out->number, number->native);
    round_inward(out);
}

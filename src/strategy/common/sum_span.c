#include "strategy/common/sum_span.h"

#include <math.h>
#include <stdlib.h>

ll_span ll_span_of(const arb_t x)
{
    arf_t low, high;
    if (!arb_is_finite(x))
        return (ll_span){-INFINITY, INFINITY};
    arf_init(low);
    arf_init(high);
    arb_get_interval_arf(low, high, x, 128);
    ll_span out = {arf_get_d(low, ARF_RND_FLOOR), arf_get_d(high, ARF_RND_CEIL)};
    arf_clear(low);
    arf_clear(high);
    return out;
}

ll_span ll_span_add(ll_span a, ll_span b)
{
    return (ll_span){nextafter(a.low + b.low, -INFINITY), nextafter(a.high + b.high, INFINITY)};
}

ll_span ll_span_sub(ll_span a, ll_span b)
{
    return ll_span_add(a, (ll_span){-b.high, -b.low});
}

int ll_span_meets(ll_span a, ll_span b)
{
    return !(a.high < b.low || a.low > b.high);
}

double ll_span_chance(ll_span all, ll_span score, double step)
{
    double open = all.high - all.low + score.high - score.low;
    return open < step ? open / step : 1;
}

/* What the program adds up is within a half of the sum of terms that are not below 0. */
static void set_magnitude(mag_t out, const arb_t sum)
{
    mag_t least;
    mag_init(least);
    mag_set_ui_2exp_si(least, 1, -900);
    arb_get_mag(out, sum);
    mag_mul_2exp_si(out, out, 1);
    mag_add(out, out, least);
    mag_clear(least);
}

/* Rows that keep their prediction add the same in both queries; but `score` adds up their intervals, whose radii have
 * 30 bits, each rounded up. What the one allows the other must not exclude. */
static void allow_looseness(const ll_plan *plan, arb_t sum, double radius)
{
    mag_t part;
    mag_init(part);
    mag_set_d(part, radius * (double)(plan->rows + 8));
    mag_mul_2exp_si(part, part, -28);
    arb_add_error_mag(sum, part);
    mag_clear(part);
}

ll_status ll_span_read(const ll_plan *plan, ll_span *out, const arb_t released, const mag_t size, double radius)
{
    arb_t number, sum, off;
    mag_t magnitude;
    arb_init(number);
    arb_init(sum);
    arb_init(off);
    mag_init(magnitude);
    ll_status status = ll_plan_read_number(plan, number, released);
    ll_link_get_sum(plan->scoring.how, sum, number, plan->scoring.rows, 0, plan->prec);
    set_magnitude(magnitude, sum);
    ll_plan_part_rounding(plan, off, size != NULL ? size : magnitude, plan->rows);
    arb_add_error(sum, off);
    allow_looseness(plan, sum, radius);
    *out = ll_span_of(sum);
    arb_clear(number);
    arb_clear(sum);
    arb_clear(off);
    mag_clear(magnitude);
    return status;
}

int ll_span_decoder_begin(ll_decoder *d)
{
    ll_span_decoder *own = (ll_span_decoder *)d;
    own->sums = calloc((size_t)d->plan->queries, sizeof *own->sums);
    return own->sums != NULL;
}

void ll_span_decoder_end(ll_decoder *d)
{
    free(((ll_span_decoder *)d)->sums);
}

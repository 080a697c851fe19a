/* How far a released score may be from the sum of its rows' terms: what the release states (noise), and what the
 * scorer's own arithmetic adds (rounding). docs/proofs/release.md has the steps. */
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 192 };
#define MORE (1 + 0x1p-9) /* products of errors, and the rounding of bounds to 30 bits */

const char *ll_plan_metric_name(const ll_plan *plan)
{
    return ll_scorer_text(plan->scorer, LL_SET_METRIC);
}

/* Half the width, at most, of the sums that the score of a sum of at most `most` allows. */
static void get_bound(const ll_plan *plan, arb_t out, const arb_t most, ll_allowance allowance)
{
    const ll_computation *how = plan->scoring.how;
    int exact_mean = allowance == LL_STATED || ll_likely_is_native(plan);
    arb_t half, number;
    arb_init(half);
    arb_init(number);
    ll_link_get_number(how, number, most, plan->scoring.rows, PREC);
    ll_release_get_bound(&plan->scorer->release, half, number, plan->bounds.bound, allowance);
    ll_link_get_bound(how, out, half, most, plan->scoring.rows, exact_mean);
    arb_clear(half);
    arb_clear(number);
}

void ll_plan_set_noise(ll_plan *plan, const arb_t most)
{
    get_bound(plan, plan->state->noise, most, LL_STATED);
}

/* `score` and this room bound the same number in two ways: there one bound on all logarithms and a product of rounded
 * mantissas (N 2^-53), here a bound on each, moved inward to the next float (at most an ulp, 2u, of which u was added
 * for a mean of one row). Bounds of terms are added in numbers of 30 bits, a rounding up for each row and a few beside:
 * that shows where terms are of a shorter format than their sum. What the one allows the other must not exclude. */
static void add_looseness(const ll_plan *plan, mag_t out, const mag_t magnitude)
{
    const ll_computation *how = plan->scoring.how;
    mag_t part;
    if (how->kind != LL_KIND_NATIVE)
        return;
    mag_init(part);
    mag_set_d(part, MORE);
    mag_mul(part, part, magnitude);
    mag_mul_2exp_si(part, part, -(how->total.format.fraction_bits + 1));
    mag_add(out, out, part);
    mag_set_d(part, (1 + how->log_ulps) * (64 + (double)plan->rows));
    mag_mul(part, part, magnitude);
    mag_mul_2exp_si(part, part, -(how->term.format.fraction_bits + 29));
    mag_add(out, out, part);
    if (ll_metric_is_log(how->metric)) {
        mag_set_ui_2exp_si(part, (ulong)plan->rows, -53);
        mag_add(out, out, part);
    }
    mag_clear(part);
}

void ll_plan_part_rounding(const ll_plan *plan, arb_t out, const mag_t magnitude, long rows)
{
    mag_t error;
    arb_zero(out);
    if (plan->scoring.how->kind == LL_KIND_EXACT)
        return;
    mag_init(error);
    ll_computation_sum_error(plan->scoring.how, error, rows, magnitude);
    if (ll_likely_is_native(plan))
        mag_set_d(error, ll_likely_rounding(plan, mag_get_d(magnitude)));
    else
        add_looseness(plan, error, magnitude);
    arf_set_mag(arb_midref(out), error);
    mag_clear(error);
}

void ll_plan_sum_rounding(const ll_plan *plan, const ll_stored_error *stored_error, arb_t out)
{
    ll_plan_part_rounding(plan, out, stored_error->magnitude, plan->rows);
}

void ll_plan_rounding(const ll_plan *plan, const ll_stored_error *stored_error, arb_t out)
{
    arb_t most, stated, own;
    ll_plan_sum_rounding(plan, stored_error, out);
    if (plan->scoring.how->kind == LL_KIND_EXACT)
        return;
    arb_init(most);
    arb_init(stated);
    arb_init(own);
    arf_set_mag(arb_midref(most), stored_error->magnitude);
    arb_add(most, most, out, PREC);
    get_bound(plan, stated, most, LL_STATED);
    get_bound(plan, own, most, LL_STATED_AND_OWN);
    arb_sub(own, own, stated, PREC);
    arb_add(out, out, own, PREC);
    arb_get_ubound_arf(arb_midref(out), out, 64);
    mag_zero(arb_radref(out));
    arb_clear(most);
    arb_clear(stated);
    arb_clear(own);
}

double ll_plan_half(ll_plan *plan, double size)
{
    ll_stored_error all = {0};
    arb_t most, lost;
    arb_init(most);
    arb_init(lost);
    mag_init(all.magnitude);
    mag_set_d(all.magnitude, size);
    arf_set_mag(arb_midref(most), all.magnitude);
    ll_plan_set_noise(plan, most);
    ll_plan_rounding(plan, &all, lost);
    arb_add(lost, lost, plan->state->noise, 64);
    double half = arf_get_d(arb_midref(lost), ARF_RND_CEIL) * (1 + 0x1p-20) + size * LL_PLAN_OWN;
    arb_clear(most);
    arb_clear(lost);
    mag_clear(all.magnitude);
    return half;
}

ll_status ll_plan_read_number(const ll_plan *plan, arb_t number, const arb_t released)
{
    arb_set(number, released);
    return ll_release_undo(&plan->scorer->release, number, plan->bounds.bound, LL_STATED_AND_OWN, plan->prec + 64);
}

ll_status ll_plan_read_sum(const ll_plan *plan, arb_t sum, arb_t noise, const arb_t released)
{
    const ll_computation *how = plan->scoring.how;
    arb_t number, most;
    arb_init(number);
    arb_init(most);
    ll_status status = ll_plan_read_number(plan, number, released);
    ll_link_get_sum(how, sum, number, plan->scoring.rows, ll_likely_is_native(plan), plan->prec + 64);
    arb_get_abs_ubound_arf(arb_midref(most), sum, 64);
    if (ll_metric_counts(how->metric) != 0) /* shown beside the least step between two counts, which is at the top */
        arb_set(noise, plan->state->noise);
    else
        get_bound(plan, noise, most, LL_STATED);
    if (ll_metric_counts(how->metric) < 0) {
        arb_sub_si(sum, sum, plan->rows, plan->prec + 64);
        arb_neg(sum, sum);
    }
    arb_clear(number);
    arb_clear(most);
    return status;
}

double ll_plan_number_blur(const ll_plan *plan)
{
    arb_t half, one;
    arb_init(half);
    arb_init(one);
    arb_one(one);
    ll_release_get_bound(&plan->scorer->release, half, one, plan->bounds.bound, LL_STATED);
    double blur = 2 * arf_get_d(arb_midref(half), ARF_RND_NEAR);
    arb_clear(half);
    arb_clear(one);
    return blur;
}

/* May the sum of such rows, or what the steps of the release make of it, be too large for the scorer's format? */
int ll_plan_overflows(const ll_plan *plan, const ll_stored_error *stored_error)
{
    const ll_format *format = &plan->scoring.how->total.format;
    ulong scale = (ulong)ceil(fabs(ll_release_scale(&plan->scorer->release)));
    ulong rows = (ulong)plan->scorer->counted_least;
    mag_t most;
    mag_init(most);
    mag_set(most, stored_error->magnitude);
    if (rows < scale)
        mag_mul_ui(most, most, scale / rows + 1);
    double least = 0, greatest = 0; /* what the steps make of 0: an offset */
    ll_release_get_range(&plan->scorer->release, &least, &greatest, 0, 0);
    if (!ll_release_keeps_sign(&plan->scorer->release) && isfinite(least) && isfinite(greatest)) {
        mag_t offset;
        mag_init(offset);
        mag_set_d(offset, fmax(fabs(least), fabs(greatest)));
        mag_add(most, most, offset);
        mag_clear(offset);
    }
    int overflows =
        mag_cmp_2exp_si(most, (1L << ((format->exponent_bits < 40 ? format->exponent_bits : 40) - 1)) - 2) >= 0;
    mag_clear(most);
    return overflows;
}

/* How far the scorer's own arithmetic may move N * score once the terms of its rows are there: sum, mean, release.
 * docs/proofs/score-interval.md has the steps. */
#include "number/sum.h"
#include "plan/chance.h"
#include "plan/labels.h"

#include <math.h>

#define MORE (1 + 0x1p-9) /* products of errors, and the rounding of bounds to 30 bits */

/* A root, or the product of percent; the product by which decimals are found. */
static double product_units(const ll_scorer *scorer)
{
    return (scorer->transform == LL_ROOT ? 2 : scorer->transform == LL_PERCENT) + (scorer->rounding != LL_ROUND_NONE);
}

double ll_plan_release_units(const ll_scorer *scorer)
{
    return product_units(scorer) + (scorer->noise != LL_NOISE_NONE);
}

/* size *= units * u */
static void scale(mag_t size, const ll_plan *plan, double units)
{
    mag_t part;
    mag_init(part);
    mag_set_d(part, units * MORE);
    mag_mul(size, size, part);
    mag_mul_2exp_si(size, size, -(plan->scoring.resolved.total.format.fraction_bits + 1));
    mag_clear(part);
}

/* N times the rounding of a number of at most size / N: half of its last bit. */
static void round_once(mag_t out, const ll_plan *plan, const mag_t size)
{
    mag_t number;
    fmpz_t exponent;
    mag_init(number);
    fmpz_init(exponent);
    mag_div_ui(number, size, (ulong)plan->rows); /* m 2^e, 1/2 <= m < 1 */
    fmpz_sub_si(exponent, MAG_EXPREF(number), plan->scoring.resolved.total.format.fraction_bits + 2);
    mag_one(out);
    mag_mul_2exp_fmpz(out, out, exponent);
    mag_mul_ui(out, out, (ulong)plan->rows);
    if (mag_is_special(number)) /* 0 is exact, and what is endless stays so */
        mag_set(out, number);
    fmpz_clear(exponent);
    mag_clear(number);
}

/* Sum and mean, for terms whose magnitudes add up to this. N itself is rounded where the format cannot hold it. */
static void bound_mean(const ll_plan *plan, mag_t out, const mag_t magnitude)
{
    long fraction = plan->scoring.resolved.total.format.fraction_bits;
    mag_t mean;
    mag_init(mean);
    ll_sum_bound(out, plan->scoring.scorer.order, plan->rows, fraction, magnitude);
    mag_add(mean, out, magnitude);
    scale(mean, plan, fraction < 60 && plan->rows > 1L << (fraction + 1) ? 2 : 1);
    mag_add(out, out, mean);
    mag_clear(mean);
}

/* Every step after that is of the size of N * (|score| + noise), but that noise is a product of a rounded size and a
 * draw: two units of the noise alone. One that underflows is off by half the least subnormal, N times. */
static void bound_release(const ll_plan *plan, mag_t out, const mag_t magnitude, const mag_t mean)
{
    const ll_format *format = &plan->scoring.resolved.total.format;
    mag_t part, sum;
    mag_init(part);
    mag_init(sum);
    arb_get_mag(part, plan->noise);
    mag_add(out, magnitude, mean);
    mag_add(out, out, part);
    mag_set(sum, out);
    scale(out, plan, product_units(&plan->scoring.scorer));
    scale(part, plan, 2);
    mag_add(out, out, part);
    if (plan->scoring.scorer.noise != LL_NOISE_NONE) {
        round_once(part, plan, sum);
        mag_add(out, out, part);
    }
    long exponents = format->exponent_bits < 40 ? format->exponent_bits : 40;
    mag_set_ui_2exp_si(part, (ulong)plan->rows, 4 - (1L << (exponents - 1)) - format->fraction_bits);
    mag_add(out, out, part);
    mag_clear(part);
    mag_clear(sum);
}

/* `score` and this room bound the same number in two ways: there one bound on all logarithms and a product of rounded
 * mantissas (N 2^-53), here a bound on each, moved inward to the next float (at most an ulp, 2u, of which u was added
 * for a mean of one row). What the one allows the other must not exclude. */
static void bound_looseness(const ll_plan *plan, mag_t out, const mag_t magnitude)
{
    mag_t part;
    mag_init(part);
    mag_zero(out);
    if (plan->scoring.resolved.kind == LL_KIND_NATIVE) {
        mag_set(out, magnitude);
        scale(out, plan, 1);
    }
    if (plan->scoring.resolved.kind == LL_KIND_NATIVE && plan->scoring.resolved.kernel == LL_KERNEL_LOG) {
        mag_set_ui_2exp_si(part, (ulong)plan->rows, -53);
        mag_add(out, out, part);
    }
    mag_clear(part);
}

void ll_plan_rounding(const ll_plan *plan, const ll_account *account, arb_t out)
{
    arb_zero(out);
    if (ll_plan_takes_labels(plan)) {
        ll_labels_rounding(plan, out);
        return;
    }
    if (plan->scoring.resolved.kind == LL_KIND_EXACT)
        return;
    mag_t mean, part;
    mag_init(mean);
    mag_init(part);
    bound_mean(plan, mean, account->magnitude);
    if (ll_chance_is_native(plan))
        mag_set_d(mean, fmin(mag_get_d(mean), ll_chance_rounding(plan, mag_get_d(account->magnitude))));
    else
        bound_looseness(plan, part, account->magnitude);
    mag_add(mean, mean, part);
    bound_release(plan, part, account->magnitude, mean);
    mag_add(mean, mean, part);
    arf_set_mag(arb_midref(out), mean);
    mag_clear(mean);
    mag_clear(part);
}

int ll_plan_overflows(const ll_plan *plan, const ll_account *account)
{
    const ll_format *format = &plan->scoring.resolved.total.format;
    mag_t most;
    mag_init(most);
    mag_set(most, account->magnitude);
    if (plan->scoring.scorer.transform == LL_PERCENT && plan->rows < 100)
        mag_mul_ui(most, most, 100 / (ulong)plan->rows + 1);
    int overflows =
        mag_cmp_2exp_si(most, (1L << ((format->exponent_bits < 40 ? format->exponent_bits : 40) - 1)) - 2) >= 0;
    mag_clear(most);
    return overflows;
}

/* The link between a program's number and the sum of its terms: the mean, or the P-th root of a count. Each step of the
 * program is one rounding of the size of its result, so an interval goes back through it by its ends, widened by that
 * (docs/proofs/release.md). */
#include "metric/computation.h"

#include <math.h>

enum { BOUND_PREC = 192 };
#define MORE (1 + 0x1p-9)

int ll_link_is_linear(const ll_computation *how)
{
    static const ll_exact one = {{1}, {0}, {0}};
    return !ll_metric_is_sum(how->metric) || ll_exact_cmp(ll_metric_parameter(how->metric), &one) == 0;
}

/* x^P, or x^(1/P), of x >= 0; 0 for what lies below. */
static void take_power(const ll_computation *how, arb_t x, int inverse, slong prec)
{
    arb_t power;
    arb_init(power);
    ll_exact_get_ball(power, ll_metric_parameter(how->metric), prec);
    if (inverse)
        arb_inv(power, power, prec);
    if (arf_sgn(arb_midref(x)) > 0)
        arb_pow(x, x, power, prec);
    else
        arb_zero(x);
    arb_clear(power);
}

int ll_computation_counts(const ll_computation *how)
{
    return how->is_weighted ? 0 : ll_metric_counts(how->metric);
}

/* What the sum is divided by for the mean: the sum of the weights, or the rows. */
static void get_divisor(const ll_computation *how, arb_t out, long rows)
{
    if (how->is_weighted)
        arb_set(out, how->weight_total);
    else
        arb_set_si(out, rows);
}

/* A mean times its divisor. */
static void undo_mean(const ll_computation *how, arb_t x, long rows, slong prec)
{
    arb_t divisor;
    arb_init(divisor);
    get_divisor(how, divisor, rows);
    arb_mul(x, x, divisor, prec);
    arb_clear(divisor);
}

void ll_link_get_number(const ll_computation *how, arb_t number, const arb_t sum, long rows, slong prec)
{
    arb_t divisor;
    arb_init(divisor);
    get_divisor(how, divisor, rows);
    arb_set(number, sum);
    if (ll_metric_is_sum(how->metric))
        take_power(how, number, 1, prec);
    else
        arb_div(number, number, divisor, prec);
    arb_clear(divisor);
}

/* Roundings of the link: a division, two where N is no float; pow(sum, 1/P), whose exponent is off by u/P, with sums of
 * at most N: 2L + 2 (ln N + 1) / P, and products of errors as in score_native.c, whose ends lie within. */
static double units_of(const ll_computation *how, long rows)
{
    long fraction = how->total.format.fraction_bits;
    if (how->is_weighted)
        return (1 + ll_computation_total_units(how, rows)) * MORE;
    if (!ll_metric_is_sum(how->metric))
        return fraction < 60 && rows > 1L << (fraction + 1) ? 2 : 1;
    double power = ll_exact_get_d(ll_metric_parameter(how->metric));
    return (2 * how->log_ulps + 2 * (log((double)rows) + 1) / power) * MORE;
}

/* Some programs count misses, others give 1 - accuracy (scikit-learn's zero_one_loss): off by what the mean is and by
 * one rounding of numbers up to 1. */
void ll_link_add_roundoff(const ll_computation *how, arb_t x, long rows)
{
    double units = units_of(how, rows);
    arb_t one;
    ll_computation_add_roundoff(how, x, units);
    if (ll_metric_counts(how->metric) >= 0 || ll_metric_is_sum(how->metric) || how->kind != LL_KIND_NATIVE)
        return;
    arb_init(one);
    arb_one(one);
    ll_computation_add_roundoff(how, one, units + 1);
    arb_add_error_mag(x, arb_radref(one));
    arb_clear(one);
}

/* Both ends raised, each by itself: a count is never negative, and a ball may be. */
static void raise_ends(const ll_computation *how, arb_t x, slong prec)
{
    arf_t low, high;
    arb_t end;
    arf_init(low);
    arf_init(high);
    arb_init(end);
    arb_get_interval_arf(low, high, x, prec);
    arb_set_arf(end, low);
    take_power(how, end, 0, prec);
    arb_get_lbound_arf(low, end, prec);
    arb_set_arf(end, high);
    take_power(how, end, 0, prec);
    arb_get_ubound_arf(high, end, prec);
    arb_set_interval_arf(x, low, high, prec);
    arf_clear(low);
    arf_clear(high);
    arb_clear(end);
}

void ll_link_get_sum(const ll_computation *how, arb_t sum, const arb_t number, long rows, int exact_mean, slong prec)
{
    arb_set(sum, number);
    if (!exact_mean)
        ll_link_add_roundoff(how, sum, rows);
    if (!arb_is_finite(sum))
        return;
    if (ll_metric_is_sum(how->metric))
        raise_ends(how, sum, prec);
    else
        undo_mean(how, sum, rows, prec);
}

/* Numbers y with |y - x| <= t, x <= M: y^P spans at most (M + 2t)^P - M^P for P >= 1, as x^P is convex, and (2t)^P for
 * P < 1, as |a^P - b^P| <= |a - b|^P. */
static void power_bound(const ll_computation *how, arb_t out, const arb_t most, const arb_t t)
{
    static const ll_exact one = {{1}, {0}, {0}};
    arb_t end;
    arb_init(end);
    arb_mul_2exp_si(end, t, 1);
    if (ll_exact_cmp(ll_metric_parameter(how->metric), &one) >= 0) {
        arb_add(end, end, most, BOUND_PREC);
        arb_set(out, most);
        take_power(how, out, 0, BOUND_PREC);
        take_power(how, end, 0, BOUND_PREC);
        arb_sub(end, end, out, BOUND_PREC);
    } else {
        take_power(how, end, 0, BOUND_PREC);
    }
    arb_mul_2exp_si(out, end, -1);
    arb_clear(end);
}

void ll_link_get_bound(const ll_computation *how, arb_t out, const arb_t half, const arb_t most, long rows,
                       int exact_mean)
{
    arb_t number, t;
    arb_init(number);
    arb_init(t);
    ll_link_get_number(how, number, most, rows, BOUND_PREC);
    arb_set(t, number);
    if (!exact_mean)
        ll_link_add_roundoff(how, t, rows);
    arb_addmul_ui(t, half, 2, BOUND_PREC); /* the interval holds the number and is 2 half wide */
    arb_get_ubound_arf(arb_midref(t), t, BOUND_PREC);
    mag_zero(arb_radref(t));
    if (!exact_mean)
        ll_link_add_roundoff(how, t, rows);
    arb_get_rad_arb(t, t);
    arb_add(t, t, half, BOUND_PREC);
    if (ll_metric_is_sum(how->metric))
        power_bound(how, out, number, t);
    else {
        arb_set(out, t);
        undo_mean(how, out, rows, BOUND_PREC);
    }
    arb_get_ubound_arf(arb_midref(out), out, 64);
    mag_zero(arb_radref(out));
    arb_clear(number);
    arb_clear(t);
}

/* Numbers of neighbouring counts are nearest at the top for P >= 1, at the bottom for P < 1. */
void ll_link_get_step(const ll_computation *how, arb_t out, long rows)
{
    static const ll_exact one = {{1}, {0}, {0}};
    int at_top = ll_link_is_linear(how) || ll_exact_cmp(ll_metric_parameter(how->metric), &one) >= 0;
    arb_t below;
    arb_init(below);
    arb_set_si(below, at_top ? rows - 1 : 0);
    arb_set_si(out, at_top ? rows : 1);
    ll_link_get_number(how, below, below, rows, BOUND_PREC);
    ll_link_get_number(how, out, out, rows, BOUND_PREC);
    arb_sub(out, out, below, BOUND_PREC);
    arb_clear(below);
}

void ll_computation_sum_error(const ll_computation *how, mag_t out, long rows, const mag_t magnitude)
{
    long fraction = how->total.format.fraction_bits;
    int counted = ll_computation_counts(how) != 0 && (fraction >= 60 || rows <= 1L << (fraction + 1));
    mag_zero(out);
    if (how->kind != LL_KIND_EXACT && !counted)
        ll_sum_bound(out, how->order, rows, fraction, magnitude);
    if (how->kind != LL_KIND_EXACT && how->is_weighted) { /* every product is rounded, too, and then added up */
        mag_t part;
        mag_init(part);
        mag_mul_2exp_si(part, magnitude, -fraction);
        mag_add(out, out, part);
        mag_clear(part);
    }
}

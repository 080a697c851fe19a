/* How wide the interval of a text can be, and how far apart released numbers must be. Each step forward takes the size
 * of the number along, each step back the half width of the interval (docs/proofs/release.md). */
#include "release/release_private.h"

enum { PREC = 192 };

/* An upper bound as a point. */
static void take_upper(arb_t x)
{
    arb_get_ubound_arf(arb_midref(x), x, 128);
    mag_zero(arb_radref(x));
}

/* The radius that `units` roundings add: the interval holds a number of at most `size` and is 2 half wide, so that no
 * number of it is beyond size + 2 half. */
static void add_own(const ll_release *r, arb_t half, const arb_t size, double units, ll_allowance allowance)
{
    arb_t own;
    if (allowance != LL_STATED_AND_OWN)
        return;
    arb_init(own);
    arb_mul_2exp_si(own, half, 1);
    arb_add(own, own, size, PREC);
    take_upper(own);
    ll_release_add_roundoff(r, own, units);
    arb_get_rad_arb(own, own);
    arb_add(half, half, own, PREC);
    arb_clear(own);
}

/* The result of a step is rounded, so that it may be larger than the step makes it. */
static void step_forward(const ll_release *r, arb_t size, const ll_transform_step *step, ll_allowance allowance)
{
    if (step->row->is_exact)
        return;
    step->row->grow(size, &step->own, PREC);
    if (allowance == LL_STATED_AND_OWN)
        ll_release_add_roundoff(r, size, 1);
    take_upper(size);
}

static void step_back(const ll_release *r, arb_t half, const arb_t size, const ll_transform_step *step,
                      ll_allowance allowance)
{
    if (step->row->is_exact)
        return;
    add_own(r, half, size, 1, allowance);
    step->row->shrink(half, &step->own, size, PREC);
}

/* The place of the first digit that a number of at most `size` can have in its text: 9.96 rounds to 10. */
static long first_place(const ll_release *r, const arb_t size)
{
    long place = ll_release_leading_digit(size);
    if (!r->truncate) {
        arb_t rounded;
        arb_init(rounded);
        ll_release_power_of_ten(rounded, place + 1 - r->places, PREC);
        arb_mul_2exp_si(rounded, rounded, -1);
        arb_add(rounded, rounded, size, PREC);
        place = ll_release_leading_digit(rounded);
        arb_clear(rounded);
    }
    return place;
}

/* Half of the last place; where digits are cut off a text of 0 has both its neighbours. */
static void half_place(const ll_release *r, arb_t half, const arb_t size)
{
    if (r->rounding == LL_ROUND_NONE) {
        arb_zero(half);
        if (!r->is_float) {
            arb_one(half);
            arb_mul_2exp_si(half, half, -r->precision);
        }
        return;
    }
    long place = -(long)r->places;
    if (r->rounding == LL_ROUND_DIGITS) {
        if (!arb_is_finite(size) || arb_is_zero(size)) {
            arb_set(half, size);
            return;
        }
        place += first_place(r, size) + 1;
    }
    ll_release_power_of_ten(half, place, PREC);
    if (!r->truncate || (r->is_nonnegative && r->noise == NULL && ll_release_keeps_sign(r)))
        arb_mul_2exp_si(half, half, -1);
}

static void get_noise(const ll_release *r, arb_t out, double bound)
{
    arb_zero(out);
    if (ll_release_has_any_law(r))
        ll_exact_get_ball(out, &r->noise_size, PREC);
    else if (r->noise != NULL)
        arb_set_d(out, bound);
}

void ll_release_get_bound(const ll_release *r, arb_t out, const arb_t most, double bound, ll_allowance allowance)
{
    arb_t sizes[LL_RELEASE_STEPS + 1], noise;
    int steps = r->step_count;
    arb_init(noise);
    for (int i = 0; i <= steps; i++) {
        arb_init(sizes[i]);
        arb_set(sizes[i], i == 0 ? most : sizes[i - 1]);
        if (i > 0)
            step_forward(r, sizes[i], &r->steps[i - 1], allowance);
    }
    get_noise(r, noise, bound);
    arb_add(noise, noise, sizes[steps], PREC); /* what is rounded */
    if (r->noise != NULL && allowance == LL_STATED_AND_OWN)
        ll_release_add_roundoff(r, noise, 3);
    take_upper(noise);
    half_place(r, out, noise);
    if (r->rounding != LL_ROUND_NONE)
        add_own(r, out, noise, 1, allowance);
    if (r->noise != NULL) {
        add_own(r, out, noise, 3, allowance);
        get_noise(r, noise, bound);
        arb_add(out, out, noise, PREC);
    }
    for (int i = steps; i > 0; i--)
        step_back(r, out, sizes[i], &r->steps[i - 1], allowance);
    take_upper(out);
    for (int i = 0; i <= steps; i++)
        arb_clear(sizes[i]);
    arb_clear(noise);
}

static void least_after(const ll_release *r, arb_t difference, arb_t most, const ll_transform_step *step)
{
    arb_t own;
    step_forward(r, most, step, LL_STATED_AND_OWN);
    if (step->row->is_exact)
        return;
    step->row->apart(difference, &step->own, most, PREC);
    arb_init(own);
    add_own(r, own, most, 1, LL_STATED_AND_OWN);
    arb_mul_2exp_si(own, own, 1);
    arb_sub(difference, difference, own, PREC);
    arb_clear(own);
}

void ll_release_least_difference(const ll_release *r, arb_t difference, arb_t most)
{
    for (int i = 0; i < r->step_count; i++)
        least_after(r, difference, most, &r->steps[i]);
}

/* ---- the gap ---- */

void ll_release_gap_init(ll_release_gap *gap)
{
    *gap = (ll_release_gap){.is_rational = 1};
    arb_init(gap->ball);
    fmpq_init(gap->rational);
}

void ll_release_gap_clear(ll_release_gap *gap)
{
    arb_clear(gap->ball);
    fmpq_clear(gap->rational);
}

static void add_part(ll_release_gap *gap, const ll_exact *x, slong times, slong prec)
{
    arb_t ball;
    fmpq_t part;
    arb_init(ball);
    fmpq_init(part);
    ll_exact_get_ball(ball, x, prec);
    arb_addmul_si(gap->ball, ball, times, prec);
    gap->is_rational = gap->is_rational && ll_exact_get_fmpq(part, x);
    if (gap->is_rational) {
        fmpq_mul_si(part, part, times);
        fmpq_add(gap->rational, gap->rational, part);
    }
    arb_clear(ball);
    fmpq_clear(part);
}

ll_status ll_release_needed_gap(const ll_release *r, ll_release_gap *out, slong prec, ll_error *error)
{
    int noise = ll_release_has_any_law(r), grid = r->rounding == LL_ROUND_DECIMALS;
    if (!ll_release_is_bounded(r))
        return ll_fail(error, LL_DOMAIN, "noise without a bound: no gap is enough for it; bounded:TAU has one");
    if (r->has_ladder)
        return ll_fail(error, LL_DOMAIN, "the Ladder answers by its history: a gap is about one plain score");
    if (r->rounding == LL_ROUND_DIGITS)
        return ll_fail(error, LL_DOMAIN, "significant digits are no fixed grid; decimals are");
    out->given = noise || grid;
    out->strict = !noise && !r->truncate;
    if (noise)
        add_part(out, &r->noise_size, 2, prec);
    if (grid) {
        ll_exact step;
        ll_exact_init(&step);
        ll_exact_set_si(&step, 1);
        fmpz_set_si(step.two, -(slong)r->places);
        fmpz_set_si(step.five, -(slong)r->places);
        add_part(out, &step, 1, prec);
        ll_exact_clear(&step);
    }
    return LL_OK;
}

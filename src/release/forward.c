/* From a score to what is released: transform, noise, Ladder, rounding, text.
 *
 * Each step is a monotone function of the score, so the interval of the real program goes through it by its ends. In a
 * float format each step is computed in the format and rounded once (rounding is monotone too). An exact score is a
 * ball: a step that its two ends do not decide alike asks for a narrower one.
 *
 * Noise here is simulation noise, a function of seed and query number: it protects nobody. */
#include "number/value.h"
#include "release/release_private.h"

#include "number/arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void copy(ll_raw *out, const ll_raw *raw)
{
    out->is_float = raw->is_float;
    out->format = raw->format;
    arb_set(out->number, raw->number);
    arf_set(out->lower, raw->lower);
    arf_set(out->upper, raw->upper);
    out->is_rational = raw->is_rational;
    out->divisor = raw->divisor;
    out->spread = raw->spread;
    ll_exact_set(&out->sum, &raw->sum);
}

/* ---- transform ---- */

static void transform_float(arf_t x, const ll_format *format, const ll_transform *step)
{
    ll_arithmetic a;
    ll_value value;
    ll_arithmetic_set_format(&a, *format);
    a.ops->init(&a, &value);
    ll_format_set_arf(format, value.fpa, x);
    step->rounded(&a, &value);
    arf_set_mpfr(x, value.fpa);
    a.ops->clear(&a, &value);
}

static void apply_exact(ll_raw *raw, const ll_transform *step, slong bits)
{
    step->ball(raw->number, bits);
    step->rational(raw);
    ll_raw_ends(raw->lower, raw->upper, raw->number);
}

static ll_status apply_float(ll_raw *raw, const ll_transform *step, ll_error *error)
{
    arf_t number;
    arf_init(number);
    arf_set(number, arb_midref(raw->number));
    int negative = arf_sgn(number) < 0;
    if (step->needs_sign && arf_sgn(raw->lower) < 0) /* what the real program takes a root of is not negative */
        arf_zero(raw->lower);
    transform_float(number, &raw->format, step);
    transform_float(raw->lower, &raw->format, step);
    transform_float(raw->upper, &raw->format, step);
    arb_set_arf(raw->number, number);
    arf_clear(number);
    if (step->needs_sign && negative)
        return ll_fail(error, LL_DOMAIN, "%s", step->missing);
    if (step->turns)
        arf_swap(raw->lower, raw->upper);
    if (!arf_is_finite(raw->upper) || !arf_is_finite(raw->lower))
        return ll_fail(error, LL_DOMAIN, "the score overflows in its arithmetic");
    return LL_OK;
}

static ll_status apply_step(ll_raw *raw, const ll_transform *step, slong bits, ll_error *error)
{
    if (step->needs_sign && arf_sgn(raw->upper) < 0)
        return ll_fail(error, LL_DOMAIN, "%s", step->missing);
    if (raw->is_float)
        return apply_float(raw, step, error);
    apply_exact(raw, step, bits);
    return LL_OK;
}

ll_status ll_release_transform(const ll_release *r, ll_raw *raw, slong bits, ll_error *error)
{
    ll_status status = LL_OK;
    for (int i = 0; i < r->step_count && status == LL_OK; i++)
        status = apply_step(raw, r->steps[i], bits, error);
    return status;
}

/* ---- noise ---- */

/* x + size*units, each operation rounded to the format. */
static void add_float(arf_t x, const ll_format *format, const ll_exact *size, double units)
{
    ll_arithmetic a;
    ll_value value, noise, factor;
    ll_arithmetic_set_format(&a, *format);
    a.ops->init(&a, &value);
    a.ops->init(&a, &noise);
    a.ops->init(&a, &factor);
    ll_format_set_arf(format, value.fpa, x);
    ll_format_set_exact(format, noise.fpa, size);
    ll_format_set_d(format, factor.fpa, units);
    a.ops->mul(&a, &noise, &noise, &factor);
    a.ops->add(&a, &value, &value, &noise);
    arf_set_mpfr(x, value.fpa);
    a.ops->clear(&a, &value);
    a.ops->clear(&a, &noise);
    a.ops->clear(&a, &factor);
}

static void add_ball(ll_raw *raw, const ll_release *r, double units, int bounded)
{
    arb_t noise, scaled;
    arf_t end;
    slong prec = ll_raw_precision(raw->number) + r->precision;
    arb_init(noise);
    arb_init(scaled);
    arf_init(end);
    ll_exact_get_ball(noise, &r->noise_size, prec);
    arb_set_d(scaled, units);
    arb_mul(scaled, scaled, noise, prec);
    arb_add(raw->number, raw->number, scaled, prec);
    if (bounded) {
        arb_get_ubound_arf(end, noise, prec);
        arf_sub(raw->lower, raw->lower, end, prec, ARF_RND_FLOOR);
        arf_add(raw->upper, raw->upper, end, prec, ARF_RND_CEIL);
    }
    arb_clear(noise);
    arb_clear(scaled);
    arf_clear(end);
}

/* Noise is drawn and added in fp64 where the score is fp32 or fp64, else in the score's format. */
static ll_status add_noise(ll_raw *raw, const ll_release *r, const ll_release_state *state, ll_error *error)
{
    int bounded = ll_release_has_any_law(r);
    if (r->noise == NULL)
        return LL_OK;
    double units = r->noise->draw(r->draw, state->seed, (uint64_t)state->answered);
    if (ll_release_follows_spread(r))
        units *= raw->spread;
    raw->is_rational = 0;
    if (!raw->is_float) {
        add_ball(raw, r, units, bounded);
        return LL_OK;
    }
    raw->format = ll_release_text_format(r);
    add_float(arb_midref(raw->number), &raw->format, &r->noise_size, units);
    if (bounded) {
        add_float(raw->lower, &raw->format, &r->noise_size, -1);
        add_float(raw->upper, &raw->format, &r->noise_size, 1);
    }
    if (!arb_is_finite(raw->number) || !arf_is_finite(raw->lower) || !arf_is_finite(raw->upper))
        return ll_fail(error, LL_DOMAIN, "the score with its noise overflows in its arithmetic");
    return LL_OK;
}

/* ---- what is handed over ---- */

void ll_score_clear(ll_score *score)
{
    ll_score *all = ll_value_whole(score, sizeof *all);
    if (all == NULL)
        return;
    free(all->text);
    free(all->lower);
    free(all->upper);
    ll_value_reset(score);
}

static ll_status finish_text(ll_score *out, ll_score *made, int text_only, ll_status status, ll_error *error)
{
    if (status == LL_OK && (!made->text || (!text_only && (!made->lower || !made->upper))))
        status = ll_fail(error, LL_MEMORY, "no memory for the text of a score, or an exponent too large to write out");
    if (status != LL_OK) {
        ll_score_clear(made);
        return status;
    }
    ll_score_clear(out);
    status = ll_value_give(out, made, sizeof *made, error);
    if (status != LL_OK)
        ll_score_clear(made);
    return status;
}

/* An exact score without noise is one number: what is released is then also the interval. */
static int is_one_number(const ll_release *r, const ll_raw *raw)
{
    return !raw->is_float && r->rounding != LL_ROUND_NONE && r->noise == NULL;
}

static ll_status plain_release(const ll_release *r, const ll_release_state *state, ll_score *out, const ll_raw *raw,
                               int *undecided, ll_error *error)
{
    ll_score made;
    int bounded = ll_release_is_bounded(r);
    ll_score_init(&made);
    ll_status status = ll_text_number(r, &made.text, raw, undecided);
    if (made.text && is_one_number(r, raw)) {
        made.lower = strdup(made.text);
        made.upper = strdup(made.text);
    } else if (!state->text_only) {
        made.lower = ll_text_end(r, raw, raw->lower, LL_TO_BELOW, bounded);
        made.upper = ll_text_end(r, raw, raw->upper, LL_TO_ABOVE, bounded);
    }
    return finish_text(out, &made, state->text_only, status, error);
}

/* ---- Ladder ---- */

static void flip(ll_raw *raw)
{
    arb_neg(raw->number, raw->number);
    arf_neg(raw->lower, raw->lower);
    arf_neg(raw->upper, raw->upper);
    arf_swap(raw->lower, raw->upper);
}

static ll_status ladder_release(const ll_release *r, ll_release_state *state, ll_score *out, ll_raw *raw,
                                int *undecided, ll_error *error)
{
    int flipped = ll_release_is_better_high(r);
    ll_ladder next;
    ll_score made;
    ll_ladder_init(&next);
    ll_score_init(&made);
    if (flipped)
        flip(raw);
    ll_status status = ll_ladder_answer(&next, &state->ladder, raw->number, raw->lower, raw->upper, &r->ladder);
    if (status == LL_UNABLE) {
        *undecided = !raw->is_float;
        ll_fail(error, LL_UNABLE, "the score is too large, or too close to a step of the Ladder, to be answered");
    }
    if (status == LL_OK) {
        made.text = ll_text_multiple(r, next.best);
        made.lower = ll_text_multiple(r, flipped ? next.best_high : next.best_low);
        made.upper = ll_text_multiple(r, flipped ? next.best_low : next.best_high);
    }
    status = finish_text(out, &made, 0, status, error);
    if (status == LL_OK)
        ll_ladder_set(&state->ladder, &next);
    ll_ladder_clear(&next);
    return status;
}

/* ---- all of it ---- */

ll_status ll_release_forward(const ll_release *r, ll_release_state *state, ll_score *out, const ll_raw *raw, slong bits,
                             int *undecided, ll_error *error)
{
    ll_raw work;
    ll_raw_init(&work);
    copy(&work, raw);
    *undecided = 0;
    ll_status status = ll_release_transform(r, &work, bits, error);
    /* 2^-(P+1) of the ball and 0.05 * 2^-P of the digits written (ll_text_exact_decimals) are less than 2^-P. */
    if (status == LL_OK && !work.is_float && mag_cmp_2exp_si(arb_radref(work.number), -r->precision - 1) > 0) {
        *undecided = 1;
        status = LL_UNABLE;
    }
    if (status == LL_OK)
        status = add_noise(&work, r, state, error);
    if (status == LL_OK)
        status = r->has_ladder ? ladder_release(r, state, out, &work, undecided, error)
                               : plain_release(r, state, out, &work, undecided, error);
    ll_raw_clear(&work);
    return status;
}

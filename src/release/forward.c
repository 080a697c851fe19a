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

static void copy(ll_unreleased *out, const ll_unreleased *unreleased)
{
    out->is_float = unreleased->is_float;
    out->format = unreleased->format;
    arb_set(out->number, unreleased->number);
    arf_set(out->lower, unreleased->lower);
    arf_set(out->upper, unreleased->upper);
    out->is_rational = unreleased->is_rational;
    out->divisor = unreleased->divisor;
    out->spread = unreleased->spread;
    ll_exact_set(&out->sum, &unreleased->sum);
}

/* ---- transform ---- */

static void transform_float(arf_t x, const ll_format *format, const ll_transform_step *step)
{
    ll_arithmetic a;
    ll_value value;
    ll_arithmetic_set_format(&a, *format);
    a.ops->init(&a, &value);
    ll_format_set_arf(format, value.fpa, x);
    step->row->rounded(&a, &value, &step->own);
    arf_set_mpfr(x, value.fpa);
    a.ops->clear(&a, &value);
}

static void apply_exact(ll_unreleased *unreleased, const ll_transform_step *step, slong bits)
{
    step->row->ball(unreleased->number, &step->own, bits);
    step->row->rational(unreleased, &step->own);
    ll_unreleased_ends(unreleased->lower, unreleased->upper, unreleased->number);
}

static ll_status apply_float(ll_unreleased *unreleased, const ll_transform_step *step, ll_error *error)
{
    arf_t number;
    arf_init(number);
    arf_set(number, arb_midref(unreleased->number));
    int negative = arf_sgn(number) < 0;
    if (step->row->needs_sign &&
        arf_sgn(unreleased->lower) < 0) /* what the real program takes a root of is not negative */
        arf_zero(unreleased->lower);
    transform_float(number, &unreleased->format, step);
    transform_float(unreleased->lower, &unreleased->format, step);
    transform_float(unreleased->upper, &unreleased->format, step);
    arb_set_arf(unreleased->number, number);
    arf_clear(number);
    if (step->row->needs_sign && negative)
        return ll_fail(error, LL_DOMAIN, "%s", step->row->missing);
    if (ll_transform_step_turns(step))
        arf_swap(unreleased->lower, unreleased->upper);
    if (!arf_is_finite(unreleased->upper) || !arf_is_finite(unreleased->lower))
        return ll_fail(error, LL_DOMAIN, "the score overflows in its arithmetic");
    return LL_OK;
}

static ll_status apply_step(ll_unreleased *unreleased, const ll_transform_step *step, slong bits, ll_error *error)
{
    if (step->row->needs_sign && arf_sgn(unreleased->upper) < 0)
        return ll_fail(error, LL_DOMAIN, "%s", step->row->missing);
    if (unreleased->is_float)
        return apply_float(unreleased, step, error);
    apply_exact(unreleased, step, bits);
    return LL_OK;
}

ll_status ll_release_transform(const ll_release *r, ll_unreleased *unreleased, slong bits, ll_error *error)
{
    ll_status status = LL_OK;
    for (int i = 0; i < r->step_count && status == LL_OK; i++)
        status = apply_step(unreleased, &r->steps[i], bits, error);
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

static void add_ball(ll_unreleased *unreleased, const ll_release *r, double units, int bounded)
{
    arb_t noise, scaled;
    arf_t end;
    slong prec = ll_unreleased_precision(unreleased->number) + r->precision;
    arb_init(noise);
    arb_init(scaled);
    arf_init(end);
    ll_exact_get_ball(noise, &r->noise_size, prec);
    arb_set_d(scaled, units);
    arb_mul(scaled, scaled, noise, prec);
    arb_add(unreleased->number, unreleased->number, scaled, prec);
    if (bounded) {
        arb_get_ubound_arf(end, noise, prec);
        arf_sub(unreleased->lower, unreleased->lower, end, prec, ARF_RND_FLOOR);
        arf_add(unreleased->upper, unreleased->upper, end, prec, ARF_RND_CEIL);
    }
    arb_clear(noise);
    arb_clear(scaled);
    arf_clear(end);
}

/* Noise is drawn and added in fp64 where the score is fp32 or fp64, else in the score's format. */
static ll_status add_noise(ll_unreleased *unreleased, const ll_release *r, const ll_release_state *state,
                           ll_error *error)
{
    int bounded = ll_release_has_any_law(r);
    if (r->noise == NULL)
        return LL_OK;
    double units = r->noise->draw(r->draw, state->seed, (uint64_t)state->answered);
    if (ll_release_follows_spread(r))
        units *= unreleased->spread;
    unreleased->is_rational = 0;
    if (!unreleased->is_float) {
        add_ball(unreleased, r, units, bounded);
        return LL_OK;
    }
    unreleased->format = ll_release_text_format(r);
    add_float(arb_midref(unreleased->number), &unreleased->format, &r->noise_size, units);
    if (bounded) {
        add_float(unreleased->lower, &unreleased->format, &r->noise_size, -1);
        add_float(unreleased->upper, &unreleased->format, &r->noise_size, 1);
    }
    if (!arb_is_finite(unreleased->number) || !arf_is_finite(unreleased->lower) || !arf_is_finite(unreleased->upper))
        return ll_fail(error, LL_DOMAIN, "the score with its noise overflows in its arithmetic");
    return LL_OK;
}

/* ---- the range of a float ---- */

int ll_release_overflows(const ll_release *r, const ll_format *format, double least, double most)
{
    ll_unreleased ends;
    ll_unreleased_init(&ends);
    ends.is_float = 1;
    ends.format = *format;
    arb_set_d(ends.number, most);
    arf_set_d(ends.lower, least);
    arf_set_d(ends.upper, most);
    ll_status status = ll_release_transform(r, &ends, 0, NULL);
    if (status == LL_OK && r->noise != NULL && ll_release_has_any_law(r)) {
        ends.format = ll_release_text_format(r);
        add_float(ends.lower, &ends.format, &r->noise_size, -1);
        add_float(ends.upper, &ends.format, &r->noise_size, 1);
    }
    int overflows = !arf_is_finite(ends.lower) || !arf_is_finite(ends.upper);
    ll_unreleased_clear(&ends);
    return overflows;
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
static int is_one_number(const ll_release *r, const ll_unreleased *unreleased)
{
    return !unreleased->is_float && r->rounding != LL_ROUND_NONE && r->noise == NULL;
}

static ll_status plain_release(const ll_release *r, const ll_release_state *state, ll_score *out,
                               const ll_unreleased *unreleased, int *undecided, ll_error *error)
{
    ll_score made;
    int bounded = ll_release_is_bounded(r);
    ll_score_init(&made);
    ll_status status = ll_text_number(r, &made.text, unreleased, undecided);
    if (made.text && is_one_number(r, unreleased)) {
        made.lower = strdup(made.text);
        made.upper = strdup(made.text);
    } else if (!state->text_only) {
        made.lower = ll_text_end(r, unreleased, unreleased->lower, LL_TO_BELOW, bounded);
        made.upper = ll_text_end(r, unreleased, unreleased->upper, LL_TO_ABOVE, bounded);
    }
    return finish_text(out, &made, state->text_only, status, error);
}

/* ---- Ladder ---- */

static void flip(ll_unreleased *unreleased)
{
    arb_neg(unreleased->number, unreleased->number);
    arf_neg(unreleased->lower, unreleased->lower);
    arf_neg(unreleased->upper, unreleased->upper);
    arf_swap(unreleased->lower, unreleased->upper);
}

/* The levels of an account's height; the best one is the lowest. */
static void set_best(const ll_release *r, ll_ladder *next)
{
    next->answered = 1;
    ll_levels_get(&r->levels, next->best, next->height.level);
    ll_levels_get(&r->levels, next->best_low, next->height.high);
    ll_levels_get(&r->levels, next->best_high, next->height.low);
}

static ll_status answer_levels(const ll_release *r, ll_ladder *next, const ll_ladder *ladder,
                               const ll_unreleased *unreleased)
{
    ll_status status = ll_levels_answer(&r->levels, &next->height, &ladder->height, unreleased->number,
                                        unreleased->lower, unreleased->upper, &r->ladder, r->improvements);
    set_best(r, next);
    return status;
}

/* The answer is the new best, which the account keeps. */
static ll_status show_best(const ll_release *r, ll_release_state *state, ll_score *out, const ll_ladder *next,
                           ll_error *error)
{
    int flipped = ll_release_is_better_high(r);
    ll_score made;
    ll_score_init(&made);
    made.text = ll_text_multiple(r, next->best);
    made.lower = ll_text_multiple(r, flipped ? next->best_high : next->best_low);
    made.upper = ll_text_multiple(r, flipped ? next->best_low : next->best_high);
    ll_status status = finish_text(out, &made, 0, LL_OK, error);
    if (status == LL_OK)
        ll_ladder_set(&state->ladder, next);
    return status;
}

static ll_status ladder_release(const ll_release *r, ll_release_state *state, ll_score *out, ll_unreleased *unreleased,
                                int *undecided, ll_error *error)
{
    ll_ladder next;
    ll_ladder_init(&next);
    if (ll_release_is_better_high(r))
        flip(unreleased);
    ll_status status = ll_release_has_levels(r) ? answer_levels(r, &next, &state->ladder, unreleased)
                                                : ll_ladder_answer(&next, &state->ladder, unreleased->number,
                                                                   unreleased->lower, unreleased->upper, &r->ladder);
    if (status == LL_UNABLE) {
        *undecided = !unreleased->is_float;
        ll_fail(error, LL_UNABLE, "the score is too large, or too close to a step of the Ladder, to be answered");
    }
    if (status == LL_OK)
        status = show_best(r, state, out, &next, error);
    ll_ladder_clear(&next);
    return status;
}

ll_status ll_release_stay(const ll_release *r, ll_release_state *state, ll_score *out, ll_error *error)
{
    ll_ladder next;
    ll_ladder_init(&next);
    next.height = state->ladder.height;
    set_best(r, &next);
    ll_status status = show_best(r, state, out, &next, error);
    ll_ladder_clear(&next);
    return status;
}

/* ---- all of it ---- */

ll_status ll_release_forward(const ll_release *r, ll_release_state *state, ll_score *out,
                             const ll_unreleased *unreleased, slong bits, int *undecided, ll_error *error)
{
    ll_unreleased work;
    ll_unreleased_init(&work);
    copy(&work, unreleased);
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
    ll_unreleased_clear(&work);
    return status;
}

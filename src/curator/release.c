/* From a score to what is released: transform, noise, Ladder, rounding, text.
 *
 * Each step is a monotone function of the score, so the interval of the real program goes through it by its ends. In a
 * float format each step is computed in the format and rounded once (rounding is monotone too). An exact score is a
 * ball: a step that its two ends do not decide alike asks for a narrower one.
 *
 * Noise here is simulation noise, a function of seed and query number: it protects nobody. */
#include "curator/curator.h"
#include "curator/decimal.h"
#include "number/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ll_raw_init(ll_raw *raw)
{
    raw->is_float = 0;
    raw->format = (ll_format){11, 52};
    arb_init(raw->number);
    arf_init(raw->lower);
    arf_init(raw->upper);
    raw->is_rational = 0;
    raw->divisor = 1;
    ll_exact_init(&raw->sum);
}

void ll_raw_clear(ll_raw *raw)
{
    arb_clear(raw->number);
    arf_clear(raw->lower);
    arf_clear(raw->upper);
    ll_exact_clear(&raw->sum);
}

static void copy(ll_raw *out, const ll_raw *raw)
{
    out->is_float = raw->is_float;
    out->format = raw->format;
    arb_set(out->number, raw->number);
    arf_set(out->lower, raw->lower);
    arf_set(out->upper, raw->upper);
    out->is_rational = raw->is_rational;
    out->divisor = raw->divisor;
    ll_exact_set(&out->sum, &raw->sum);
}

/* Enough bits for the midpoint and for its distance to the radius, so that nothing is lost beside the radius. */
static slong precision_of(const arb_t x)
{
    slong prec = arb_bits(x) + 128;
    if (arf_is_special(arb_midref(x)) || mag_is_zero(arb_radref(x)))
        return prec;
    fmpz_t gap;
    fmpz_init(gap);
    fmpz_sub(gap, ARF_EXPREF(arb_midref(x)), MAG_EXPREF(arb_radref(x)));
    if (fmpz_sgn(gap) > 0 && fmpz_bits(gap) < 30)
        prec += fmpz_get_si(gap);
    fmpz_clear(gap);
    return prec;
}

void ll_raw_ends(arf_t low, arf_t high, const arb_t x)
{
    arb_get_interval_arf(low, high, x, precision_of(x));
}

/* ---- transform ---- */

static void transform_float(arf_t x, const ll_format *format, ll_transform transform)
{
    mpfr_t value, hundred;
    ll_format_init(format, value);
    ll_format_init(format, hundred);
    ll_format_set_arf(format, value, x);
    ll_format_set_d(format, hundred, 100);
    if (transform == LL_NEGATE)
        ll_format_neg(format, value, value);
    else if (transform == LL_ROOT)
        ll_format_sqrt(format, value, value);
    else
        ll_format_mul(format, value, value, hundred);
    arf_set_mpfr(x, value);
    mpfr_clear(value);
    mpfr_clear(hundred);
}

static void transform_ball(arb_t x, ll_transform transform)
{
    slong prec = precision_of(x);
    if (transform == LL_NEGATE)
        arb_neg(x, x);
    else if (transform == LL_ROOT)
        arb_sqrtpos(x, x, prec);
    else
        arb_mul_ui(x, x, 100, prec);
}

static void transform_rational(ll_raw *raw, ll_transform transform)
{
    if (transform == LL_NEGATE)
        fmpz_neg(raw->sum.mantissa, raw->sum.mantissa);
    else if (transform == LL_PERCENT)
        fmpz_mul_ui(raw->sum.mantissa, raw->sum.mantissa, 100);
    else
        raw->is_rational = 0;
}

static ll_status apply_transform(ll_raw *raw, ll_transform transform, ll_error *error)
{
    if (transform == LL_IDENTITY)
        return LL_OK;
    if (transform == LL_ROOT && arf_sgn(raw->upper) < 0)
        return ll_fail(error, LL_DOMAIN, "the score is negative: it has no root");
    if (!raw->is_float) {
        transform_ball(raw->number, transform);
        transform_rational(raw, transform);
        ll_raw_ends(raw->lower, raw->upper, raw->number);
        return LL_OK;
    }
    if (transform == LL_ROOT && arf_sgn(raw->lower) < 0) /* what the real program takes a root of is not negative */
        arf_zero(raw->lower);
    if (transform == LL_ROOT && arf_sgn(arb_midref(raw->number)) < 0)
        return ll_fail(error, LL_DOMAIN, "the score is negative: it has no root");
    transform_float(arb_midref(raw->number), &raw->format, transform);
    transform_float(raw->lower, &raw->format, transform);
    transform_float(raw->upper, &raw->format, transform);
    if (transform == LL_NEGATE)
        arf_swap(raw->lower, raw->upper);
    if (!arf_is_finite(raw->upper) || !arf_is_finite(raw->lower))
        return ll_fail(error, LL_DOMAIN, "the score overflows in its arithmetic");
    return LL_OK;
}

/* ---- noise ---- */

/* In units of its size; bounded noise stays below 1 by 2^-52. */
static double draw(const ll_scorer *scorer, long query)
{
    const double most = 1 - 0x1p-52;
    uint64_t stream = (uint64_t)query;
    switch (scorer->noise) {
    case LL_NOISE_GAUSSIAN:
        return ll_random_gaussian(scorer->seed, stream, 0);
    case LL_NOISE_LAPLACE:
        return ll_random_laplace(scorer->seed, stream, 0);
    default:
        break;
    }
    if (scorer->draw == LL_DRAW_UNIFORM)
        return (2 * ll_random_uniform(scorer->seed, stream, 0) - 1) * most;
    return scorer->draw == LL_DRAW_PLUS ? most : -most;
}

static void add_float(arf_t x, const ll_format *format, const ll_exact *size, double units)
{
    mpfr_t value, noise, factor;
    ll_format_init(format, value);
    ll_format_init(format, noise);
    mpfr_init2(factor, 53);
    mpfr_set_d(factor, units, MPFR_RNDN);
    ll_format_set_exact(format, noise, size);
    ll_format_mul(format, noise, noise, factor);
    ll_format_set_arf(format, value, x);
    ll_format_add(format, value, value, noise);
    arf_set_mpfr(x, value);
    mpfr_clear(value);
    mpfr_clear(noise);
    mpfr_clear(factor);
}

static void add_ball(ll_raw *raw, const ll_resolved *resolved, double units, int bounded)
{
    arb_t noise, scaled;
    arf_t end;
    slong prec = precision_of(raw->number) + resolved->precision;
    arb_init(noise);
    arb_init(scaled);
    arf_init(end);
    ll_exact_get_ball(noise, &resolved->noise, prec);
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
static ll_status add_noise(ll_raw *raw, const ll_curator *curator, ll_error *error)
{
    const ll_scorer *scorer = &curator->scorer;
    const ll_exact *size = &curator->resolved.noise;
    int bounded = scorer->noise == LL_NOISE_BOUNDED;
    if (scorer->noise == LL_NOISE_NONE)
        return LL_OK;
    double units = draw(scorer, curator->answered);
    raw->is_rational = 0;
    if (!raw->is_float) {
        add_ball(raw, &curator->resolved, units, bounded);
        return LL_OK;
    }
    if (curator->resolved.kind == LL_KIND_NATIVE)
        raw->format = (ll_format){11, 52};
    add_float(arb_midref(raw->number), &raw->format, size, units);
    if (bounded) {
        add_float(raw->lower, &raw->format, size, -1);
        add_float(raw->upper, &raw->format, size, 1);
    }
    if (!arb_is_finite(raw->number) || !arf_is_finite(raw->lower) || !arf_is_finite(raw->upper))
        return ll_fail(error, LL_DOMAIN, "the score with its noise overflows in its arithmetic");
    return LL_OK;
}

/* ---- text ---- */

static char *round_text(const ll_scorer *scorer, const arf_t x)
{
    ll_direction direction = scorer->truncate ? LL_TO_ZERO : LL_TO_NEAREST;
    slong decimals = scorer->places;
    char *text = NULL;
    fmpz_t k;
    fmpz_init(k);
    if (scorer->rounding == LL_ROUND_DECIMALS) {
        if (ll_decimal_scale(k, x, decimals, direction) == LL_OK)
            text = ll_decimal_plain(k, decimals);
    } else if (ll_decimal_digits(k, &decimals, x, scorer->places, direction) == LL_OK) {
        text = ll_decimal_short(k, decimals);
    }
    fmpz_clear(k);
    return text;
}

/* k*10^-decimals compared with x: is it on the side that the direction asks for? */
static int is_outward(const fmpz_t k, slong decimals, const arf_t x, ll_direction direction)
{
    ll_exact decimal, value;
    ll_exact_init(&decimal);
    ll_exact_init(&value);
    fmpz_set(decimal.mantissa, k);
    fmpz_set_si(decimal.two, -decimals);
    fmpz_set_si(decimal.five, -decimals);
    int side = ll_exact_set_arf(&value, x) == LL_OK ? ll_exact_cmp(&decimal, &value) : 0;
    ll_exact_clear(&decimal);
    ll_exact_clear(&value);
    return direction == LL_TO_BELOW ? side <= 0 : direction == LL_TO_ABOVE ? side >= 0 : 1;
}

static char *hex_text(const arf_t x)
{
    ll_exact value;
    ll_exact_init(&value);
    char *text = ll_exact_set_arf(&value, x) == LL_OK ? ll_exact_get_text(&value) : NULL;
    ll_exact_clear(&value);
    return text;
}

/* A value of a float format: the shortest text that reads back, unless an end of an interval needs the other side. */
static char *float_text(const ll_format *format, const arf_t x, ll_direction direction)
{
    int is_double = format->fraction_bits <= 52 && format->exponent_bits <= 11;
    slong decimals = 0, digits = is_double ? 17 : 3 + (slong)((double)format->fraction_bits * 0.30103);
    ll_status status = LL_OK;
    fmpz_t k;
    fmpz_init(k);
    if (is_double)
        ll_decimal_shortest(k, &decimals, arf_get_d(x, ARF_RND_NEAR));
    if (!is_double || !is_outward(k, decimals, x, direction))
        status = ll_decimal_digits(k, &decimals, x, digits, direction);
    char *text = status == LL_OK ? ll_decimal_short(k, decimals) : hex_text(x);
    fmpz_clear(k);
    return text;
}

static char *exact_text(const ll_resolved *resolved, const arf_t x, ll_direction direction)
{
    slong decimals = 2 + (slong)((double)resolved->precision * 0.30103);
    char *text = NULL;
    fmpz_t k;
    fmpz_init(k);
    if (ll_decimal_scale(k, x, decimals, direction) == LL_OK)
        text = ll_decimal_plain(k, decimals);
    fmpz_clear(k);
    return text;
}

/* One number of a score as text: rounded as the scorer says where `rounded`, else as it is. */
static char *value_text(const ll_curator *curator, const ll_raw *raw, const arf_t x, ll_direction direction,
                        int rounded)
{
    if (rounded && curator->scorer.rounding != LL_ROUND_NONE)
        return round_text(&curator->scorer, x);
    return raw->is_float ? float_text(&raw->format, x, direction) : exact_text(&curator->resolved, x, direction);
}

/* sum/divisor = M*2^a*5^b/divisor rounded: M*2^a in steps of divisor*10^-decimals*5^-b. */
static char *rational_text(const ll_scorer *scorer, const ll_raw *raw)
{
    slong decimals = scorer->places;
    char *text = NULL;
    ll_exact step;
    arf_t x;
    fmpz_t k;
    ll_exact_init(&step);
    arf_init(x);
    fmpz_init(k);
    ll_status status = LL_OK;
    if (scorer->rounding == LL_ROUND_DIGITS)
        status = ll_decimal_digits(k, &decimals, arb_midref(raw->number), scorer->places, LL_TO_NEAREST);
    ll_exact_set_si(&step, raw->divisor);
    fmpz_sub_si(step.two, step.two, decimals);
    fmpz_sub_si(step.five, step.five, decimals);
    fmpz_sub(step.five, step.five, raw->sum.five);
    arf_set_fmpz_2exp(x, raw->sum.mantissa, raw->sum.two);
    if (status == LL_OK && ll_decimal_round(k, x, &step, scorer->truncate ? LL_TO_ZERO : LL_TO_NEAREST) == LL_OK)
        text = scorer->rounding == LL_ROUND_DIGITS ? ll_decimal_short(k, decimals) : ll_decimal_plain(k, decimals);
    fmpz_clear(k);
    arf_clear(x);
    ll_exact_clear(&step);
    return text;
}

/* The text of a ball: both ends must round alike, unless the score is known as a rational number. */
static ll_status number_text(const ll_curator *curator, char **out, const ll_raw *raw, int *undecided)
{
    if (raw->is_float || curator->scorer.rounding == LL_ROUND_NONE) {
        *out = value_text(curator, raw, arb_midref(raw->number), LL_TO_NEAREST, 1);
        return LL_OK;
    }
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    ll_raw_ends(low, high, raw->number);
    char *other = round_text(&curator->scorer, high);
    *out = round_text(&curator->scorer, low);
    arf_clear(low);
    arf_clear(high);
    ll_status status = LL_OK;
    int differ = *out && other && strcmp(*out, other) != 0;
    if (differ && raw->is_rational) {
        free(*out);
        *out = rational_text(&curator->scorer, raw);
    } else if (differ) {
        *undecided = 1;
        status = LL_UNABLE;
    }
    free(other);
    return status;
}

static ll_status finish_text(ll_score *out, ll_score *made, ll_status status, ll_error *error)
{
    if (status == LL_OK && (!made->text || !made->lower || !made->upper))
        status = ll_fail(error, LL_MEMORY, "no memory for the text of a score, or an exponent too large to write out");
    if (status != LL_OK) {
        ll_score_clear(made);
        return status;
    }
    ll_score_clear(out);
    *out = *made;
    return LL_OK;
}

/* An exact score without noise is one number: what is released is then also the interval. */
static int is_one_number(const ll_curator *curator, const ll_raw *raw)
{
    return !raw->is_float && curator->scorer.rounding != LL_ROUND_NONE && curator->scorer.noise == LL_NOISE_NONE;
}

static ll_status plain_release(const ll_curator *curator, ll_score *out, const ll_raw *raw, int *undecided,
                               ll_error *error)
{
    ll_score made;
    int bounded = curator->scorer.noise == LL_NOISE_NONE || curator->scorer.noise == LL_NOISE_BOUNDED;
    ll_score_init(&made);
    ll_status status = number_text(curator, &made.text, raw, undecided);
    if (made.text && is_one_number(curator, raw)) {
        made.lower = strdup(made.text);
        made.upper = strdup(made.text);
    } else {
        made.lower = value_text(curator, raw, raw->lower, LL_TO_BELOW, bounded);
        made.upper = value_text(curator, raw, raw->upper, LL_TO_ABOVE, bounded);
    }
    return finish_text(out, &made, status, error);
}

/* ---- Ladder ---- */

/* k * step in full; where the scorer also rounds, rounded. */
static char *ladder_text(const ll_curator *curator, const fmpz_t k)
{
    const ll_exact *step = &curator->resolved.ladder;
    slong two = fmpz_get_si(step->two), five = fmpz_get_si(step->five), decimals = two < five ? -two : -five;
    char *text = NULL;
    fmpz_t value, power;
    fmpz_init(value);
    fmpz_init(power);
    if (decimals < 0)
        decimals = 0;
    fmpz_mul(value, k, step->mantissa);
    fmpz_mul_2exp(value, value, (ulong)(two + decimals));
    fmpz_set_ui(power, 5);
    fmpz_pow_ui(power, power, (ulong)(five + decimals));
    fmpz_mul(value, value, power);
    if (curator->scorer.rounding == LL_ROUND_NONE) {
        text = ll_decimal_short(value, decimals);
    } else {
        arf_t rounded; /* a double is near enough to a multiple of the step for any sensible number of places */
        arf_init(rounded);
        arf_set_fmpz(rounded, value);
        fmpz_set_ui(power, 10);
        fmpz_pow_ui(power, power, (ulong)decimals);
        arf_div_fmpz(rounded, rounded, power, 53 + 4 * decimals, ARF_RND_NEAR);
        text = round_text(&curator->scorer, rounded);
        arf_clear(rounded);
    }
    fmpz_clear(value);
    fmpz_clear(power);
    return text;
}

static void flip(ll_raw *raw)
{
    arb_neg(raw->number, raw->number);
    arf_neg(raw->lower, raw->lower);
    arf_neg(raw->upper, raw->upper);
    arf_swap(raw->lower, raw->upper);
}

static char *signed_ladder_text(const ll_curator *curator, const fmpz_t k)
{
    fmpz_t value;
    fmpz_init_set(value, k);
    if (curator->resolved.higher_is_better)
        fmpz_neg(value, value);
    char *text = ladder_text(curator, value);
    fmpz_clear(value);
    return text;
}

static ll_status ladder_release(ll_curator *curator, ll_score *out, ll_raw *raw, int *undecided, ll_error *error)
{
    int flipped = curator->resolved.higher_is_better;
    ll_ladder next;
    ll_score made;
    ll_ladder_init(&next);
    ll_score_init(&made);
    if (flipped)
        flip(raw);
    ll_status status =
        ll_ladder_answer(&next, &curator->ladder, raw->number, raw->lower, raw->upper, &curator->resolved.ladder);
    if (status == LL_UNABLE) {
        *undecided = !raw->is_float;
        ll_fail(error, LL_UNABLE, "the score is too large, or too close to a step of the Ladder, to be answered");
    }
    if (status == LL_OK) {
        made.text = signed_ladder_text(curator, next.best);
        made.lower = signed_ladder_text(curator, flipped ? next.best_high : next.best_low);
        made.upper = signed_ladder_text(curator, flipped ? next.best_low : next.best_high);
    }
    status = finish_text(out, &made, status, error);
    if (status == LL_OK)
        ll_ladder_set(&curator->ladder, &next);
    ll_ladder_clear(&next);
    return status;
}

/* ---- all of it ---- */

ll_status ll_release(ll_curator *curator, ll_score *out, const ll_raw *raw, int *undecided, ll_error *error)
{
    ll_raw work;
    ll_raw_init(&work);
    copy(&work, raw);
    *undecided = 0;
    ll_status status = apply_transform(&work, curator->scorer.transform, error);
    if (status == LL_OK && !work.is_float &&
        mag_cmp_2exp_si(arb_radref(work.number), -curator->resolved.precision) > 0) {
        *undecided = 1;
        status = LL_UNABLE;
    }
    if (status == LL_OK)
        status = add_noise(&work, curator, error);
    if (status == LL_OK)
        status = curator->scorer.ladder ? ladder_release(curator, out, &work, undecided, error)
                                        : plain_release(curator, out, &work, undecided, error);
    ll_raw_clear(&work);
    return status;
}

/* A released number as text: rounded as the scorer says, or the shortest that reads back, or all digits that an exact
 * score is good for. Rounding is decided on the true value, in integers. */
#include "release/release_private.h"

#include <stdlib.h>
#include <string.h>

static char *round_text(const ll_release *r, const arf_t x)
{
    ll_direction direction = r->truncate ? LL_TO_ZERO : LL_TO_NEAREST;
    slong decimals = r->places;
    char *text = NULL;
    fmpz_t k;
    fmpz_init(k);
    if (r->rounding == LL_ROUND_DECIMALS) {
        if (ll_decimal_scale(k, x, decimals, direction) == LL_OK)
            text = ll_decimal_plain(k, decimals);
    } else if (ll_decimal_digits(k, &decimals, x, r->places, direction) == LL_OK) {
        text = ll_decimal_short(k, decimals);
    }
    fmpz_clear(k);
    return text;
}

/* k*10^-decimals compared with x: is it on the side that the direction asks for? */
static int is_outward(const fmpz_t k, slong decimals, const arf_t x, ll_direction direction)
{
    if (direction == LL_TO_NEAREST)
        return 1;
    ll_exact decimal, value;
    ll_exact_init(&decimal);
    ll_exact_init(&value);
    fmpz_set(decimal.mantissa, k);
    fmpz_set_si(decimal.two, -decimals);
    fmpz_set_si(decimal.five, -decimals);
    int side = ll_exact_set_arf(&value, x) == LL_OK ? ll_exact_cmp(&decimal, &value) : 0;
    ll_exact_clear(&decimal);
    ll_exact_clear(&value);
    return direction == LL_TO_BELOW ? side <= 0 : side >= 0;
}

/* Is k*10^-decimals nearer to x than to any other value of the format? */
static int reads_back(const ll_format *format, const fmpz_t k, slong decimals, const arf_t x)
{
    ll_exact decimal;
    arf_t back;
    ll_exact_init(&decimal);
    arf_init(back);
    fmpz_set(decimal.mantissa, k);
    fmpz_set_si(decimal.two, -decimals);
    fmpz_set_si(decimal.five, -decimals);
    int same = ll_format_nearest(format, back, &decimal) && arf_equal(back, x);
    ll_exact_clear(&decimal);
    arf_clear(back);
    return same;
}

/* As many digits as keep an end on its side and yet read back as it: what is cut off is at most a unit of the last. */
static ll_status outward_digits(fmpz_t k, slong *decimals, const ll_format *format, const arf_t x, slong digits,
                                ll_direction direction)
{
    enum { MORE = 4 };
    ll_status status = LL_OK;
    for (slong more = 0; more < MORE; more++) {
        status = ll_decimal_digits(k, decimals, x, digits + more, direction);
        if (status != LL_OK || reads_back(format, k, *decimals, x))
            break;
    }
    return status;
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
        status = outward_digits(k, &decimals, format, x, digits, direction);
    char *text = status == LL_OK ? ll_decimal_short(k, decimals) : ll_exact_get_arf_text(x);
    fmpz_clear(k);
    return text;
}

long ll_text_exact_decimals(const ll_release *r)
{
    return 2 + (long)((double)r->precision * 0.30103);
}

static char *exact_text(const ll_release *r, const arf_t x, ll_direction direction)
{
    slong decimals = ll_text_exact_decimals(r);
    char *text = NULL;
    fmpz_t k;
    fmpz_init(k);
    if (ll_decimal_scale(k, x, decimals, direction) == LL_OK)
        text = ll_decimal_plain(k, decimals);
    fmpz_clear(k);
    return text;
}

char *ll_text_end(const ll_release *r, const ll_unreleased *unreleased, const arf_t x, ll_direction direction,
                  int rounded)
{
    if (rounded && r->rounding != LL_ROUND_NONE)
        return round_text(r, x);
    return unreleased->is_float ? float_text(&unreleased->format, x, direction) : exact_text(r, x, direction);
}

/* sum/divisor = M*2^a*5^b/divisor rounded: M*2^a in steps of divisor*10^-decimals*5^-b. */
static char *rational_text(const ll_release *r, const ll_exact *sum, long divisor)
{
    slong decimals = r->places;
    int digits = r->rounding == LL_ROUND_DIGITS;
    char *text = NULL;
    ll_exact step;
    arb_t x;
    fmpz_t k;
    ll_exact_init(&step);
    arb_init(x);
    fmpz_init(k);
    ll_exact_get_ball(x, sum, 128);
    arb_div_si(x, x, divisor, 128);
    ll_status status = digits ? ll_decimal_digits(k, &decimals, arb_midref(x), r->places, LL_TO_NEAREST) : LL_OK;
    ll_exact_set_si(&step, divisor);
    fmpz_sub_si(step.two, step.two, decimals);
    fmpz_sub_si(step.five, step.five, decimals);
    fmpz_sub(step.five, step.five, sum->five);
    arf_set_fmpz_2exp(arb_midref(x), sum->mantissa, sum->two);
    if (status == LL_OK)
        status = ll_decimal_round(k, arb_midref(x), &step, r->truncate ? LL_TO_ZERO : LL_TO_NEAREST);
    if (status == LL_OK)
        text = digits ? ll_decimal_short(k, decimals) : ll_decimal_plain(k, decimals);
    fmpz_clear(k);
    arb_clear(x);
    ll_exact_clear(&step);
    return text;
}

/* The text of a ball: both ends must round alike, unless the score is known as a rational number. */
ll_status ll_text_number(const ll_release *r, char **out, const ll_unreleased *unreleased, int *undecided)
{
    if (unreleased->is_float || r->rounding == LL_ROUND_NONE) {
        *out = ll_text_end(r, unreleased, arb_midref(unreleased->number), LL_TO_NEAREST, 1);
        return LL_OK;
    }
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    ll_unreleased_ends(low, high, unreleased->number);
    char *other = round_text(r, high);
    *out = round_text(r, low);
    arf_clear(low);
    arf_clear(high);
    ll_status status = LL_OK;
    int differ = *out && other && strcmp(*out, other) != 0;
    if (differ && unreleased->is_rational) {
        free(*out);
        *out = rational_text(r, &unreleased->sum, unreleased->divisor);
    } else if (differ) {
        *undecided = 1;
        status = LL_UNABLE;
    }
    free(other);
    return status;
}

/* ---- Ladder ---- */

/* k*step as a decimal of `decimals` places: step = M*2^a*5^b, and 10^decimals takes both powers. */
static char *full_text(const ll_exact *value)
{
    slong two = fmpz_get_si(value->two), five = fmpz_get_si(value->five), decimals = two < five ? -two : -five;
    fmpz_t k, power;
    fmpz_init(k);
    fmpz_init(power);
    if (decimals < 0)
        decimals = 0;
    fmpz_mul_2exp(k, value->mantissa, (ulong)(two + decimals));
    fmpz_set_ui(power, 5);
    fmpz_pow_ui(power, power, (ulong)(five + decimals));
    fmpz_mul(k, k, power);
    char *text = ll_decimal_short(k, decimals);
    fmpz_clear(k);
    fmpz_clear(power);
    return text;
}

char *ll_text_multiple(const ll_release *r, const fmpz_t k)
{
    ll_exact value;
    ll_exact_init(&value);
    ll_exact_set(&value, &r->ladder);
    fmpz_mul(value.mantissa, value.mantissa, k);
    if (ll_release_is_better_high(r))
        fmpz_neg(value.mantissa, value.mantissa);
    char *text = r->rounding == LL_ROUND_NONE ? full_text(&value) : rational_text(r, &value, 1);
    ll_exact_clear(&value);
    return text;
}

char *ll_release_level_text(const ll_release *r, long level)
{
    fmpz_t k;
    fmpz_init(k);
    ll_levels_get(&r->levels, k, level);
    char *text = ll_text_multiple(r, k);
    fmpz_clear(k);
    return text;
}

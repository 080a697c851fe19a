/* Decimal text from binary numbers. x = m*2^e and step = M*2^A*5^B give x/step = m*2^(e-A) / (M*5^B): two integers and
 * one division with remainder decide every rounding, ties among it. */
#include "release/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST (WORD(1) << 28)

/* 0 where |x| is beyond LONGEST. */
static int small_exponent(slong *out, const fmpz_t x)
{
    if (COEFF_IS_MPZ(*x) || *x > LONGEST || *x < -LONGEST)
        return 0;
    *out = (slong)*x;
    return 1;
}

static void divide(fmpz_t k, const fmpz_t numerator, const fmpz_t denominator, ll_direction direction)
{
    fmpz_t remainder;
    fmpz_init(remainder);
    if (direction == LL_TO_ZERO)
        fmpz_tdiv_q(k, numerator, denominator);
    else if (direction == LL_TO_ABOVE)
        fmpz_cdiv_q(k, numerator, denominator);
    else
        fmpz_fdiv_qr(k, remainder, numerator, denominator);
    if (direction == LL_TO_NEAREST) {
        fmpz_mul_2exp(remainder, remainder, 1);
        int side = fmpz_cmp(remainder, denominator);
        if (side > 0 || (side == 0 && fmpz_is_odd(k)))
            fmpz_add_ui(k, k, 1);
    }
    fmpz_clear(remainder);
}

/* 0 < |x / step| < 1/4: no quotient is needed. */
static void round_tiny(fmpz_t k, int sign, ll_direction direction)
{
    fmpz_zero(k);
    if (direction == LL_TO_BELOW && sign < 0)
        fmpz_set_si(k, -1);
    if (direction == LL_TO_ABOVE && sign > 0)
        fmpz_one(k);
}

static void scale_by_five(fmpz_t numerator, fmpz_t denominator, slong five)
{
    fmpz_t power;
    fmpz_init(power);
    fmpz_set_ui(power, 5);
    fmpz_pow_ui(power, power, five < 0 ? -(ulong)five : (ulong)five);
    if (five < 0)
        fmpz_mul(numerator, numerator, power);
    else
        fmpz_mul(denominator, denominator, power);
    fmpz_clear(power);
}

static ll_status round_parts(fmpz_t k, const fmpz_t m, const fmpz_t shift, const ll_exact *step, ll_direction direction)
{
    slong two, five;
    if (!small_exponent(&five, step->five))
        return LL_UNABLE;
    fmpz_t numerator, denominator;
    fmpz_init_set(numerator, m);
    fmpz_init_set(denominator, step->mantissa);
    scale_by_five(numerator, denominator, five);
    ll_status status = LL_OK;
    /* |numerator|/denominator < 2^(bits(numerator) - bits(denominator) + 1): below 2^-2 with the shift. */
    slong excess = (slong)fmpz_bits(numerator) - (slong)fmpz_bits(denominator);
    if (fmpz_cmp_si(shift, -excess - 3) < 0) {
        round_tiny(k, fmpz_sgn(m), direction);
    } else if (!small_exponent(&two, shift)) {
        status = LL_UNABLE;
    } else {
        if (two >= 0)
            fmpz_mul_2exp(numerator, numerator, (ulong)two);
        else
            fmpz_mul_2exp(denominator, denominator, (ulong)-two);
        divide(k, numerator, denominator, direction);
    }
    fmpz_clear(numerator);
    fmpz_clear(denominator);
    return status;
}

ll_status ll_decimal_round(fmpz_t k, const arf_t x, const ll_exact *step, ll_direction direction)
{
    if (arf_is_zero(x)) {
        fmpz_zero(k);
        return LL_OK;
    }
    fmpz_t m, shift;
    fmpz_init(m);
    fmpz_init(shift);
    arf_get_fmpz_2exp(m, shift, x);
    fmpz_sub(shift, shift, step->two);
    ll_status status = round_parts(k, m, shift, step, direction);
    fmpz_clear(m);
    fmpz_clear(shift);
    return status;
}

ll_status ll_decimal_scale(fmpz_t k, const arf_t x, slong decimals, ll_direction direction)
{
    ll_exact step;
    ll_exact_init(&step);
    fmpz_one(step.mantissa);
    fmpz_set_si(step.two, -decimals);
    fmpz_set_si(step.five, -decimals);
    ll_status status = ll_decimal_round(k, x, &step, direction);
    ll_exact_clear(&step);
    return status;
}

ll_status ll_decimal_digits(fmpz_t k, slong *decimals, const arf_t x, slong digits, ll_direction direction)
{
    slong exponent;
    *decimals = 0;
    fmpz_zero(k);
    if (arf_is_zero(x))
        return LL_OK;
    if (!small_exponent(&exponent, ARF_EXPREF(x)))
        return LL_UNABLE;
    fmpz_t limit;
    fmpz_init(limit);
    fmpz_set_ui(limit, 10);
    fmpz_pow_ui(limit, limit, (ulong)digits);
    /* 2^(exponent-1) <= |x| < 2^exponent: the first guess never has too few digits, and at most two too many. */
    *decimals = digits - (slong)floor((double)exponent * 0.30102999566398120);
    ll_status status;
    while ((status = ll_decimal_scale(k, x, *decimals, direction)) == LL_OK && fmpz_cmpabs(k, limit) >= 0)
        --*decimals;
    fmpz_clear(limit);
    return status;
}

static void strip_zeros(fmpz_t k, slong *decimals)
{
    while (!fmpz_is_zero(k) && fmpz_divisible_si(k, 10)) {
        fmpz_divexact_ui(k, k, 10);
        --*decimals;
    }
}

/* A decimal of at most DBL_DIG digits that reads back as a normal x is what x rounds to at DBL_DIG digits, less zeros.
 */
void ll_decimal_shortest(fmpz_t k, slong *decimals, double x)
{
    arf_t value;
    ll_exact back;
    arf_init(value);
    ll_exact_init(&back);
    arf_set_d(value, x);
    for (slong digits = fpclassify(x) == FP_NORMAL ? DBL_DIG : 1; digits <= DBL_DECIMAL_DIG; ++digits) {
        if (ll_decimal_digits(k, decimals, value, digits, LL_TO_NEAREST) != LL_OK)
            break;
        fmpz_set(back.mantissa, k);
        fmpz_set_si(back.two, -*decimals);
        fmpz_set_si(back.five, -*decimals);
        if (ll_exact_get_d(&back) == x)
            break;
    }
    strip_zeros(k, decimals);
    ll_exact_clear(&back);
    arf_clear(value);
}

/* The digits of |k|. */
static char *digits_of(const fmpz_t k, size_t *length)
{
    fmpz_t absolute;
    fmpz_init(absolute);
    fmpz_abs(absolute, k);
    char *text = malloc(fmpz_sizeinbase(absolute, 10) + 2);
    if (text) {
        fmpz_get_str(text, 10, absolute);
        *length = strlen(text);
    }
    fmpz_clear(absolute);
    return text;
}

static char *put(char *end, const char *text, size_t length)
{
    memcpy(end, text, length);
    return end + length;
}

static char *put_zeros(char *end, size_t count)
{
    memset(end, '0', count);
    return end + count;
}

static char *place_point(const char *digits, size_t length, int negative, slong decimals)
{
    size_t after = decimals > 0 ? (size_t)decimals : 0, tail = decimals < 0 ? (size_t)-decimals : 0;
    char *text = malloc(length + after + tail + 4), *end = text;
    if (!text)
        return NULL;
    if (negative)
        *end++ = '-';
    size_t whole = length > after ? length - after : 0;
    end = whole ? put(end, digits, whole) : put_zeros(end, 1);
    end = put_zeros(end, tail);
    if (after) {
        *end++ = '.';
        end = put_zeros(end, length < after ? after - length : 0);
        end = put(end, digits + whole, length - whole);
    }
    *end = '\0';
    return text;
}

char *ll_decimal_plain(const fmpz_t k, slong decimals)
{
    size_t length = 0;
    char *digits = digits_of(k, &length);
    if (!digits)
        return NULL;
    char *text = place_point(digits, length, fmpz_sgn(k) < 0, fmpz_is_zero(k) && decimals < 0 ? 0 : decimals);
    free(digits);
    return text;
}

static char *place_exponent(const char *digits, size_t length, int negative, slong exponent)
{
    char *text = malloc(length + 32), *end = text;
    if (!text)
        return NULL;
    if (negative)
        *end++ = '-';
    *end++ = digits[0];
    if (length > 1) {
        *end++ = '.';
        end = put(end, digits + 1, length - 1);
    }
    (void)snprintf(end, 24, "e%+03ld", (long)exponent);
    return text;
}

char *ll_decimal_short(const fmpz_t k, slong decimals)
{
    size_t length = 0;
    char *digits = digits_of(k, &length);
    if (!digits)
        return NULL;
    while (length > 1 && digits[length - 1] == '0') {
        --length;
        --decimals;
    }
    int negative = fmpz_sgn(k) < 0;
    slong exponent = (slong)length - 1 - decimals;
    char *text = fmpz_is_zero(k)                  ? place_point("0", 1, 0, 0)
                 : exponent < -5 || exponent > 16 ? place_exponent(digits, length, negative, exponent)
                                                  : place_point(digits, length, negative, decimals);
    free(digits);
    return text;
}

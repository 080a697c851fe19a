/* Exact numbers from and to text. Reading checks the whole text before it converts anything; conversion is
 * GMP's, whose time is nearly linear, so that ten million digits of mantissa or exponent are ordinary. */
#include "number/exact.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Where the parts of a checked text lie. */
typedef struct {
    const char *whole, *fraction, *exponent; /* digits; exponent NULL where there is none */
    size_t whole_length, fraction_length, exponent_length;
    int base, negative, exponent_negative;
} parts;

static int is_digit(char c, int base)
{
    if (c >= '0' && c <= '9')
        return 1;
    return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

/* The digits from *at on, and *at behind them. */
static size_t take_digits(const char **at, const char *end, int base)
{
    const char *start = *at;
    while (*at < end && is_digit(**at, base))
        ++*at;
    return (size_t)(*at - start);
}

/* 1 for a minus sign, 0 for a plus sign or none. */
static int take_sign(const char **at, const char *end)
{
    if (*at == end || (**at != '-' && **at != '+'))
        return 0;
    return *(*at)++ == '-';
}

static int take_letter(const char **at, const char *end, char letter)
{
    if (*at == end || (**at | 0x20) != letter)
        return 0;
    ++*at;
    return 1;
}

static int take_prefix(const char **at, const char *end)
{
    if (end - *at < 2 || (*at)[0] != '0' || ((*at)[1] | 0x20) != 'x')
        return 0;
    *at += 2;
    return 1;
}

/* [sign] [0x] digits [. digits] [e|p [sign] decimal digits], with at least one digit on either side of the point. */
static int split(parts *out, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    out->negative = take_sign(&at, end);
    out->base = take_prefix(&at, end) ? 16 : 10;
    out->whole = at;
    out->whole_length = take_digits(&at, end, out->base);
    if (at < end && *at == '.')
        at++;
    out->fraction = at;
    out->fraction_length = at > out->whole + out->whole_length ? take_digits(&at, end, out->base) : 0;
    if (out->whole_length + out->fraction_length == 0)
        return 0;
    out->exponent = NULL;
    if (take_letter(&at, end, out->base == 16 ? 'p' : 'e')) {
        out->exponent_negative = take_sign(&at, end);
        out->exponent = at;
        out->exponent_length = take_digits(&at, end, 10);
        if (out->exponent_length == 0)
            return 0;
    }
    return at == end;
}

enum { SHORT_TEXT = 128 };

/* The integer written by two runs of digits, one behind the other. */
static ll_status join_digits(fmpz_t out, const char *first, size_t first_length, const char *second,
                             size_t second_length, int base)
{
    char on_stack[SHORT_TEXT];
    size_t length = first_length + second_length;
    char *joined = length < SHORT_TEXT ? on_stack : malloc(length + 1);
    if (joined == NULL)
        return LL_MEMORY;
    memcpy(joined, first, first_length);
    memcpy(joined + first_length, second, second_length);
    joined[length] = '\0';
    fmpz_set_str(out, joined, base);
    if (joined != on_stack)
        free(joined);
    return LL_OK;
}

static ll_status convert_exponent(fmpz_t out, const parts *p)
{
    fmpz_zero(out);
    if (p->exponent == NULL)
        return LL_OK;
    ll_status status = join_digits(out, p->exponent, p->exponent_length, "", 0, 10);
    if (p->exponent_negative)
        fmpz_neg(out, out);
    return status;
}

/* out must be initialised; on failure its value is arbitrary. */
static ll_status convert(ll_exact *out, const parts *p)
{
    ll_status status = join_digits(out->mantissa, p->whole, p->whole_length, p->fraction, p->fraction_length, p->base);
    if (status == LL_OK)
        status = convert_exponent(out->two, p);
    if (status != LL_OK)
        return status;
    if (p->negative)
        fmpz_neg(out->mantissa, out->mantissa);
    if (p->base == 16) {
        fmpz_sub_ui(out->two, out->two, 4 * p->fraction_length);
        fmpz_zero(out->five);
    } else {
        fmpz_sub_ui(out->two, out->two, p->fraction_length);
        fmpz_set(out->five, out->two);
    }
    ll_exact_reduce(out);
    return LL_OK;
}

ll_status ll_exact_set_text(ll_exact *out, const char *text, size_t length)
{
    parts p;
    if (!split(&p, text, length))
        return LL_DOMAIN;
    ll_exact x;
    ll_exact_init(&x);
    ll_status status = convert(&x, &p);
    if (status == LL_OK) {
        fmpz_swap(out->mantissa, x.mantissa);
        fmpz_swap(out->two, x.two);
        fmpz_swap(out->five, x.five);
    }
    ll_exact_clear(&x);
    return status;
}

/* ---- writing */

/* x->mantissa times base^k, for a k that leaves a text that memory can hold. */
static int multiply_power(ll_exact *x, ulong base, const fmpz_t k)
{
    if (fmpz_cmp_si(k, LONG_MAX / 64) > 0)
        return 0;
    fmpz_t power;
    fmpz_init_set_ui(power, base);
    fmpz_pow_ui(power, power, fmpz_get_ui(k));
    fmpz_mul(x->mantissa, x->mantissa, power);
    fmpz_clear(power);
    return 1;
}

/* sign, prefix, first digit, point, other digits, letter, exponent: in memory of malloc. */
static char *assemble(const char *prefix, const char *digits, const char *point, char letter, const fmpz_t exponent)
{
    char *number = fmpz_get_str(NULL, 10, exponent);
    size_t negative = digits[0] == '-', size = strlen(prefix) + strlen(digits) + strlen(number) + 5;
    char *text = malloc(size), *at = text;
    if (text != NULL) {
        if (negative)
            *at++ = '-';
        at = stpcpy(at, prefix);
        *at++ = digits[negative];
        at = stpcpy(at, digits[negative + 1] == '\0' ? "" : point);
        at = stpcpy(at, digits + negative + 1);
        *at++ = letter;
        if (fmpz_sgn(exponent) >= 0)
            *at++ = '+';
        memcpy(at, number, strlen(number) + 1);
    }
    flint_free(number);
    return text;
}

/* An odd mantissa, shifted so that one bit stands before the point and whole hexadecimal digits behind it. */
static char *write_hexadecimal(ll_exact *x)
{
    slong bits = (slong)fmpz_bits(x->mantissa);
    if (bits > 0) {
        fmpz_add_si(x->two, x->two, bits - 1);
        fmpz_mul_2exp(x->mantissa, x->mantissa, (ulong)(-(bits - 1) & 3));
    }
    char *digits = fmpz_get_str(NULL, 16, x->mantissa);
    char *text = assemble("0x", digits, ".", 'p', x->two);
    flint_free(digits);
    return text;
}

/* Integer digits and the smaller of both exponents; the other's excess goes into the digits. */
static char *write_decimal(ll_exact *x)
{
    fmpz_t excess;
    fmpz_init(excess);
    fmpz_sub(excess, x->two, x->five);
    int twos = fmpz_sgn(excess) >= 0;
    fmpz_abs(excess, excess);
    char *text = NULL;
    if (multiply_power(x, twos ? 2 : 5, excess)) {
        char *digits = fmpz_get_str(NULL, 10, x->mantissa);
        text = assemble("", digits, "", 'e', twos ? x->five : x->two);
        flint_free(digits);
    }
    fmpz_clear(excess);
    return text;
}

char *ll_exact_get_text(const ll_exact *x)
{
    ll_exact reduced;
    char *text;
    ll_exact_init(&reduced);
    ll_exact_set(&reduced, x);
    ll_exact_reduce(&reduced);
    if (ll_exact_is_dyadic(&reduced) && multiply_power(&reduced, 5, reduced.five))
        text = write_hexadecimal(&reduced);
    else
        text = write_decimal(&reduced);
    ll_exact_clear(&reduced);
    return text;
}

char *ll_exact_get_arf_text(const arf_t x)
{
    ll_exact value;
    ll_exact_init(&value);
    char *text = ll_exact_set_arf(&value, x) == LL_OK ? ll_exact_get_text(&value) : NULL;
    ll_exact_clear(&value);
    return text;
}

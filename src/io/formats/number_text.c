#include "io/formats/number_text.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int is_digit(char c, int hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* Past the digits at text[i]. */
static size_t skip_digits(const char *text, size_t length, size_t i, int hexadecimal)
{
    while (i < length && is_digit(text[i], hexadecimal))
        i++;
    return i;
}

static int is_not_finite(const char *text, size_t length)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (int i = 0; i < 3; i++)
        if (length == strlen(words[i]) && strncasecmp(text, words[i], length) == 0)
            return 1;
    return 0;
}

ll_io_number_kind ll_io_number_scan(const char *text, size_t length)
{
    size_t i = length > 0 && (text[0] == '+' || text[0] == '-');
    if (is_not_finite(text + i, length - i))
        return LL_IO_NOT_FINITE;
    int hexadecimal = length - i >= 2 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X');
    i += hexadecimal ? 2 : 0;
    size_t whole = skip_digits(text, length, i, hexadecimal), end = whole;
    if (whole < length && text[whole] == '.')
        end = skip_digits(text, length, whole + 1, hexadecimal);
    int digits = whole > i || end > whole + 1;
    i = end;
    if (digits && i < length && tolower((unsigned char)text[i]) == (hexadecimal ? 'p' : 'e')) {
        i += i + 1 < length && (text[i + 1] == '+' || text[i + 1] == '-') ? 2 : 1;
        end = skip_digits(text, length, i, 0);
        digits = end > i;
        i = end;
    }
    return digits && i == length ? LL_IO_NUMBER : LL_IO_NO_NUMBER;
}

/* ---- short decimals ---- */

enum { MOST_DIGITS = 19, MOST_PLACES = 27 }; /* 10^19 < 2^64, 5^27 < 2^63 */

#define SAME(x) (x)
/* 2^(63 + b) / x, rounded down, where x > 1 has b bits: from 2^63 on, below 2^64. */
#define INVERSE(x) (uint64_t)(((unsigned __int128)1 << (127 - __builtin_clzll(x))) / (x))
#define TIMES_5(f, x) f(x), f(5 * (x)), f(25 * (x))
#define TIMES_125(f, x) TIMES_5(f, x), TIMES_5(f, 125 * (x)), TIMES_5(f, 15625 * (x))
#define TABLE(f)                                                                                                       \
    {                                                                                                                  \
        TIMES_125(f, UINT64_C(1)), TIMES_125(f, UINT64_C(1953125)), TIMES_125(f, UINT64_C(3814697265625)),             \
            f(UINT64_C(7450580596923828125))                                                                           \
    }

static const uint64_t powers_of_5[] = TABLE(SAME), inverses_of_5[] = TABLE(INVERSE);

static int bit_length(unsigned __int128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* 2^exponent, of a normal double. */
static double power_of_2(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* digits / 10^places, to the nearest double, ties to even. With digits * 2^s of 127 bits the quotient by 5^places has at
 * least 64 bits, so 53 of them, the rest and whether there is a remainder decide the rounding; all of it is exact. */
static double divide(uint64_t digits, int places)
{
    uint64_t divisor = powers_of_5[places];
    int shift = 127 - bit_length(digits);
    unsigned __int128 wide = (unsigned __int128)digits << shift, quotient = wide / divisor;
    int has_rest = quotient * divisor != wide, drop = bit_length(quotient) - 53;
    uint64_t kept = (uint64_t)(quotient >> drop);
    unsigned __int128 half = (unsigned __int128)1 << (drop - 1), lost = quotient & (2 * half - 1);
    kept += lost > half || (lost == half && (has_rest || (kept & 1)));
    return (double)kept * power_of_2(drop - shift - places);
}

/* The same by a product with the inverse, whose upper half is too small by less than 2 units, and by less than 4 where it is
 * shifted to have its highest bit: it is divided where the 11 bits behind the first 53 can lie on both sides of their half. */
static inline double scale(uint64_t digits, int places)
{
    if (digits == 0 || places == 0)
        return (double)digits;
    int shift = __builtin_clzll(digits), bits = 64 - __builtin_clzll(powers_of_5[places]);
    uint64_t high = (uint64_t)((unsigned __int128)(digits << shift) * inverses_of_5[places] >> 64);
    int more = (int)(~high >> 63);
    high <<= more;
    if ((high & 2047) - 1021 <= 1024 - 1021)
        return divide(digits, places);
    return (double)(int64_t)(high >> 1 | (high & 1)) * power_of_2(2 - more - shift - bits - places);
}

/* 8 characters, the first in the lowest byte; digits become their values. */
static uint64_t read_eight(const char *c)
{
    uint64_t x;
    memcpy(&x, c, sizeof x);
    return le64toh(x) ^ 0x3030303030303030u;
}

/* A bit in the first byte that is no digit, and perhaps in bytes behind it. */
static uint64_t find_others(uint64_t x)
{
    return ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
}

/* The number that 8 digits are, the first in the lowest byte, all at once: pairs, then fours, then eight. */
static uint64_t join_eight(uint64_t digits)
{
    digits = 10 * digits + (digits >> 8);
    return ((digits & 0xff000000ffu) * (100 + (UINT64_C(1000000) << 32)) +
            (digits >> 16 & 0xff000000ffu) * (1 + (UINT64_C(10000) << 32))) >>
           32;
}

static const uint64_t powers_of_10[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* The digits of x before the first other character, behind those that are there. */
static const char *add_first(uint64_t *digits, const char *c, uint64_t x, uint64_t others)
{
    int count = __builtin_ctzll(others) >> 3, shift = 4 * (8 - count);
    *digits = powers_of_10[count] * *digits + join_eight(x << shift << shift);
    return c + count;
}

/* Past the digits at c, which are added behind the others, modulo 2^64. */
static const char *add_each(uint64_t *digits, const char *c, const char *end)
{
    for (; c < end && (unsigned char)(*c - '0') <= 9; c++)
        *digits = 10 * *digits + (uint64_t)(*c - '0');
    return c;
}

/* The same, eight bytes at a time. */
static const char *add_digits(uint64_t *digits, const char *c, const char *end)
{
    for (; end - c >= 8; c += 8) {
        uint64_t x = read_eight(c), others = find_others(x);
        if (others != 0)
            return add_first(digits, c, x, others);
        *digits = 100000000 * *digits + join_eight(x);
    }
    return add_each(digits, c, end);
}

/* 0. and 16 to 19 digits, as most programs write most probabilities: without a loop. NULL: it is something else. */
static inline const char *read_usual(double *out, const char *c, const char *end)
{
    if (end - c < 26 || c[0] != '0' || c[1] != '.')
        return NULL;
    uint64_t x = read_eight(c + 2), y = read_eight(c + 10), z = read_eight(c + 18), others = find_others(z);
    if ((find_others(x) | find_others(y)) != 0 || (others & 0xffffffffu) == 0)
        return NULL;
    uint64_t digits = 100000000 * join_eight(x) + join_eight(y);
    const char *last = add_first(&digits, c + 18, z, others);
    *out = scale(digits, (int)(last - c) - 2);
    return last;
}

/* Zeros before the first other digit. */
static long count_leading(const char *c, const char *end)
{
    long zeros = 0;
    for (; c < end && (*c == '0' || *c == '.'); c++)
        zeros += *c == '0';
    return zeros;
}

static const char *read_positive(double *out, const char *text, const char *end)
{
    const char *usual = read_usual(out, text, end);
    if (usual != NULL)
        return usual;
    uint64_t digits = 0;
    const char *point = add_each(&digits, text, end), *last = point;
    int has_point = point < end && *point == '.';
    if (has_point)
        last = add_digits(&digits, point + 1, end);
    long count = last - text - has_point, places = last - point - has_point;
    if (count < 1 || places > MOST_PLACES || (count > MOST_DIGITS && count - count_leading(text, last) > MOST_DIGITS))
        return NULL;
    *out = scale(digits, (int)places);
    return last;
}

const char *ll_io_number_read(double *out, const char *text, const char *end)
{
    if (text == end || *text != '-')
        return read_positive(out, text, end);
    const char *last = read_positive(out, text + 1, end);
    if (last != NULL)
        *out = -*out;
    return last;
}

int ll_io_number_short(double *out, const char *text, size_t length)
{
    double value;
    int is_short = ll_io_number_read(&value, text, text + length) == text + length;
    if (is_short)
        *out = value;
    return is_short;
}

double ll_io_number_double(const char *text, locale_t locale)
{
    return strtod_l(text, NULL, locale);
}

int ll_io_number_integer(int64_t *out, const char *text, locale_t locale)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (*end != '\0') {
        double number = strtod_l(text, NULL, locale);
        if (number != floor(number) || fabs(number) > 9007199254740992.0) /* 2^53: beyond it doubles skip integers */
            return 0;
        value = (long long)number;
        errno = 0;
    }
    *out = value;
    return errno == 0;
}

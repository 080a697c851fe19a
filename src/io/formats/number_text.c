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

#define TIMES_5(x) x, 5 * (x), 25 * (x)
#define TIMES_125(x) TIMES_5(x), TIMES_5(125 * (x)), TIMES_5(15625 * (x))

static const uint64_t powers_of_5[] = {TIMES_125(UINT64_C(1)), TIMES_125(UINT64_C(1953125)),
                                       TIMES_125(UINT64_C(3814697265625)), UINT64_C(7450580596923828125)};

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

/* The number that 8 digits are, all at once: pairs, then fours, then eight; 0 where one of them is no digit. */
static int read_eight(uint64_t *out, const char *text)
{
    uint64_t x;
    memcpy(&x, text, sizeof x);
    x = le64toh(x);
    uint64_t above = (x & 0xf0f0f0f0f0f0f0f0u) | ((x + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4;
    if (above != 0x3333333333333333u)
        return 0;
    x -= 0x3030303030303030u;
    x = 10 * x + (x >> 8);
    *out = ((x & 0xff000000ffu) * (100 + (UINT64_C(1000000) << 32)) +
            (x >> 16 & 0xff000000ffu) * (1 + (UINT64_C(10000) << 32))) >>
           32;
    return 1;
}

int ll_io_number_short(double *out, const char *text, size_t length)
{
    int is_negative = length > 0 && text[0] == '-', places = 0, count = 0;
    const char *point = NULL, *end = text + length;
    uint64_t digits = 0, eight;
    for (const char *c = text + is_negative; c < end; c++) {
        while (end - c > 8 && count <= MOST_DIGITS - 8 && read_eight(&eight, c)) {
            digits = 100000000 * digits + eight;
            count += 8;
            places += point != NULL ? 8 : 0;
            c += 8;
        }
        unsigned digit = (unsigned)((unsigned char)*c - '0');
        if (digit <= 9 && count < MOST_DIGITS) {
            digits = 10 * digits + digit;
            count += digits != 0;
            places += point != NULL;
        } else if (*c == '.' && point == NULL)
            point = c;
        else
            return 0;
    }
    if (end - text - is_negative - (point != NULL) < 1 || places > MOST_PLACES)
        return 0;
    double value = digits == 0 ? 0 : divide(digits, places);
    *out = is_negative ? -value : value;
    return 1;
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

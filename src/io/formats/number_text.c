#include "io/formats/number_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
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

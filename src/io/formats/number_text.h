/* Numbers as text: optional sign, decimal or hexadecimal digits with at most one point, optional exponent, nothing
 * else. */
#ifndef LL_IO_NUMBER_TEXT_H
#define LL_IO_NUMBER_TEXT_H

#include "lossleak.h"

#include <locale.h>

typedef enum { LL_IO_NUMBER, LL_IO_NOT_FINITE, LL_IO_NO_NUMBER } ll_io_number_kind;

/* LL_IO_NOT_FINITE: nan, inf, infinity in any case, with a sign or not. */
ll_io_number_kind ll_io_number_scan(const char *text, size_t length);

/* The nearest double, ties to even, whatever the locale of the program; text must be LL_IO_NUMBER and end in NUL, and
 * locale is the C locale's. May be infinite, where the number is too large. */
double ll_io_number_double(const char *text, locale_t locale);

/* The same for short decimal numbers, faster: 0 where the text has an exponent, more than 19 digits or 27 behind the
 * point, or is no number; then *out is unchanged. */
int ll_io_number_short(double *out, const char *text, size_t length);

/* The same for the number at the beginning of text .. end-1: where it ends, or NULL. */
const char *ll_io_number_read(double *out, const char *text, const char *end);

/* Is the number an integer that an int64_t holds (5, -5, 5.0, 5e0)? */
int ll_io_number_integer(int64_t *out, const char *text, locale_t locale);

#endif

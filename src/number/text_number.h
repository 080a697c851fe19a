/* Numbers in texts, always as the locale "C" has them: a host program may have set one that writes a comma, and then
 * strtod ends at the point and printf writes none. No other file of the libraries calls these two on a double
 * (tests/layers/locale). */
#ifndef LL_NUMBER_TEXT_NUMBER_H
#define LL_NUMBER_TEXT_NUMBER_H

#include <stdarg.h>
#include <stddef.h>

/* strtod, but that blanks before the number are none of it. `end` may be NULL. */
double ll_read_double(const char *text, char **end);

/* snprintf and vsnprintf. */
__attribute__((format(printf, 3, 4))) int ll_print(char *room, size_t size, const char *format, ...);
__attribute__((format(printf, 3, 0))) int ll_print_list(char *room, size_t size, const char *format, va_list arguments);
/* Append to text, cut to size. */
__attribute__((format(printf, 3, 4))) void ll_print_more(char *text, size_t size, const char *format, ...);

#endif

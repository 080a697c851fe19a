#include "number/text_number.h"

#include "number/agree.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It is there once for all, and nothing has to be freed: newlocale makes no new one for this name. */
static locale_t plain(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double ll_read_double(const char *text, char **end)
{
    locale_t locale = plain(); /* without one the text cannot be read: another locale may read another number */
    if (locale != (locale_t)0 && *text != '\0' && strchr(" \t\n\v\f\r", *text) == NULL)
        return strtod_l(text, end, locale);
    if (end != NULL)
        *end = (char *)text;
    return 0;
}

/* Of this thread alone, and only meanwhile. */
int ll_print_list(char *room, size_t size, const char *format, va_list arguments)
{
    locale_t before = uselocale(plain());
    int length = vsnprintf(room, size, format, arguments);
    (void)uselocale(before);
    return length;
}

int ll_print(char *room, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = ll_print_list(room, size, format, arguments);
    va_end(arguments);
    return length;
}

void ll_print_more(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)ll_print_list(text + used, size - used, format, arguments);
    va_end(arguments);
    ll_agree(text + used);
}

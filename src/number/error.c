#include "lossleak.h"

#include <stdarg.h>
#include <stdio.h>

#ifndef LL_VERSION_STRING
#define LL_VERSION_STRING "0.2.0"
#endif

/* Names from files and of options may stand in a text: it stays one line, and no terminal obeys it. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

ll_status ll_fail(ll_error *error, ll_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        if (vsnprintf(error->text, sizeof error->text, format, arguments) < 0)
            error->text[0] = '\0';
        va_end(arguments);
        make_printable(error->text);
    }
    return status;
}

const char *ll_version(void)
{
    return LL_VERSION_STRING;
}

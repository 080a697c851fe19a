#include "number/agree.h"
#include "number/refuse.h"
#include "number/text_number.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef LL_VERSION_STRING
#define LL_VERSION_STRING "0.3.0"
#endif

/* Names from files and of options may stand in a text: it stays one line, and no terminal obeys it. The code points of
 * UTF-8 that do not pass: controls, separators, marks without width or of direction; the program's own output keeps to
 * the same set. */
static int is_hidden(uint32_t point)
{
    static const uint32_t hidden[][2] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},    {0x180e, 0x180e},
                                         {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},  {0xd800, 0xdfff},
                                         {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (point >= hidden[i][0] && point <= hidden[i][1])
            return 1;
    return 0;
}

/* Bytes of the sequence and its code point; 0 where it is no UTF-8. The zero behind the text is no continuation. */
static size_t read_point(uint32_t *out, const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    uint32_t point = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3f);
    }
    *out = point;
    int surrogate = point >= 0xd800 && point <= 0xdfff;
    return length == 0 || point < least[length] || point > 0x10ffff || surrogate ? 0 : length;
}

/* Bytes of the sequence that may stay, or 0. */
static size_t shown_bytes(const unsigned char *s)
{
    uint32_t point;
    size_t length = read_point(&point, s);
    return length > 0 && is_hidden(point) ? 0 : length;
}

int ll_is_utf8(const char *text)
{
    uint32_t point;
    for (size_t length; *text != '\0'; text += length)
        if ((length = read_point(&point, (const unsigned char *)text)) == 0)
            return 0;
    return 1;
}

static void make_printable(char *text)
{
    while (*text) {
        size_t shown = shown_bytes((const unsigned char *)text);
        if (shown == 0)
            *text = '?';
        text += shown > 0 ? shown : 1;
    }
}

ll_status ll_fail(ll_error *error, ll_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        if (ll_print_list(error->text, sizeof error->text, format, arguments) < 0)
            error->text[0] = '\0';
        va_end(arguments);
        ll_agree(error->text);
        make_printable(error->text);
    }
    return status;
}

const char *ll_version(void)
{
    return LL_VERSION_STRING;
}

ll_status ll_refuse(ll_error *error, const char *name, const char *value, const char *why, const char *accepted)
{
    return ll_fail(error, LL_DOMAIN, "%s %.80s%s: %s; accepted: %s", name, *value ? value : "''",
                   strlen(value) > 80 ? "..." : "", why, accepted);
}

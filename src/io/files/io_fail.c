/* Whatever a file holds may end up in a message on somebody's terminal, so nothing of it gets there unescaped. */
#include "io/files/io_fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SHOWN = 200 };

const char *ll_io_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Length of the UTF-8 sequence that starts here and is fit to be shown, or 0: no overlong forms, surrogates, C1
 * controls, line separators or marks that change the direction of writing. */
static size_t shown_sequence(const unsigned char *s, size_t n)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length == 1)
        return s[0] >= 0x20 && s[0] != 0x7f;
    if (length == 0 || length > n)
        return 0;
    uint32_t point = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
    int hidden = (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
                 (point >= 0x2066 && point <= 0x2069) || (point >= 0xd800 && point <= 0xdfff) || point == 0xfeff;
    return point < least[length] || point > 0x10ffff || hidden ? 0 : length;
}

void ll_io_printable(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0, good = 0; /* good: the last place where "..." and the end still fit */
    for (size_t i = 0; i < length;) {
        char piece[8];
        size_t taken = shown_sequence((const unsigned char *)text + i, length - i), made = taken;
        if (taken > 0)
            memcpy(piece, text + i, taken);
        else
            made = (size_t)snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)text[i]);
        if (used + made >= size) {
            memcpy(out + good, "...", 4);
            return;
        }
        memcpy(out + used, piece, made);
        used += made;
        if (used + 4 <= size)
            good = used;
        i += taken > 0 ? taken : 1;
    }
    out[used] = '\0';
}

const char *ll_io_quote(char out[LL_IO_QUOTE_SIZE], const char *text, size_t length)
{
    out[0] = '\'';
    ll_io_printable(out + 1, LL_IO_QUOTE_SIZE - 2, text, length);
    memcpy(out + strlen(out), "'", 2);
    return out;
}

void ll_io_place(char *out, size_t size, const char *path, long line)
{
    char shown[PATH_SHOWN + 64];
    const char *name = ll_io_name(path);
    size_t length = strlen(name), skipped = length > PATH_SHOWN ? length - PATH_SHOWN : 0;
    ll_io_printable(shown, sizeof shown, name + skipped, length - skipped);
    if (line > 0)
        (void)snprintf(out, size, "%s%s:%ld", skipped ? "..." : "", shown, line);
    else
        (void)snprintf(out, size, "%s%s", skipped ? "..." : "", shown);
}

ll_status ll_io_fail(ll_error *error, ll_status status, const char *path, long line, const char *format, ...)
{
    char place[PATH_SHOWN + 96], reason[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    ll_io_place(place, sizeof place, path, line);
    return ll_fail(error, status, "%s: %s", place, reason);
}

ll_status ll_io_fail_errno(ll_error *error, const char *path, int number)
{
    const char *reason = strerrordesc_np(number);
    if (number == ENOMEM)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    return ll_io_fail(error, LL_SYSTEM, path, 0, "%s", reason ? reason : "unknown error");
}

ll_status ll_io_fail_budget(ll_error *error, const char *path, size_t limit)
{
    return ll_io_fail(error, LL_UNABLE, path, 0, "needs more memory than the %zu bytes allowed", limit);
}

void ll_io_name_file(ll_error *error, const char *path)
{
    char place[256];
    ll_error why = *error;
    ll_io_place(place, sizeof place, path, 0);
    if (why.status == LL_DOMAIN && strncmp(why.text, place, strlen(place)) != 0)
        ll_fail(error, why.status, "%s: %.200s", place, why.text);
}

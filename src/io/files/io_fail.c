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

ll_status ll_io_fail_need(ll_error *error, const char *path, size_t needed, size_t limit)
{
    return ll_io_fail(error, LL_UNABLE, path, 0, "needs about %zu bytes of memory, %zu are allowed (--max-memory)",
                      needed, limit);
}

void ll_io_name_file(ll_error *error, const char *path)
{
    char place[PATH_SHOWN + 96];
    ll_error why = *error;
    ll_io_place(place, sizeof place, path, 0);
    if (why.status == LL_DOMAIN && strncmp(why.text, place, strlen(place)) != 0)
        ll_fail(error, why.status, "%s: %.200s", place, why.text);
}

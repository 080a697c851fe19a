/* Errors about files: one printable line, "path:line: reason", or "path: reason" where there is no line. */
#ifndef LL_IO_IO_FAIL_H
#define LL_IO_IO_FAIL_H

#include "io/files/printable.h"
#include "lossleak.h"

/* The name of a file for people: "-" is "stdin". */
const char *ll_io_name(const char *path);

/* "path:line", or "path" where line is 0; of a path over 200 bytes only its end. */
void ll_io_place(char *out, size_t size, const char *path, long line);

/* Like ll_fail, with the place in front. */
ll_status ll_io_fail(ll_error *error, ll_status status, const char *path, long line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* What the system said (errno as `number`), as "path: reason". */
ll_status ll_io_fail_errno(ll_error *error, const char *path, int number);

/* "path: needs more than LIMIT bytes of memory". */
ll_status ll_io_fail_budget(ll_error *error, const char *path, size_t limit);

/* The same where the need is known: "path: needs about NEEDED bytes of memory, LIMIT are allowed (--max-memory)". */
ll_status ll_io_fail_need(ll_error *error, const char *path, size_t needed, size_t limit);

/* What the library says is wrong with the contents of a file gets the path in front, unless it begins with it. */
void ll_io_name_file(ll_error *error, const char *path);

#endif

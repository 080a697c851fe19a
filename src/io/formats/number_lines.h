/* Text of one number a line: what score files and value tables have in common. Blanks around a number do not count, nor
 * do empty lines at the end. */
#ifndef LL_IO_NUMBER_LINES_H
#define LL_IO_NUMBER_LINES_H

#include "lossleak.h"

typedef struct ll_io_number_lines ll_io_number_lines;

struct ll_io_number_lines {
    const char *path;   /* for messages */
    const char *what;   /* a line holds, for messages: "score" */
    long numbers;       /* of a line, separated by blanks; 0: one */
    size_t held, limit; /* bytes of memory; limit 0: none */
    /* A number, decimal or hexadecimal and finite, without blanks; the text is valid during the call. */
    ll_status (*take)(ll_io_number_lines *lines, const char *text, size_t length, long line, ll_error *error);
    void *self; /* for take */
};

/* Count so many bytes more; LL_UNABLE beyond the limit. */
LL_CHECK ll_status ll_io_number_lines_charge(ll_io_number_lines *lines, size_t bytes, ll_error *error);

/* Read them all; "-" is standard input; gzip'd or not. LL_DOMAIN with file, line and reason for text that is no number,
 * infinities and NaN and an empty line before a number; what take answers where that is not LL_OK. */
LL_CHECK ll_status ll_io_number_lines_read(ll_io_number_lines *lines, const char *path, ll_error *error);

#endif

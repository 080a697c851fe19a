/* A text as whole lines, however its pieces come: what files of numbers and of group names have in common. */
#ifndef LL_IO_TEXT_LINES_H
#define LL_IO_TEXT_LINES_H

#include "lossleak.h"

typedef struct {
    const char *path; /* for messages */
    size_t *held;     /* bytes of memory so far, the longest line among them */
    size_t limit;     /* 0: none */
    /* A line without the blanks around it; the text is valid during the call. */
    ll_status (*take)(void *self, const char *text, size_t length, long line, ll_error *error);
    void *self;
} ll_io_text_lines;

/* Count so many bytes more; LL_UNABLE beyond the limit. */
LL_CHECK ll_status ll_io_text_lines_charge(const ll_io_text_lines *lines, size_t bytes, ll_error *error);

/* Every line in order; "-" is standard input; gzip'd or not. What take answers where that is not LL_OK. */
LL_CHECK ll_status ll_io_text_lines_read(const ll_io_text_lines *lines, const char *path, ll_error *error);

#endif

/* Whole numbers, and as people write them. */
#ifndef LL_NUMBER_WHOLE_H
#define LL_NUMBER_WHOLE_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum { LL_WHOLE, LL_WHOLE_BEYOND, LL_WHOLE_NOT } ll_whole;

/* Digits, a minus before them or not, and nothing else: no space, no plus, whatever strtol skips. LL_WHOLE_BEYOND: no
 * long holds it. */
static inline ll_whole ll_whole_read(long *out, const char *text)
{
    char *end;
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9')
        return LL_WHOLE_NOT;
    errno = 0;
    *out = strtol(text, &end, 10);
    return *end != '\0' ? LL_WHOLE_NOT : errno != 0 ? LL_WHOLE_BEYOND : LL_WHOLE;
}

static inline int64_t ll_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t ll_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif

/* Whole numbers, and as people write them. */
#ifndef LL_NUMBER_WHOLE_H
#define LL_NUMBER_WHOLE_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum { LL_WHOLE, LL_WHOLE_BEYOND, LL_WHOLE_NOT } ll_whole;

/* 20k, 1.5M and 2G: thousands, millions and billions, with decimals as long as the number is whole. */
static inline ll_whole ll_whole_read_size(long *out, const char *text)
{
    long whole = 0, factor = 1, digits = 0, behind = -1;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && behind < 0 && digits > 0); text++) {
        if (*text == '.') {
            behind = 0;
            continue;
        }
        if (++digits > 15)
            return LL_WHOLE_NOT;
        whole = 10 * whole + (*text - '0');
        behind += behind >= 0;
    }
    int power = *text == 'k' || *text == 'K' ? 3 : *text == 'M' ? 6 : *text == 'G' ? 9 : 0;
    if (digits == 0 || behind == 0 || power == 0 || text[1] != '\0' || behind > power)
        return LL_WHOLE_NOT;
    for (int i = behind > 0 ? (int)behind : 0; i < power; i++)
        factor *= 10;
    return __builtin_mul_overflow(whole, factor, out) ? LL_WHOLE_BEYOND : LL_WHOLE;
}

/* Digits, a minus before them or not, and nothing else but a size behind them: no space, no plus, whatever strtol
 * skips. LL_WHOLE_BEYOND: no long holds it. */
static inline ll_whole ll_whole_read(long *out, const char *text)
{
    char *end;
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9')
        return LL_WHOLE_NOT;
    errno = 0;
    *out = strtol(text, &end, 10);
    if (*end != '\0')
        return ll_whole_read_size(out, text);
    return errno != 0 ? LL_WHOLE_BEYOND : LL_WHOLE;
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

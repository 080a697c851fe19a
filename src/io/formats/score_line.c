#include "io/formats/score_line.h"

#include "io/files/io_fail.h"
#include "io/formats/number_text.h"

#include <stdio.h>
#include <string.h>

enum { EXPONENT_DIGITS = 11 };

/* Digits of the exponent of a number, leading zeros not counted. */
static size_t exponent_digits(const char *text, size_t length)
{
    const char *mark = memchr(text, 'x', length) || memchr(text, 'X', length) ? "pP" : "eE";
    size_t i = 0;
    while (i < length && text[i] != mark[0] && text[i] != mark[1])
        i++;
    i += i < length;
    while (i < length && (text[i] == '+' || text[i] == '-' || text[i] == '0'))
        i++;
    return length - i;
}

const char *ll_io_score_complain(char out[LL_IO_COMPLAINT_SIZE], const char *text, size_t length)
{
    char quoted[LL_IO_QUOTE_SIZE];
    ll_io_number_kind kind = ll_io_number_scan(text, length);
    const char *why = kind == LL_IO_NO_NUMBER                           ? "not a number"
                      : kind == LL_IO_NOT_FINITE                        ? "not finite"
                      : exponent_digits(text, length) > EXPONENT_DIGITS ? "beyond every range"
                                                                        : NULL;
    if (!why)
        return NULL;
    (void)snprintf(out, LL_IO_COMPLAINT_SIZE, "%s is %s", ll_io_quote(quoted, text, length), why);
    return out;
}

static size_t word_length(const char *text, size_t length)
{
    size_t end = 0;
    while (end < length && text[end] != ' ' && text[end] != '\t')
        end++;
    return end;
}

const char *ll_io_answer_complain(char out[LL_IO_COMPLAINT_SIZE], const char *text, size_t length, long numbers)
{
    long found = 0;
    if (numbers == 1)
        return ll_io_score_complain(out, text, length);
    for (size_t at = 0, word; at < length || found == 0; at += word + 1) {
        word = word_length(text + at, length - at);
        const char *wrong = word > 0 || found == 0 ? ll_io_score_complain(out, text + at, word) : NULL;
        if (wrong != NULL)
            return wrong;
        found += word > 0;
    }
    if (numbers == 0 || found == numbers)
        return NULL;
    (void)snprintf(out, LL_IO_COMPLAINT_SIZE, "has %ld number%s where %ld are released", found, found == 1 ? "" : "s",
                   numbers);
    return out;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

const char *ll_io_trim(const char *text, size_t *length)
{
    while (*length > 0 && is_blank(text[*length - 1]))
        --*length;
    while (*length > 0 && is_blank(*text)) {
        text++;
        --*length;
    }
    return text;
}

#include "io/formats/plain_rows.h"

#include "io/formats/number_text.h"

#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A number as text, which counts. Its first 8 characters are also at hand as a number, the first in the lowest byte: bytes
 * that were just written are slow to read as one word. */
typedef struct {
    char digits[24];
    size_t length;
    uint64_t word;
} counter;

static uint64_t read_word(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return le64toh(word);
}

static void carry(counter *c)
{
    size_t i = c->length;
    while (i > 0 && c->digits[i - 1] == '9')
        c->digits[--i] = '0';
    if (i > 0)
        c->digits[i - 1]++;
    else {
        c->digits[0] = '1'; /* before nothing but zeros */
        c->digits[c->length++] = '0';
    }
    c->word = read_word(c->digits);
}

static void count(counter *c)
{
    char *last = &c->digits[c->length - 1];
    if (*last == '9' || c->length > sizeof c->word) {
        carry(c);
        return;
    }
    ++*last;
    c->word += UINT64_C(1) << 8 * (c->length - 1);
}

/* Does the text begin with this number? Up to 8 digits at once. */
static int is_counted(const counter *c, const char *text)
{
    return c->length > sizeof c->word ? memcmp(text, c->digits, c->length) == 0
                                      : (read_word(text) ^ c->word) << (64 - 8 * c->length) == 0;
}

/* Behind the id and its comma; NULL: it is not plain, or not the expected one. */
static const char *pass_id(const ll_io_plain *p, const counter *expected, const char *line, const char *end)
{
    size_t length = expected->length;
    if (p->counts_rows)
        return (size_t)(end - line) > sizeof expected->digits && line[length] == ',' && is_counted(expected, line)
                   ? line + length + 1
                   : NULL;
    while (line < end && *line != ',' && *line != '"' && *line != '\n')
        line++;
    return line < end && *line == ',' ? line + 1 : NULL;
}

/* Behind the line, whose numbers go to out; NULL: it is not plain. */
static const char *read_numbers(const ll_io_plain *p, double *out, const char *c, const char *end)
{
    for (long i = 0; i < p->columns; i++) {
        c = ll_io_number_read(&out[i], c, end);
        if (c == NULL || c == end || *c++ != (i + 1 < p->columns ? ',' : '\n'))
            return NULL;
    }
    return c;
}

size_t ll_io_plain_rows(const ll_io_plain *p, double *out, long most, long *rows)
{
    const char *line = p->text, *end = line + p->size;
    counter expected = {0};
    expected.length = (size_t)snprintf(expected.digits, sizeof expected.digits, "%ld", p->row);
    expected.word = read_word(expected.digits);
    for (*rows = 0; *rows < most && line < end; ++*rows, out += p->columns) {
        const char *next = p->has_id ? pass_id(p, &expected, line, end) : line;
        next = next != NULL ? read_numbers(p, out, next, end) : NULL;
        if (next == NULL)
            break;
        line = next;
        count(&expected);
    }
    return (size_t)(line - p->text);
}

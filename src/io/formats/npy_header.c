/* NumPy writes {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), } and blanks up to a newline. The reader takes
 * that dictionary with its keys in any order, each once, and nothing else. */
#include "io/formats/npy_header.h"

#include <stdint.h>
#include <string.h>

typedef struct {
    const char *next, *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->next < c->end && (*c->next == ' ' || *c->next == '\n' || *c->next == '\t' || *c->next == '\r'))
        c->next++;
}

/* Take `word` if it comes next, after blanks. */
static int take(cursor *c, const char *word)
{
    skip_blanks(c);
    size_t length = strlen(word);
    if ((size_t)(c->end - c->next) < length || memcmp(c->next, word, length) != 0)
        return 0;
    c->next += length;
    return 1;
}

/* A string without escapes, cut to `size` - 1 characters. */
static int take_string(cursor *c, char *out, size_t size)
{
    char quote = take(c, "'") ? '\'' : take(c, "\"") ? '"' : '\0';
    const char *start = c->next;
    if (!quote)
        return 0;
    while (c->next < c->end && *c->next != quote && *c->next != '\\')
        c->next++;
    if (c->next == c->end || *c->next == '\\')
        return 0;
    size_t length = (size_t)(c->next - start);
    if (length >= size)
        length = size - 1;
    memcpy(out, start, length);
    out[length] = '\0';
    c->next++;
    return 1;
}

static const char *take_descr(cursor *c, ll_io_npy_header *h)
{
    if (take(c, "["))
        return "a structured dtype; one number an entry is expected";
    return take_string(c, h->descr, sizeof h->descr) ? NULL : "the header's descr is no string";
}

static const char *take_order(cursor *c, ll_io_npy_header *h)
{
    h->fortran = take(c, "True");
    return h->fortran || take(c, "False") ? NULL : "the header's fortran_order is neither True nor False";
}

static const char *take_size(cursor *c, size_t *out)
{
    skip_blanks(c);
    const char *start = c->next;
    size_t value = 0;
    for (; c->next < c->end && *c->next >= '0' && *c->next <= '9'; c->next++) {
        size_t digit = (size_t)(*c->next - '0');
        if (value > (SIZE_MAX - digit) / 10)
            return "the header's shape is too large";
        value = 10 * value + digit;
    }
    if (c->next == start)
        return c->next < c->end && *c->next == '-' ? "the header's shape has a negative size"
                                                   : "the header's shape is no tuple of sizes";
    if (c->next < c->end && *c->next == 'L') /* Python 2 wrote (3L, 2L) */
        c->next++;
    *out = value;
    return NULL;
}

static const char *take_shape(cursor *c, ll_io_npy_header *h)
{
    if (!take(c, "("))
        return "the header's shape is no tuple of sizes";
    while (!take(c, ")")) {
        if (h->dimensions == LL_IO_NPY_DIMENSIONS)
            return "an array of too many dimensions";
        const char *wrong = take_size(c, &h->shape[h->dimensions++]);
        if (wrong)
            return wrong;
        if (take(c, ","))
            continue;
        if (h->dimensions == 1) /* (3) is a number, (3,) a tuple */
            return "the header's shape is no tuple of sizes";
        return take(c, ")") ? NULL : "the header's shape is no tuple of sizes";
    }
    return NULL;
}

const char *ll_io_npy_header_read(ll_io_npy_header *out, const char *text, size_t length)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    cursor c = {text, text + length};
    unsigned seen = 0;
    memset(out, 0, sizeof *out);
    if (!take(&c, "{"))
        return "the header is no dictionary";
    while (!take(&c, "}")) {
        char key[16];
        unsigned which = 0;
        if (!take_string(&c, key, sizeof key) || !take(&c, ":"))
            return "the header is no dictionary";
        while (which < 3 && strcmp(key, keys[which]) != 0)
            which++;
        if (which == 3 || (seen & 1u << which))
            return "the header has an unknown or repeated key";
        seen |= 1u << which;
        const char *wrong = which == 0 ? take_descr(&c, out) : which == 1 ? take_order(&c, out) : take_shape(&c, out);
        if (wrong)
            return wrong;
        if (!take(&c, ",") && !(c.next < c.end && *c.next == '}'))
            return "the header is no dictionary";
    }
    skip_blanks(&c);
    return c.next != c.end ? "something follows the header's dictionary" : seen != 7 ? "the header lacks a key" : NULL;
}

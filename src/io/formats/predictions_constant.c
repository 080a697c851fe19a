/* One row, written on the command line, as many times as it is wanted: a baseline. */
#include "io/files/io_fail.h"
#include "io/formats/number_text.h"
#include "io/formats/predictions_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    char *text; /* the numbers, each with a NUL behind it */
    const char **numbers;
    double *doubles;
    long columns;
} constant_source;

static ll_status get_doubles(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const constant_source *s = self;
    (void)first;
    double *doubles = ll_block_reserve_doubles(out, count, s->columns);
    if (!doubles)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long row = 0; row < count; row++)
        memcpy(doubles + row * s->columns, s->doubles, (size_t)s->columns * sizeof *doubles);
    return LL_OK;
}

static ll_status get_exacts(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const constant_source *s = self;
    (void)first;
    ll_exact *exacts = ll_block_reserve_exacts(out, count, s->columns);
    if (!exacts)
        return ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long i = 0; i < count * s->columns; i++) {
        const char *number = s->numbers[i % s->columns];
        if (ll_exact_read(exacts, i, number, strlen(number)) != LL_OK)
            return ll_io_fail(error, LL_DOMAIN, s->path, 0, "not a finite number");
    }
    return LL_OK;
}

static void where(void *self, char *text, size_t size, long row)
{
    (void)row;
    ll_io_place(text, size, ((constant_source *)self)->path, 0);
}

static void close_constant(void *self)
{
    constant_source *s = self;
    free(s->text);
    free((void *)s->numbers);
    free(s->doubles);
    free(s);
}

/* Cut the text at its commas. */
static ll_status split(constant_source *s, const char *text, ll_error *error)
{
    s->columns = 1;
    for (const char *p = text; *p; p++)
        s->columns += *p == ',';
    s->text = strdup(text);
    s->numbers = calloc((size_t)s->columns, sizeof *s->numbers);
    s->doubles = calloc((size_t)s->columns, sizeof *s->doubles);
    if (!s->text || !s->numbers || !s->doubles) {
        ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
        return LL_MEMORY;
    }
    char *rest = s->text;
    for (long i = 0; i < s->columns; i++) {
        s->numbers[i] = rest;
        rest = strchrnul(rest, ',');
        if (*rest)
            *rest++ = '\0';
    }
    return LL_OK;
}

static ll_status read_numbers(constant_source *s, int exact, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ll_status status = locale ? LL_OK : ll_io_fail(error, LL_MEMORY, s->path, 0, "out of memory");
    for (long i = 0; i < s->columns && status == LL_OK; i++) {
        size_t length = strlen(s->numbers[i]);
        int number = ll_io_number_scan(s->numbers[i], length) == LL_IO_NUMBER;
        s->doubles[i] = number ? ll_io_number_double(s->numbers[i], locale) : INFINITY;
        if (!number || (!exact && !isfinite(s->doubles[i])))
            status = ll_io_fail(error, LL_DOMAIN, s->path, 0, "%s is not a finite number",
                                ll_io_quote(quoted, s->numbers[i], length));
    }
    if (locale)
        freelocale(locale);
    return status;
}

ll_status ll_io_predictions_from_text(ll_io_predictions *p, const char *text, long rows, int exact, ll_error *error)
{
    if (rows < 1)
        return ll_io_fail(error, LL_DOMAIN, p->path, 0, "how many rows is not known");
    constant_source *s = calloc(1, sizeof *s);
    if (!s)
        return ll_io_fail(error, LL_MEMORY, p->path, 0, "out of memory");
    s->path = p->path;
    ll_status status = split(s, text, error);
    if (status == LL_OK)
        status = read_numbers(s, exact, error);
    if (status != LL_OK) {
        close_constant(s);
        return status;
    }
    p->source = (ll_predictions){
        s, rows, s->columns, exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE, exact ? get_exacts : get_doubles, where};
    p->close = close_constant;
    return LL_OK;
}

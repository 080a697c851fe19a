#include "io/formats/value_table.h"

#include "io/files/io_fail.h"
#include "io/formats/number_lines.h"

/* A value has 24 bytes; the array doubles, and while it is moved half of it is there twice. */
enum { MOST_ELEMENTS = 24, BYTES_A_VALUE = 72 };

typedef struct {
    ll_block *values;
    long count, slots;
} collector;

static ll_status take_value(ll_io_number_lines *l, const char *text, size_t length, long line, ll_error *error)
{
    collector *c = l->self;
    if (c->count == 1L << MOST_ELEMENTS)
        return ll_io_fail(error, LL_DOMAIN, l->path, line, "more than 2^%d values: a table has at most %d elements",
                          MOST_ELEMENTS, MOST_ELEMENTS);
    ll_status status = ll_io_number_lines_charge(l, BYTES_A_VALUE + (length > 18 ? length : 0), error);
    if (status != LL_OK)
        return status;
    long slots = c->count < c->slots ? c->slots : c->slots ? 2 * c->slots : 1024;
    if (!ll_block_reserve_exacts(c->values, slots, 1))
        return ll_io_fail(error, LL_MEMORY, l->path, 0, "out of memory");
    c->slots = slots;
    status = ll_exact_read((ll_exact *)c->values->exacts, c->count, text, length);
    if (status != LL_OK)
        return ll_io_fail(error, status, l->path, line, "not a finite number");
    c->count++;
    return LL_OK;
}

static ll_status check_count(long count, const char *path, ll_error *error)
{
    int elements = 0;
    while (1L << elements < count)
        elements++;
    if (count >= 2 && 1L << elements == count)
        return LL_OK;
    if (count < 2)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "%ld values: a set function of one element has 2", count);
    return ll_io_fail(error, LL_DOMAIN, path, 0,
                      "%ld values: a set function has 2^N of them, %ld for %d elements or %ld for %d", count,
                      1L << (elements - 1), elements - 1, 1L << elements, elements);
}

ll_status ll_io_read_values(ll_block *out, const char *path, size_t max_memory, ll_error *error)
{
    collector c = {.values = out};
    ll_io_number_lines lines = {.what = "value", .limit = max_memory, .take = take_value, .self = &c};
    ll_status status = ll_io_number_lines_read(&lines, path, error);
    if (status == LL_OK)
        status = check_count(c.count, lines.path, error);
    if (status == LL_OK && !ll_block_reserve_exacts(out, c.count, 1))
        status = ll_io_fail(error, LL_MEMORY, lines.path, 0, "out of memory");
    return status;
}

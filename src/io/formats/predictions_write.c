#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/predictions.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

enum { ENTRIES_AT_ONCE = 1 << 15, EXACT_ROWS_AT_ONCE = 8 };

/* A block's worth of rows: exact entries may be large. */
static long rows_at_once(const ll_predictions *source)
{
    long rows = source->entries == LL_ENTRIES_EXACT ? EXACT_ROWS_AT_ONCE : ENTRIES_AT_ONCE / source->columns;
    return rows > 0 ? rows : 1;
}

typedef ll_status (*row_writer)(ll_io_output *output, const ll_block *block, long index, long row, ll_error *error);

static double entry(const ll_block *block, long i)
{
    return block->entries == LL_ENTRIES_DOUBLE ? block->doubles[i] : (double)block->floats[i];
}

static ll_status write_exact(ll_io_output *output, const ll_block *block, long i, ll_error *error)
{
    char *text = ll_exact_write(block->exacts, i);
    if (!text)
        return ll_fail(error, LL_MEMORY, "out of memory");
    ll_status status = ll_io_output_write(output, text, strlen(text), error);
    ll_free(text);
    return status;
}

static ll_status write_csv_row(ll_io_output *output, const ll_block *block, long index, long row, ll_error *error)
{
    ll_status status = ll_io_output_print(output, error, "%ld", row);
    for (long i = index * block->columns; i < (index + 1) * block->columns && status == LL_OK; i++) {
        if (block->entries != LL_ENTRIES_EXACT)
            status = ll_io_output_print(output, error, ",%.17g", entry(block, i));
        else if ((status = ll_io_output_write(output, ",", 1, error)) == LL_OK)
            status = write_exact(output, block, i, error);
    }
    return status == LL_OK ? ll_io_output_write(output, "\n", 1, error) : status;
}

static ll_status write_npy_row(ll_io_output *output, const ll_block *block, long index, long row, ll_error *error)
{
    ll_status status = LL_OK;
    (void)row;
    for (long i = index * block->columns; i < (index + 1) * block->columns && status == LL_OK; i++) {
        double value = entry(block, i);
        status = ll_io_output_write(output, &value, sizeof value, error);
    }
    return status;
}

static ll_status write_rows(ll_io_output *output, const ll_predictions *source, row_writer write_row, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    ll_status status = LL_OK;
    long step = rows_at_once(source);
    for (long first = 0; first < source->rows && status == LL_OK; first += step) {
        long count = source->rows - first < step ? source->rows - first : step;
        status = source->get(source->self, &block, first, count, error);
        for (long i = 0; i < count && status == LL_OK; i++)
            status = write_row(output, &block, i, first + i, error);
    }
    ll_block_clear(&block);
    return status;
}

static ll_status write_csv(ll_io_output *output, const ll_predictions *source, ll_error *error)
{
    ll_status status = ll_io_output_print(output, error, source->columns == 1 ? "row,p" : "row");
    for (long i = 0; i < source->columns && source->columns > 1 && status == LL_OK; i++)
        status = ll_io_output_print(output, error, ",p%ld", i);
    if (status == LL_OK)
        status = ll_io_output_write(output, "\n", 1, error);
    return status == LL_OK ? write_rows(output, source, write_csv_row, error) : status;
}

/* Version 1.0; magic, length and dictionary fill 128 bytes, so that the entries are aligned. */
static ll_status write_npy(ll_io_output *output, const ll_predictions *source, ll_error *error)
{
    static const char start[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char header[129], shape[64];
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<" : ">";
    if (source->columns == 1)
        (void)snprintf(shape, sizeof shape, "%ld,", source->rows);
    else
        (void)snprintf(shape, sizeof shape, "%ld, %ld", source->rows, source->columns);
    memset(header, ' ', sizeof header);
    memcpy(header, start, sizeof start);
    int length = snprintf(header + 10, sizeof header - 10, "{'descr': '%sf8', 'fortran_order': False, 'shape': (%s), }",
                          order, shape);
    header[10 + length] = ' ';
    header[127] = '\n';
    ll_status status = ll_io_output_write(output, header, 128, error);
    return status == LL_OK ? write_rows(output, source, write_npy_row, error) : status;
}

static ll_status write_form(ll_io_output *output, ll_io_predictions_form form, const ll_predictions *source,
                            ll_error *error)
{
    if (form == LL_IO_PREDICTIONS_NPY)
        return write_npy(output, source, error);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale)
        return ll_fail(error, LL_MEMORY, "out of memory");
    locale_t before = uselocale(locale); /* a decimal point, whatever the program's locale */
    ll_status status = write_csv(output, source, error);
    uselocale(before);
    freelocale(locale);
    return status;
}

ll_status ll_io_write_predictions(const char *path, ll_io_predictions_form form, const ll_predictions *source,
                                  ll_error *error)
{
    ll_io_output *output;
    if (form == LL_IO_PREDICTIONS_NPY && source->entries == LL_ENTRIES_EXACT)
        return ll_io_fail(error, LL_DOMAIN, path, 0, ".npy cannot hold exact entries; write CSV");
    ll_status status = ll_io_output_open(&output, path, error);
    if (status != LL_OK)
        return status;
    status = write_form(output, form, source, error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}

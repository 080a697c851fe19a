#include "io/formats/slips.h"

#include "io/files/io_fail.h"

#include <stdio.h>
#include <string.h>

int ll_io_is_missing(const char *text, size_t length)
{
    static const char *const words[] = {"NA",   "N/A",  "n/a",  "NaN",  "nan", "NAN", "null",
                                        "NULL", "None", "<NA>", "#N/A", "?",   "-"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return 1;
    return length == 0;
}

/* [ before a value or the end, and no word in brackets. */
static int begins_list(const char *start, size_t size)
{
    size_t at = 1;
    if (size == 0 || start[0] != '[')
        return 0;
    while (at < size && strchr(" \t\r\n", start[at]) != NULL && start[at] != '\0')
        at++;
    return at == size || (start[at] != '\0' && strchr("{[\"-0123456789]", start[at]) != NULL);
}

const char *ll_io_foreign(const char *start, size_t size)
{
    static const struct {
        const char *begins, *is;
    } kinds[] = {{"PK\003\004", "a ZIP archive, as Excel makes it"},
                 {"PAR1", "Parquet"},
                 {"\211HDF", "HDF5"},
                 {"SQLite f", "an SQLite database"},
                 {"%PDF", "a PDF"},
                 {"<!DOCTYP", "HTML"},
                 {"<!doctyp", "HTML"},
                 {"<html", "HTML"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].begins) <= size && memcmp(kinds[i].begins, start, strlen(kinds[i].begins)) == 0)
            return kinds[i].is;
    return begins_list(start, size) ? "a JSON list" : NULL;
}

const char *ll_io_other_separator(const ll_io_row *row)
{
    if (row->count != 1)
        return NULL;
    return strchr(row->fields[0].text, '\t') != NULL  ? "tabs"
           : strchr(row->fields[0].text, ';') != NULL ? "semicolons"
                                                      : NULL;
}

ll_status ll_io_refuse_separator(const ll_io_row *row, const char *path, ll_error *error)
{
    return ll_io_fail(error, LL_DOMAIN, path, row->line,
                      "the columns are separated by %s: separate them by commas, with points in decimals",
                      ll_io_other_separator(row));
}

void ll_io_list_columns(char *text, size_t size, const ll_io_row *header)
{
    char quoted[LL_IO_QUOTE_SIZE];
    size_t used = 0;
    text[0] = '\0';
    for (long i = 0; i < header->count; i++) {
        ll_io_quote(quoted, header->fields[i].text, header->fields[i].length);
        if (used + strlen(quoted) + 10 > size) {
            (void)snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", quoted);
    }
}

#include "report/text_table.h"

#include "io/files/printable.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Characters, not bytes: continuation bytes of UTF-8 take no place. */
static int width_of(const char *cell)
{
    int width = 0;
    for (; cell && *cell; cell++)
        width += ((unsigned char)*cell & 0xC0) != 0x80;
    return width;
}

static int column_width(const char *const *cells, long rows, long columns, long column)
{
    int widest = 0;
    for (long row = 0; row < rows; row++) {
        int width = width_of(cells[row * columns + column]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void print_row(FILE *out, const char *const *row, const int *widths, long columns)
{
    int blanks = 0;
    for (long column = 0; column < columns; column++) {
        const char *cell = row[column] ? row[column] : "";
        if (*cell)
            (void)fprintf(out, "%*s", blanks, "");
        ll_io_print(out, cell, strlen(cell));
        blanks = (*cell ? 0 : blanks) + widths[column] - width_of(cell) + 2;
    }
    (void)fputc('\n', out);
}

void ll_report_table(FILE *out, const char *const *cells, long rows, long columns)
{
    int widths[columns];
    for (long column = 0; column < columns; column++)
        widths[column] = column_width(cells, rows, columns, column);
    for (long row = 0; row < rows; row++)
        print_row(out, cells + row * columns, widths, columns);
}

void ll_report_field(FILE *out, const char *name, const char *format, ...)
{
    char start[4096], *text = start;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(start, sizeof start, format, arguments);
    if (length >= (int)sizeof start && vasprintf(&text, format, again) < 0) {
        text = start; /* no memory: what fits */
        memcpy(start + sizeof start - 4, "...", 4);
    }
    va_end(again);
    va_end(arguments);
    (void)fprintf(out, "%-10s", name);
    ll_io_print(out, text, strlen(text));
    (void)fputc('\n', out);
    if (text != start)
        free(text);
}

const char *ll_report_plural(long count)
{
    return count == 1 ? "" : "s";
}

void ll_report_paragraph(FILE *out, const char *name, const char *text)
{
    enum { INDENT = 10, WIDTH = 110 };
    size_t used = INDENT;
    (void)fprintf(out, "%-*s", INDENT, name);
    while (*text) {
        size_t length = strcspn(text, " ");
        if (used > INDENT && used + 1 + length > WIDTH) {
            (void)fprintf(out, "\n%*s", INDENT, "");
            used = INDENT;
        }
        (void)fputs(used > INDENT ? " " : "", out);
        ll_io_print(out, text, length);
        used += (used > INDENT) + length;
        text += length + (text[length] == ' ');
    }
    (void)fputc('\n', out);
}

static long count_digits(const char *number)
{
    long digits = 0;
    for (; *number && *number != 'e' && *number != 'E'; number++)
        digits += isdigit((unsigned char)*number) != 0;
    return digits;
}

char *ll_report_shorten(const char *number, int full)
{
    enum { SHORT = 120, HEAD = 50, TAIL = 30 };
    size_t length = strlen(number);
    char *text = NULL;
    if (full || length <= SHORT)
        return strdup(number);
    if (asprintf(&text, "%.*s...%s (%ld digits)", HEAD, number, number + length - TAIL, count_digits(number)) < 0)
        return NULL;
    return text;
}

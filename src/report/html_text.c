#include "report/html_text.h"

#include "io/files/printable.h"
#include <string.h>

static const char *entity_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static void put_piece(void *self, const char *piece, size_t length)
{
    const char *entity = entity_of(piece[0]);
    (void)length;
    (void)fputs(entity ? entity : piece, self);
}

void ll_report_html_text(FILE *out, const char *text)
{
    ll_io_printable_pieces(text, strlen(text), put_piece, out);
}

void ll_report_html_line(FILE *out, const char *tag, const char *kind, const char *text)
{
    (void)fprintf(out, "<%s%s>", tag, kind);
    ll_report_html_text(out, text);
    (void)fprintf(out, "</%s>\n", tag);
}

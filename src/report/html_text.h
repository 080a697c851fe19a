/* Text inside an HTML page. */
#ifndef LL_REPORT_HTML_TEXT_H
#define LL_REPORT_HTML_TEXT_H

#include <stdio.h>

/* The text, made printable, with < > & and " as entities: right between tags and inside quoted attributes. */
void ll_report_html_text(FILE *out, const char *text);
/* The same as one element; kind: its attributes, behind a blank, or "". */
void ll_report_html_line(FILE *out, const char *tag, const char *kind, const char *text);

#endif

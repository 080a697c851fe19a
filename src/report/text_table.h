/* Text for people: tables and "name  value" fields. What is not printable is shown as \xNN. */
#ifndef LL_REPORT_TEXT_TABLE_H
#define LL_REPORT_TEXT_TABLE_H

#include <stdio.h>

/* rows x columns cells, row after row, the first row the headings: columns are padded to their widest
 * cell and two blanks apart; lines have no blanks at their end. NULL is an empty cell. */
void ll_report_table(FILE *out, const char *const *cells, long rows, long columns);

/* "name      text", the name padded to ten. Without memory a text over 4095 bytes ends there, in "...". */
void ll_report_field(FILE *out, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a text of any length, its lines broken between words before column 110. */
void ll_report_paragraph(FILE *out, const char *name, const char *text);

/* "s" behind the noun of any count but 1. */
const char *ll_report_plural(long count);

/* A number as text, allocated: the whole of it where it is short or `full`, else its first and last digits
 * and how many there are. NULL where memory ended. */
char *ll_report_shorten(const char *number, int full);

#endif

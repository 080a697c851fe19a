/* One text as two pages, Markdown and HTML: headings, paragraphs, tables, pictures. Characters that either format would
 * take for its own are escaped. */
#ifndef LL_REPRODUCE_PAGE_H
#define LL_REPRODUCE_PAGE_H

#include "lossleak.h"

#include <stdio.h>

typedef struct {
    FILE *markdown, *html;
    char *markdown_text, *html_text;
    size_t markdown_size, html_size;
} ll_page;

LL_CHECK ll_status ll_page_begin(ll_page *page, const char *title, ll_error *error);
void ll_page_heading(ll_page *page, const char *text);
void ll_page_paragraph(ll_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ll_page_code(ll_page *page, const char *text);
/* The caption stands under the picture. */
void ll_page_picture(ll_page *page, const char *file, const char *title, const char *caption);
/* The headings of a table, its rows, its end; NULL ends the cells. */
void ll_page_table(ll_page *page, const char *const *headings);
void ll_page_row(ll_page *page, const char *const *cells);
void ll_page_table_end(ll_page *page);
/* Write DIR/README.md and DIR/index.html. Frees the page either way. */
LL_CHECK ll_status ll_page_write(ll_page *page, const char *folder, ll_error *error);

#endif

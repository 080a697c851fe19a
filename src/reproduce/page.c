#include "reproduce/page.h"

#include "io/files/write_file.h"
#include "report/html_text.h"
#include "reproduce/figure_files.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void write_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|*_<>[]\\`", *text))
            (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
}

ll_status ll_page_begin(ll_page *page, const char *title, ll_error *error)
{
    *page = (ll_page){0};
    page->markdown = open_memstream(&page->markdown_text, &page->markdown_size);
    page->html = open_memstream(&page->html_text, &page->html_size);
    if (!page->markdown || !page->html) {
        if (page->markdown)
            (void)fclose(page->markdown);
        if (page->html)
            (void)fclose(page->html);
        free(page->markdown_text);
        free(page->html_text);
        return ll_fail(error, LL_MEMORY, "out of memory for a page");
    }
    (void)fputs("# ", page->markdown);
    write_markdown(page->markdown, title);
    (void)fputs("\n", page->markdown);
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", page->html);
    ll_report_html_text(page->html, title);
    (void)fputs(
        "</title>\n<style>\nbody { font-family: sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; "
        "line-height: 1.45; }\ntable { border-collapse: collapse; margin: 1rem 0; }\nth, td { border: 1px solid "
        "#bbb; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }\nimg { max-width: 100%; }\npre { "
        "background: #f4f4f4; padding: 0.6rem; overflow-x: auto; }\n</style>\n</head>\n<body>\n<h1>",
        page->html);
    ll_report_html_text(page->html, title);
    (void)fputs("</h1>\n", page->html);
    return LL_OK;
}

void ll_page_heading(ll_page *page, const char *text)
{
    (void)fputs("\n## ", page->markdown);
    write_markdown(page->markdown, text);
    (void)fputs("\n", page->markdown);
    (void)fputs("<h2>", page->html);
    ll_report_html_text(page->html, text);
    (void)fputs("</h2>\n", page->html);
}

void ll_page_paragraph(ll_page *page, const char *format, ...)
{
    char text[2000];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    (void)fputs("\n", page->markdown);
    write_markdown(page->markdown, text);
    (void)fputs("\n", page->markdown);
    (void)fputs("<p>", page->html);
    ll_report_html_text(page->html, text);
    (void)fputs("</p>\n", page->html);
}

void ll_page_code(ll_page *page, const char *text)
{
    (void)fprintf(page->markdown, "\n    %s\n", text);
    (void)fputs("<pre>", page->html);
    ll_report_html_text(page->html, text);
    (void)fputs("</pre>\n", page->html);
}

void ll_page_picture(ll_page *page, const char *file, const char *title, const char *caption)
{
    (void)fprintf(page->markdown, "\n![%s](%s)\n\n*", title, file);
    write_markdown(page->markdown, caption);
    (void)fputs("*\n", page->markdown);
    (void)fprintf(page->html, "<figure><img src=\"%s\" alt=\"%s\">\n<figcaption>", file, title);
    ll_report_html_text(page->html, caption);
    (void)fputs("</figcaption></figure>\n", page->html);
}

static void write_row(ll_page *page, const char *const *cells, const char *tag)
{
    (void)fputs("<tr>", page->html);
    for (; *cells; cells++) {
        (void)fputs("| ", page->markdown);
        write_markdown(page->markdown, *cells);
        (void)fputs(" ", page->markdown);
        (void)fprintf(page->html, "<%s>", tag);
        ll_report_html_text(page->html, *cells);
        (void)fprintf(page->html, "</%s>", tag);
    }
    (void)fputs("|\n", page->markdown);
    (void)fputs("</tr>\n", page->html);
}

void ll_page_table(ll_page *page, const char *const *headings)
{
    (void)fputs("\n", page->markdown);
    (void)fputs("<table>\n", page->html);
    write_row(page, headings, "th");
    for (; *headings; headings++)
        (void)fputs("|---", page->markdown);
    (void)fputs("|\n", page->markdown);
}

void ll_page_row(ll_page *page, const char *const *cells)
{
    write_row(page, cells, "td");
}

void ll_page_table_end(ll_page *page)
{
    (void)fputs("</table>\n", page->html);
}

static ll_status write_text(const char *folder, const char *name, const char *ending, const char *text, size_t size,
                            ll_error *error)
{
    ll_io_output *out;
    char *path = ll_reproduce_path(folder, name, ending);
    ll_status status = path ? ll_io_output_open(&out, path, error) : ll_fail(error, LL_MEMORY, "out of memory");
    free(path);
    if (status != LL_OK)
        return status;
    status = ll_io_output_write(out, text, size, error);
    if (status == LL_OK)
        return ll_io_output_commit(out, error);
    ll_io_output_abandon(out);
    return status;
}

ll_status ll_page_write(ll_page *page, const char *folder, ll_error *error)
{
    (void)fputs("</body>\n</html>\n", page->html);
    int failed = fclose(page->markdown) != 0;
    failed |= fclose(page->html) != 0;
    ll_status status = failed ? ll_fail(error, LL_MEMORY, "out of memory for a page") : LL_OK;
    if (status == LL_OK)
        status = write_text(folder, "README", ".md", page->markdown_text, page->markdown_size, error);
    if (status == LL_OK)
        status = write_text(folder, "index", ".html", page->html_text, page->html_size, error);
    free(page->markdown_text);
    free(page->html_text);
    return status;
}

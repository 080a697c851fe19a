/* What the page of an audit says of a program that was run. */
#include "report/audit_page.h"
#include "report/html_text.h"
#include "report/identify_report.h"

#include <stdlib.h>

static void print_line(FILE *out, const char *before, const char *text, const char *after)
{
    (void)fputs(before, out);
    ll_report_html_text(out, text);
    (void)fputs(after, out);
}

void ll_report_identify_surprises(FILE *out, const ll_identify_report *r)
{
    if (r->found->surprise_count > 0)
        (void)fputs("<h2>Read this first</h2>\n<ul>\n", out);
    for (long i = 0; i < r->found->surprise_count; i++)
        print_line(out, "<li>", ll_identification_get_surprise(r->found, i)->text, "</li>\n");
    if (r->found->surprise_count > 0)
        (void)fputs("</ul>\n", out);
}

void ll_report_identify_channels(FILE *out, const ll_identify_report *r)
{
    print_line(out, "<h2>The program, as it was found</h2>\n<p>", r->found->summary, "</p>\n<ul>\n");
    for (long i = 0; i < r->found->channel_count; i++) {
        const ll_channel_found *c = ll_identification_get_channel(r->found, i);
        if (c->depends_on_labels == LL_FALSE)
            continue;
        print_line(out, "<li><strong>", c->name, "</strong>: ");
        print_line(out, "", c->evidence, "</li>\n");
    }
    print_line(out, "</ul>\n<p>", r->found->failures, "</p>\n");
    print_line(out, "<p>", r->found->time_evidence, "</p>\n");
    if (r->platform != NULL)
        print_line(out, "<p>", r->platform, "</p>\n");
    if (r->attack != NULL)
        print_line(out, "<p>", r->attack->evidence, "</p>\n");
    if (r->found->command_line[0])
        print_line(out, "<p>Its description, to paste: <code>", r->found->command_line, "</code></p>\n");
}

/* ---- a program that is not recognised ---- */

static void print_fact(FILE *out, const char *name, const char *format, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, format, value);
    (void)fprintf(out, "<li><span>%s</span>%s</li>\n", name, text);
}

static void print_facts(FILE *out, const ll_program_attack_result *a)
{
    const ll_attack_measured *best = ll_program_attack_get_tried(a, 0);
    (void)fputs("<ul class=\"facts\">\n", out);
    print_fact(out, "labels right, measured", "%.1f%%", 100 * best->share);
    print_fact(out, "by guessing", "%.1f%%", 100 * a->guess);
    print_fact(out, "made-up labels", "%.0f", (double)a->rows);
    print_fact(out, "submissions", "%.0f", (double)a->runs);
    (void)fputs("</ul>\n", out);
}

static void print_unknown(FILE *out, const ll_unknown_page *page)
{
    (void)fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>What this program gives away</title>\n<style>\n%s</style>\n</head>\n<body>\n",
        ll_report_page_style);
    (void)fputs("<h1>What this program gives away</h1>\n", out);
    ll_report_identify_surprises(out, page->program);
    (void)fprintf(out, "<p class=\"verdict%s\">", page->leaks ? "" : " open");
    print_line(out, "", page->answer, "</p>\n");
    print_facts(out, page->program->attack);
    if (page->bound[0])
        print_line(out, "<h2>What its text can tell at most</h2>\n<p>", page->bound, "</p>\n");
    print_line(out, "<h2>What to do</h2>\n<p>", page->todo, "</p>\n");
    ll_report_identify_channels(out, page->program);
    (void)fprintf(out, "<p>Made by lossleak %s. For scorers you own or may test.</p>\n</body>\n</html>\n",
                  ll_version());
}

ll_status ll_report_unknown_page(const char *path, const ll_unknown_page *page, ll_error *error)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a page");
    print_unknown(out, page);
    ll_status status = fclose(out) == 0 ? ll_report_page_write(path, text, length, error)
                                        : ll_fail(error, LL_MEMORY, "no memory for a page");
    free(text);
    return status;
}

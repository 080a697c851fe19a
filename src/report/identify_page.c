/* What the page of an audit says of a program that was run. */
#include "report/html_text.h"
#include "report/identify_report.h"

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

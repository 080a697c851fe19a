/* The page of `investigate`: the sentence, a picture of the time line, accounts and marked submissions. */
#include "report/history_report.h"

#include "io/files/write_file.h"
#include "report/html_text.h"
#include "report/scorer_text.h"
#include <stdlib.h>

/* The picture: a line for each account, a dot for each submission, a curve of labels below. */
enum { WIDTH = 860, LEFT = 150, LINE = 22, CURVE = 200, MARGIN = 16, MOST_LINES = 40, MOST_LISTED = 200 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Who read which labels</title>\n<style>\n"
    ":root{--ink:#1b1b1b;--paper:#fdfdfb;--soft:#667;--line:#ccd;--card:#f3f3ee;--bad:#b3261e;--good:#1b6e3c;"
    "--dot:#6b7a99}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#16181b;--soft:#a0a4ad;--line:#3a3f47;"
    "--card:#1f2328;--bad:#ff8a80;--good:#7bd39a;--dot:#8d9cc0}}\n"
    "body{margin:0 auto;max-width:56rem;padding:1.2rem;color:var(--ink);background:var(--paper);"
    "font:1rem/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}\n"
    ".verdict{font-size:1.2rem;border-left:.35rem solid var(--soft);padding:.2rem 0 .2rem 1rem}\n"
    ".verdict.bad{border-color:var(--bad)}.wide{overflow-x:auto}.bad{color:var(--bad)}.soft{color:var(--soft)}\n"
    "figure{margin:1rem 0}svg{min-width:34rem;width:100%;height:auto}svg text{font:12px system-ui,sans-serif;"
    "fill:var(--ink)}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:.3rem .6rem;"
    "border-bottom:1px solid var(--line);text-align:right}th:first-child,td:first-child,td.text,th.text{text-align:left}"
    "\n"
    "td{overflow-wrap:break-word}tr.bad td:first-child{color:var(--bad);font-weight:700}\n"
    "@media (max-width:34rem){body{padding:.8rem}table{font-size:.8rem}th,td{padding:.25rem .3rem}}\n"
    "@media(max-width:40rem){svg{min-width:0}svg text{font-size:19px}}\n"
    "</style>\n</head>\n<body>\n<h1>Who read which labels</h1>\n";

/* ------------------------------------------------------------------ the picture */

static int is_marked(const ll_history_moment *m)
{
    return m->why != NULL;
}

/* The line of every account: suspicious ones first, then in order, as far as there is room. */
static long *order_accounts(const ll_investigation *found, long *lines)
{
    long *line = calloc((size_t)found->account_count + 1, sizeof *line), next = 0;
    for (int suspicious = 1; line != NULL && suspicious >= 0; suspicious--)
        for (long a = 0; a < found->account_count; a++)
            if (ll_investigation_get_account(found, a)->is_suspicious == suspicious) {
                line[a] = next < MOST_LINES ? next : MOST_LINES;
                next += next < MOST_LINES + 1;
            }
    *lines = next;
    return line;
}

static double place(const ll_investigation *found, long index)
{
    double share = found->moment_count > 1 ? (double)index / (double)(found->moment_count - 1) : 0.5;
    return LEFT + share * (WIDTH - LEFT - MARGIN);
}

static void print_names(FILE *out, const ll_investigation *found, const long *line, long lines)
{
    for (long a = 0; a < found->account_count; a++) {
        const ll_history_account *account = ll_investigation_get_account(found, a);
        char name[64];
        double y = MARGIN + LINE * ((double)line[a] + 0.5);
        if (line[a] == MOST_LINES)
            continue;
        (void)snprintf(name, sizeof name, "%.20s", account->name);
        (void)fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"var(--line)\"/>", LEFT, y,
                      WIDTH - MARGIN, y);
        (void)fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\"%s>", LEFT - 10, y + 4,
                      account->is_suspicious ? " style=\"fill:var(--bad);font-weight:700\"" : "");
        ll_report_html_text(out, name);
        (void)fputs("</text>\n", out);
    }
    if (lines > MOST_LINES)
        (void)fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">other accounts</text>\n", LEFT - 10,
                      MARGIN + LINE * (MOST_LINES + 0.5) + 4);
}

static void print_dots(FILE *out, const ll_investigation *found, const long *line)
{
    for (long s = 0; s < found->moment_count; s++) {
        const ll_history_moment *m = ll_investigation_get_moment(found, s);
        double y = MARGIN + LINE * ((double)line[m->account] + 0.5);
        (void)fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"var(--%s)\"><title>", place(found, s), y,
                      is_marked(m) ? "4.5" : "3", is_marked(m) ? "bad" : "dot");
        ll_report_html_text(out, m->name);
        (void)fprintf(out, ": %ld labels determined so far</title></circle>\n", m->together);
    }
}

static void print_curve(FILE *out, const ll_investigation *found, double top, int alone)
{
    double rows = (double)found->rows, y = top + CURVE;
    (void)fprintf(out, "<path fill=\"none\" stroke-width=\"2\" stroke=\"var(--%s)\"%s d=\"M%d %.1f",
                  alone ? "ink" : "bad", alone ? " stroke-dasharray=\"5 4\"" : "", LEFT, y);
    long most = 0;
    for (long s = 0; s < found->moment_count; s++) {
        const ll_history_moment *m = ll_investigation_get_moment(found, s);
        long count = alone ? m->alone : m->together;
        most = count > most ? count : most;
        (void)fprintf(out, "H%.1fV%.1f", place(found, s), top + CURVE * (1 - (double)most / rows));
    }
    (void)fprintf(out, "H%d\"/>\n", WIDTH - MARGIN);
}

static void print_axes(FILE *out, const ll_investigation *found, double top)
{
    for (int i = 0; i <= 4; i++) {
        double y = top + CURVE * (1 - i / 4.0);
        (void)fprintf(out,
                      "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"var(--line)\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                      LEFT, y, WIDTH - MARGIN, y, LEFT - 10, y + 4, (double)found->rows * i / 4);
    }
    (void)fprintf(out,
                  "<text x=\"%d\" y=\"%.1f\">submission 1</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">"
                  "%ld</text>\n",
                  LEFT, top + CURVE + 20, WIDTH - MARGIN, top + CURVE + 20, found->moment_count);
}

static ll_status print_picture(FILE *out, const ll_investigation *found, ll_error *error)
{
    long lines = 0, *line = order_accounts(found, &lines);
    double top = MARGIN + LINE * (double)lines + 2 * MARGIN, height = top + CURVE + 30;
    if (line == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a picture");
    (void)fprintf(out,
                  "<figure>\n<div class=\"wide\"><svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"Submissions of "
                  "every account in their order, and how many of %ld labels they determine\">\n",
                  WIDTH, height, found->rows);
    print_names(out, found, line, lines);
    print_dots(out, found, line);
    print_axes(out, found, top);
    print_curve(out, found, top, 1);
    print_curve(out, found, top, 0);
    free(line);
    (void)fprintf(out,
                  "</svg></div>\n<figcaption class=\"soft\">Above, a dot for each submission, in their order; those "
                  "with a mark are red. Below, how many of %ld labels are determined: by all accounts together (red), "
                  "and the most by one account alone (dashed).</figcaption>\n</figure>\n",
                  found->rows);
    return LL_OK;
}

/* ------------------------------------------------------------------ tables */

static void print_accounts(FILE *out, const ll_investigation *found)
{
    (void)fputs("<h2>Accounts</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">account</th>"
                "<th scope=\"col\">submissions</th><th scope=\"col\">marked</th><th scope=\"col\">labels alone</th>"
                "<th scope=\"col\">labels with others</th></tr></thead>\n<tbody>\n",
                out);
    for (long a = 0; a < found->account_count; a++) {
        const ll_history_account *account = ll_investigation_get_account(found, a);
        (void)fputs(account->is_suspicious ? "<tr class=\"bad\"><td>" : "<tr><td>", out);
        ll_report_html_text(out, account->name);
        (void)fprintf(out, "</td><td>%ld</td><td>%ld</td><td>%ld</td><td>%ld</td></tr>\n", account->submissions,
                      account->marked, account->determined, account->shared);
    }
    (void)fputs("</tbody></table></div>\n", out);
}

static void print_suspects(FILE *out, const ll_investigation *found)
{
    if (found->suspicious == 0)
        return;
    (void)fputs("<h2>Why</h2>\n<ul>\n", out);
    for (long a = 0; a < found->account_count; a++) {
        const ll_history_account *account = ll_investigation_get_account(found, a);
        if (!account->is_suspicious)
            continue;
        (void)fputs("<li><strong>", out);
        ll_report_html_text(out, account->name);
        (void)fputs("</strong>: ", out);
        ll_report_html_text(out, account->why);
        (void)fputs("</li>\n", out);
    }
    (void)fputs("</ul>\n", out);
}

static void print_marked(FILE *out, const ll_investigation *found)
{
    long listed = 0;
    for (long s = 0; s < found->moment_count && listed < MOST_LISTED; s++) {
        const ll_history_moment *m = ll_investigation_get_moment(found, s);
        if (!is_marked(m))
            continue;
        if (listed++ == 0)
            (void)fputs("<h2>Marked submissions</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
                        "<th scope=\"col\">submission</th><th scope=\"col\" class=\"text\">account</th>"
                        "<th scope=\"col\" class=\"text\">why</th></tr></thead>\n<tbody>\n",
                        out);
        (void)fputs("<tr><td>", out);
        ll_report_html_text(out, m->name);
        (void)fputs("</td><td class=\"text\">", out);
        ll_report_html_text(out, ll_investigation_get_account(found, m->account)->name);
        (void)fputs("</td><td class=\"text\">", out);
        ll_report_html_text(out, m->why);
        (void)fputs("</td></tr>\n", out);
    }
    if (listed > 0)
        (void)fputs("</tbody></table></div>\n", out);
    if (listed == MOST_LISTED)
        (void)fputs("<p class=\"soft\">The first 200; --json has all of them.</p>\n", out);
}

static ll_status print_page(FILE *out, const ll_history_report *r, ll_error *error)
{
    char text[600];
    const ll_investigation *found = r->found;
    (void)fputs(head, out);
    ll_report_html_line(out, "p", found->suspicious > 0 ? " class=\"verdict bad\"" : " class=\"verdict\"",
                        found->verdict);
    ll_status status = print_picture(out, found, error);
    print_suspects(out, found);
    print_accounts(out, found);
    print_marked(out, found);
    ll_report_write_scorer(text, sizeof text, r->scorer);
    (void)fputs("<h2>How to read this</h2>\n<p>Scorer: ", out);
    ll_report_html_text(out, text);
    (void)fprintf(out,
                  "; %ld rows of %ld classes. A label is determined where every labelling that explains the scores has "
                  "it; that holds as far as this description does. Honest submissions determine labels too, wherever "
                  "two of them differ in few rows. No mark is no proof.</p>\n</body>\n</html>\n",
                  found->rows, found->classes);
    return status;
}

ll_status ll_report_history_page(const char *path, const ll_history_report *report, ll_error *error)
{
    char *page = NULL;
    size_t size = 0;
    ll_io_output *output = NULL;
    FILE *memory = open_memstream(&page, &size);
    if (memory == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a page");
    ll_status status = print_page(memory, report, error);
    if (fclose(memory) != 0 && status == LL_OK)
        status = ll_fail(error, LL_MEMORY, "no memory for a page");
    if (status == LL_OK)
        status = ll_io_output_open(&output, path, error);
    if (status == LL_OK)
        status = ll_io_output_write(output, page, size, error);
    if (status == LL_OK)
        status = ll_io_output_commit(output, error);
    else
        ll_io_output_abandon(output);
    free(page);
    return status;
}

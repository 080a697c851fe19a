#include "report/audit_page.h"

#include "io/files/write_file.h"
#include "report/audit_figures.h"
#include "report/gnuplot.h"
#include "report/html_text.h"
#include "report/scorer_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700, CELL = 48 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>What this scorer gives away</title>\n<style>\n"
    ":root{--ink:#1b1b1b;--paper:#fdfdfb;--soft:#667;--line:#ccd;--card:#f3f3ee;--bad:#b3261e;--good:#1b6e3c}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#16181b;--soft:#a0a4ad;--line:#3a3f47;"
    "--card:#1f2328;--bad:#ff8a80;--good:#7bd39a}}\n"
    "body{margin:0 auto;max-width:54rem;padding:1.2rem;color:var(--ink);background:var(--paper);"
    "font:1rem/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}\n"
    ".verdict{font-size:1.25rem;line-height:1.4;border-left:.35rem solid var(--bad);padding:.2rem 0 .2rem 1rem;"
    "margin:1rem 0}\n.verdict.good{border-color:var(--good)}.verdict.open{border-color:var(--soft)}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.4rem,1fr));gap:.6rem;margin:1rem 0;padding:0}\n"
    ".facts "
    "li{list-style:none;font-size:1.15rem;font-weight:600;background:var(--card);border-radius:.4rem;padding:.5rem "
    ".7rem}\n"
    ".facts span{display:block;color:var(--soft);font-size:.85rem;font-weight:400}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    ".caption{color:var(--soft);margin:.3rem 0;break-after:avoid}\n"
    "th,td{padding:.3rem .6rem;border-bottom:1px solid "
    "var(--line);text-align:right;vertical-align:bottom}td{white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left}td.note{white-space:normal;text-align:left;"
    "min-width:16rem}\ntr.best{font-weight:700}\n"
    "figure{margin:1.5rem 0;break-inside:avoid}figure svg{width:100%;height:auto;color:var(--ink)}\n"
    "figcaption{color:var(--soft);font-size:.92rem}a{color:inherit}\n"
    "@media (max-width:34rem){body{padding:.8rem}table{font-size:.78rem}th,td{padding:.25rem "
    ".3rem}td:first-child{white-space:normal}}\n"
    "@media print{body{max-width:none;font-size:9.5pt}a{text-decoration:none}h2{break-after:avoid}"
    ".facts{grid-template-columns:repeat(6,1fr)}.wide{overflow:visible}figure{margin:.8rem 0}"
    "figure svg{max-height:8.6cm}tr,li{break-inside:avoid}}\n"
    "</style>\n</head>\n<body>\n";

static void print_cell(FILE *out, const char *kind, const char *text)
{
    (void)fprintf(out, "<td%s>", kind);
    ll_report_html_text(out, text);
    (void)fputs("</td>", out);
}

static void print_number(FILE *out, double x, int digits)
{
    char text[CELL];
    ll_report_write_number(text, sizeof text, x, digits);
    print_cell(out, "", text);
}

static void print_percent(FILE *out, double share)
{
    char text[CELL];
    (void)snprintf(text, sizeof text, "%.1f %%", 100 * share);
    print_cell(out, "", text);
}

/* ------------------------------------------------------------------ parts */

static void print_fact(FILE *out, const char *name, const char *value)
{
    (void)fputs("<li><span>", out);
    ll_report_html_text(out, name);
    (void)fputs("</span> ", out);
    ll_report_html_text(out, value);
    (void)fputs("</li>\n", out);
}

static void print_number_fact(FILE *out, const char *name, double x, const char *unit)
{
    char number[CELL], text[2 * CELL];
    ll_report_write_number(number, sizeof number, x, 4);
    (void)snprintf(text, sizeof text, "%s%s", number, isfinite(x) ? unit : "");
    print_fact(out, name, text);
}

static void print_summary(FILE *out, const ll_audit_report *r)
{
    char text[TEXT];
    const ll_audit *a = r->audit;
    (void)fprintf(out, "<h1>What this scorer gives away</h1>\n<p class=\"verdict%s\">",
                  a->proved             ? " good"
                  : a->leaks == LL_TRUE ? ""
                                        : " open");
    ll_report_html_text(out, a->verdict);
    (void)fputs("</p>\n<ul class=\"facts\">\n", out);
    print_fact(out, "leaks", ll_report_leaks(a));
    print_number_fact(out, "labels right, best attack", round(1000 * a->share) / 10, " %");
    print_number_fact(out, "by guessing", round(1000 * a->guess) / 10, " %");
    print_number_fact(out, "no method gets more than", round(1000 * a->bound->max_share) / 10, " %");
    print_number_fact(out, "hidden rows", (double)a->rows, "");
    print_number_fact(out, "submissions answered", a->queries, "");
    (void)fputs("</ul>\n<h2>The scorer, as it was described</h2>\n<p>", out);
    ll_report_write_scorer(text, sizeof text, r->scorer);
    ll_report_html_text(out, text);
    (void)fprintf(out, "; %ld rows of %ld classes. ", a->rows, a->classes);
    (void)fputs("All that follows holds as far as this description does.</p>\n", out);
}

static void print_choice(FILE *out, const ll_plan_choice *c, int is_best)
{
    (void)fputs(is_best ? "<tr class=\"best\">" : "<tr>", out);
    print_cell(out, "", c->code);
    if (c->status != LL_OK) {
        (void)fputs("<td colspan=\"4\" class=\"note\">", out);
        ll_report_html_text(out, c->why);
        (void)fputs("</td></tr>\n", out);
        return;
    }
    print_number(out, c->labels_per_query, 4);
    print_number(out, (double)c->queries, 8);
    print_number(out, (double)c->recovered, 8);
    print_cell(out, "", c->guarantee == LL_CERTIFIED ? "certified" : "likely");
    (void)fputs("</tr>\n", out);
}

/* Headings, the first one left; captions stand outside, so that they do not scroll with a wide table. */
static void begin_table(FILE *out, const char *caption, const char *const *headings, int count)
{
    (void)fprintf(out, "<p class=\"caption\">%s</p>\n<div class=\"wide\"><table>\n<thead><tr>", caption);
    for (int i = 0; i < count; i++)
        (void)fprintf(out, "<th scope=\"col\">%s</th>", headings[i]);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out)
{
    (void)fputs("</tbody></table></div>\n", out);
}

static void print_codes(FILE *out, const ll_audit *a)
{
    static const char *const headings[] = {"code", "labels a submission", "submissions for all",
                                           "labels within the limit", "guarantee"};
    (void)fputs("<h2>What attacks do</h2>\n", out);
    begin_table(out, "Every code that lossleak knows, planned for this scorer; the best is bold", headings, 5);
    for (long i = 0; i < a->choice_count; i++)
        print_choice(out, a->choices + i, i == a->best);
    end_table(out);
    if (isfinite(a->queries) && a->average_share > a->guess)
        (void)fprintf(out,
                      "<p>Averaging over all answers, without any certainty, gets %.1f %% of the labels right.</p>\n",
                      100 * a->average_share);
}

static void print_bound_row(FILE *out, const char *name, double any, double fixed)
{
    (void)fputs("<tr>", out);
    print_cell(out, "", name);
    print_number(out, any, 6);
    print_number(out, fixed, 6);
    (void)fputs("</tr>\n", out);
}

static void print_bound(FILE *out, const ll_audit *a)
{
    static const char *const headings[] = {"", "any method", "submissions fixed beforehand"};
    const ll_audit_bound *b = a->bound;
    (void)fputs("<h2>What no attack can do</h2>\n", out);
    begin_table(out, "Proved for every attack, known or not", headings, 3);
    print_bound_row(out, "bits that one answer tells, at most", b->bits_per_query, b->bits_per_query_fixed);
    print_bound_row(out, "submissions for all labels, at least", b->min_queries, b->min_queries_fixed);
    end_table(out);
    (void)fprintf(
        out,
        "<p>The labels have %.0f bits in all. Within the limit nobody can expect more than %.2f %% of them right: "
        "for %s.",
        b->label_bits, 100 * b->max_share, a->assumptions);
    if (isfinite(b->epsilon))
        (void)fprintf(out, " All answers together are label-private with epsilon %.3g.", b->epsilon);
    (void)fputs("</p>\n", out);
}

static void print_defence(FILE *out, const ll_defence *d)
{
    char text[CELL];
    (void)fputs("<tr>", out);
    print_cell(out, "", d->kind);
    ll_report_write_setting(text, sizeof text, d);
    print_cell(out, "", text);
    if (isinf(d->epsilon))
        print_cell(out, "", "none");
    else
        print_number(out, d->epsilon, 3);
    print_percent(out, d->share);
    print_percent(out, d->bound);
    print_number(out, d->noise_over_sampling_error, 3);
    print_number(out, d->distance, 3);
    print_cell(out, "", d->verified && !isnan(d->setting) ? "yes" : "no");
    (void)fputs("</tr>\n", out);
}

/* "Run against it: detecting (16), hadamard (1)." */
static void print_tried(FILE *out, const ll_tried *tried, long count)
{
    for (long i = 0; i < count; i++)
        (void)fprintf(out, "%s%s (%ld: %.1f %%)", i == 0 ? " Run against it: " : ", ", tried[i].attack, tried[i].runs,
                      100 * tried[i].share);
}

static void print_notes(FILE *out, const ll_audit *a)
{
    (void)fputs("<ul>\n", out);
    for (long i = 0; i < a->defence_count; i++)
        if (a->defences[i].note[0] != '\0') {
            (void)fprintf(out, "<li><strong>%s</strong>: ", a->defences[i].kind);
            ll_report_html_text(out, a->defences[i].note);
            print_tried(out, a->defences[i].tried, a->defences[i].tried_count);
            (void)fputs("</li>\n", out);
        }
    (void)fputs("</ul>\n", out);
}

static void print_defences(FILE *out, const ll_audit *a)
{
    static const char *const headings[] = {"defence",      "setting",      "epsilon",
                                           "best attack",  "proved limit", "over sampling error",
                                           "models apart", "verified"};
    char caption[TEXT];
    (void)snprintf(caption, sizeof caption,
                   "Settings that keep the best attack at %.1f %% of the labels, priced for %.0f submissions",
                   100 * a->target_share, isfinite(a->queries) ? a->queries : 1000);
    (void)fputs("<h2>What would stop it, and what that costs</h2>\n", out);
    begin_table(out, caption, headings, 8);
    for (long i = 0; i < a->defence_count; i++)
        print_defence(out, a->defences + i);
    end_table(out);
    print_notes(out, a);
    if (isfinite(a->sampling_error))
        (void)fprintf(
            out,
            "<p>The score of a middling model is off by %.3g anyway, because the rows are a sample: <em>over "
            "sampling error</em> is what a defence adds, measured in that. <em>Models apart</em>: two models must "
            "differ by so much to be told apart 19 times of 20. <em>Verified</em>: attacks were run at the full number "
            "of "
            "submissions against simulated scorers with this setting, one of every kind that serves it, and none "
            "passed the target.</p>\n",
            a->sampling_error);
}

/* ------------------------------------------------------------------ pictures */

static int is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c) != NULL;
}

/* The data as a link that needs no server. */
static ll_status print_data_link(FILE *out, const ll_plot *f, ll_error *error)
{
    char *csv = NULL;
    size_t size;
    FILE *file = open_memstream(&csv, &size);
    if (!file)
        return ll_fail(error, LL_MEMORY, "no memory for a picture");
    ll_plot_print_csv(f, file);
    ll_status status = fclose(file) == 0 ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a picture");
    if (status == LL_OK) {
        (void)fprintf(out, "<a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,", f->name);
        for (const char *at = csv; *at; at++)
            (void)fprintf(out, is_plain(*at) ? "%c" : "%%%02X", (unsigned char)*at);
        (void)fputs("\">data as CSV</a>", out);
    }
    free(csv);
    return status;
}

/* Without gnuplot the data alone. */
static ll_status print_figure(FILE *out, const ll_plot *f, int drawn, ll_error *error)
{
    char *svg = NULL;
    ll_status status = drawn ? ll_plot_draw(f, &svg, error) : LL_OK;
    if (status != LL_OK)
        return status;
    (void)fprintf(out, "<figure>\n<div class=\"wide\">%s</div>\n<figcaption><strong>%s.</strong> ", svg ? svg : "",
                  f->title);
    ll_report_html_text(out, f->alt);
    (void)fputs(" (", out);
    status = print_data_link(out, f, error);
    (void)fputs(")</figcaption>\n</figure>\n", out);
    free(svg);
    return status;
}

static ll_status print_figures(FILE *out, const ll_audit_report *r, int drawn, ll_error *error)
{
    ll_plot *figures = calloc(LL_AUDIT_FIGURES, sizeof *figures);
    if (!figures)
        return ll_fail(error, LL_MEMORY, "no memory for pictures");
    ll_status status = ll_audit_figures(figures, r->audit, r->scorer, error);
    (void)fputs("<h2>Pictures</h2>\n", out);
    if (!drawn)
        (void)fputs("<p>gnuplot was not there when this page was made; the data of every picture is.</p>\n", out);
    for (int i = 0; i < LL_AUDIT_FIGURES && status == LL_OK; i++)
        if (figures[i].curves > 0)
            status = print_figure(out, &figures[i], drawn, error);
    free(figures);
    return status;
}

/* ------------------------------------------------------------------ the page */

static ll_status print_page(FILE *out, const ll_audit_report *r, int drawn, ll_error *error)
{
    (void)fputs(head, out);
    print_summary(out, r);
    print_codes(out, r->audit);
    print_bound(out, r->audit);
    print_defences(out, r->audit);
    ll_status status = print_figures(out, r, drawn, error);
    (void)fprintf(out, "<p>Made by lossleak %s. For scorers you own or may test.</p>\n</body>\n</html>\n",
                  ll_version());
    return status;
}

static ll_status write_page(const char *path, const char *text, size_t size, ll_error *error)
{
    ll_io_output *output;
    ll_status status = ll_io_output_open(&output, path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_output_write(output, text, size, error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}

ll_status ll_report_audit_page(const char *path, const ll_audit_report *report, char *without, size_t size,
                               ll_error *error)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return ll_fail(error, LL_MEMORY, "no memory for a page");
    int drawn = ll_report_has_gnuplot();
    (void)snprintf(without, size, "%s", drawn ? "" : "gnuplot is not installed");
    ll_status status = print_page(out, report, drawn, error);
    if (fclose(out) != 0 && status == LL_OK)
        status = ll_fail(error, LL_MEMORY, "no memory for a page");
    if (status == LL_OK)
        status = write_page(path, text, length, error);
    free(text);
    return status;
}

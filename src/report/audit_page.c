#include "report/audit_page.h"

#include "report/identify_report.h"

#include "io/files/write_file.h"
#include "report/audit_figures.h"
#include "report/gnuplot.h"
#include "report/html_text.h"
#include "report/scorer_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 700, CELL = 48, CODE_LINE = 400 };

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

/* ------------------------------------------------------------------ parts */

/* "18 November 2026": SOURCE_DATE_EPOCH stands for today where a page must be the same every day. */
static void write_date(char *text, size_t size)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t now = fixed != NULL && fixed[0] != '\0' ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm day;
    static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                         "July",    "August",   "September", "October", "November", "December"};
    text[0] = '\0';
    if (gmtime_r(&now, &day) != NULL)
        (void)snprintf(text, size, "%d %s %d", day.tm_mday, months[day.tm_mon], day.tm_year + 1900);
}

/* "log-loss of 2201 hidden rows"; with what else an answer has. */
static void write_subject(char *text, size_t size, const ll_audit_report *r)
{
    long more = ll_scorer_count_numbers(r->scorer) - 1;
    char others[CELL] = "";
    int is_grouped = ll_scorer_get(r->scorer, "groups") != NULL;
    if (more > 0)
        (void)snprintf(others, sizeof others, is_grouped ? ", and of each of %ld group%s" : " and %ld more number%s",
                       more, more == 1 ? "" : "s");
    (void)snprintf(text, size, "%.200s%s of %ld hidden rows%s", ll_scorer_get(r->scorer, "metric"),
                   is_grouped ? "" : others, r->audit->rows, is_grouped ? others : "");
}

static void print_head(FILE *out, const ll_audit_report *r)
{
    char subject[TEXT], date[CELL];
    write_subject(subject, sizeof subject, r);
    write_date(date, sizeof date);
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>What it gives away: ",
                out);
    ll_report_html_text(out, subject);
    (void)fprintf(out, ", %s</title>\n<style>\n%s</style>\n</head>\n<body>\n", date, ll_report_page_style);
}

/* The title, and below it the day and the scorer. */
static void print_title(FILE *out, const ll_audit_report *r)
{
    char subject[TEXT], scorer[TEXT], date[CELL];
    write_subject(subject, sizeof subject, r);
    write_date(date, sizeof date);
    ll_report_write_scorer(scorer, sizeof scorer, r->scorer);
    (void)fputs("<h1>What it gives away: ", out);
    ll_report_html_text(out, subject);
    (void)fprintf(out, "</h1>\n<p class=\"made\">%s, by lossleak %s, for ", date, ll_version());
    ll_report_html_text(out, scorer);
    (void)fputs("</p>\n", out);
}

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

/* The two sentences. Green is what is proved. */
static void print_plain(FILE *out, const ll_audit *a)
{
    (void)fprintf(out, "<p class=\"verdict%s\">", a->proved ? " good" : a->leaks == LL_TRUE ? "" : " open");
    ll_report_html_text(out, a->answer);
    if (a->noise[0] != '\0') {
        (void)fputs(" ", out);
        ll_report_html_text(out, a->noise);
    }
    (void)fputs("</p>\n", out);
}

/* A command breaks between its options, never inside one. */
static void print_command(FILE *out, const char *text)
{
    char word[TEXT];
    (void)fputs("<code>", out);
    for (size_t length = 0; *text != '\0'; text += length) {
        length = strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
        (void)fputs("<span>", out);
        ll_report_html_text(out, word);
        (void)fputs(text[length] != '\0' ? "</span> " : "</span>", out);
    }
    (void)fputs("</code>\n", out);
}

/* The release as code, folded; on paper the first is not. */
static void print_python(FILE *out, const char *code, int is_first)
{
    if (code[0] == '\0')
        return;
    (void)fprintf(out, "<details class=\"how%s\">\n<summary>How to do it, in Python</summary>\n<pre>",
                  is_first ? " printed" : "");
    for (const char *line = code; *line != '\0'; line += strcspn(line, "\n") + 1) { /* line ends are no text */
        char text[CODE_LINE];
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        ll_report_html_text(out, text);
        (void)fputc('\n', out);
    }
    (void)fputs("</pre>\n</details>\n", out);
}

static void print_proposal(FILE *out, const ll_proposal *p, int is_first_code)
{
    (void)fputs("<li>", out);
    ll_report_html_line(out, "strong", "", p->change);
    ll_report_html_line(out, "p", p->proved ? " class=\"proved\"" : "", p->effect);
    ll_report_html_line(out, "p", " class=\"cost\"", p->cost);
    (void)fputs("<p class=\"cost\"><strong>Participants notice:</strong> ", out);
    ll_report_html_text(out, p->notice);
    (void)fputs("</p>\n", out);
    print_command(out, p->check);
    print_python(out, p->python, is_first_code);
    if (p->no_python[0] != '\0')
        ll_report_html_line(out, "p", " class=\"cost\"", p->no_python);
    (void)fputs("</li>\n", out);
}

/* How the lines are meant and what their figures are counted in, before the first of them. */
static void print_unit(FILE *out, const ll_audit *a, int lines)
{
    (void)fprintf(out, "<p class=\"caption\">%s Guessing gets %.1f%% of the labels right. ",
                  lines > 1 ? "Choose one of these lines: only what is proved holds against every attack." : "",
                  100 * a->guess);
    if (isfinite(a->sampling_error))
        (void)fprintf(
            out,
            "Costs are in sampling errors. One is %.3g here: the error that an average model's score has because "
            "%ld rows are a sample. ",
            a->sampling_error, a->rows);
    (void)fprintf(out, "A larger target share than %.1f%% costs less. The command under each line checks it.</p>\n",
                  100 * a->target_share);
}

static int count_recommended(const ll_audit *a)
{
    int count = 0;
    for (long i = 0; i < a->proposal_count; i++)
        count += ll_audit_get_proposal(a, i)->recommended;
    return count;
}

static void print_todo(FILE *out, const ll_audit *a)
{
    int count = count_recommended(a);
    (void)fputs("<h2>What to do</h2>\n", out);
    if (count == 0)
        ll_report_html_line(out, "p", "", ll_report_nothing_to_do(a));
    else
        print_unit(out, a, count);
    (void)fputs(count > 0 ? "<ol class=\"todo\">\n" : "", out);
    int codes = 0;
    for (long i = 0; i < a->proposal_count; i++) {
        const ll_proposal *p = ll_audit_get_proposal(a, i);
        if (!p->recommended)
            continue;
        print_proposal(out, p, codes == 0);
        codes += p->python[0] != '\0';
    }
    (void)fputs(count > 0 ? "</ol>\n<p><strong>Always:</strong> " : "<p><strong>Always:</strong> ", out);
    ll_report_html_text(out, ll_report_always);
    (void)fputs("</p>\n", out);
}

/* The figures that matter, one below the other on a phone. */
static void print_facts(FILE *out, const ll_audit *a)
{
    (void)fputs("<ul class=\"facts\">\n", out);
    print_fact(out, "leaks", ll_report_leaks(a));
    print_number_fact(out, "labels right, best attack", round(1000 * a->share) / 10, " %");
    print_number_fact(out, "by guessing", round(1000 * a->guess) / 10, " %");
    print_number_fact(out, "no method gets more than", round(1000 * a->bound->max_share) / 10, " %");
    print_number_fact(out, "hidden rows", (double)a->rows, "");
    print_number_fact(out, "submissions answered", a->queries, "");
    (void)fputs("</ul>\n", out);
}

/* What was asked and what was found, in full. */
static void print_summary(FILE *out, const ll_audit_report *r)
{
    char text[TEXT];
    const ll_audit *a = r->audit;
    ll_report_html_line(out, "p", "", a->verdict);
    if (a->split != NULL)
        ll_report_html_line(out, "p", "", a->split->text);
    (void)fputs("<h2>The scorer, as it was described</h2>\n<p>", out);
    ll_report_write_scorer(text, sizeof text, r->scorer);
    ll_report_html_text(out, text);
    (void)fprintf(out, "; %ld rows of %ld classes. ", a->rows, a->classes);
    (void)fputs("All of this page holds as far as this description does.</p>\n", out);
}

static void print_choice(FILE *out, const ll_plan_choice *c, int is_best)
{
    (void)fputs(is_best ? "<tr class=\"best\">" : "<tr>", out);
    print_cell(out, "", c->code);
    print_number(out, c->labels_per_query, 4);
    print_number(out, (double)c->queries, 8);
    print_number(out, (double)c->recovered, 8);
    print_cell(out, "", c->guarantee == LL_CERTIFIED ? "certified" : "likely");
    (void)fputs("</tr>\n", out);
}

/* Headings, the first one left; captions stand outside, so that they do not scroll with a wide table. */
static void begin_table(FILE *out, const char *kind, const char *caption, const char *const *headings, int count)
{
    (void)fprintf(out, "<p class=\"caption\">%s</p>\n<div class=\"wide\"><table%s>\n<thead><tr>", caption, kind);
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
    static const char *const headings[] = {"code", "labels per submission", "submissions for all",
                                           "labels within the limit", "guarantee"};
    long applicable = 0, others;
    for (long i = 0; i < a->choice_count; i++)
        applicable += a->choices[i].status == LL_OK;
    others = a->choice_count - applicable;
    if (applicable > 0)
        begin_table(out, "", "The codes that apply, planned for this scorer; the best is bold", headings, 5);
    for (long i = 0; i < a->choice_count; i++)
        if (a->choices[i].status == LL_OK)
            print_choice(out, a->choices + i, i == a->best);
    if (applicable > 0)
        end_table(out);
    if (others > 0)
        (void)fprintf(out, "<p>%ld %scode%s not apply to this scorer; <q>lossleak attack --explain</q> says why.</p>\n",
                      others, applicable > 0 ? "more " : "", others == 1 ? " does" : "s do");
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
    begin_table(out, "", "Proved for every attack, known or not", headings, 3);
    print_bound_row(out, "bits that one answer tells, at most", b->bits_per_query, b->bits_per_query_fixed);
    print_bound_row(out, "submissions for all labels, at least", b->min_queries, b->min_queries_fixed);
    end_table(out);
    (void)fprintf(
        out,
        "<p>The labels have %.0f bits in all. Within the limit no attack gets more than %.2f %% of them right on average, "
        "for %s.",
        b->label_bits, 100 * b->max_share, a->assumptions);
    if (isfinite(b->epsilon))
        (void)fprintf(out, " All answers together are label-private with epsilon %.3g.", b->epsilon);
    (void)fputs("</p>\n", out);
    if (a->several[0] != '\0') {
        (void)fputs("<p>", out);
        ll_report_html_text(out, a->several);
        (void)fputs("</p>\n", out);
    }
}

static const char *const defence_headings[] = {"defence",      "over sampling error",   "models apart", "setting",
                                               "proved limit", "best attack, at least", "verified",     "epsilon"};
enum { DEFENCE_CELLS = sizeof defence_headings / sizeof defence_headings[0] };

static void write_percent(char *text, double share)
{
    (void)snprintf(text, CELL, "%.1f %%", 100 * share);
}

/* A page says submission where commands say query. */
static void write_setting(char *text, const ll_defence *d)
{
    if (strcmp(d->unit, "queries") == 0 && isfinite(d->setting))
        (void)snprintf(text, CELL, "%.0f submission%s", d->setting, d->setting == 1 ? "" : "s");
    else
        ll_report_write_setting(text, CELL, d);
}

/* In the order of the headings: on a phone each cell bears its own. */
static void write_defence(char cells[DEFENCE_CELLS][CELL], const ll_defence *d)
{
    (void)snprintf(cells[0], CELL, "%s", d->kind);
    ll_report_write_number(cells[1], CELL, d->noise_over_sampling_error, 3);
    ll_report_write_number(cells[2], CELL, d->distance, 3);
    write_setting(cells[3], d);
    write_percent(cells[4], d->bound);
    write_percent(cells[5], d->share);
    (void)snprintf(cells[6], CELL, "%s", d->verified && !isnan(d->setting) ? "yes" : "no");
    ll_report_write_number(cells[7], CELL, d->epsilon, 3);
    if (isinf(d->epsilon))
        (void)snprintf(cells[7], CELL, "none");
}

static void print_defence(FILE *out, const ll_defence *d)
{
    char cells[DEFENCE_CELLS][CELL], kind[2 * CELL];
    write_defence(cells, d);
    (void)fputs("<tr>", out);
    for (int i = 0; i < DEFENCE_CELLS; i++) {
        (void)snprintf(kind, sizeof kind, "%s data-name=\"%s\"", i == 4 && d->proved ? " class=\"proved\"" : "",
                       defence_headings[i]);
        print_cell(out, kind, cells[i]);
    }
    (void)fputs("</tr>\n", out);
}

/* "Run against it: averages (62.2 %; mean of 32 runs 66.8 %)." */
static void print_tried(FILE *out, const ll_tried *tried, long count)
{
    for (long i = 0; i < count; i++) {
        double lower = 100 * ll_report_tried_share(&tried[i]), mean = 100 * tried[i].share;
        if (tried[i].runs == 0)
            (void)fprintf(out, "%s%s (%.1f %%; forecast %.1f %%)", i == 0 ? " Tried against it: " : ", ",
                          tried[i].attack, lower, mean);
        else
            (void)fprintf(out, "%s%s (%.1f %%; mean of %ld run%s %.1f %%)", i == 0 ? " Run against it: " : ", ",
                          tried[i].attack, lower, tried[i].runs, tried[i].runs == 1 ? "" : "s", mean);
    }
}

static void print_notes(FILE *out, const ll_audit *a)
{
    (void)fputs("<ul class=\"notes\">\n", out);
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence d = ll_report_shown_defence(a, i);
        if (d.note[0] == '\0')
            continue;
        (void)fprintf(out, "<li><strong>%s</strong>: ", d.kind);
        ll_report_html_text(out, d.note);
        (void)fputs(".", out);
        print_tried(out, d.tried, d.tried_count);
        (void)fputs("</li>\n", out);
    }
    (void)fputs("</ul>\n", out);
}

static void print_defences(FILE *out, const ll_audit *a)
{
    char caption[TEXT];
    (void)snprintf(caption, sizeof caption,
                   "Settings that keep the best attack at %.1f %% of the labels, priced for %.0f submissions",
                   100 * a->target_share, isfinite(a->queries) ? a->queries : 1000);
    begin_table(out, " class=\"prices\"", caption, defence_headings, DEFENCE_CELLS);
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence d = ll_report_shown_defence(a, i);
        print_defence(out, &d);
    }
    end_table(out);
    print_notes(out, a);
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

/* Those from `from` to before `to`. */
static ll_status print_figures(FILE *out, const ll_plot *figures, int from, int to, int drawn, ll_error *error)
{
    ll_status status = LL_OK;
    for (int i = from; i < to && status == LL_OK; i++)
        if (figures[i].curves > 0)
            status = print_figure(out, &figures[i], drawn, error);
    return status;
}

/* ------------------------------------------------------------------ the page */

static void print_glossary(FILE *out)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"submission", "predictions for all rows, answered with one score"},
        {"code", "a way to choose predictions so that the score tells labels apart"},
        {"certified, likely", "each label is proved right; right but for one chance in a million"},
        {"proved limit", "no attack, known or unknown, gets a larger share of the labels right on average"},
        {"best attack, at least",
         "what the best attack known is sure to get: by its plan, or the mean of its runs less "
         "two standard errors"},
        {"sampling error", "the error of an average model's score because the rows are a sample"},
        {"models apart", "the difference between two models that is recognised 19 times out of 20"},
        {"verified", "attacks were run at the full number of submissions against simulated scorers with this setting, "
                     "one of every kind that applies to it, and none exceeded the target"},
        {"epsilon", "label-differential privacy of all answers together; none: no such promise"},
    };
    (void)fputs("<dl>\n", out);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        (void)fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", words[i].word, words[i].meaning);
    (void)fputs("</dl>\n", out);
}

static void begin_details(FILE *out, const char *name)
{
    (void)fprintf(out, "<details>\n<summary>%s</summary>\n", name);
}

/* Has paper room for the pictures of prices? Code fills a page. */
static int has_code(const ll_audit *a)
{
    int found = 0;
    for (long i = 0; i < a->proposal_count; i++)
        found |= ll_audit_get_proposal(a, i)->recommended && ll_audit_get_proposal(a, i)->python[0] != '\0';
    return found;
}

static ll_status print_details(FILE *out, const ll_audit_report *r, const ll_plot *figures, int drawn, ll_error *error)
{
    static const char end[] = "</details>\n";
    begin_details(out, "The finding in full, and the scorer");
    print_summary(out, r);
    (void)fprintf(out, "%s", end);
    (void)fprintf(out,
                  "<details class=\"printed%s\">\n<summary>Every setting that was tried, and its price</summary>\n",
                  has_code(r->audit) ? " short" : "");
    print_defences(out, r->audit);
    ll_status status = print_figures(out, figures, LL_AUDIT_PRICE, LL_AUDIT_PROMISES + 1, drawn, error);
    (void)fprintf(out, "%s", end);
    begin_details(out, "Codes: how labels are read");
    print_codes(out, r->audit);
    (void)fprintf(out, "%s", end);
    begin_details(out, "Bounds: what nobody can do");
    print_bound(out, r->audit);
    if (status == LL_OK)
        status = print_figures(out, figures, 1, LL_AUDIT_PRICE, drawn, error);
    (void)fprintf(out, "%s", end);
    begin_details(out, "Words");
    print_glossary(out);
    (void)fprintf(out, "%s", end);
    return status;
}

static ll_status print_page(FILE *out, const ll_audit_report *r, int drawn, ll_error *error)
{
    ll_plot *figures = calloc(LL_AUDIT_FIGURES, sizeof *figures);
    if (!figures)
        return ll_fail(error, LL_MEMORY, "no memory for pictures");
    ll_status status = ll_audit_figures(figures, r->audit, r->scorer, error);
    print_head(out, r);
    print_title(out, r);
    if (r->program != NULL)
        ll_report_identify_surprises(out, r->program);
    print_plain(out, r->audit);
    print_facts(out, r->audit);
    print_todo(out, r->audit);
    if (r->program != NULL)
        ll_report_identify_channels(out, r->program);
    if (!drawn)
        (void)fputs("<p>gnuplot was not there when this page was made; the data of every picture is.</p>\n", out);
    if (status == LL_OK)
        status = print_figures(out, figures, 0, 1, drawn, error);
    if (status == LL_OK)
        status = print_figures(out, figures, LL_AUDIT_STAIRS, LL_AUDIT_STAIRS + 1, drawn, error);
    if (status == LL_OK)
        status = print_details(out, r, figures, drawn, error);
    (void)fputs(
        "<p class=\"made paper\">The file that this was printed from has more: the finding in full, notes on every "
        "setting, codes, bounds, and the words. For scorers you own or may test.</p>\n"
        "<p class=\"made screen\">For scorers you own or may test.</p>\n</body>\n</html>\n",
        out);
    free(figures);
    return status;
}

ll_status ll_report_page_write(const char *path, const char *text, size_t size, ll_error *error)
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
        status = ll_report_page_write(path, text, length, error);
    free(text);
    return status;
}

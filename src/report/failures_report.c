/* Labels that were read from failures alone. */
#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include "report/verdict_report.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 1200 };

static void write_proof(char *text, size_t size, const ll_failures_outcome *o)
{
    (void)snprintf(
        text, size,
        "%ld of %ld submissions failed, and labels decide which ones do: that alone was read. None of them is "
        "counted; %ld got a score and are. A label is certain as far as nothing but labels makes this "
        "scorer fail.",
        o->failures->submissions - o->failures->counted, o->failures->submissions, o->failures->counted);
}

static const char defence[] =
    "Count submissions that fail, or let none fail because of labels: clip probabilities, say what 0/0 is. Then the "
    "limit on answers holds again.";

void ll_report_failures_text(const ll_failures_outcome *o)
{
    char text[TEXT];
    const ll_verdict *v = o->verdict;
    ll_report_write_scorer(text, sizeof text, o->scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_paragraph(stdout, "plan", o->why);
    ll_report_field(stdout, "code", "failures: %ld submission%s, %ld of them counted", o->failures->submissions,
                    ll_report_plural(o->failures->submissions), o->failures->counted);
    if (v->certain == v->rows)
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, every one certain", v->certain, v->rows,
                        ll_report_plural(v->rows));
    else
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, certain; %ld open", v->certain, v->rows,
                        ll_report_plural(v->rows), v->rows - v->certain);
    write_proof(text, sizeof text, o);
    ll_report_paragraph(stdout, "proof", text);
    if (o->truth && v->certain > 0)
        ll_report_field(stdout, "accuracy", "%.6g: %ld of the %ld recovered are right",
                        (double)ll_report_count_right(o->verdict, o->truth) / (double)v->certain,
                        ll_report_count_right(o->verdict, o->truth), v->certain);
    if (o->out)
        ll_report_field(stdout, "labels", "%s", o->out);
    ll_report_field(stdout, "seconds", "%.3f in all", o->seconds);
    ll_report_paragraph(stdout, "defence", defence);
}

ll_status ll_report_failures_json(const ll_failures_outcome *o, ll_error *error)
{
    ll_json json;
    char text[TEXT];
    const ll_verdict *v = o->verdict;
    write_proof(text, sizeof text, o);
    ll_report_json_begin(&json, "attack");
    ll_report_json_add(&json, "code", json_string("failures"));
    ll_report_json_add(&json, "queries", json_integer(v->queries));
    ll_report_json_add(&json, "rows", json_integer(v->rows));
    ll_report_json_add(&json, "classes", json_integer(v->classes));
    ll_report_json_add(&json, "recovered", json_integer(v->certain));
    ll_report_json_add(&json, "certain", json_integer(v->certain));
    ll_report_json_add(&json, "guarantee", json_string("certified"));
    if (o->truth)
        ll_report_json_add(&json, "accuracy",
                           v->certain > 0
                               ? json_real((double)ll_report_count_right(o->verdict, o->truth) / (double)v->certain)
                               : json_null());
    ll_report_json_add(&json, "open", ll_report_json_open(v));
    ll_report_json_add(&json, "open_count", json_integer(v->rows - v->certain));
    ll_report_json_add(&json, "probability", json_real(v->probability));
    ll_report_json_add(&json, "certificate",
                       json_pack("{s:s, s:n, s:n, s:n, s:n, s:n}", "verdict",
                                 v->kind == LL_UNIQUE ? "unique" : "ambiguous", "gap", "noise", "rounding", "residual",
                                 "explains"));
    ll_report_json_add(&json, "failures",
                       json_pack("{s:I, s:I, s:s, s:s}", "submissions", (json_int_t)o->failures->submissions, "counted",
                                 (json_int_t)o->failures->counted, "text", text, "instead_of", o->why));
    ll_report_json_add(&json, "seconds", json_pack("{s:f}", "total", round(o->seconds * 1e6) / 1e6));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(o->scorer));
    ll_report_json_add(&json, "defence", json_string(defence));
    return ll_report_json_end(&json, error);
}

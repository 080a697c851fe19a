#include "report/model_report.h"

#include "report/inspection_report.h"
#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <string.h>

/* Rows whose label does not matter, to the last bit: somebody's submission may have a few for want of an answer, a
 * trained network has none, so fewer of them are a mark. */
static int says_nothing(const ll_inspection *inspection)
{
    enum { SOME = 8, SHARE = 5 };
    return inspection->finding == LL_FINDING_NONE && inspection->neutral >= SOME &&
           inspection->neutral >= inspection->rows / SHARE;
}

/* The features are one row again and again: that all of them get the same answer is no fault of the network. */
static int is_one_row(const ll_model_report *report)
{
    return report->features && report->constancy->is_random;
}

ll_finding ll_report_model_finding(const ll_model_report *report)
{
    if (report->constancy->constant)
        return LL_FINDING_CONSTANT;
    if (is_one_row(report) && report->inspection->finding == LL_FINDING_CONSTANT)
        return LL_FINDING_NONE;
    return says_nothing(report->inspection) ? LL_FINDING_CODED : report->inspection->finding;
}

static void write_why(char *text, size_t size, const ll_model_report *report)
{
    const ll_onnx_constancy *c = report->constancy;
    const char *rows = c->is_random ? "random inputs" : "rows of the features";
    if (c->constant && c->proved)
        (void)snprintf(
            text, size,
            "its output is the same for %s: proved by intervals, whatever a runtime's rounding. Its score tells "
            "how many rows of each class there are, and the score of one row its label",
            c->box);
    else if (c->constant)
        (void)snprintf(text, size,
                       "its output is the same on %ld %s, to %.1g of a logit: nobody proved that, but it looked. Its "
                       "score tells how many rows of each class there are",
                       c->rows, rows, c->spread);
    else if (says_nothing(report->inspection))
        (void)snprintf(
            text, size,
            "its output depends on the input (by %.3g on %ld %s). But on %ld of %ld of them it is set, to the "
            "last bit, so that the label does not matter: the score is about the others",
            c->spread, c->rows, rows, report->inspection->neutral, report->inspection->rows);
    else if (is_one_row(report))
        (void)snprintf(
            text, size,
            "its output depends on the input (by %.3g on %ld %s). The rows of the features are all the same: "
            "they show no more",
            c->spread, c->rows, rows);
    else
        (void)snprintf(text, size, "its output depends on the input (by %.3g on %ld %s). %s%s", c->spread, c->rows,
                       rows,
                       report->inspection->finding == LL_FINDING_NONE ? "" : "But on them: ", report->inspection->why);
}

static int is_everywhere(const ll_onnx_constancy *c)
{
    return c->proved && strcmp(c->box, "every input") == 0;
}

void ll_report_model_text(const ll_model_report *report)
{
    char text[1200];
    const ll_onnx_info *i = report->info;
    const ll_inspection *inspection = report->inspection;
    ll_report_field(stdout, "file", "%s", report->file);
    ll_report_field(stdout, "model", "%ld nodes, opset %ld, %ld columns of %.60s%s%.60s", i->nodes, i->opset,
                    report->constancy->columns, i->output, *i->producer ? ", made by " : "", i->producer);
    ll_report_write_scorer(text, sizeof text, report->scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_field(stdout, "finding", "%s", ll_report_finding_name(ll_report_model_finding(report)));
    write_why(text, sizeof text, report);
    ll_report_paragraph(stdout, "why", text);
    ll_report_field(stdout, "bits", "%.1f at most could the score of these %ld %s give away", inspection->bits,
                    inspection->rows, report->features ? "rows" : "random inputs");
    if (i->outputs > 1)
        ll_report_field(stdout, "note", "%ld outputs of floats: this is about %.60s, the first", i->outputs, i->output);
    if (report->constancy->constant && report->constancy->is_random && !is_everywhere(report->constancy))
        ll_report_field(stdout, "note", "an honest model of other features may be constant there: give --features");
    else if (!report->features)
        ll_report_field(stdout, "note", "without --features a network that knows the scored rows may look honest");
}

static json_t *make_constancy(const ll_onnx_constancy *c)
{
    return json_pack("{s:b, s:b, s:o, s:I, s:b, s:f, s:f}", "constant", c->constant, "proved", c->proved, "box",
                     ll_report_json_string(c->box), "rows", (json_int_t)c->rows, "random", c->is_random, "spread",
                     c->spread, "tolerance", c->tolerance);
}

static json_t *make_model(const ll_onnx_info *i)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "producer", ll_report_json_string(i->producer),
                     "input", ll_report_json_string(i->input), "output", ll_report_json_string(i->output), "features",
                     (json_int_t)i->features, "columns", (json_int_t)i->columns, "nodes", (json_int_t)i->nodes, "opset",
                     (json_int_t)i->opset, "outputs", (json_int_t)i->outputs);
}

ll_status ll_report_model_json(const ll_model_report *report, ll_error *error)
{
    ll_json json;
    char why[1200];
    write_why(why, sizeof why, report);
    ll_report_json_begin(&json, "inspect");
    ll_report_json_add(&json, "finding",
                       ll_report_json_string(ll_report_finding_name(ll_report_model_finding(report))));
    ll_report_json_add(&json, "why", ll_report_json_string(why));
    ll_report_json_add(&json, "constancy", make_constancy(report->constancy));
    ll_report_json_add(&json, "model", make_model(report->info));
    ll_report_json_add(&json, "features", ll_report_json_string(report->features));
    ll_report_inspection_figures(&json, report->inspection);
    ll_report_json_add(&json, "file", ll_report_json_string(report->file));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(report->scorer));
    return ll_report_json_end(&json, error);
}

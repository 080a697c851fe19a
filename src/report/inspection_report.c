#include "report/inspection_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <math.h>

const char *ll_report_finding_name(ll_finding finding)
{
    static const char *const names[] = {
        [LL_FINDING_NONE] = "none", [LL_FINDING_CONSTANT] = "constant", [LL_FINDING_CODED] = "coded"};
    return names[finding];
}

/* 21.7, or "no limit" */
static void write_bits(char *text, size_t size, double bits)
{
    if (isinf(bits))
        (void)snprintf(text, size, "no limit");
    else
        (void)snprintf(text, size, "%.1f", bits);
}

/* Said where it is far: more than twice the constant's score, by more than three standard deviations. */
static int is_far_worse(const ll_inspection *i)
{
    return i->worse_than_constant > fabs(i->constant_score) && i->worse_than_constant > 3 * i->blind_spread;
}

static void write_blind(char *text, size_t size, const ll_inspection *i)
{
    int used = snprintf(text, size, "expected %.4g, give or take %.2g, if its author knows nothing of the labels",
                        i->blind_score, i->blind_spread);
    if (!isnan(i->worse_than_constant))
        (void)snprintf(text + used, size - (size_t)used, "; a constant then gets %.4g.%s", i->constant_score,
                       is_far_worse(i)
                           ? " A score near the first is far worse than a constant's: such a submission was "
                             "not made to score well."
                           : "");
}

void ll_report_inspection_text(const ll_inspection *inspection, const ll_scorer *scorer, const char *file)
{
    char labels[24], values[24], spread[24], text[600];
    double all = (double)inspection->rows * log2((double)inspection->classes);
    write_bits(labels, sizeof labels, inspection->label_bits);
    write_bits(values, sizeof values, inspection->value_bits);
    write_bits(spread, sizeof spread, inspection->spread_bits);
    ll_report_field(stdout, "file", "%s", file);
    ll_report_write_scorer(text, sizeof text, scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_field(stdout, "finding", "%s", ll_report_finding_name(inspection->finding));
    ll_report_paragraph(stdout, "why", inspection->why);
    (void)snprintf(
        text, sizeof text,
        "%.1f at most, of the %.0f that %ld labels have: the least of %s (sums that the labels can make), %s "
        "(scores that can be told apart) and %s (spread of the score)",
        inspection->bits, all, inspection->rows, labels, values, spread);
    ll_report_paragraph(stdout, "bits", text);
    if (isnan(inspection->blind_score))
        return;
    write_blind(text, sizeof text, inspection);
    ll_report_paragraph(stdout, "score", text);
}

/* A figure that is not known is null. */
static json_t *make_figure(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* A bound that is no bound is null. */
static json_t *make_bits(double bits)
{
    return isinf(bits) ? json_null() : json_real(bits);
}

void ll_report_inspection_figures(ll_json *json, const ll_inspection *inspection)
{
    ll_report_json_add(json, "bits", make_bits(inspection->bits));
    ll_report_json_add(json, "mark", ll_report_json_string(inspection->mark));
    ll_report_json_add(json, "unit", inspection->unit > 0 ? json_real(inspection->unit) : json_null());
    ll_report_json_add(json, "label_bits", make_bits(inspection->label_bits));
    ll_report_json_add(json, "value_bits", make_bits(inspection->value_bits));
    ll_report_json_add(json, "spread_bits", make_bits(inspection->spread_bits));
    ll_report_json_add(json, "rows", json_integer(inspection->rows));
    ll_report_json_add(json, "classes", json_integer(inspection->classes));
    ll_report_json_add(json, "neutral", json_integer(inspection->neutral));
    ll_report_json_add(json, "different", json_integer(inspection->different));
    ll_report_json_add(json, "blind_score", make_figure(inspection->blind_score));
    ll_report_json_add(json, "blind_spread", make_figure(inspection->blind_spread));
    ll_report_json_add(json, "constant_score", make_figure(inspection->constant_score));
    ll_report_json_add(json, "worse_than_constant", make_figure(inspection->worse_than_constant));
}

ll_status ll_report_inspection_json(const ll_inspection *inspection, const ll_scorer *scorer, const char *file,
                                    ll_error *error)
{
    ll_json json;
    ll_report_json_begin(&json, "inspect");
    ll_report_json_add(&json, "finding", ll_report_json_string(ll_report_finding_name(inspection->finding)));
    ll_report_json_add(&json, "why", ll_report_json_string(inspection->why));
    ll_report_inspection_figures(&json, inspection);
    ll_report_json_add(&json, "file", ll_report_json_string(file));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(scorer));
    return ll_report_json_end(&json, error);
}

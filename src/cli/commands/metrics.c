/* lossleak metrics: the table of metrics; losses is its older name. */
#include "cli/commands/listing.h"
#include "report/json.h"
#include "report/text_table.h"
#include <stdio.h>

static const char *const headings[] = {"metric", "input", "classes", "what it is", NULL};

static const char *name_of(long index)
{
    return ll_metric_get_info(index)->name;
}

static void write_cell(char *text, size_t size, long index, long column)
{
    const ll_metric_info *info = ll_metric_get_info(index);
    const char *cells[] = {info->name, info->input, info->classes, info->summary};
    (void)snprintf(text, size, "%s", cells[column]);
}

static void print_details(long index)
{
    const ll_metric_info *info = ll_metric_get_info(index);
    ll_report_field(stdout, "metric", "%s", info->name);
    ll_report_field(stdout, "", "%s", info->summary);
    ll_report_field(stdout, "input x", "%s", info->input);
    ll_report_field(stdout, "classes", "%s", info->classes);
    if (info->formula != NULL) {
        ll_report_field(stdout, "number", "%s", info->formula);
        ll_report_field(stdout, "of", "%s", info->link);
        ll_report_field(stdout, "range", "%s", info->reach);
        return;
    }
    ll_report_field(stdout, "s(1, x)", "%s", info->when_one);
    ll_report_field(stdout, "s(0, x)", "%s", info->when_zero);
    ll_report_field(stdout, "weight", "%s", info->weight);
    ll_report_field(stdout, "reach", "%s", info->reach);
}

static json_t *make_object(long index)
{
    const ll_metric_info *info = ll_metric_get_info(index);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "name", ll_report_json_string(info->name),
                     "input", ll_report_json_string(info->input), "classes", ll_report_json_string(info->classes),
                     "when_one", ll_report_json_string(info->when_one), "when_zero",
                     ll_report_json_string(info->when_zero), "weight", ll_report_json_string(info->weight), "reach",
                     ll_report_json_string(info->reach), "summary", ll_report_json_string(info->summary), "link",
                     ll_report_json_string(info->link), "formula",
                     info->formula != NULL ? ll_report_json_string(info->formula) : NULL);
}

static const char doc[] =
    "The metrics that --metric takes. With NAME: its score for each label, its weight s(1,x) - s(0,x), and the weights "
    "it can reach without a clip.\v"
    "Example:\n  lossleak metrics log-loss norm:ALPHA";

static const char older_doc[] = "The same as lossleak metrics, by its older name.\v"
                                "Example:\n  lossleak losses log-loss";

static const ll_syntax syntax = LL_LISTING_SYNTAX("metrics", doc), older = LL_LISTING_SYNTAX("losses", older_doc);

static ll_exit list(const ll_syntax *command, void *options)
{
    const ll_listing listing = {command, ll_metric_count, name_of, headings, write_cell, print_details, make_object};
    return ll_cli_list(&listing, options);
}

static ll_exit work(void *options)
{
    return list(&syntax, options);
}

static ll_exit work_as_before(void *options)
{
    return list(&older, options);
}

const ll_command ll_command_metrics = {&syntax, "the known metrics", work};
const ll_command ll_command_losses = {&older, "the same as metrics, by its older name", work_as_before};

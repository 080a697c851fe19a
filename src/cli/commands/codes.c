/* lossleak codes: the table of codes. */
#include "cli/commands/listing.h"
#include "report/json.h"
#include "report/text_table.h"
#include <stdio.h>

static const char *const headings[] = {"code", "classes", "guarantee", "weights", NULL};

static const char *name_of(long index)
{
    return ll_code_get_info(index)->name;
}

static void write_cell(char *text, size_t size, long index, long column)
{
    const ll_code_info *info = ll_code_get_info(index);
    const char *cells[] = {info->name, info->classes, info->guarantee, info->weights};
    (void)snprintf(text, size, "%s", cells[column]);
}

static void print_details(long index)
{
    const ll_code_info *info = ll_code_get_info(index);
    ll_report_field(stdout, "code", "%s", info->name);
    ll_report_field(stdout, "variants", "%s", info->variants[0] ? info->variants : "-");
    ll_report_field(stdout, "classes", "%s", info->classes);
    ll_report_field(stdout, "weights", "%s", info->weights);
    ll_report_field(stdout, "gap", "%s", info->gap);
    ll_report_field(stdout, "bits", "%s", info->bits);
    ll_report_field(stdout, "cost", "%s", info->cost);
    ll_report_field(stdout, "guarantee", "%s", info->guarantee);
    ll_report_field(stdout, "result", "%s", info->result[0] ? info->result : "-");
}

static json_t *make_object(long index)
{
    const ll_code_info *info = ll_code_get_info(index);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", ll_report_json_string(info->name),
                     "variants", ll_report_json_string(info->variants), "classes", ll_report_json_string(info->classes),
                     "result", ll_report_json_string(info->result), "guarantee", ll_report_json_string(info->guarantee),
                     "weights", ll_report_json_string(info->weights), "gap", ll_report_json_string(info->gap), "bits",
                     ll_report_json_string(info->bits), "cost", ll_report_json_string(info->cost));
}

static const char doc[] =
    "The codes that --code takes: which weight each label of each row adds to the score, so that different "
    "labellings have different sums. With NAME: its weights, the gap between the sums of two labellings, the bits "
    "that a score must carry, and how it is decoded.\v"
    "Example:\n"
    "  lossleak codes powers primes";

static const ll_syntax syntax = LL_LISTING_SYNTAX("codes", doc);

static ll_exit work(void *options)
{
    static const ll_listing listing = {&syntax,    ll_code_count, name_of,    headings,
                                       write_cell, print_details, make_object};
    return ll_cli_list(&listing, options);
}

const ll_command ll_command_codes = {&syntax, "the codes: how labels become weights", work};

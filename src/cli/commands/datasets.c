/* lossleak datasets: the table of embedded data sets. */
#include "cli/commands/listing.h"
#include "report/json.h"
#include "report/text_table.h"
#include <stdio.h>
#include <string.h>

static const char *const headings[] = {"data set", "rows", "classes", "rows of each class", NULL};

static const char *name_of(long index)
{
    return ll_dataset_get_info(index)->name;
}

static void write_counts(char *text, size_t size, const ll_dataset_info *info)
{
    text[0] = '\0';
    for (long k = 0; k < info->classes; k++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%ld", k ? ", " : "", info->counts[k]);
    }
}

static void write_cell(char *text, size_t size, long index, long column)
{
    const ll_dataset_info *info = ll_dataset_get_info(index);
    if (column == 0)
        (void)snprintf(text, size, "%s", info->name);
    else if (column == 3)
        write_counts(text, size, info);
    else
        (void)snprintf(text, size, "%ld", column == 1 ? info->rows : info->classes);
}

static void print_details(long index)
{
    const ll_dataset_info *info = ll_dataset_get_info(index);
    char counts[400];
    write_counts(counts, sizeof counts, info);
    ll_report_field(stdout, "data set", "%s", info->name);
    ll_report_field(stdout, "rows", "%ld", info->rows);
    ll_report_field(stdout, "classes", "%ld (%s)", info->classes, counts);
    ll_report_field(stdout, "source", "%s", info->source);
}

static json_t *make_object(long index)
{
    const ll_dataset_info *info = ll_dataset_get_info(index);
    return json_pack("{s:o, s:I, s:I, s:o, s:o}", "name", ll_report_json_string(info->name), "rows",
                     (json_int_t)info->rows, "classes", (json_int_t)info->classes, "counts",
                     ll_report_json_counts(info->counts, info->classes), "source", ll_report_json_string(info->source));
}

static const char doc[] =
    "The data sets that --dataset takes. Only their class counts are real: the labels are generated from them in an "
    "order that --seed gives, since nothing here depends on the order of rows.\v"
    "Example:\n  lossleak datasets satellite";

static const ll_syntax syntax = LL_LISTING_SYNTAX("datasets", doc);

static ll_exit work(void *options)
{
    static const ll_listing listing = {&syntax,    ll_dataset_count, name_of,    headings,
                                       write_cell, print_details,    make_object};
    return ll_cli_list(&listing, options);
}

const ll_command ll_command_datasets = {&syntax, "the embedded data sets", work};

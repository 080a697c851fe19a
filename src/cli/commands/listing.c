#include "cli/commands/listing.h"

#include "cli/options/nearest_name.h"
#include "cli/options/parse.h"
#include "report/json.h"
#include "report/text_table.h"
#include <stdlib.h>
#include <string.h>

typedef ll_listing_options options;

/* "norm" names norm:ALPHA. */
static int is_named(const char *name, const char *word)
{
    size_t length = strcspn(name, ":");
    return strcmp(name, word) == 0 || (strlen(word) == length && strncmp(name, word, length) == 0);
}

static error_t choose_row(options *o, const char *word)
{
    const ll_listing *listing = o->listing;
    const char *nearest = NULL;
    for (long i = 0; i < listing->count(); i++) {
        if (is_named(listing->name(i), word)) {
            o->chosen[i] = 1;
            o->any = 1;
            return 0;
        }
        nearest = ll_cli_nearer(word, nearest, listing->name(i));
    }
    if (nearest)
        ll_fail(&o->common.error, LL_DOMAIN, "%.80s: not in the table; did you mean %s?", word, nearest);
    else
        ll_fail(&o->common.error, LL_DOMAIN, "%.80s: not in the table; lossleak %s shows it", word,
                listing->syntax->command);
    return EINVAL;
}

error_t ll_cli_choose_row(void *self, int key, char *value)
{
    return key == ARGP_KEY_ARG ? choose_row(self, value) : ARGP_ERR_UNKNOWN;
}

static long column_count(const ll_listing *listing)
{
    long columns = 0;
    while (listing->headings[columns])
        columns++;
    return columns;
}

/* Headings and all rows as one array of strings; the first row is not owned. */
static ll_status fill_cells(char **cells, const ll_listing *listing, long columns)
{
    char text[400];
    for (long column = 0; column < columns; column++)
        cells[column] = (char *)listing->headings[column];
    for (long row = 0; row < listing->count(); row++)
        for (long column = 0; column < columns; column++) {
            listing->cell(text, sizeof text, row, column);
            char *copy = strdup(text);
            if (!copy)
                return LL_MEMORY;
            cells[(row + 1) * columns + column] = copy;
        }
    return LL_OK;
}

static ll_status print_brief(const ll_listing *listing, ll_error *error)
{
    long columns = column_count(listing), rows = listing->count() + 1;
    char **cells = calloc((size_t)(rows * columns) + 1, sizeof *cells);
    ll_status status = cells ? fill_cells(cells, listing, columns) : LL_MEMORY;
    if (status == LL_OK)
        ll_report_table(stdout, (const char *const *)cells, rows, columns);
    else
        ll_fail(error, status, "no memory for the table");
    for (long i = columns; cells && i < rows * columns; i++)
        free(cells[i]);
    free(cells);
    return status;
}

static void print_details(const options *o)
{
    int first = 1;
    for (long i = 0; i < o->listing->count(); i++)
        if (o->chosen[i]) {
            (void)fputs(first ? "" : "\n", stdout);
            o->listing->details(i);
            first = 0;
        }
}

static ll_status print_json(const options *o, ll_error *error)
{
    ll_json json;
    json_t *array = json_array();
    ll_report_json_begin(&json, o->listing->syntax->command);
    for (long i = 0; i < o->listing->count(); i++)
        if ((!o->any || o->chosen[i]) && json_array_append_new(array, o->listing->object(i)) != 0)
            json.failed = 1;
    ll_report_json_add(&json, o->listing->syntax->command, array);
    return ll_report_json_end(&json, error);
}

static ll_status print(const options *o, ll_error *error)
{
    if (o->common.json)
        return print_json(o, error);
    if (!o->any)
        return print_brief(o->listing, error);
    print_details(o);
    return LL_OK;
}

ll_exit ll_cli_list(const ll_listing *listing, int argc, char **argv)
{
    ll_exit exit_status;
    options o = {.listing = listing, .chosen = calloc((size_t)listing->count() + 1, 1)};
    ll_error error = {0};
    ll_cli_common_init(&o.common);
    if (!o.chosen) {
        ll_fail(&error, LL_MEMORY, "no memory for the table");
        return ll_cli_fail(&error);
    }
    if (ll_cli_parse(&exit_status, listing->syntax, &o, argc, argv))
        exit_status = print(&o, &error) == LL_OK ? LL_EXIT_DONE : ll_cli_fail(&error);
    free(o.chosen);
    return exit_status;
}

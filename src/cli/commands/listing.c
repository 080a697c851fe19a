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

const ll_place ll_listing_places[] = {{ARGP_KEY_ARG, LL_LIST(options, names)}, {0}};

static int is_chosen(const ll_listing *listing, const options *o, long row)
{
    for (long i = 0; i < o->names.count; i++)
        if (is_named(listing->name(row), o->names.texts[i]))
            return 1;
    return o->names.count == 0;
}

static ll_status check_name(const ll_listing *listing, const char *word, ll_error *error)
{
    const char *nearest = NULL;
    for (long i = 0; i < listing->count(); i++) {
        if (is_named(listing->name(i), word))
            return LL_OK;
        nearest = ll_cli_nearer(word, nearest, listing->name(i));
    }
    if (nearest)
        return ll_fail(error, LL_DOMAIN, "%.80s: not in the table; did you mean %s?", word, nearest);
    return ll_fail(error, LL_DOMAIN, "%.80s: not in the table; lossleak %s shows it", word, listing->syntax->command);
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

static void print_details(const ll_listing *listing, const options *o)
{
    int first = 1;
    for (long i = 0; i < listing->count(); i++)
        if (is_chosen(listing, o, i)) {
            (void)fputs(first ? "" : "\n", stdout);
            listing->details(i);
            first = 0;
        }
}

static ll_status print_json(const ll_listing *listing, const options *o, ll_error *error)
{
    ll_json json;
    json_t *array = json_array();
    ll_report_json_begin(&json, listing->syntax->command);
    for (long i = 0; i < listing->count(); i++)
        if (is_chosen(listing, o, i) && json_array_append_new(array, listing->object(i)) != 0)
            json.failed = 1;
    ll_report_json_add(&json, listing->syntax->command, array);
    return ll_report_json_end(&json, error);
}

static ll_status print(const ll_listing *listing, const options *o, ll_error *error)
{
    if (o->common.json)
        return print_json(listing, o, error);
    if (o->names.count == 0)
        return print_brief(listing, error);
    print_details(listing, o);
    return LL_OK;
}

ll_exit ll_cli_list(const ll_listing *listing, const options *o)
{
    ll_error error = {0};
    ll_status status = LL_OK;
    for (long i = 0; i < o->names.count && status == LL_OK; i++)
        status = check_name(listing, o->names.texts[i], &error);
    if (status == LL_OK)
        status = print(listing, o, &error);
    return status == LL_OK ? LL_EXIT_DONE : ll_cli_fail(&error);
}

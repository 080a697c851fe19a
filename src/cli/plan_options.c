#include "cli/plan_options.h"

#include "cli/nearest.h"
#include "cli/value.h"
#include <limits.h>
#include <string.h>

enum { KEY_BLOCK = 0x5000 };

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "The plan:", 5},
    {"code", 'c', "NAME", 0,
     "How labels become weights (`lossleak codes' lists them; primes:c=sqrt names a variant). auto, the default, takes "
     "the one with the fewest queries (where --queries ends first: with the most labels), and of several the one whose "
     "scores need the fewest bits",
     0},
    {"block", KEY_BLOCK, "M", 0,
     "Rows a query (default: as many as the scorer's arithmetic, noise and clip allow a proof for)", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    ll_plan_options *options = state->input;
    switch (key) {
    case 'c':
        options->code = value;
        return 0;
    case KEY_BLOCK:
        options->block = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ll_cli_plan_argp = {options_table, parse_option, NULL, NULL, NULL, NULL, NULL};

/* A misspelt name gets the nearest one; a bad variant is the library's to refuse. */
static ll_status check_code(const char *code, ll_error *error)
{
    char name[64];
    const char *nearest = ll_cli_nearer(code, NULL, "auto");
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(code, ":"), code);
    for (long i = 0; i < ll_code_count(); i++) {
        if (strcmp(ll_code_get_info(i)->name, name) == 0)
            return LL_OK;
        nearest = ll_cli_nearer(name, nearest, ll_code_get_info(i)->name);
    }
    if (nearest)
        return ll_fail(error, LL_DOMAIN, "--code %.80s: no such code; did you mean %s?", code, nearest);
    return ll_fail(error, LL_DOMAIN, "--code %.80s: no such code; lossleak codes lists them", *code ? code : "''");
}

ll_status ll_cli_plan_create(ll_plan **out, const ll_plan_options *options, const ll_scorer *scorer, size_t max_memory,
                             double max_seconds, ll_error *error)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.max_memory = (double)max_memory;
    request.max_seconds = max_seconds;
    if (options->code)
        request.code = options->code;
    ll_status status = strcmp(request.code, "auto") == 0 ? LL_OK : check_code(request.code, error);
    if (status == LL_OK && options->block)
        status = ll_cli_read_count(&request.block, "block", options->block, 1, scorer->rows, error);
    return status == LL_OK ? ll_plan_create(out, scorer, &request, error) : status;
}

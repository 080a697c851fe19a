#include "cli/options/plan_options.h"

#include "cli/options/help.h"
#include "cli/options/nearest_name.h"
#include "cli/options/option_value.h"
#include "cli/options/syntax.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "The plan:", 5},
    {"code", 'c', "NAME", 0,
     "How labels become weights (`lossleak codes' lists them; primes:c=sqrt names a variant). auto, the default, takes "
     "the one with the fewest queries (where --queries ends first: with the most labels), and of several the one whose "
     "scores need the fewest bits",
     0},
    {"block", LL_TEXT(ll_plan_options, block), "M", 0,
     "Rows per query (default: as many as the scorer's arithmetic, noise and clip allow a proof for)", 0},
    {"guarantee", LL_TEXT(ll_plan_options, guarantee), "KIND", 0,
     "certified or likely (default: certified). certified gives a label only if it is proved. likely also gives labels "
     "that are right with a stated probability, from bounds on random noise and rounding errors that hold with a "
     "probability, or from averages over many queries (the code hadamard, which uses all of --queries)",
     0},
    {"failure", LL_TEXT(ll_plan_options, failure), "P", 0,
     "The probability that some label may be wrong, with --guarantee likely (default 1e-6)", 0},
    {0}};

static const ll_place places[] = {{'c', LL_TEXT(ll_plan_options, code)}, {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    return ll_cli_put(state->input, places, key, value);
}

const ll_option_group ll_cli_plan_group = {
    {options_table, parse_option, NULL, NULL, NULL, NULL, NULL}, NULL, ll_cli_brief_clause};

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

static ll_status read_guarantee(ll_plan_request *request, const ll_plan_options *options, ll_error *error)
{
    const char *kind = options->guarantee ? options->guarantee : "certified";
    int is_likely = strcmp(kind, "likely") == 0;
    if (!is_likely && strcmp(kind, "certified") != 0)
        return ll_fail(error, LL_DOMAIN, "--guarantee %.40s: it is certified or likely", kind);
    if (!is_likely && options->failure)
        return ll_fail(error, LL_DOMAIN, "--failure: certified labels do not fail; say --guarantee likely");
    request->guarantee = is_likely ? LL_LIKELY : LL_CERTIFIED;
    if (!options->failure)
        return LL_OK;
    char *end;
    request->failure = strtod(options->failure, &end);
    if (*end || end == options->failure || isspace((unsigned char)*options->failure) ||
        !(request->failure > 0 && request->failure < 1))
        return ll_fail(error, LL_DOMAIN, "--failure %.40s: a probability above 0 and below 1", options->failure);
    return LL_OK;
}

ll_status ll_cli_plan_create(ll_plan **out, const ll_plan_options *options, const ll_scorer *scorer,
                             const ll_budget *budget, ll_error *error)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.budget = budget;
    request.code = options->code ? options->code : "auto";
    ll_status status = strcmp(request.code, "auto") == 0 ? LL_OK : check_code(request.code, error);
    if (status == LL_OK && options->block)
        status =
            ll_cli_read_count(&request.block, "block", options->block, 1, ll_scorer_get_count(scorer, "rows"), error);
    if (status == LL_OK)
        status = read_guarantee(&request, options, error);
    return status == LL_OK ? ll_plan_create(out, scorer, &request, error) : status;
}

long ll_cli_plan_asked(const ll_plan_info *info, const ll_scorer *scorer)
{
    long limit = ll_scorer_get_count(scorer, "queries");
    return limit > 0 && limit < info->queries ? limit : info->queries;
}

int ll_cli_plan_is_done(const ll_plan_info *info, const ll_verdict *verdict)
{
    return verdict->kind == LL_UNIQUE ||
           (verdict->guarantee == LL_LIKELY && verdict->kind != LL_NONE && verdict->probability >= 1 - info->allowed);
}

ll_status ll_cli_plan_defend(ll_chosen_defence *out, const ll_scorer *scorer, const ll_plan_info *info,
                             const ll_common_options *common, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(common);
    ll_status status = ll_report_choose_defence(out, scorer, info->queries, &budget, error);
    if (status == LL_OK && ll_cli_is_interrupted())
        status = ll_cli_watch_check(error);
    ll_cli_unlimit_seconds();
    return status;
}

/* lossleak craft: the predictions of a plan as files, for a scorer that is somewhere else. */
#include "cli/commands/craft_size.h"
#include "cli/commands/plan_folder.h"
#include "cli/options/parse.h"
#include "cli/options/plan_options.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "report/json.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_plan_options plan;
    const char *out;
    int npy;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it makes:", 1},
    {"out", 'o', "DIR", 0, "A new folder: plan.json, query-0001.csv, ...", 1},
    {"npy", LL_FLAG(options, npy), NULL, 0, "Predictions as .npy instead of CSV; not for exact arithmetic", 1},
    {0}};

static const ll_place places[] = {{'o', LL_TEXT(options, out)}, {0}};

static const char doc[] =
    "Write the predictions that make a scorer give its labels away: one file per query, and plan.json, from which "
    "`lossleak decode' makes the plan again. No label is needed. The folder is written completely or not at all.\v"
    "Have the files scored in their order and write the scores, one per line, into a file for `lossleak decode'.\n\n"
    "Example:\n"
    "  lossleak craft --rows 2201 --noise bounded:1 --out queries\n"
    "  lossleak score --labels secret --predictions queries/query-0001.csv --noise bounded:1,plus --full\n"
    "  lossleak decode queries --scores scores.txt --out labels.csv";

/* ------------------------------------------------------------------ files */

static ll_io_predictions_form form_of(const options *o)
{
    return o->npy ? LL_IO_PREDICTIONS_NPY : LL_IO_PREDICTIONS_CSV;
}

static ll_status write_query(const options *o, const ll_plan *plan, const ll_io_folder *folder, ll_watch *watch,
                             long query, ll_error *error)
{
    ll_predictions predictions, watched;
    ll_status status = ll_plan_predictions(plan, &predictions, query, error);
    if (status != LL_OK)
        return status;
    ll_cli_watch_query(watch, &watched, &predictions, query);
    return ll_cli_write_query(folder, &watched, query, form_of(o), error);
}

static ll_status write_all(const options *o, const ll_plan *plan, const ll_io_folder *folder, ll_error *error)
{
    ll_plan_info info;
    ll_watch watch;
    ll_status status = LL_OK;
    ll_plan_get_info(plan, &info);
    long queries = ll_cli_plan_asked(&info, o->scorer.scorer);
    ll_cli_watch_queries(&watch, "craft", queries);
    for (long query = 0; query < queries && status == LL_OK; query++)
        status = write_query(o, plan, folder, &watch, query, error);
    ll_cli_watch_end(&watch);
    if (status == LL_OK)
        status = ll_cli_write_plan(folder, plan, o->scorer.scorer, form_of(o), error);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status write_folder(const options *o, const ll_plan *plan, ll_error *error)
{
    ll_io_folder *folder;
    ll_status status = ll_io_folder_open(&folder, o->out, error);
    if (status != LL_OK)
        return status;
    status = write_all(o, plan, folder, error);
    if (status == LL_OK)
        return ll_io_folder_commit(folder, error);
    ll_io_folder_abandon(folder);
    return status;
}

/* ------------------------------------------------------------------ output */

static void print_text(const options *o, const ll_plan *plan)
{
    char scorer[800], last[64], digest[80];
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    ll_plan_digest(plan, digest, sizeof digest);
    ll_report_write_scorer(scorer, sizeof scorer, o->scorer.scorer);
    long queries = ll_cli_plan_asked(&info, o->scorer.scorer);
    ll_io_query_name(last, sizeof last, queries - 1, form_of(o));
    ll_report_field(stdout, "folder", "%s: plan.json, %s%s", o->out, queries > 1 ? "... " : "", last);
    ll_report_field(stdout, "code", "%s: %ld quer%s of %ld row%s each", info.code, info.queries,
                    info.queries == 1 ? "y" : "ies", info.block, ll_report_plural(info.block));
    if (queries < info.queries)
        ll_report_field(stdout, "limit", "the first %ld of them, as --queries says; other rows stay open", queries);
    ll_report_field(stdout, "files", "%ld row%s, %ld column%s, %s numbers", info.rows, ll_report_plural(info.rows),
                    info.columns, ll_report_plural(info.columns),
                    info.entries == LL_ENTRIES_EXACT ? "exact" : "double");
    ll_report_field(stdout, "score", "must carry %.0f bits in all", info.score_bits);
    ll_report_field(stdout, "scorer", "%s", scorer);
    ll_report_field(stdout, "digest", "%s", digest);
    ll_report_field(stdout, "next", "lossleak decode %s --scores FILE, one score a line in the order of queries",
                    o->out);
}

static ll_status print_json(const options *o, const ll_plan *plan, ll_error *error)
{
    ll_json json;
    char digest[80];
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    ll_plan_digest(plan, digest, sizeof digest);
    ll_report_json_begin(&json, "craft");
    ll_report_json_add(&json, "out", ll_report_json_string(o->out));
    ll_report_json_add(&json, "code", ll_report_json_string(info.code));
    ll_report_json_add(&json, "queries", json_integer(info.queries));
    ll_report_json_add(&json, "block", json_integer(info.block));
    ll_report_json_add(&json, "rows", json_integer(info.rows));
    ll_report_json_add(&json, "classes", json_integer(info.classes));
    ll_report_json_add(&json, "columns", json_integer(info.columns));
    ll_report_json_add(&json, "entries", json_string(info.entries == LL_ENTRIES_EXACT ? "exact" : "double"));
    ll_report_json_add(&json, "form", json_string(o->npy ? "npy" : "csv"));
    ll_report_json_add(&json, "score_bits", json_real(info.score_bits));
    ll_report_json_add(&json, "written", json_integer(ll_cli_plan_asked(&info, o->scorer.scorer)));
    ll_report_json_add(&json, "digest", json_string(digest));
    ll_report_json_add(&json, "warning", ll_report_json_string(o->scorer.warning[0] ? o->scorer.warning : NULL));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(o->scorer.scorer));
    return ll_report_json_end(&json, error);
}

/* ------------------------------------------------------------------ work */

static ll_status make_plan(options *o, ll_plan **out, ll_error *error)
{
    const ll_common_options *common = &o->common;
    ll_status status = ll_cli_scorer_finish(&o->scorer, common->seed, common->max_memory, error);
    if (status != LL_OK)
        return status;
    if (ll_scorer_get_count(o->scorer.scorer, "rows") == 0)
        return ll_fail(error, LL_DOMAIN, "no rows: give --rows N, as many as the scorer has labels");
    status = ll_cli_scorer_resolve(&o->scorer, 0, 2, error);
    if (status != LL_OK)
        return status;
    const ll_budget budget = ll_cli_budget(common);
    return ll_cli_plan_create(out, &o->plan, o->scorer.scorer, &budget, error);
}

static ll_status check_form(const options *o, const ll_plan *plan, ll_error *error)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    if (o->npy && info.entries == LL_ENTRIES_EXACT)
        return ll_fail(error, LL_DOMAIN,
                       "--npy: these predictions are exact, and .npy holds doubles only; leave it out");
    return LL_OK;
}

static ll_exit finish(const options *o, const ll_plan *plan, ll_error *error)
{
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (!o->common.json)
        print_text(o, plan);
    return !o->common.json || print_json(o, plan, error) == LL_OK ? LL_EXIT_DONE : ll_cli_fail(error);
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    ll_plan *plan = NULL;
    if (!o->out)
        return ll_cli_usage_error("craft", "no folder: give --out DIR");
    ll_status status = make_plan(o, &plan, &error);
    if (status == LL_OK)
        status = check_form(o, plan, &error);
    if (status == LL_OK)
        status = ll_cli_check_size(plan, o->scorer.scorer, o->npy, o->common.max_memory, &error);
    if (status == LL_OK)
        status = write_folder(o, plan, &error);
    ll_exit done = status == LL_OK ? finish(o, plan, &error) : ll_cli_fail(&error);
    ll_plan_destroy(plan);
    return done;
}

static const ll_syntax syntax = {.command = "craft",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_plan_group, options, plan),
                                           LL_PART(&ll_cli_scorer_group, options, scorer),
                                           LL_PART(&ll_cli_common_group, options, common),
                                           {0}}};

const ll_command ll_command_craft = {&syntax, "write the predictions that make a scorer give its labels away", work};

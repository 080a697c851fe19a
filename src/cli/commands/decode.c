/* lossleak decode: from the files of `craft' and the scores that they got to labels, with the proof. */
#include "cli/commands/would_fit.h"
#include "cli/options/label_source.h"
#include "cli/options/parse.h"
#include "cli/options/plan_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/labels.h"
#include "io/formats/plan_file.h"
#include "io/formats/scores_file.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include "report/verdict_report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    const char *folder, *scores, *out;
    int explain;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"scores", LL_TEXT(options, scores), "FILE", 0,
     "The scores: one per line in the order of queries, every digit that was released; - is stdin", 1},
    {"out", 'o', "FILE", 0,
     "Write the labels recovered: CSV `row,label', an open row has an empty label; with a column `probability' where "
     "labels are only likely",
     1},
    {"explain", LL_FLAG(options, explain), NULL, 0, "Also explain how the code works", 1},
    {0}};

static const ll_place places[] = {{'o', LL_TEXT(options, out)}, {0}};

static error_t parse_other(void *self, int key, char *value)
{
    options *o = self;
    return key == ARGP_KEY_ARG ? ll_cli_set_only(&o->folder, "folder", value, &o->common.error) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Compute the labels from the scores of the files of `lossleak craft'. The plan is made again from "
    "plan.json; the proof is about the query files as they are stored, the noise that plan.json states and the "
    "scorer's own rounding.\v"
    "Exit status 0: every label is certain, or as likely as was asked for; 4: some are open, or no labelling explains "
    "the scores; then what would fit instead is named, where something does.\n\n"
    "Example:\n"
    "  lossleak decode queries --scores scores.txt --out labels.csv";

/* ------------------------------------------------------------------ the plan again */

typedef struct {
    char *path; /* of plan.json */
    ll_io_plan file;
    ll_scorer *scorer;
    ll_error warning;
    ll_plan *plan;
    ll_plan_info info;
    char digest[LL_IO_DIGEST + 1];
    ll_io_scores scores;
    ll_verdict verdict;
    ll_would_fit heard;
    ll_chosen_defence defence;
    double start, planned, end;
} work_state;

static char *join(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* What the library says about the plan, with the file in front. */
static ll_status name_plan(const work_state *w, ll_status status, const ll_error *why, ll_error *error)
{
    return status == LL_OK ? LL_OK : ll_io_fail(error, status, w->path, 0, "%.240s", why->text);
}

/* The figures in the file are the plan's, and so is the digest. */
static ll_status check_plan(work_state *w, ll_error *error)
{
    const ll_io_plan *f = &w->file;
    const ll_plan_info *i = &w->info;
    ll_plan_get_info(w->plan, &w->info);
    ll_plan_digest(w->plan, w->digest, sizeof w->digest);
    if (strcmp(w->digest, f->digest) != 0)
        return ll_io_plan_changed(w->path, "scorer, code or block", error);
    if (f->rows != i->rows || f->classes != i->classes || f->columns != i->columns || f->block != i->block ||
        f->queries != i->queries || f->exact != (i->entries == LL_ENTRIES_EXACT))
        return ll_io_plan_changed(w->path, "rows, classes, columns, queries or entries", error);
    return LL_OK;
}

static ll_status make_plan(const options *o, work_state *w, ll_error *error)
{
    ll_error why = {0};
    ll_status status = ll_io_read_plan(&w->file, w->path, error);
    if (status != LL_OK)
        return status;
    status = ll_report_read_scorer(&w->scorer, w->file.scorer, &w->warning, &why);
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_plan_request request = {.size = sizeof request,
                               .code = w->file.code,
                               .block = w->file.block,
                               .guarantee = w->file.likely ? LL_LIKELY : LL_CERTIFIED,
                               .failure = w->file.failure,
                               .repeats = w->file.repeats,
                               .queries = w->file.queries,
                               .budget = &budget};
    if (status == LL_OK)
        status = ll_plan_create(&w->plan, w->scorer, &request, &why);
    return status == LL_OK ? check_plan(w, error) : name_plan(w, status, &why, error);
}

/* ------------------------------------------------------------------ queries */

/* What the library says about a stored file or a score, with the place in front unless it is there. */
static ll_status name_place(const char *path, long line, ll_status status, const ll_error *why, ll_error *error)
{
    char place[320];
    ll_io_place(place, sizeof place, path, 0);
    if (status != LL_DOMAIN || strncmp(why->text, place, strlen(place)) == 0)
        return ll_fail(error, status, "%s", why->text);
    return ll_io_fail(error, status, path, line, "%.240s", why->text);
}

static ll_status check_shape(const work_state *w, const ll_predictions *stored, const char *path, ll_error *error)
{
    const ll_plan_info *i = &w->info;
    if (stored->columns != i->columns)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "%ld columns of predictions, but the plan has %ld",
                          stored->columns, i->columns);
    if (stored->entries != i->entries)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not the kind of numbers that the plan has (%s)",
                          i->entries == LL_ENTRIES_EXACT ? "exact" : "double");
    return LL_OK;
}

static ll_status decode_stored(const options *o, const work_state *w, ll_decoder *decoder, const ll_predictions *stored,
                               const char *path, long query, ll_error *error)
{
    ll_error why = {0};
    ll_predictions watched;
    ll_block block;
    enum { ROWS = 16 };
    ll_status status = ll_decoder_watch(decoder, &watched, stored, query, &why);
    ll_block_init(&block);
    for (long first = 0; status == LL_OK && first < watched.rows; first += ROWS)
        status =
            watched.get(watched.self, &block, first, watched.rows - first < ROWS ? watched.rows - first : ROWS, &why);
    ll_block_clear(&block);
    if (status != LL_OK)
        return name_place(path, 0, status, &why, error);
    status = ll_decoder_score(decoder, w->scores.texts[query], &why);
    return status == LL_OK ? LL_OK : name_place(o->scores, w->scores.lines[query], status, &why, error);
}

static ll_status decode_query(const options *o, const work_state *w, ll_decoder *decoder, ll_watch *watch, long query,
                              ll_error *error)
{
    char name[64];
    ll_io_predictions *file = NULL;
    ll_predictions stored, watched;
    ll_io_query_name(name, sizeof name, query, w->file.form);
    char *path = join(o->folder, name);
    if (!path)
        return ll_fail(error, LL_MEMORY, "no memory for a file name");
    ll_status status =
        ll_io_open_predictions(&file, &stored, path, w->info.rows, w->file.exact, o->common.max_memory, error);
    if (status == LL_OK)
        status = check_shape(w, &stored, path, error);
    if (status == LL_OK) {
        ll_cli_watch_query(watch, &watched, &stored, query);
        status = decode_stored(o, w, decoder, &watched, path, query, error);
    }
    ll_io_close_predictions(file);
    free(path);
    return status;
}

static ll_status decode_all(const options *o, work_state *w, ll_error *error)
{
    ll_decoder *decoder;
    ll_watch watch;
    ll_status status = ll_decoder_create(&decoder, w->plan, error);
    if (status != LL_OK)
        return status;
    ll_cli_watch_queries(&watch, "decode", w->scores.count);
    for (long query = 0; query < w->scores.count && status == LL_OK; query++)
        status = decode_query(o, w, decoder, &watch, query, error);
    ll_cli_watch_end(&watch);
    if (status == LL_OK)
        status = ll_decoder_verdict(decoder, &w->verdict, error);
    ll_decoder_destroy(decoder);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

/* ------------------------------------------------------------------ work */

static ll_status check_out(const options *o, const work_state *w, ll_error *error)
{
    const char *const inputs[] = {w->path, o->scores};
    return o->out ? ll_io_output_check(o->out, inputs, 2, error) : LL_OK;
}

/* Where the scores contradict plan.json: what would fit. */
static ll_status find_others(const options *o, work_state *w, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = LL_OK;
    for (long i = 0; i < w->scores.count && status == LL_OK; i++)
        status = ll_cli_would_fit_hear(&w->heard, w->scores.texts[i], error);
    if (status == LL_OK)
        status =
            ll_cli_would_fit_find(&w->heard, w->scorer, w->plan, NULL, w->verdict.kind, &w->verdict, &budget, error);
    return status;
}

static ll_status compute(const options *o, work_state *w, ll_error *error)
{
    w->start = ll_report_clock();
    w->path = join(o->folder, "plan.json");
    ll_status status = w->path ? check_out(o, w, error) : ll_fail(error, LL_MEMORY, "no memory for a file name");
    if (status == LL_OK)
        status = make_plan(o, w, error);
    w->planned = ll_report_clock() - w->start;
    if (status == LL_OK)
        status = ll_io_read_scores(&w->scores, o->scores, ll_cli_plan_asked(&w->info, w->scorer),
                                   ll_scorer_count_numbers(w->scorer), o->common.max_memory, error);
    if (status == LL_OK)
        status = decode_all(o, w, error);
    if (status == LL_OK)
        status = find_others(o, w, error);
    w->end = ll_report_clock();
    if (status == LL_OK && o->out)
        status = ll_cli_labels_write_verdict(o->out, &w->verdict, NULL, w->scorer, error);
    return status;
}

static ll_status print(const options *o, work_state *w, ll_error *error)
{
    ll_status status = ll_cli_plan_defend(&w->defence, w->scorer, &w->info, &o->common, error);
    const ll_outcome outcome = {
        .command = "decode",
        .scorer = w->scorer,
        .plan = &w->info,
        .digest = w->digest,
        .verdict = &w->verdict,
        .warning = w->warning.text,
        .refit = ll_cli_would_fit_get(&w->heard),
        .out = o->out,
        .defence = &w->defence,
        .explain = o->explain,
        .plan_seconds = w->planned,
        .query_seconds = -1,
        .decode_seconds = w->end - w->start - w->planned,
        .total_seconds = w->end - w->start,
    };
    if (status == LL_OK && w->warning.text[0])
        ll_report_warning(w->warning.text);
    if (status == LL_OK && o->common.json)
        status = ll_report_outcome_json(&outcome, error);
    else if (status == LL_OK)
        ll_report_outcome_text(&outcome);
    ll_report_chosen_clear(&w->defence);
    return status;
}

static ll_exit work(void *self)
{
    const options *o = self;
    ll_error error = {0};
    work_state w = {0};
    const char *complaint = !o->folder   ? "no folder: give the DIR that craft made"
                            : !o->scores ? "no scores: give --scores FILE"
                                         : NULL;
    if (!complaint && o->out && strcmp(o->out, "-") == 0)
        complaint = "--out -: the report is on stdout; give a file";
    if (complaint)
        return ll_cli_usage_error("decode", complaint);
    ll_verdict_init(&w.verdict);
    ll_cli_would_fit_init(&w.heard);
    ll_status status = compute(o, &w, &error);
    if (status == LL_OK)
        status = print(o, &w, &error);
    ll_exit done = status != LL_OK                            ? ll_cli_fail(&error)
                   : ll_cli_plan_is_done(&w.info, &w.verdict) ? LL_EXIT_DONE
                                                              : LL_EXIT_OPEN;
    ll_verdict_clear(&w.verdict);
    ll_cli_would_fit_clear(&w.heard);
    ll_io_clear_scores(&w.scores);
    ll_plan_destroy(w.plan);
    ll_scorer_destroy(w.scorer);
    ll_io_clear_plan(&w.file);
    free(w.path);
    return done;
}

static const ll_syntax syntax = {.command = "decode",
                                 .arguments = "DIR",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_common_group, options, common), {0}},
                                 .parse_other = parse_other};

const ll_command ll_command_decode = {&syntax, "from the scores of crafted predictions to labels, with the proof",
                                      work};

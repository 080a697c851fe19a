/* lossleak investigate: which labels did the submissions of a history determine, and for whom? */
#include "cli/commands/investigate.h"

#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/history_file.h"
#include "io/formats/predictions.h"
#include "report/history_report.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    const char *history, *scores, *html;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"scores", LL_TEXT(options, scores), "FILE", 0,
     "The list of a folder's submissions: CSV with the columns file, score, account and time; without it the folder's "
     "scores.csv",
     1},
    {"html", LL_TEXT(options, html), "FILE", 0, "Also write a page with a picture of the time line", 1},
    {0}};

static error_t parse_other(void *self, int key, char *value)
{
    options *o = self;
    return key == ARGP_KEY_ARG ? ll_cli_set_only(&o->history, "history", value, &o->common.error) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "A history of submissions, read after the fact: which labels did their scores determine, after which submission, "
    "for which account alone and for accounts together, and which submissions look like parts of a design?\v"
    "HISTORY is a folder of submissions with a list of them, or the list itself: CSV with a line for each submission "
    "and the columns file, score, account and time. A label is determined where every labelling that explains the "
    "scores has it; the label is then certain if the scorer is as described. Honest submissions determine labels too, "
    "when two of them differ in a row. An account is suspicious where submissions bear the marks that inspect finds, "
    "read more labels together than honest scores tell, or touch one row after the other. That none is suspicious is "
    "no proof of anything. Exit status 0: no account is suspicious; 1: some account is.\n\n"
    "Examples:\n"
    "  lossleak investigate submissions/ --scorer kaggle/log_loss --decimals 5\n"
    "  lossleak investigate submissions/ --scores list.csv --metric accuracy --decimals 5 --html incident.html\n"
    "  lossleak investigate list.csv --metric auc --decimals 4 --json";

/* ------------------------------------------------------------------ work */

typedef struct {
    const ll_investigate_question *question;
    ll_io_history list;
    ll_history *history;
    ll_investigation found;
    double start, read, end;
} work_state;

/* The first file says how many rows there are, and how many classes where it has a column for each. */
static ll_status begin_history(work_state *w, const ll_predictions *first, ll_error *error)
{
    ll_scorer_options *scorer = w->question->scorer;
    char what[120];
    double cells = (double)w->list.count * (double)first->rows * (double)first->columns;
    (void)snprintf(what, sizeof what, "a history of %ld submissions of %ld rows", w->list.count, first->rows);
    ll_status status = ll_cli_common_check_memory(w->question->common, what, 100 * cells, error);
    if (status == LL_OK)
        status = ll_cli_scorer_resolve(scorer, first->rows, first->columns > 1 ? first->columns : 2, error);
    return status == LL_OK ? ll_history_create(&w->history, scorer->scorer, error) : status;
}

static ll_status add_file(work_state *w, ll_watch *watch, long index, ll_error *error)
{
    const ll_io_history_entry *entry = &w->list.entries[index];
    const ll_scorer *scorer = w->question->scorer->scorer;
    ll_io_predictions *file = NULL;
    ll_predictions stored, watched;
    ll_status status =
        ll_io_open_predictions(&file, &stored, entry->path, ll_scorer_get_count(scorer, "rows"),
                               ll_cli_scorer_needs_exact(scorer), w->question->common->max_memory, error);
    if (status != LL_OK)
        return status;
    if (index == 0)
        status = begin_history(w, &stored, error);
    if (status == LL_OK) {
        ll_cli_watch_query(watch, &watched, &stored, index);
        status = ll_history_add(w->history, &watched, entry->name, entry->account, entry->time, entry->score, error);
        if (status == LL_DOMAIN)
            ll_io_name_file(error, entry->path);
    }
    ll_io_close_predictions(file);
    return status;
}

static ll_status read_all(work_state *w, ll_error *error)
{
    ll_watch watch;
    const ll_investigate_question *q = w->question;
    ll_status status = ll_cli_scorer_finish(q->scorer, q->common->seed, q->common->max_memory, error);
    if (status == LL_OK)
        status = ll_io_read_history(&w->list, q->history, q->scores, q->common->max_memory, error);
    if (status != LL_OK)
        return status;
    ll_cli_watch_queries(&watch, "read", w->list.count);
    for (long i = 0; i < w->list.count && status == LL_OK; i++)
        status = add_file(w, &watch, i, error);
    ll_cli_watch_end(&watch);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status compute(work_state *w, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(w->question->common);
    w->start = ll_report_clock();
    ll_status status = w->question->html ? ll_io_output_check(w->question->html, NULL, 0, error) : LL_OK;
    if (status == LL_OK)
        status = read_all(w, error);
    w->read = ll_report_clock() - w->start;
    if (status == LL_OK)
        status = ll_history_investigate(w->history, &w->found, &budget, error);
    w->end = ll_report_clock();
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status print(const work_state *w, ll_error *error)
{
    const ll_investigate_question *q = w->question;
    const ll_history_report report = {.scorer = q->scorer->scorer,
                                      .found = &w->found,
                                      .source = q->history,
                                      .html = q->html,
                                      .read_seconds = w->read,
                                      .total_seconds = w->end - w->start};
    ll_cli_unlimit_seconds();
    if (q->scorer->warning[0])
        ll_report_warning(q->scorer->warning);
    if (q->html && ll_report_history_page(q->html, &report, error) != LL_OK)
        return error->status;
    if (q->common->json)
        return ll_report_history_json(&report, error);
    ll_report_history_text(&report);
    return LL_OK;
}

ll_exit ll_cli_investigate(const ll_investigate_question *question)
{
    ll_error error = {0};
    work_state w = {.question = question};
    ll_investigation_init(&w.found);
    ll_status status = compute(&w, &error);
    if (status == LL_OK)
        status = print(&w, &error);
    ll_exit done = status != LL_OK ? ll_cli_fail(&error) : w.found.suspicious > 0 ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
    ll_investigation_clear(&w.found);
    ll_history_destroy(w.history);
    ll_io_clear_history(&w.list);
    return done;
}

static ll_exit work(void *self)
{
    options *o = self;
    if (!o->history)
        return ll_cli_usage_error("investigate", "nothing to investigate: give a folder of submissions, or their list");
    if (o->html && strcmp(o->html, "-") == 0)
        return ll_cli_usage_error("investigate", "--html -: the report is on stdout; give a file");
    const ll_investigate_question question = {&o->common, &o->scorer, o->history, o->scores, o->html};
    return ll_cli_investigate(&question);
}

static const ll_syntax syntax = {
    .command = "investigate",
    .arguments = "HISTORY",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .parts = {LL_PART(&ll_cli_scorer_group, options, scorer), LL_PART(&ll_cli_common_group, options, common), {0}},
    .parse_other = parse_other};

const ll_command ll_command_investigate = {&syntax, "which labels did many submissions determine, and for whom?", work};

#include "cli/options/oracle_options.h"

#include "cli/options/help.h"
#include "cli/options/option_value.h"
#include "cli/options/syntax.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "report/message.h"
#include <stdio.h>
#include <string.h>

enum { MOST_RETRIES = 1000 };

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "A real scorer instead of a simulated one:", 3},
    {"oracle", LL_TEXT(ll_oracle_options, command), "CMD", 0,
     "Ask this shell command for scores. It is the scorer that the options describe; give --rows (and --classes, "
     "default 2). Only the last line that it writes to stderr is shown, and only where it fails; CMD 2>FILE keeps all "
     "of it",
     0},
    {"oracle-mode", LL_TEXT(ll_oracle_options, mode), "MODE", 0,
     "each (default): CMD is run once a query, gets the predictions as CSV (header row,p or row,p0,p1,...) on stdin "
     "and prints the score as its last line (of --also all numbers in one line, separated by blanks). stream: CMD is "
     "started once; for each query it reads one line, the path "
     "of a predictions file (query-0001.csv, ...), and answers one line, the score. It has your environment, and "
     "LOSSLEAK_QUERY (from "
     "1; in stream mode the first one it gets), LOSSLEAK_ROWS, LOSSLEAK_CLASSES",
     0},
    {"oracle-timeout", LL_TEXT(ll_oracle_options, timeout), "S", 0, "Seconds to wait for a score (default 60)", 0},
    {"oracle-retries", LL_TEXT(ll_oracle_options, retries), "R", 0,
     "Ask up to R more times if CMD fails (default 0); the scorer may count every one as a submission", 0},
    {"npy", LL_FLAG(ll_oracle_options, npy), NULL, 0,
     "Predictions files as .npy instead of CSV; for stream mode, not for exact arithmetic", 0},
    {"journal", LL_TEXT(ll_oracle_options, journal), "FILE", 0,
     "Write every score down, synced, before the next query is sent. Where FILE is there, the attack goes on from it "
     "and asks nothing again",
     0},
    {0}};

const ll_option_group ll_cli_oracle_group = {
    {options_table, ll_cli_parse_places, NULL, NULL, NULL, NULL, NULL}, NULL, ll_cli_brief_clause};

/* ------------------------------------------------------------------ values */

static int is_stream(const ll_oracle_options *o)
{
    return o->mode && strcmp(o->mode, "stream") == 0;
}

const char *ll_cli_oracle_complain(const ll_oracle_options *o, int has_labels)
{
    if (o->journal && strcmp(o->journal, "-") == 0)
        return "--journal -: a journal is a file";
    if (!o->command)
        return o->mode      ? "--oracle-mode: give --oracle CMD, too"
               : o->timeout ? "--oracle-timeout: give --oracle CMD, too"
               : o->retries ? "--oracle-retries: give --oracle CMD, too"
               : o->npy     ? "--npy: give --oracle CMD, too"
               : has_labels ? NULL
                            : "no labels: give --labels FILE, --dataset NAME or --oracle CMD";
    if (has_labels)
        return "--oracle: the scorer holds the labels; leave --labels and --dataset out";
    if (!o->command[strspn(o->command, " \t\n")])
        return "--oracle: the command is empty";
    return o->npy && !is_stream(o) ? "--npy: give --oracle-mode stream, too" : NULL;
}

ll_status ll_cli_oracle_finish(ll_oracle_options *o, ll_error *error)
{
    ll_io_process_options *p = &o->process_options;
    *p = (ll_io_process_options){.command = o->command, .timeout = 60, .check = ll_cli_watch_check};
    if (o->mode && !is_stream(o) && strcmp(o->mode, "each") != 0)
        return ll_cli_refuse(error, "oracle-mode", o->mode, "no such mode", "each or stream");
    p->mode = is_stream(o) ? LL_IO_ORACLE_STREAM : LL_IO_ORACLE_EACH;
    p->form = o->npy ? LL_IO_PREDICTIONS_NPY : LL_IO_PREDICTIONS_CSV;
    ll_status status = LL_OK;
    if (o->timeout)
        status = ll_cli_read_seconds(&p->timeout, "oracle-timeout", o->timeout, error);
    if (status == LL_OK && o->retries)
        status = ll_cli_read_count(&p->retries, "oracle-retries", o->retries, 0, MOST_RETRIES, error);
    return status;
}

/* ------------------------------------------------------------------ open and close */

static void drop_process(const void *self)
{
    ll_io_process_drop(self);
}

static ll_status open_process(ll_oracle_options *o, const ll_plan_info *info, const ll_scorer *scorer, ll_error *error)
{
    ll_io_process_options *p = &o->process_options;
    if (o->npy && info->entries == LL_ENTRIES_EXACT)
        return ll_fail(error, LL_DOMAIN,
                       "--npy: these predictions are exact, and .npy holds doubles only; leave it out");
    p->classes = info->classes;
    p->numbers = ll_scorer_count_numbers(scorer);
    ll_scorer_get_range(scorer, &p->low, &p->high);
    ll_status status = ll_io_process_open(&o->process, p, error);
    if (status == LL_OK)
        ll_cli_on_sudden_end(drop_process, o->process);
    return status;
}

/* "FILE: 12 of 40 scores" */
static void describe_journal(char *text, size_t size, const ll_oracle_options *o)
{
    char place[300];
    ll_io_place(place, sizeof place, o->journal, 0);
    (void)snprintf(text, size, "%s: %ld of %ld scores", place, ll_io_journal_count(o->journal_file), o->queries);
}

static ll_status open_journal(ll_oracle_options *o, const ll_plan *plan, size_t max_memory, ll_error *error)
{
    char digest[80], note[400], held[340];
    ll_plan_digest(plan, digest, sizeof digest);
    ll_status status =
        ll_io_journal_open(&o->journal_file, note, sizeof note, o->journal, digest, o->queries, max_memory, error);
    if (status != LL_OK)
        return status;
    if (note[0])
        ll_report_note(note);
    if (ll_io_journal_count(o->journal_file) > 0) {
        describe_journal(held, sizeof held, o);
        (void)snprintf(note, sizeof note, "%s are there already", held);
        ll_report_note(note);
    }
    return LL_OK;
}

ll_status ll_cli_oracle_open(ll_oracle_options *o, const ll_plan *plan, const ll_scorer *scorer, size_t max_memory,
                             ll_error *error)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    o->queries = info.queries;
    ll_status status = o->command ? open_process(o, &info, scorer, error) : LL_OK;
    return status == LL_OK && o->journal ? open_journal(o, plan, max_memory, error) : status;
}

void ll_cli_oracle_close(ll_oracle_options *o)
{
    ll_io_process *process = o->process;
    ll_io_process_close(process);
    ll_cli_on_sudden_end(NULL, NULL);
    ll_io_journal_close(o->journal_file);
    o->process = NULL;
    o->journal_file = NULL;
}

/* ------------------------------------------------------------------ use */

ll_oracle ll_cli_oracle_choose(const ll_oracle_options *o, ll_oracle simulated)
{
    return o->process ? ll_io_process_oracle(o->process) : simulated;
}

ll_oracle ll_cli_oracle_journalled(const ll_oracle_options *o, ll_oracle inner)
{
    return o->journal_file ? ll_io_journal_oracle(o->journal_file, inner) : inner;
}

const char *ll_cli_oracle_strange(const ll_oracle_options *o)
{
    return o->process ? ll_io_process_strange(o->process) : NULL;
}

void ll_cli_oracle_add_journal(const ll_oracle_options *o, ll_error *error)
{
    char text[sizeof error->text], held[340];
    if (!o->journal_file)
        return;
    describe_journal(held, sizeof held, o);
    memcpy(text, error->text, sizeof text);
    (void)ll_fail(error, error->status, "%.330s; the journal is intact, %s", text, held);
}

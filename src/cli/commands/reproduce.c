/* lossleak reproduce: the paper's experiments. */
#include "cli/options/nearest_name.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "report/json.h"
#include "report/message.h"
#include "report/text_table.h"
#include "reproduce/figure_files.h"
#include "reproduce/ranks.h"
#include "reproduce/results_page.h"
#include "reproduce/unit_schedule.h"
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_OUT = 'o', KEY_QUICK = 'q', KEY_RUNS = 0x100, FIGURES = 16, RUNS = 1000, QUICK_RUNS = 100, LONGEST = 7200 };

typedef struct {
    ll_common_options common;
    ll_settings settings;
    const char *out;
    const ll_figure *figures[FIGURES];
    long count;
} options;

static const struct argp_option options_table[] = {
    {"out", KEY_OUT, "DIR", 0, "The folder for the files; an interrupted run continues there", 1},
    {"quick", KEY_QUICK, NULL, 0, "Fewer label sets and noise magnitudes; minutes instead of an hour", 1},
    {"runs", KEY_RUNS, "R", 0, "Label sets of each length (default 1000, the paper's; 100 with --quick)", 1},
    {0}};

static const char doc[] =
    "The paper's experiments in its own setting (IEEE doubles, its constructions, LabelInf, label sets drawn from "
    "the data sets), and in the same pictures what this program's own codes reach and what the mantissa of a double "
    "allows. FIGURE is fig1a, fig1b, fig1c, fig1d, fig2, fig3, fig4, headline (all labels of a data set in one exact "
    "query) or labelinf (LabelInf by looking at every labelling); all is every one.\vDIR gets a CSV file with the "
    "points of each figure and one with the counts behind them, SVG, PDF and PNG pictures where gnuplot is installed, and "
    "a results page, index.html and README.md, that holds the paper's sentences against the figures. Every finished "
    "piece of work is in DIR/journal.jsonl: a run that was ended goes on from there. The results depend on --seed "
    "and --runs alone, not on threads or processes; a program built with MPI takes 'mpirun -n P lossleak reproduce "
    "...', where one process hands out work and the others do it. --max-seconds is 7200 by default here.\n\n"
    "Examples:\n"
    "  lossleak reproduce fig1a fig1b --out results --quick\n"
    "  lossleak reproduce all --out results";

static ll_status add_figure(options *o, const ll_figure *figure)
{
    for (long i = 0; i < o->count; i++)
        if (o->figures[i] == figure)
            return LL_OK;
    o->figures[o->count++] = figure;
    return LL_OK;
}

static ll_status add_name(options *o, const char *name, ll_error *error)
{
    const ll_figure *figure = ll_figure_find(name);
    const char *nearest = NULL;
    int is_all = strcmp(name, "all") == 0;
    for (long i = 0; i < ll_figure_count(); i++) {
        if (is_all)
            (void)add_figure(o, ll_figure_get(i));
        nearest = ll_cli_nearer(name, nearest, ll_figure_get(i)->name);
    }
    if (figure)
        return add_figure(o, figure);
    if (is_all)
        return LL_OK;
    if (nearest)
        return ll_fail(error, LL_DOMAIN, "%.60s: no such figure; did you mean %s?", name, nearest);
    return ll_fail(error, LL_DOMAIN, "%.60s: no such figure; lossleak reproduce --help lists them", name);
}

static const ll_place places[] = {{KEY_OUT, LL_TEXT(options, out)}, {KEY_QUICK, LL_FLAG(options, settings.quick)}, {0}};

static error_t parse_other(void *self, int key, char *value)
{
    options *o = self;
    ll_error *error = &o->common.error;
    if (key != KEY_RUNS && key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    ll_status status = key == ARGP_KEY_ARG ? add_name(o, value, error)
                                           : ll_cli_read_count(&o->settings.runs, "runs", value, 1, 1000000, error);
    return status == LL_OK ? 0 : EINVAL;
}

/* ------------------------------------------------------------------ work */

static int is_stopped(void)
{
    return ll_cli_is_interrupted() || ll_cli_is_late();
}

typedef struct {
    ll_units units;
    ll_ranks ranks;
    ll_unit_journal *journal;
    long found; /* units that the journal had */
    int drawn;
    double start;
} work_state;

static ll_status list_units(const options *o, work_state *w, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < o->count && status == LL_OK; i++)
        status = ll_figure_add(&w->units, o->figures[i], &o->settings, error);
    ll_units_sort(&w->units);
    return status;
}

static ll_status open_journal(const options *o, work_state *w, ll_error *error)
{
    char note[400], *path = ll_reproduce_path(o->out, "journal", ".jsonl");
    if (!path)
        return ll_fail(error, LL_MEMORY, "out of memory");
    ll_status status = mkdir(o->out, 0777) == 0 || errno == EEXIST
                           ? ll_unit_journal_open(&w->journal, note, sizeof note, path, &o->settings, &w->units, error)
                           : ll_fail(error, LL_SYSTEM, "%.200s: %s", o->out, strerror(errno));
    free(path);
    for (long i = 0; status == LL_OK && i < w->units.count; i++)
        w->found += w->units.list[i].is_done;
    if (status == LL_OK && note[0])
        ll_report_note(note);
    return status;
}

/* What a run that stops leaves behind, in words. */
static ll_status explain_stop(const options *o, const work_state *w, ll_error *error)
{
    long done = 0;
    for (long i = 0; i < w->units.count; i++)
        done += w->units.list[i].is_done;
    return ll_fail(error, LL_UNABLE,
                   "%s after %ld of %ld work units, which %.200s/journal.jsonl holds; the same command goes on%s",
                   ll_cli_is_interrupted() ? "interrupted" : "the time is up", done, w->units.count, o->out,
                   ll_cli_is_interrupted() ? "" : " (--max-seconds gives more)");
}

static ll_status do_units(const options *o, work_state *w, ll_error *error)
{
    ll_schedule schedule;
    ll_status status = ll_schedule_init(&schedule, &o->settings, &w->units, w->journal, is_stopped, error);
    if (status != LL_OK)
        return status;
    status = w->ranks.count > 1 ? ll_ranks_schedule(&w->ranks, &schedule, error)
                                : ll_schedule_run(&schedule, (int)o->common.threads, error);
    ll_schedule_clear(&schedule);
    return status != LL_OK && is_stopped() ? explain_stop(o, w, error) : status;
}

static ll_status write_files(const options *o, work_state *w, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < o->count && status == LL_OK; i++) {
        status = ll_figure_write_csv(o->figures[i], o->out, &w->units, &o->settings, error);
        if (status == LL_OK)
            status = ll_figure_draw(o->figures[i], o->out, &w->units, &o->settings, &w->drawn, error);
    }
    if (status == LL_OK && !w->drawn)
        ll_report_warning("no gnuplot in PATH: CSV files only, no pictures; install gnuplot and run the same command "
                          "again (nothing is computed twice)");
    ll_results results = {
        .figures = o->figures, .count = o->count, .units = &w->units, .settings = &o->settings, .drawn = w->drawn};
    return status == LL_OK ? ll_results_write(&results, o->out, error) : status;
}

static ll_status print(const options *o, const work_state *w, ll_error *error)
{
    double seconds = ll_report_clock() - w->start;
    ll_cli_unlimit_seconds();
    if (o->common.json) {
        ll_json json;
        ll_report_json_begin(&json, "reproduce");
        ll_report_json_add(&json, "out", ll_report_json_string(o->out));
        ll_report_json_add(&json, "units", json_integer(w->units.count));
        ll_report_json_add(&json, "units_found", json_integer(w->found));
        ll_report_json_add(&json, "pictures", json_boolean(w->drawn));
        ll_report_json_add(&json, "processes", json_integer(w->ranks.count));
        ll_report_json_add(&json, "seconds", json_real(seconds));
        return ll_report_json_end(&json, error);
    }
    ll_report_field(stdout, "units", "%ld work units, %ld of them from the journal", w->units.count, w->found);
    ll_report_field(stdout, "files", "%s/index.html, README.md, CSV%s", o->out, w->drawn ? ", SVG, PDF and PNG" : "");
    ll_report_field(stdout, "seconds", "%.1f", seconds);
    return LL_OK;
}

static ll_status lead(const options *o, work_state *w, ll_error *error)
{
    ll_status status = ll_results_check_folder(o->out, error);
    if (status == LL_OK)
        status = open_journal(o, w, error);
    if (status == LL_OK)
        status = do_units(o, w, error);
    if (status == LL_OK)
        status = write_files(o, w, error);
    ll_unit_journal_close(w->journal);
    return status == LL_OK ? print(o, w, error) : status;
}

/* Rank 0 speaks for all. */
static ll_exit work_rank(const options *o, work_state *w)
{
    ll_error error = {0};
    ll_exit done = LL_EXIT_DONE;
    if (w->ranks.rank > 0) {
        ll_status status = ll_ranks_work(&w->ranks, &w->units, &o->settings, is_stopped, &error);
        done = status == LL_OK ? LL_EXIT_DONE : LL_EXIT_INTERRUPTED;
    } else if (lead(o, w, &error) != LL_OK)
        done = ll_cli_fail(&error);
    ll_ranks_end(&w->ranks, (int)done);
    return done;
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    work_state w = {.start = ll_report_clock()};
    if (o->count == 0)
        return ll_cli_usage_error("reproduce", "no figure: give fig1a, ..., fig4, or all");
    if (!o->out || !*o->out)
        return ll_cli_usage_error("reproduce", "no folder: give --out DIR");
    o->settings.seed = o->common.seed;
    if (o->settings.runs == 0)
        o->settings.runs = o->settings.quick ? QUICK_RUNS : RUNS;
    ll_units_init(&w.units);
    ll_status status = list_units(o, &w, &error);
    if (status == LL_OK)
        status = ll_ranks_begin(&w.ranks, &error);
    ll_exit done = status == LL_OK ? work_rank(o, &w) : ll_cli_fail(&error);
    ll_units_clear(&w.units);
    return done;
}

static const ll_syntax syntax = {.command = "reproduce",
                                 .arguments = "FIGURE...|all",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_common_group, options, common), {0}},
                                 .parse_other = parse_other,
                                 .max_seconds = LONGEST};

const ll_command ll_command_reproduce = {&syntax, "the paper's experiments, with figures and a results page", work};

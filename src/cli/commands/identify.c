/* lossleak identify: what does this scoring program release? */
#include "cli/command.h"
#include "cli/options/common_options.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/options/program_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "report/identify_report.h"

#include <stdlib.h>

typedef struct {
    ll_common_options common;
    ll_program_choice program;
    const char *rows, *classes, *targets, *hint;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it is asked with:", 1},
    {"rows", LL_TEXT(options, rows), "N", 0, "Made-up labels in a run (29; 61 with --template)", 1},
    {"classes", LL_TEXT(options, classes), "K", 0,
     "Classes of the labels (default: those of the example; else 2, then 3, then numbers, whichever the program takes)",
     1},
    {"targets", LL_TEXT(options, targets), "LO:HI:STEP", 0, "Labels are numbers of this grid", 1},
    {"hint", LL_TEXT(options, hint), "METRIC", 0,
     "The metric that you take it for: it is checked as any other, and stands first where several fit", 1},
    {0}};

static const char doc[] =
    "What does this scoring program release? It is run on labels that are made up here, some 200 times, and what it shows is compared: which "
    "channels depend on labels (scores, stdout, stderr, files, failures), which metric each number is and how it is rounded, and what it makes "
    "of submissions that are not as they should be. None of your labels are needed.\v"
    "A metric is named where its certified interval held the number in every run; where several do, all are named. Nothing is called safe: "
    "`lossleak audit --program' says what the program gives away. Exit status 0: done; 1: there are surprises, which are printed first; "
    "3: the program cannot be run.\n\n"
    "Examples:\n"
    "  lossleak identify --program 'python3 score.py'\n"
    "  lossleak identify --program evaluation_script/main.py\n"
    "  lossleak identify --program scoring_program/ --classes 3\n"
    "  lossleak identify --interface python:metrics.py:profit --json";

typedef struct {
    options *o;
    ll_run_program *program;
    ll_platform platform;
    json_t *limits;
    ll_identification found;
    int is_open; /* neither options nor an example say what labels there are */
} work_state;

static ll_status prepare(const options *o, ll_identify_request *request, ll_error *error)
{
    ll_status status = LL_OK;
    request->rows = ll_cli_program_rows(&o->program);
    if (o->rows != NULL)
        status = ll_cli_read_count(&request->rows, "rows", o->rows, 8, 100000, error);
    if (status == LL_OK && o->classes != NULL)
        status = ll_cli_read_count(&request->classes, "classes", o->classes, 2, 1000, error);
    request->targets = o->targets;
    request->hint = o->hint;
    request->unseen = o->program.unseen;
    request->seed = o->common.seed;
    return status;
}

static ll_status compute(work_state *w, ll_error *error)
{
    ll_identify_request request;
    ll_budget budget = ll_cli_budget(&w->o->common);
    ll_identify_request_init(&request);
    request.budget = &budget;
    ll_status status = prepare(w->o, &request, error);
    if (status == LL_OK)
        status = ll_cli_program_open(&w->program, &w->platform, &w->o->program, error);
    if (status != LL_OK)
        return status;
    w->is_open = ll_cli_program_labels(&request, w->program);
    const ll_program program = ll_run_program_view(w->program);
    status = ll_identify(&w->found, &program, &request, error);
    if (status == LL_DOMAIN)
        ll_cli_program_advise(&w->o->program, error);
    w->limits = ll_cli_program_limits_json(&w->platform);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status print(const work_state *w, ll_error *error)
{
    const char *why_not;
    int is_sandboxed = ll_run_program_is_sandboxed(w->program, &why_not);
    const ll_identify_report report = {.found = &w->found,
                                       .program = w->o->program.program != NULL ? w->o->program.program
                                                                                : w->o->program.interface,
                                       .format = ll_run_program_format(w->program),
                                       .platform = w->platform.path[0] ? w->platform.words : NULL,
                                       .limits = w->limits,
                                       .is_open = w->is_open,
                                       .processor = ll_run_program_processor(w->program),
                                       .without_sandbox = is_sandboxed ? NULL : why_not};
    ll_cli_unlimit_seconds();
    if (w->o->common.json)
        return ll_report_identify_json(&report, error);
    ll_report_identify_brief(&report);
    ll_report_identify_rest(&report);
    return LL_OK;
}

static ll_exit work(void *self)
{
    work_state w = {.o = self};
    ll_error error = {0};
    if (!ll_cli_program_is_given(&w.o->program))
        return ll_cli_usage_error("identify", "no program: give --program CMD");
    ll_identification_init(&w.found);
    ll_status status = compute(&w, &error);
    ll_cli_watch_explain(status, &error);
    if (status == LL_OK)
        status = print(&w, &error);
    ll_exit done = status != LL_OK              ? ll_cli_fail(&error)
                   : w.found.surprise_count > 0 ? LL_EXIT_BAD_ANSWER
                                                : LL_EXIT_DONE;
    json_decref(w.limits);
    ll_identification_clear(&w.found);
    ll_run_program_close(w.program);
    return done;
}

static const ll_syntax syntax = {
    .command = "identify",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .parts = {LL_PART(&ll_cli_program_group, options, program), LL_PART(&ll_cli_common_group, options, common), {0}}};

const ll_command ll_command_identify = {&syntax, "what does this scoring program release? It is run on made-up labels",
                                        work};

#include "cli/options/program_options.h"

#include "cli/options/help.h"
#include "cli/watch.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CLASSES = 40 }; /* that an example may set: every class needs rows, and every row a run */

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "A scoring program that is run on labels that are made up:", 2},
    {"program", LL_TEXT(ll_program_choice, program), "CMD", 0,
     "The program: a command, a file or a folder, as --interface has it. It is run in a sandbox, without network", 0},
    {"interface", LL_TEXT(ll_program_choice, interface), "NAME", 0,
     "pair: CMD LABELS PREDICTIONS, which prints, or a command with {labels} and {predictions} in it; evalai: a file or folder with evaluate(test_annotation_file, user_submission_file, "
     "phase_codename, **kwargs); codabench: a folder with metadata.yaml; python:FILE:FUNCTION: a function of labels and predictions, or Kaggle's score(solution, submission, row_id_column_name). Default: by what the program looks like",
     0},
    {"template", LL_TEXT(ll_program_choice, examples), "LABELS,PREDICTIONS", 0,
     "One example of each file: CSV with ids, JSON (a list of objects, or by id), JSON lines, .npy or columns. Form, ids, words for classes and other columns (such as public and private rows) are followed; its labels and predictions are not used",
     0},
    {"field", LL_TEXT(ll_program_choice, field), "NAME", 0,
     "The column that is filled in there (NAME,NAME where the two files differ); default: label, else the last that both have, else the last",
     0},
    {"format", LL_TEXT(ll_program_choice, format), "NAME", 0,
     "Of both files, without examples: csv, json-dict, json-list, jsonl, columns or npy; default: tried out", 0},
    {"phase", LL_TEXT(ll_program_choice, phase), "NAME", 0, "The phase_codename of evalai (test)", 0},
    {"unseen", LL_TEXT(ll_program_choice, unseen), "NAME,...", 0,
     "Channels that participants do not see: stdout, stderr, ...", 0},
    {"without-sandbox", LL_FLAG(ll_program_choice, without_sandbox), NULL, 0,
     "Run the program as it is; for one that you trust", 0},
    {0}};

const ll_option_group ll_cli_program_group = {
    {options_table, ll_cli_parse_places, NULL, NULL, NULL, NULL, NULL}, NULL, ll_cli_brief_clause};

int ll_cli_program_is_given(const ll_program_choice *choice)
{
    return choice->program != NULL || (choice->interface != NULL && strchr(choice->interface, ':') != NULL);
}

long ll_cli_program_rows(const ll_program_choice *choice)
{
    return choice->examples != NULL ? 61 : 0;
}

static json_t *count(long value, long missing)
{
    return value != missing ? json_integer(value) : json_null();
}

json_t *ll_cli_program_limits_json(const ll_platform *p)
{
    if (p->path[0] == '\0')
        return NULL;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:b, s:s}", "file", p->path, "phase", p->phase, "per_day",
                     count(p->per_day, 0), "total", count(p->total, 0), "days", count(p->days, 0), "decimals",
                     count(p->decimals, -1), "hidden_columns", p->hidden, "files_are_hidden", p->hides_files, "text",
                     p->words);
}

int ll_cli_program_labels(ll_identify_request *request, const ll_run_program *program)
{
    int is_open = request->classes == 0 && request->targets == NULL;
    long classes = ll_run_program_classes(program);
    if (is_open && classes != 1 && classes <= MOST_CLASSES)
        request->classes = classes;
    if (2 * request->classes > request->rows)
        request->rows = 0; /* as many as the classes need */
    return is_open && request->classes == 0;
}

ll_status ll_cli_program_open(ll_run_program **out, ll_platform *platform, const ll_program_choice *choice,
                              ll_error *error)
{
    const ll_program_options options = {.program = choice->program,
                                        .interface = choice->interface,
                                        .examples = choice->examples,
                                        .field = choice->field,
                                        .phase = choice->phase,
                                        .format = choice->format,
                                        .without_sandbox = choice->without_sandbox,
                                        .check = ll_cli_watch_check};
    /* what is wrong with the configuration is said before anything runs, where the interface is named */
    ll_status status = ll_platform_read(platform, choice->interface, choice->program, choice->phase, error);
    if (status == LL_OK)
        status = ll_run_program_open(out, &options, error);
    if (status == LL_OK && choice->interface == NULL)
        status = ll_platform_read(platform, ll_run_program_interface(*out), choice->program, choice->phase, error);
    return status;
}

void ll_cli_program_advise(const ll_program_choice *choice, ll_error *error)
{
    int has_files = choice->interface == NULL || strchr(choice->interface, ':') == NULL;
    size_t used = strlen(error->text);
    if (has_files && choice->examples == NULL &&
        (strstr(error->text, "fails whatever it is given") != NULL ||
         strstr(error->text, "does not depend on labels") != NULL))
        (void)snprintf(
            error->text + used, sizeof error->text - used,
            "; if its files have other columns, give --template LABELS,PREDICTIONS, one small example of each file");
}

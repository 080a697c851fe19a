/* --program and what belongs to it: a scoring program that is run on made-up labels. */
#ifndef LL_CLI_PROGRAM_OPTIONS_H
#define LL_CLI_PROGRAM_OPTIONS_H

#include "cli/options/syntax.h"
#include "programs/platform.h"
#include "programs/run_program.h"

#include <jansson.h>

typedef struct {
    const char *program, *interface, *examples, *field, *phase, *format, *unseen; /* as given; NULL: not */
    int without_sandbox;
} ll_program_choice;

/* Its argp's input is an ll_program_choice. */
extern const ll_option_group ll_cli_program_group;

/* Was a program named? */
int ll_cli_program_is_given(const ll_program_choice *choice);
/* Start it, and read the configuration of its platform where it stands beside it. */
LL_CHECK ll_status ll_cli_program_open(ll_run_program **out, ll_platform *platform, const ll_program_choice *choice,
                                       ll_error *error);
/* The same as an object of a report; NULL: there is none. */
json_t *ll_cli_program_limits_json(const ll_platform *platform);
/* Made-up rows for it, 0: as many as it takes by default. Where an example says which rows are public, a few dozen leave too few of them. */
long ll_cli_program_rows(const ll_program_choice *choice);
/* Where the request names neither classes nor targets, those of the example; 1: nothing says which. */
int ll_cli_program_labels(ll_identify_request *request, const ll_run_program *program);

/* Where the program fails on every file that is tried, add to the error what to do about it. */
void ll_cli_program_advise(const ll_program_choice *choice, ll_error *error);

#endif

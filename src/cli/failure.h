/* How a command ends that could not do its work: one line on stderr and, with --json, an object on stdout,
 * {"command": .., "schema": 2, "error": {"text": .., "status": ..}}. */
#ifndef LL_CLI_FAILURE_H
#define LL_CLI_FAILURE_H

#include "cli/command.h"

/* The command that failures are about, and whether JSON was asked for. Before the first call: none, and no. */
void ll_cli_fail_about(const char *command, int json);

/* Does the command line ask for JSON? For failures before or while it is parsed. */
int ll_cli_asks_for_json(int argc, char **argv);

/* Say why; the status to exit with: interrupted where a signal came, else refused. */
ll_exit ll_cli_fail(const ll_error *error);

/* The same with a status of its own in place of refused. */
ll_exit ll_cli_fail_as(ll_exit status, const ll_error *error);

/* A flag of the table missing where the command needs it: the line for it, LL_EXIT_REFUSED. */
ll_exit ll_cli_usage_error(const char *command, const char *what);

#endif

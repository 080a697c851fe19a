/* Run a command's argp parsers without letting argp print or exit. */
#ifndef LL_CLI_PARSE_H
#define LL_CLI_PARSE_H

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/options/common_options.h"
#include "cli/options/syntax.h"

/* Parse argv[1..] of a command into the struct that its syntax speaks of, all 0 before; ll_cli_clear frees what it
 * owns. Handles --help and --version. Returns 1 to go on; 0 to end with *status, everything being said. */
int ll_cli_parse(ll_exit *status, const ll_syntax *syntax, void *options, int argc, char **argv);
void ll_cli_clear(const ll_syntax *syntax, void *options);

/* The one argument that a command takes: EINVAL and the line for it where *place has one already. `what` names it. */
error_t ll_cli_set_only(const char **place, const char *what, const char *value, ll_error *error);

#endif

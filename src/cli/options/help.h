/* The text of --help and --help-all, made from the tables that parse. */
#ifndef LL_CLI_HELP_H
#define LL_CLI_HELP_H

#include "cli/options/syntax.h"

/* On stdout; all: every option with its whole text, not the first screen alone. */
void ll_cli_show_help(const ll_syntax *syntax, int all);

/* For ll_option_group: the first clause of every option. */
const char *ll_cli_brief_clause(const char *name);

#endif

/* What the program says of itself, in `lossleak --help' and in its man page. */
#ifndef LL_CLI_OVERVIEW_H
#define LL_CLI_OVERVIEW_H

extern const char ll_cli_question[];
extern const char ll_cli_help_summary[];
/* What `lossleak' alone prints behind the question. */
extern const char ll_cli_first_steps[];
extern const char ll_cli_every_command[];
extern const char ll_cli_exit_statuses[];

#endif

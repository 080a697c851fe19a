#include "cli/documents/overview.h"

const char ll_cli_question[] = "how many of the private labels behind a released score does it give away?";

const char ll_cli_help_summary[] = "what a command does and takes: lossleak help COMMAND";

const char ll_cli_every_command[] =
    "Every command knows --help, --version and --json. To begin with:\n"
    "  lossleak attack --dataset titanic --noise bounded:1,plus\n"
    "  lossleak score --dataset titanic --predictions constant:0.5 --scorer sklearn-1.2/log_loss\n";

const char ll_cli_exit_statuses[] =
    "Exit status: 0 done; 1 done, and the answer is the bad one asked about; 2 bad usage, bad input or\n"
    "over budget; 3 a scorer failed; 4 not every label could be recovered; 130 interrupted.\n"
    "For scorers you own or may test.";

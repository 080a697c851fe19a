#include "cli/documents/overview.h"

const char ll_cli_question[] = "how many of the private labels behind a released score does it give away?";

const char ll_cli_help_summary[] = "describe a command and its options: lossleak help COMMAND";

const char ll_cli_first_steps[] =
    "You run a leaderboard. What does it give away, and what would stop that? `lossleak ask' asks you four\n"
    "questions and answers; or say it at once:\n"
    "  lossleak audit --scorer sklearn/log_loss --rows 2201 --decimals 5 --queries 200\n"
    "  lossleak defend --scorer sklearn/log_loss --rows 2201 --decimals 5 --queries 200 --share 0.6\n\n"
    "See it happen, on labels that come with the program:\n"
    "  lossleak attack --dataset titanic --scorer sklearn/log_loss --decimals 5\n\n"
    "lossleak --help lists the commands, lossleak metrics the metrics. For scorers you own or may test.\n";

const char ll_cli_every_command[] =
    "Every command has --help, --help-all, --version and --json. To begin with:\n"
    "  lossleak audit --scorer sklearn/log_loss --rows 2201 --decimals 5 --queries 200\n";

const char ll_cli_exit_statuses[] =
    "Exit status: 0 done; 1 done, but the check failed; 2 bad usage, bad input or\n"
    "over budget; 3 a scorer failed; 4 not every label could be recovered; 130 interrupted.\n"
    "For scorers you own or may test.";

/* What a command is. A new one is a file that defines `const ll_command ll_command_NAME` and a row in main.c. */
#ifndef LL_CLI_COMMAND_H
#define LL_CLI_COMMAND_H

#include "cli/options/syntax.h"
#include "lossleak.h"

typedef enum {
    LL_EXIT_DONE = 0,
    LL_EXIT_BAD_ANSWER = 1, /* done, but the check failed */
    LL_EXIT_REFUSED = 2,    /* bad usage, bad input, over budget */
    LL_EXIT_SCORER = 3,     /* a scorer failed: a child process, a timeout, a score that is not finite */
    LL_EXIT_OPEN = 4,       /* not every label could be recovered as asked */
    LL_EXIT_INTERRUPTED = 130
} ll_exit;

/* A row of the table: --help, man pages and completion read the syntax, and nothing is run for them. */
typedef struct {
    const ll_syntax *syntax;
    const char *summary;            /* one line of the overview */
    ll_exit (*work)(void *options); /* the struct of the syntax, parsed */
} ll_command;

/* The commands, with a NULL behind the last. */
typedef const ll_command *const *ll_command_list;

#endif

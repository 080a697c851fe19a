/* The options of a command, one after another, out of the tables that argp parses with: for --help's relatives (man
 * pages, completion, "did you mean"), so that nobody keeps a second list. */
#ifndef LL_CLI_OPTION_WALK_H
#define LL_CLI_OPTION_WALK_H

#include "cli/options/syntax.h"

typedef struct {
    const char *name;  /* without dashes; NULL: a heading, whose text is doc */
    int letter;        /* of the short form, or 0 */
    const char *value; /* what the value is called; NULL: takes none */
    const char *doc;
} ll_option;

typedef void (*ll_option_visit)(void *self, const ll_option *option);

/* The command's own options first, then those of its parts, each in the order of its table. */
void ll_cli_walk_options(const ll_syntax *syntax, ll_option_visit visit, void *self);

#endif

/* What `investigate` was asked; `inspect --history` asks the same. */
#ifndef LL_CLI_INVESTIGATE_H
#define LL_CLI_INVESTIGATE_H

#include "cli/command.h"
#include "cli/options/common_options.h"
#include "cli/options/scorer_options.h"

typedef struct {
    ll_common_options *common;
    ll_scorer_options *scorer;
    const char *history; /* a folder, or the list of submissions */
    const char *scores;  /* the list of a folder, or NULL */
    const char *html;    /* or NULL */
} ll_investigate_question;

ll_exit ll_cli_investigate(const ll_investigate_question *question);

#endif

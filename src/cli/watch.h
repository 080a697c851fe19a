/* Predictions under watch: the same blocks, with progress on the terminal, and an end (LL_UNABLE) when a signal
 * came or the time is up. */
#ifndef LL_CLI_WATCH_H
#define LL_CLI_WATCH_H

#include "lossleak.h"
#include "report/progress.h"

typedef struct {
    const ll_predictions *inner;
    ll_progress progress;
} ll_watch;

/* *out reads through *watch and *inner; both must stay where they are. */
void ll_cli_watch_begin(ll_watch *watch, ll_predictions *out, const ll_predictions *inner, const char *what);
void ll_cli_watch_end(ll_watch *watch);

/* LL_UNABLE, with its text, where a signal came or the time is up. */
LL_CHECK ll_status ll_cli_watch_check(ll_error *error);

#endif

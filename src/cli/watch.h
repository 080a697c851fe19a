/* Predictions under watch: the same blocks, with progress on the terminal, and an end (LL_UNABLE) when a signal
 * came or the time is up. */
#ifndef LL_CLI_WATCH_H
#define LL_CLI_WATCH_H

#include "lossleak.h"
#include "report/progress.h"

typedef struct {
    const ll_predictions *inner;
    ll_progress_bar progress;
    long query, queries; /* which of how many is read */
} ll_watch;

/* *out reads through *watch and *inner; both must stay where they are. */
void ll_cli_watch_begin(ll_watch *watch, ll_predictions *out, const ll_predictions *inner, const char *what);
/* The same for several in turn, with one progress line: queries begins, query is called for each of 0..queries-1. */
void ll_cli_watch_queries(ll_watch *watch, const char *what, long queries);
void ll_cli_watch_query(ll_watch *watch, ll_predictions *out, const ll_predictions *inner, long query);
void ll_cli_watch_end(ll_watch *watch);

/* LL_UNABLE, with its text, where a signal came or the time is up. */
LL_CHECK ll_status ll_cli_watch_check(ll_error *error);
/* Where something was stopped: who stopped it, in place of that it was. */
void ll_cli_watch_explain(ll_status status, ll_error *error);

#endif

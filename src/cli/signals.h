/* SIGINT, SIGTERM, SIGHUP, SIGQUIT and the time limit: they set a flag, and the main path ends in order. */
#ifndef LL_CLI_SIGNALS_H
#define LL_CLI_SIGNALS_H

/* A second after SIGINT, SIGTERM, SIGHUP or SIGQUIT, work that did not look at the flag is ended with one line and
 * status 130; a second signal ends it at once. SIGXCPU ends it at once with one line and status 2. SIGPIPE and SIGXFSZ
 * are ignored: a closed pipe and a file that may not grow are write errors. */
void ll_cli_catch_signals(void);
/* What must not be left behind even then, besides what io/unfinished.h knows; called in a signal handler, just before
 * the end. NULL: nothing. */
void ll_cli_on_sudden_end(void (*clean)(const void *self), const void *self);
/* From now on; two seconds after that, work that does not look at the flag is ended with one line and status 2. */
void ll_cli_limit_seconds(double seconds);
void ll_cli_unlimit_seconds(void);

/* A sudden end is told as JSON on stdout, too, about this command (letters only); NULL: it is not. */
void ll_cli_say_json(const char *command);

int ll_cli_is_interrupted(void);
/* What an interruption is told as: "interrupted", or the text that was given for work that would be lost. Plain text
 * without quotation marks, that stays valid. */
void ll_cli_on_interrupt_say(const char *text);
const char *ll_cli_interruption(void);
/* The signal of the time limit has come. Only this flag ends work: what is computed never depends on when a clock is read. */
int ll_cli_is_late(void);
/* The time is up by the clock. For messages: a library call that watches its budget itself can end milliseconds before the signal. */
int ll_cli_is_due(void);

#endif

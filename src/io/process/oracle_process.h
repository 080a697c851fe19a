/* An oracle behind a pipe: a shell command that is given predictions and prints scores.
 *
 * each: run once a query; CSV on its standard input, the score is the last line of its output that is not blank, and
 * its exit status must be 0. stream: started at the first query; one line a query on its standard input, the path of a
 * file in a private folder (query-0001.csv for query 0), and one line answered, the score. Environment: LOSSLEAK_QUERY
 * (from 1; in stream mode that of the first query it gets), LOSSLEAK_ROWS, LOSSLEAK_CLASSES. Of what it writes to
 * standard error, the last line is quoted where it fails, and nothing is shown otherwise. */
#ifndef LL_IO_ORACLE_PROCESS_H
#define LL_IO_ORACLE_PROCESS_H

#include "io/formats/predictions.h"

typedef enum { LL_IO_ORACLE_EACH, LL_IO_ORACLE_STREAM } ll_io_oracle_mode;

typedef struct {
    const char *command; /* must outlive the process */
    ll_io_oracle_mode mode;
    ll_io_predictions_form form; /* of the files of stream mode */
    long classes;
    double timeout;                 /* seconds for an answer; the start of the program counts */
    long retries;                   /* how often a query that failed is asked again */
    double low, high;               /* a score outside is a failure; infinite: no bound */
    long numbers;                   /* of an answer, separated by blanks; 0: one */
    size_t longest;                 /* bytes of a line of output; 0: 2^24 */
    ll_status (*check)(ll_error *); /* called ten times a second or so; other than LL_OK stops the query. May be NULL */
} ll_io_process_options;

typedef struct ll_io_process ll_io_process;

/* SIGPIPE must be ignored. Makes the folder in stream mode; nothing is started yet. */
LL_CHECK ll_status ll_io_process_open(ll_io_process **out, const ll_io_process_options *options, ll_error *error);
/* Ends the program (in stream mode its input ends first, and it has two seconds to follow), removes the folder. Takes
 * NULL. */
void ll_io_process_close(ll_io_process *process);
/* The least of it, for a program that must end at once: safe in a signal handler, frees nothing. */
void ll_io_process_drop(const ll_io_process *process);

/* The last score that was out of range, NULL: there was none. */
const char *ll_io_process_strange(const ll_io_process *process);

/* LL_SYSTEM, naming the query (from 1) and what happened, where the command failed; LL_UNABLE where there is no room
 * for the predictions. */
ll_oracle ll_io_process_oracle(ll_io_process *process);

#endif

/* A host's scoring program, run in a sandbox on labels that are made up: an ll_program of lossleak/identify.h. The driver,
 * driver.py, stands beside it in the sandbox, writes the files that it reads, and sends back what it showed. */
#ifndef LL_PROGRAMS_RUN_PROGRAM_H
#define LL_PROGRAMS_RUN_PROGRAM_H

#include <lossleak/identify.h>

typedef struct {
    const char *program; /* a command, a file or a folder, as the interface has it */
    const char
        *interface; /* "pair", "evalai", "codabench" or "python:FILE:FUNCTION"; NULL: by what the program looks like */
    const char *examples; /* LABELS,PREDICTIONS: files whose form is followed; NULL: none */
    const char *field;    /* what is filled in there; NULL: found out */
    const char *phase;    /* of EvalAI; NULL: "test" */
    const char *format; /* of both files, "csv", "json-dict", "json-list", "jsonl", "columns", "npy"; NULL: tried out */
    int without_sandbox;
    ll_status (*check)(ll_error *); /* called while it waits; other than LL_OK stops. May be NULL */
} ll_program_options;

typedef struct ll_run_program ll_run_program;

/* SIGPIPE must be ignored. LL_DOMAIN: no such interface; LL_SYSTEM: it cannot be started, with the reason. */
LL_CHECK ll_status ll_run_program_open(ll_run_program **out, const ll_program_options *options, ll_error *error);
void ll_run_program_close(ll_run_program *program); /* takes NULL */
/* One run, and the number that it showed: score is "CHANNEL" or "CHANNEL:WORD", the only number of that channel, or the
 * first behind that word; NULL: of the channel that holds the score. NAN: the program failed or showed no such number. */
LL_CHECK ll_status ll_run_program_score(ll_run_program *program, double *out, const ll_run *run, const char *score,
                                        ll_error *error);
/* It must outlive the program. */
ll_program ll_run_program_view(ll_run_program *program);
/* Is there a sandbox around it? Else why not, a clause. */
int ll_run_program_is_sandboxed(const ll_run_program *program, const char **why_not);
/* Processor time in seconds of all runs so far and of the driver, and of this process. */
double ll_run_program_processor(const ll_run_program *program);
/* "pair", "evalai", "codabench" or "python": the one named, or the one found. */
const char *ll_run_program_interface(const ll_run_program *program);
/* How many classes the labels of the example have; -1: they are numbers; 0: there is no example, or it does not say. */
long ll_run_program_classes(const ll_run_program *program);
/* The form of the files that the program took, or NULL. */
const char *ll_run_program_format(const ll_run_program *program);

#endif

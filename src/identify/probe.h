/* Runs of a program that are made up here: labels, a submission, and what the program answered. */
#ifndef LL_IDENTIFY_PROBE_H
#define LL_IDENTIFY_PROBE_H

#include "identify/reply.h"
#include "number/budget.h"

/* What a submission holds. */
typedef enum { LL_SENT_PROBABILITY, LL_SENT_CLASS, LL_SENT_PROBABILITIES, LL_SENT_NUMBER, LL_SENT_KINDS } ll_sent_kind;

/* For what a run was made. */
typedef enum {
    LL_PROBE_PLAIN,   /* labels and predictions drawn at random */
    LL_PROBE_WIDE,    /* the same with large predictions: 32 bits show, or a range that they are held in */
    LL_PROBE_EXTREME, /* probabilities next to 0 and 1: a clip shows */
    LL_PROBE_EDGE     /* one class alone, one value alone: a division by zero shows, or a failure */
} ll_probe_kind;

typedef struct {
    ll_run run; /* its arrays are the four below */
    double *labels, *entries;
    long *ids;
    const char **words;
    ll_probe_kind kind;
    ll_sent_kind input;
    double seconds; /* that it took, where it was run alone; else 0 */
    ll_reply reply;
} ll_probe;

/* What labels are, and how many. */
typedef struct {
    long rows, classes; /* classes 0: numbers */
    double low, step;   /* of numbers: low + step * k, */
    long targets;       /* k = 0 .. targets-1 */
    const char *grid;   /* LO:HI:STEP; NULL: classes */
    uint64_t seed;
} ll_task;

typedef struct {
    const ll_program *program;
    ll_deadline deadline;
    long runs, most;
} ll_asker;

/* How many different labels there are. */
long ll_task_values(const ll_task *task);
/* The number that stands for label k. */
double ll_task_value(const ll_task *task, long k);

/* A run of `sent` rows with `columns` entries each for `task->rows` labels: zeros, ids 0, 1, 2, ... LL_MEMORY. */
LL_CHECK ll_status ll_probe_create(ll_probe *out, const ll_task *task, ll_sent_kind input, long sent, ll_error *error);
LL_CHECK ll_status ll_probe_copy(ll_probe *out, const ll_probe *probe, ll_error *error);
/* Row `row` of the submission says `word`. */
LL_CHECK ll_status ll_probe_say(ll_probe *probe, long row, const char *word, ll_error *error);
void ll_probes_clear(ll_probe *probes, long count);

/* Labels drawn at random, every one of them there; draw: which of all such labellings. */
void ll_probe_draw_labels(ll_probe *probe, const ll_task *task, uint64_t draw);
/* Entries drawn at random: of every row, right with probability `right` (a class, or the likelier half of the scale). */
void ll_probe_draw_entries(ll_probe *probe, const ll_task *task, uint64_t draw, double right);

/* Run them all. LL_UNABLE where they are more than may be run, or time is over. */
LL_CHECK ll_status ll_asker_run(ll_asker *asker, ll_probe *probes, long count, ll_error *error);
int ll_asker_has(const ll_asker *asker, long count);

#endif

/* Which metric is it? Every description of the tables against every number that was seen: it fits where the certified
 * interval of this library's own score holds each of them. */
#ifndef LL_IDENTIFY_NUMBER_FIT_H
#define LL_IDENTIFY_NUMBER_FIT_H

#include "identify/numbers.h"
#include "identify/probe.h"

/* What one run showed on one channel. */
typedef struct {
    const ll_probe *probe;
    const char *text;   /* NULL: the run failed, or showed no number */
    double value, unit; /* unit: of its last decimal */
} ll_seen;

typedef struct {
    const ll_task *task;
    const ll_seen *seen;
    long count;
    const unsigned char *is_scored; /* [rows]: the rows that count; NULL: all */
    long decimals, digits;          /* the most that were seen */
    double noise;                   /* standard deviation of its noise; 0: none */
    const char *hint;               /* NULL: none */
} ll_fit_case;

/* How entries become classes where a metric counts classes: class 1 from `threshold` on, or above it. */
typedef struct {
    double threshold;
    int is_from;
} ll_reading;

typedef struct {
    ll_reading read;
    char metric[48], settings[240], profile[48], reading[80];
    int cost;      /* how far it is from the plain metric */
    long compared; /* numbers */
    double misfit; /* under noise: mean square of what is left over, in squares of the noise */
} ll_fit;

enum { LL_FITS = 8, LL_FIT_RULE = 4 }; /* LL_FIT_RULE: what a rule costs that is less plain by one */

/* Up to LL_FITS descriptions, the plainest first. LL_MEMORY. */
LL_CHECK ll_status ll_fit_find(ll_fit *fits, long *count, const ll_fit_case *c, ll_error *error);

/* ---- one description against runs (fit_score.c) ---- */

/* A scorer of settings "name=value name=value", with the task's classes or targets; NULL where there is none. */
ll_scorer *ll_fit_scorer(const ll_task *task, const char *settings);
/* The score of a run: 1, and *out, where there is one; 0: it fails; -1: no memory. */
int ll_fit_score(ll_score *out, const ll_fit_case *c, const ll_scorer *scorer, const ll_reading *reading,
                 const ll_probe *probe);

#endif

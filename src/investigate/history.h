/* Submissions in the order in which they were made. */
#ifndef LL_INVESTIGATE_HISTORY_H
#define LL_INVESTIGATE_HISTORY_H

#include "investigate/score_sums.h"
#include "lossleak/history.h"

typedef struct {
    char *name, *time, *score; /* NULL: not known */
    long account;
    double *values; /* rows * columns */
    long columns;
    char *mark, *why; /* of the predictions alone, as inspect finds it; NULL: none */
} ll_history_item;

struct ll_history {
    const ll_scorer *scorer; /* shared */
    long rows, classes;
    ll_history_item *items;
    ll_score_sums *revealed; /* [item] */
    long count, room;
    char **accounts;
    long account_count;
    int tells;       /* does a score tell anything for certain? */
    ll_error reason; /* why not */
};

/* ---- marks across submissions (marks.c) ---- */

typedef struct {
    unsigned char *is_weak;  /* [item]: unlike what all others have in common */
    unsigned char *is_blind; /* [item]: its score is what predictions get that know nothing of the labels */
    unsigned char *is_step;  /* [item]: touches one row, as one of many such steps (steps.c) */
    long weak, blind, steps;
} ll_history_marks;

/* Blind (blind.c): of counts and ranks of two classes; other scores are not looked at, and none is blind. LL_MEMORY. */
LL_CHECK ll_status ll_history_find_blind(ll_history_marks *out, const ll_history *history);
/* LL_MEMORY. */
LL_CHECK ll_status ll_history_find_steps(ll_history_marks *out, const ll_history *history);

/* LL_MEMORY. Clear it in any case. */
LL_CHECK ll_status ll_history_marks_find(ll_history_marks *out, const ll_history *history);
void ll_history_marks_clear(ll_history_marks *marks);

#endif

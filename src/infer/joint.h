/* Numbers of the same rows, of several metrics or of those that are no equations, taken together. */
#ifndef LL_INFER_JOINT_H
#define LL_INFER_JOINT_H

#include "infer/evidence.h"
#include "search/tally.h"

/* What a number is a function of, where that is P, rows of class 1, and one further sum over them (states.c). */
typedef struct ll_joint_kind ll_joint_kind;

typedef struct {
    const ll_evidence *evidence;
    const ll_observation *observation;
    const ll_joint_kind *kind; /* NULL: labellings are tried one by one */
    long feature;              /* which sum */
    long guessed, ties;        /* rows predicted 1; different predictions */
    signed char *known;        /* [P * span + sum]: may the number be of such labels? -1: not asked yet */
    long span;
} ll_joint_number;

struct ll_joint_kind {
    int (*applies)(const ll_computation *how); /* other than 0 */
    /* What a row of label 1 adds; sets number->guessed and ties. LL_MEMORY. */
    ll_status (*set_feature)(ll_joint_number *number, long *feature);
    int (*fits)(const ll_joint_number *number, long positives, long sum);
};

/* Metrics of counts, whose sum is that of true positives; AUC, whose sum is that of ranks. */
extern const ll_joint_kind ll_joint_tp, ll_joint_ranks;

/* The program's number, with so many rows of class 1 and true positives, against the score: -1 below, 0 it may be the
 * one, 1 above; 2: there is no number. */
int ll_joint_compare_tp(const ll_joint_number *number, long positives, long tp);

typedef struct {
    const ll_evidence *first; /* rows, classes and known counts are those of all */
    ll_joint_number *numbers;
    long count, tried; /* in all; without a kind */
    long *features;    /* [d * rows + row]: what a row of label 1 adds; d = 0: 1 */
    long dimensions;
    /* Rows that no feature tells apart. */
    long *order; /* rows, group after group */
    long *sizes, *vectors;
    ll_tally_rows groups;
    ll_tally tally;
} ll_joint;

/* All numbers of an evidence, part by part. */
LL_CHECK ll_status ll_joint_init(ll_joint *joint, const ll_evidence *evidence, ll_error *error);
void ll_joint_clear(ll_joint *joint);

/* Two classes: the states that explain every number of a kind are kept in the tally. */
LL_CHECK ll_status ll_joint_find_states(ll_joint *joint, double max_memory, ll_error *error);

/* Can the program's numbers of these labels be those that were read? `all`: every one; else those without a kind. */
LL_CHECK ll_status ll_joint_explains(const ll_joint *joint, const int32_t *labels, int all, int *fits, ll_error *error);

/* Labellings that the tally keeps and that explain the rest, one after another until `visit` says 0. Those whose sums
 * of terms cannot come right any more are left out early. */
typedef int (*ll_joint_visit)(void *state, const int32_t *labels);
LL_CHECK ll_status ll_joint_walk(const ll_joint *joint, ll_joint_visit visit, void *state, ll_error *error);

/* Two classes: candidates[2 * row + label] becomes 0 where it is proved that no labelling behind the numbers has it, by
 * their equations for every number of positives (infer_sums.c); all of them: there is no such labelling. LL_MEMORY. */
LL_CHECK ll_status ll_joint_isolate(const ll_evidence *evidence, unsigned char *candidates, double seconds);

#endif

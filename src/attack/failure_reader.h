/* Labels read from nothing but whether submissions fail (docs/proofs/failures.md).
 *
 * A failure is not counted, a number is. Where a submission fails unless its rows contain a 1, groups of rows are asked
 * about: a failure clears all of them for nothing. Where it fails unless all its guesses are right, guesses of a few
 * labels are tried until one does not fail. */
#ifndef LL_ATTACK_FAILURE_READER_H
#define LL_ATTACK_FAILURE_READER_H

#include "scorer/sensitivity.h"

/* How it is asked. */
typedef struct {
    ll_failure_kind kind;
    long group; /* rows that are asked about together */
    int halves; /* a group with a 1 is halved; else its rows are asked about one by one */
} ll_failure_way;

typedef struct {
    double submissions; /* in all */
    double counted;     /* that got a number */
    double labels;      /* that were read */
} ll_failure_cost;

/* Whoever answers: does the submission with these guesses for rows first .. first+count-1 fail? */
typedef struct {
    void *self;
    ll_status (*ask)(void *self, int *failed, const int8_t *guesses, long first, long count, ll_error *error);
} ll_failure_oracle;

/* labels[rows]: -1 where open, since `limit` submissions (0: no limit) were counted. share: of label 1, where known. */
LL_CHECK ll_status ll_failure_read(int32_t *labels, ll_failure_cost *cost, const ll_failure_way *way,
                                   const ll_failure_oracle *oracle, long rows, long limit, double share,
                                   ll_error *error);

/* The way with the fewest submissions of those that a limit allows, or else the one with the fewest that count; and
 * what it costs on average over labels drawn with this share of 1. LL_MEMORY. */
LL_CHECK ll_status ll_failure_choose(ll_failure_way *way, ll_failure_cost *cost, ll_failure_kind kind, long rows,
                                     long limit, double share, uint64_t seed, ll_error *error);

#endif

/* Submissions that fail: do labels decide it, and what does a failure tell? */
#ifndef LL_SCORER_FAILURES_H
#define LL_SCORER_FAILURES_H

#include "scorer/scorer.h"

typedef enum {
    LL_FAILS_NEVER,       /* no label decides whether a submission fails */
    LL_FAILS_WITHOUT_HIT, /* it fails unless a row that is predicted 1 has that label: F1 of an unguarded division */
    LL_FAILS_ON_MISS,     /* it fails where a row that is sure of a label has the other one: a loss that is infinite */
    LL_FAILS_SOMEHOW      /* labels decide it in another way */
} ll_failure_kind;

/* As the scorer's own numbers say: they are asked for. Resolved scorers only. */
ll_failure_kind ll_scorer_failures(const ll_scorer *scorer);

#endif

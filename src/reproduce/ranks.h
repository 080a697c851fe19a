/* Several processes under MPI: the first keeps the journal and hands out units, the others work. A program built
 * without MPI has one process (ranks_none.c). */
#ifndef LL_REPRODUCE_RANKS_H
#define LL_REPRODUCE_RANKS_H

#include "reproduce/unit_schedule.h"

typedef struct {
    int rank, count;
    int is_short; /* ranks are not waited for: one died, or the run was stopped */
} ll_ranks;

/* LL_DOMAIN where several processes were started and the program was built without MPI. */
LL_CHECK ll_status ll_ranks_begin(ll_ranks *ranks, ll_error *error);
/* status: the program's, for the case that it ends here because a rank is dead. */
void ll_ranks_end(const ll_ranks *ranks, int status);

/* On rank 0: like ll_schedule_run, by the other ranks (count > 1). */
LL_CHECK ll_status ll_ranks_schedule(ll_ranks *ranks, ll_schedule *schedule, ll_error *error);
/* On the others: do units until there are no more. */
LL_CHECK ll_status ll_ranks_work(const ll_ranks *ranks, ll_units *units, const ll_settings *settings, int (*stop)(void),
                                 ll_error *error);

#endif

#include "reproduce/ranks.h"

#include <stdlib.h>

/* What OpenMPI, MPICH and Slurm tell the processes they start. */
static long started_together(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && strtol(value, NULL, 10) > 1)
            return strtol(value, NULL, 10);
    }
    return 1;
}

ll_status ll_ranks_begin(ll_ranks *ranks, ll_error *error)
{
    *ranks = (ll_ranks){.count = 1};
    long count = started_together();
    return count == 1
               ? LL_OK
               : ll_fail(error, LL_DOMAIN,
                         "started as %ld processes, but built without MPI: configure with -DLL_MPI=ON, or run one "
                         "process with --threads",
                         count);
}

void ll_ranks_end(const ll_ranks *ranks, int status)
{
    (void)ranks;
    (void)status;
}

ll_status ll_ranks_schedule(ll_ranks *ranks, ll_schedule *schedule, ll_error *error)
{
    (void)ranks;
    return ll_schedule_run(schedule, 1, error);
}

ll_status ll_ranks_work(const ll_ranks *ranks, ll_units *units, const ll_settings *settings, int (*stop)(void),
                        ll_error *error)
{
    (void)ranks;
    (void)units;
    (void)settings;
    (void)stop;
    return ll_fail(error, LL_UNABLE, "there is one process only");
}

/* Rank 0 hands out units, costly ones first, one at a time to whoever is free, and writes every result down as it
 * comes; the other ranks work. Messages are text lines (unit_journal.h) one way and places in the sorted list of units,
 * the same on all ranks, the other way. A result is a function of seed and key, so who computed it does not matter, and
 * a unit may be computed twice: when all are given out and a rank has been silent about one for far longer than it
 * should take, the unit is given to another. So where MPI lets a run live on without one of its ranks (OpenMPI: mpirun
 * --enable-recovery), a rank that dies costs its unit and no more. Where it does not (the default), MPI ends all ranks;
 * the journal holds what was done. */
#include "reproduce/ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_RESULT = 1, TAG_FAILURE, TAG_UNIT, LINE = 1024, NONE = -1 };
#define PATIENCE 60.0 /* seconds, and then ten times the guessed cost */

static int is_mpi_run(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

ll_status ll_ranks_begin(ll_ranks *ranks, ll_error *error)
{
    *ranks = (ll_ranks){.count = 1};
    if (!is_mpi_run())
        return LL_OK;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return ll_fail(error, LL_SYSTEM, "MPI could not be started");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    return LL_OK;
}

void ll_ranks_end(const ll_ranks *ranks, int status)
{
    int is_begun = 0;
    MPI_Initialized(&is_begun);
    if (!is_begun)
        return;
    if (ranks->is_short) { /* Finalize would wait for the dead */
        (void)fflush(NULL);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize();
}

static void nap(void)
{
    const struct timespec millisecond = {0, 1000000};
    nanosleep(&millisecond, NULL);
}

/* ------------------------------------------------------------------ rank 0 */

typedef struct {
    ll_schedule *schedule;
    long next;  /* in its order: the first that was never given out */
    long *unit; /* what each rank is at, a place in the order; NONE: nothing */
    double *since;
    int *is_idle; /* waits for a unit */
    int ranks, stopped;
    ll_error failure;
} leader;

static void send_unit(leader *l, int rank, long place)
{
    const ll_schedule *s = l->schedule;
    long index = place == NONE ? NONE : s->order[place] - s->units->list;
    l->unit[rank] = place;
    l->since[rank] = ll_report_clock();
    l->is_idle[rank] = 0;
    MPI_Send(&index, 1, MPI_LONG, rank, TAG_UNIT, MPI_COMM_WORLD);
    l->stopped += place == NONE;
}

static int is_overdue(const leader *l, int rank)
{
    long place = l->unit[rank];
    return place != NONE && !l->schedule->order[place]->is_done &&
           ll_report_clock() - l->since[rank] > PATIENCE + 10 * l->schedule->order[place]->cost;
}

/* A unit for a free rank: a fresh one, or one that another rank seems to have died over; NONE: there is none now. */
static long choose_unit(leader *l)
{
    if (l->next < l->schedule->count)
        return l->next++;
    for (int rank = 1; rank < l->ranks; rank++)
        if (is_overdue(l, rank)) {
            l->since[rank] = ll_report_clock();
            return l->unit[rank];
        }
    return NONE;
}

static int is_all_done(const leader *l)
{
    for (long i = 0; i < l->schedule->count; i++)
        if (!l->schedule->order[i]->is_done)
            return 0;
    return 1;
}

static void take_result(leader *l, const char *line, size_t length)
{
    char key[LL_UNIT_KEY], why[160];
    ll_unit_result result;
    if (l->failure.status != LL_OK || length == 0)
        return;
    ll_unit *unit =
        ll_unit_line_read(key, &result, line, length, why, sizeof why) ? ll_units_find(l->schedule->units, key) : NULL;
    if (!unit)
        (void)ll_fail(&l->failure, LL_SYSTEM, "a rank sent what is no result of a work unit");
    else if (!unit->is_done)
        l->failure.status = ll_schedule_take(l->schedule, unit, &result, &l->failure);
}

/* One message, if there is one. */
static int receive(leader *l)
{
    char line[LINE];
    MPI_Status status;
    int is_there = 0, length = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS || !is_there)
        return 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    if (length >= LINE ||
        MPI_Recv(line, length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status) != MPI_SUCCESS) {
        (void)ll_fail(&l->failure, LL_SYSTEM, "a message of rank %d could not be read", status.MPI_SOURCE);
        return 0;
    }
    line[length] = '\0';
    if (status.MPI_TAG == TAG_RESULT)
        take_result(l, line, (size_t)length);
    else if (l->failure.status == LL_OK)
        (void)ll_fail(&l->failure, LL_UNABLE, "rank %d: %s", status.MPI_SOURCE, line);
    l->unit[status.MPI_SOURCE] = NONE;
    l->is_idle[status.MPI_SOURCE] = 1;
    return 1;
}

static void feed(leader *l, int is_over)
{
    for (int rank = 1; rank < l->ranks; rank++)
        if (l->is_idle[rank]) {
            long place = is_over ? NONE : choose_unit(l);
            if (is_over || place != NONE)
                send_unit(l, rank, place);
        }
}

/* Everything is done and the only ranks that have not said so are overdue. */
static int is_waiting_for_the_dead(const leader *l)
{
    for (int rank = 1; rank < l->ranks; rank++)
        if (l->unit[rank] != NONE && ll_report_clock() - l->since[rank] < PATIENCE)
            return 0;
    return 1;
}

static void lead(leader *l, ll_ranks *ranks)
{
    int is_over = 0;
    while (l->stopped < l->ranks - 1) {
        if (l->schedule->stop()) { /* whoever ends a run ends all ranks: no waiting for them */
            (void)ll_fail(&l->failure, LL_UNABLE, "stopped");
            ranks->is_short = 1;
            return;
        }
        is_over = l->failure.status != LL_OK || is_all_done(l);
        feed(l, is_over);
        if (is_over && is_waiting_for_the_dead(l) && l->stopped < l->ranks - 1) {
            ranks->is_short = 1;
            return;
        }
        if (!receive(l))
            nap();
    }
}

ll_status ll_ranks_schedule(ll_ranks *ranks, ll_schedule *schedule, ll_error *error)
{
    size_t count = (size_t)ranks->count;
    leader l = {.schedule = schedule, .ranks = ranks->count};
    l.unit = calloc(count, sizeof *l.unit);
    l.since = calloc(count, sizeof *l.since);
    l.is_idle = calloc(count, sizeof *l.is_idle);
    if (l.unit && l.since && l.is_idle) {
        for (size_t i = 0; i < count; i++)
            l.unit[i] = NONE;
        lead(&l, ranks);
    } else
        (void)ll_fail(&l.failure, LL_MEMORY, "out of memory for %d ranks", ranks->count);
    free(l.unit);
    free(l.since);
    free(l.is_idle);
    return l.failure.status == LL_OK ? LL_OK : ll_fail(error, l.failure.status, "%s", l.failure.text);
}

/* ------------------------------------------------------------------ the others */

static void send_text(const char *text, int tag)
{
    MPI_Send(text, (int)strlen(text), MPI_CHAR, 0, tag, MPI_COMM_WORLD);
}

static long receive_unit(int (*stop)(void))
{
    long index = NONE;
    int is_there = 0;
    while (!is_there && !stop()) {
        if (MPI_Iprobe(0, TAG_UNIT, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return NONE;
        if (!is_there)
            nap();
    }
    if (is_there)
        MPI_Recv(&index, 1, MPI_LONG, 0, TAG_UNIT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return index;
}

/* Nothing is said here but to rank 0: it has the words. */
ll_status ll_ranks_work(const ll_ranks *ranks, ll_units *units, const ll_settings *settings, int (*stop)(void),
                        ll_error *error)
{
    (void)ranks;
    long index;
    send_text("", TAG_RESULT);
    while ((index = receive_unit(stop)) != NONE) {
        ll_unit_result result;
        ll_error why = {0};
        ll_status status = ll_unit_work(&result, &units->list[index], settings, &why);
        char *line = status == LL_OK ? ll_unit_line(&units->list[index], &result) : NULL;
        send_text(line ? line : why.text, line ? TAG_RESULT : TAG_FAILURE);
        free(line);
    }
    return stop() ? ll_fail(error, LL_UNABLE, "interrupted") : LL_OK;
}

/* Do all units that are not done, the costly ones first. */
#ifndef LL_REPRODUCE_UNIT_SCHEDULE_H
#define LL_REPRODUCE_UNIT_SCHEDULE_H

#include "report/progress.h"
#include "reproduce/unit_journal.h"

typedef struct {
    const ll_settings *settings;
    ll_units *units;
    ll_unit_journal *journal;
    int (*stop)(void); /* asked before every unit */
    ll_unit **order;   /* what is to be done */
    long count;
    double cost, done; /* of it */
    ll_progress_bar progress;
} ll_schedule;

LL_CHECK ll_status ll_schedule_init(ll_schedule *schedule, const ll_settings *settings, ll_units *units,
                                    ll_unit_journal *journal, int (*stop)(void), ll_error *error);
void ll_schedule_clear(ll_schedule *schedule);

/* On this process's threads (0: one a processor). LL_UNABLE where stop said so: what is done is in the journal. */
LL_CHECK ll_status ll_schedule_run(ll_schedule *schedule, int threads, ll_error *error);

/* A result is there: journal and progress. */
LL_CHECK ll_status ll_schedule_take(ll_schedule *schedule, ll_unit *unit, const ll_unit_result *result,
                                    ll_error *error);

#endif

#include "reproduce/unit_schedule.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Costly first; of equal ones by key, so that the order is one. */
static int by_cost(const void *a, const void *b)
{
    const ll_unit *x = *(ll_unit *const *)a, *y = *(ll_unit *const *)b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return strcmp(x->key, y->key);
}

ll_status ll_schedule_init(ll_schedule *s, const ll_settings *settings, ll_units *units, ll_unit_journal *journal,
                           int (*stop)(void), ll_error *error)
{
    *s = (ll_schedule){.settings = settings, .units = units, .journal = journal, .stop = stop};
    s->order = malloc(((size_t)units->count + 1) * sizeof(ll_unit *));
    if (!s->order)
        return ll_fail(error, LL_MEMORY, "out of memory for %ld work units", units->count);
    for (long i = 0; i < units->count; i++)
        if (!units->list[i].is_done) {
            s->order[s->count++] = &units->list[i];
            s->cost += units->list[i].cost;
        }
    qsort(s->order, (size_t)s->count, sizeof(ll_unit *), by_cost);
    ll_report_progress_begin(&s->progress, "reproduce");
    return LL_OK;
}

void ll_schedule_clear(ll_schedule *s)
{
    ll_report_progress_end(&s->progress);
    free(s->order);
    s->order = NULL;
}

ll_status ll_schedule_take(ll_schedule *s, ll_unit *unit, const ll_unit_result *result, ll_error *error)
{
    enum { FINE = 1000000 };
    ll_status status = ll_unit_journal_add(s->journal, unit, result, error);
    s->done += unit->cost;
    ll_report_progress_step(&s->progress, (long)(FINE * s->done / s->cost), FINE);
    return status;
}

/* One unit on one thread; the first error is kept and ends the rest. */
static void run_one(ll_schedule *s, ll_unit *unit, ll_error *failure)
{
    ll_unit_result result;
    ll_error error = {0};
    int ended;
#pragma omp atomic read
    ended = failure->status;
    if (ended != LL_OK)
        return;
    ll_status status =
        s->stop() ? ll_fail(&error, LL_UNABLE, "stopped") : ll_unit_work(&result, unit, s->settings, &error);
#pragma omp critical(ll_schedule)
    {
        if (status == LL_OK)
            status = ll_schedule_take(s, unit, &result, &error);
        if (status != LL_OK && failure->status == LL_OK) {
            (void)snprintf(failure->text, sizeof failure->text, "%s", error.text);
#pragma omp atomic write
            failure->status = status;
        }
    }
}

ll_status ll_schedule_run(ll_schedule *s, int threads, ll_error *error)
{
    ll_error failure = {0};
#pragma omp parallel for schedule(dynamic) num_threads(threads > 0 ? threads : omp_get_num_procs())
    for (long i = 0; i < s->count; i++)
        run_one(s, s->order[i], &failure);
    return failure.status == LL_OK ? LL_OK : ll_fail(error, failure.status, "%s", failure.text);
}

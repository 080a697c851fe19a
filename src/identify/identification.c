/* The order in which a program is asked, and what is made of its answers. */
#include "identify/job.h"

#include "number/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 300 };
#define SECONDS 120.0

void ll_identification_clear(ll_identification *identification)
{
    ll_identification *all = ll_value_whole(identification, sizeof *all);
    if (all == NULL)
        return;
    free(all->channels);
    free(all->forms);
    free(all->surprises);
    ll_texts_destroy(all->texts);
    ll_value_reset(identification);
}

static ll_status run(ll_identify_job *job, const ll_program *program)
{
    ll_budget budget;
    ll_budget_init(&budget);
    budget.seconds = SECONDS;
    const ll_identify_request *r = job->request;
    ll_status status = ll_run_pool_create(&job->pool, program, r->budget != NULL ? r->budget : &budget,
                                          r->runs > 0 ? r->runs : MOST_RUNS, job->error);
    if (status == LL_OK)
        status = ll_identify_begin(job);
    if (status == LL_OK)
        status = ll_identify_ask(job);
    if (status == LL_OK)
        status = ll_identify_channels(job);
    if (status == LL_OK)
        status = ll_identify_forms(job);
    if (status == LL_OK)
        status = ll_identify_time(job);
    return status == LL_OK ? ll_identify_findings(job) : status;
}

ll_status ll_identify(ll_identification *out, const ll_program *program, const ll_identify_request *request,
                      ll_error *error)
{
    ll_identify_request asked;
    ll_identification made;
    double start = ll_clock();
    ll_status status = ll_value_read(&asked, sizeof asked, request, "identify_request", error);
    if (status != LL_OK)
        return status;
    ll_identification_init(&made);
    ll_identify_job job = {.request = &asked, .texts = ll_texts_create(), .out = &made, .error = error};
    made.texts = job.texts;
    status = job.texts != NULL ? run(&job, program) : ll_fail(error, LL_MEMORY, "no memory to identify a program");
    made.rows = job.task.rows;
    made.classes = job.task.classes;
    made.low = job.task.classes > 0 ? (double)NAN : ll_task_value(&job.task, 0);
    made.high = job.task.classes > 0 ? (double)NAN : ll_task_value(&job.task, job.task.targets - 1);
    made.targets = job.task.grid != NULL && job.texts != NULL ? ll_texts_add(job.texts, "%s", job.task.grid) : NULL;
    made.runs = job.pool.asker.runs;
    made.seconds = ll_clock() - start;
    ll_run_pool_clear(&job.pool);
    if (status == LL_OK) {
        ll_identification_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_identification_clear(&made);
    return status;
}

const ll_channel_found *ll_identification_get_channel(const ll_identification *identification, long index)
{
    return index >= 0 && index < identification->channel_count ? &identification->channels[index] : NULL;
}

const ll_form_found *ll_identification_get_form(const ll_identification *identification, long index)
{
    return index >= 0 && index < identification->form_count ? &identification->forms[index] : NULL;
}

const ll_surprise *ll_identification_get_surprise(const ll_identification *identification, long index)
{
    return index >= 0 && index < identification->surprise_count ? &identification->surprises[index] : NULL;
}

ll_status ll_identification_set(const ll_identification *identification, ll_scorer *scorer, ll_error *error)
{
    char copy[2000], also[1200] = "", *rest = copy;
    ll_status status = LL_OK;
    strncpy(copy, identification->settings, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    for (char *pair = strsep(&rest, " "); pair != NULL && status == LL_OK; pair = strsep(&rest, " ")) {
        char *value = strchr(pair, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        int is_also = strcmp(pair, "also") == 0; /* given again, it adds to itself */
        if (is_also && also[0])
            strncat(also, ";", sizeof also - strlen(also) - 1);
        if (is_also)
            strncat(also, value, sizeof also - strlen(also) - 1);
        status = ll_scorer_set(scorer, pair, is_also ? also : value, error);
    }
    return status;
}

#include "number/budget.h"

#include <time.h>

#define DEFAULT_MEMORY 8589934592.0 /* 8 GiB */
#define DEFAULT_SECONDS 600.0

/* Does the caller know this field, and is it set? */
#define IS_SET(budget, field)                                                                                          \
    ((budget) != NULL && (budget)->size >= offsetof(ll_budget, field) + sizeof((budget)->field) && (budget)->field)

double ll_budget_memory(const ll_budget *budget)
{
    return IS_SET(budget, memory) ? budget->memory : DEFAULT_MEMORY;
}

double ll_budget_seconds(const ll_budget *budget)
{
    return IS_SET(budget, seconds) ? budget->seconds : DEFAULT_SECONDS;
}

int ll_budget_threads(const ll_budget *budget)
{
    return IS_SET(budget, threads) ? budget->threads : 0;
}

int ll_budget_is_stopped(const ll_budget *budget)
{
    return IS_SET(budget, stop) && budget->stop(budget->self);
}

void ll_budget_progress(const ll_budget *budget, long done, long total)
{
    if (IS_SET(budget, progress))
        budget->progress(budget->self, done, total);
}

double ll_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ll_deadline ll_deadline_start(const ll_budget *budget)
{
    return (ll_deadline){.budget = budget, .until = ll_clock() + ll_budget_seconds(budget)};
}

int ll_deadline_is_over(void *deadline)
{
    const ll_deadline *d = deadline;
    return ll_budget_is_stopped(d->budget) || ll_clock() > d->until;
}

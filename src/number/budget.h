/* What a call may use, as the callee reads it: every field has a default, and an older caller may not have it. */
#ifndef LL_NUMBER_BUDGET_H
#define LL_NUMBER_BUDGET_H

#include "lossleak.h"

double ll_budget_memory(const ll_budget *budget); /* bytes */
double ll_budget_seconds(const ll_budget *budget);
int ll_budget_threads(const ll_budget *budget);    /* 0: all */
int ll_budget_is_stopped(const ll_budget *budget); /* is asked */
void ll_budget_progress(const ll_budget *budget, long done, long total);

/* The end of a call: its seconds are counted from here on. */
typedef struct {
    const ll_budget *budget; /* the caller's, whose stop is asked, too */
    double until;
} ll_deadline;

double ll_clock(void); /* seconds since some moment; it never goes back */
ll_deadline ll_deadline_start(const ll_budget *budget);
int ll_deadline_is_over(void *deadline); /* a `stop` of budgets for what the call calls */

#endif

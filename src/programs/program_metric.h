/* The host's own program of a policy (docs/guard.md), as the metric of a guard: every submission is one run of it in the
 * sandbox, with the labels of the ledger. */
#ifndef LL_PROGRAMS_PROGRAM_METRIC_H
#define LL_PROGRAMS_PROGRAM_METRIC_H

#include <lossleak/guard.h>

typedef struct ll_program_metric ll_program_metric;

/* Does the program, where the policy names one, show a number on labels that are made up? LL_DOMAIN: no; LL_SYSTEM: it or
 * the sandbox cannot be started. */
LL_CHECK ll_status ll_program_metric_check(const ll_policy *policy, ll_error *error);
/* The same, and it becomes the guard's metric; *out is NULL where the policy names no program. It must live as long as the
 * guard. */
LL_CHECK ll_status ll_program_metric_use(ll_program_metric **out, ll_guard *guard, ll_error *error);
void ll_program_metric_close(ll_program_metric *program); /* takes NULL */

#endif

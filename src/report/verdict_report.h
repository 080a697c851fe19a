/* What attack and decode report: labels recovered, the certificate, and the defence. */
#ifndef LL_REPORT_VERDICT_REPORT_H
#define LL_REPORT_VERDICT_REPORT_H

#include "lossleak.h"
#include "report/defence.h"

typedef struct {
    const char *command;
    const ll_scorer *scorer;
    const ll_plan_info *plan;
    const char *digest; /* of the plan */
    const ll_verdict *verdict;
    const int32_t *truth;  /* NULL: not at hand */
    const char *warning;   /* "": none */
    const char *out;       /* file that got the labels, or NULL */
    const char *decoder;   /* that gave the verdict; NULL: the code's own, and nothing is said of it */
    const ll_refit *refit; /* other descriptions that were looked for; NULL: none */
    const ll_chosen_defence *defence;
    int explain;
    const ll_plan_choice *choices; /* --explain: every code against this scorer; NULL: not asked for */
    long choice_count;
    double plan_seconds, query_seconds, decode_seconds, total_seconds; /* query_seconds below 0: nobody was asked */
} ll_outcome;

/* What an attack by failures alone reports. */
typedef struct {
    const ll_scorer *scorer;
    const ll_verdict *verdict;
    const ll_failures *failures;
    const int32_t *truth; /* NULL: not at hand */
    const char *why;      /* what stands against a plan */
    const char *out;      /* file that got the labels, or NULL */
    double seconds;
} ll_failures_outcome;

void ll_report_failures_text(const ll_failures_outcome *outcome);
LL_CHECK ll_status ll_report_failures_json(const ll_failures_outcome *outcome, ll_error *error);

void ll_report_outcome_text(const ll_outcome *outcome);
LL_CHECK ll_status ll_report_outcome_json(const ll_outcome *outcome, ll_error *error);

/* Labels that are right, of those recovered. */
long ll_report_count_right(const ll_verdict *verdict, const int32_t *truth);

#endif

/* What would stop an attack: the first line of `defend` for the answers that it took, in words and as code. */
#ifndef LL_REPORT_DEFENCE_H
#define LL_REPORT_DEFENCE_H

#include "report/audit_report.h"

typedef struct {
    ll_audit audit;          /* limits and defences by proof; nothing is run */
    const ll_defence *first; /* the cheapest with a proof; NULL: none is known */
    double answers;          /* that it is for: the scorer's limit, else as many as the plan asks */
    ll_audit_bound bound;    /* of one answer as it is now; NAN where the library cannot say */
    int is_late;             /* the budget ended before it was found */
} ll_chosen_defence;

/* For a plan of so many queries; the budget must have a `stop`. LL_MEMORY; what else stands against an audit leaves
 * `first` NULL. Clear it in any case. */
LL_CHECK ll_status ll_report_choose_defence(ll_chosen_defence *out, const ll_scorer *scorer, long queries,
                                            const ll_budget *budget, ll_error *error);
void ll_report_chosen_clear(ll_chosen_defence *chosen);

/* Some sentences, cut to size. */
void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict, const ll_chosen_defence *chosen);
/* The command that checks it; "" where there is none. */
void ll_report_write_defence_check(char *text, size_t size, const ll_scorer *scorer, const ll_chosen_defence *chosen);

enum { LL_PYTHON_SIZE = 8192 }; /* bytes that the longest code fits into */

/* A defence as a few lines of Python where it is normal noise on a sum over rows, in proportion or not, or in
 * proportion on AUC or F1: drawn in integers, rounded; the numbers are for this scorer. What a submission holds is read
 * and checked before any label is, so that neither an exception nor its text depends on labels. "" for others, for
 * several numbers, for rows that count differently, and for NULL. Cut to size. */
void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long classes, const ll_defence *defence);

#endif

/* What would stop an attack: the first line of `defend` for the answers that it took, in words and as code. */
#ifndef LL_REPORT_DEFENCE_H
#define LL_REPORT_DEFENCE_H

#include "report/audit_report.h"

typedef struct {
    ll_audit audit;           /* limits and defences by proof; nothing is run */
    const ll_proposal *first; /* the cheapest with a proof; NULL: none is known */
    int is_late;              /* the budget ended before it was found */
} ll_chosen_defence;

/* For a plan of so many queries; the budget must have a `stop`. LL_MEMORY; what else stands against an audit leaves
 * `first` NULL. Clear it in any case. */
LL_CHECK ll_status ll_report_choose_defence(ll_chosen_defence *out, const ll_scorer *scorer, long queries,
                                            const ll_budget *budget, ll_error *error);
void ll_report_chosen_clear(ll_chosen_defence *chosen);

/* Some sentences, cut to size. */
void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict, const ll_chosen_defence *chosen);
#endif

/* What would stop an attack, from the figures of one that was run. */
#ifndef LL_REPORT_DEFENCE_H
#define LL_REPORT_DEFENCE_H

#include "lossleak.h"

/* What one answer can tell at most and one row can do to it, for this many rows; NAN where the library cannot say.
 * LL_MEMORY. */
LL_CHECK ll_status ll_report_measure(ll_audit_bound *out, const ll_scorer *scorer, long rows, ll_error *error);

/* Some sentences, cut to size. The bound is that of ll_report_measure. */
void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict, const ll_audit_bound *bound);

/* A few lines of Python for a scorer that releases the mean of its losses, or what its transform makes of that: clipped,
 * summed in integers, with discrete Laplace noise, rounded; the numbers are for this scorer. Cut to size. */
void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long rows, const ll_audit_bound *bound);

#endif

/* What would stop an attack, from the figures of one that was run. */
#ifndef LL_REPORT_DEFENCE_H
#define LL_REPORT_DEFENCE_H

#include "lossleak.h"

/* Some sentences, cut to size. */
void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict);

/* A few lines of Python for a scorer that releases the mean of its losses: clipped, summed in integers, with discrete
 * Laplace noise, rounded; the numbers are for this scorer. Cut to size. */
void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long rows);

#endif

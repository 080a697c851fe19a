/* The loss of one row with the labels asked for, as the scorer computes it. */
#ifndef LL_AUDIT_ROW_TERMS_H
#define LL_AUDIT_ROW_TERMS_H

#include "scorer/scorer.h"

/* terms[count] of a row of doubles with the labels labels[count], or 0 .. count-1 of NULL. LL_DOMAIN where the row or a
 * term is not allowed. */
LL_CHECK ll_status ll_row_terms(const ll_scoring *scoring, double *terms, const double *row, long columns,
                                const long *labels, long count);
/* Where they must lie: from[k] <= term <= to[k], rounded outward. */
LL_CHECK ll_status ll_row_ends(const ll_scoring *scoring, double *from, double *to, const double *row, long columns,
                               long looked);

#endif

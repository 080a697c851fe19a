/* Inspection of predictions for metrics that are no sums over rows: of counts and of ranks. */
#ifndef LL_AUDIT_INSPECT_GROUPS_H
#define LL_AUDIT_INSPECT_GROUPS_H

#include "scorer/scorer.h"

/* As ll_inspect_predictions; *out is new. spread_bits is infinite, and scores without knowledge are not known. */
LL_CHECK ll_status ll_inspect_groups(ll_inspection *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                     double max_memory, ll_error *error);

#endif

/* What `inspect` says of a submission. */
#ifndef LL_REPORT_INSPECTION_REPORT_H
#define LL_REPORT_INSPECTION_REPORT_H

#include "report/json.h"

void ll_report_inspection_text(const ll_inspection *inspection, const ll_scorer *scorer, const char *file);
LL_CHECK ll_status ll_report_inspection_json(const ll_inspection *inspection, const ll_scorer *scorer, const char *file,
                                             ll_error *error);

/* The keys that any inspection has: bits, mark, rows, ... */
void ll_report_inspection_figures(ll_json *json, const ll_inspection *inspection);

/* "none", "constant" or "coded" */
const char *ll_report_finding_name(ll_finding finding);

#endif

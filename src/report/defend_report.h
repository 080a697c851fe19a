/* What `defend` says: releases that keep a promise, cheapest first. */
#ifndef LL_REPORT_DEFEND_REPORT_H
#define LL_REPORT_DEFEND_REPORT_H

#include "report/audit_report.h"

typedef struct {
    const ll_audit_report *audit;
    double most;    /* sampling errors that a release may cost; infinity: any */
    int is_unknown; /* another metric stands in for one that is not known: only levels, whose proof holds for every one */
} ll_defend_report;

void ll_report_defend_text(const ll_defend_report *report);
LL_CHECK ll_status ll_report_defend_json(const ll_defend_report *report, ll_error *error);

#endif

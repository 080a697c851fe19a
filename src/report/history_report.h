/* What `investigate` says. */
#ifndef LL_REPORT_HISTORY_REPORT_H
#define LL_REPORT_HISTORY_REPORT_H

#include "lossleak/history.h"

typedef struct {
    const ll_scorer *scorer;
    const ll_investigation *found;
    const char *source; /* the argument */
    const char *html;   /* or NULL */
    double read_seconds, total_seconds;
} ll_history_report;

void ll_report_history_text(const ll_history_report *report);
LL_CHECK ll_status ll_report_history_json(const ll_history_report *report, ll_error *error);
/* One page with a picture of the time line: no network, no scripts (history_page.c). LL_SYSTEM names the file. */
LL_CHECK ll_status ll_report_history_page(const char *path, const ll_history_report *report, ll_error *error);

#endif

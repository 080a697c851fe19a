/* The releases that an audit proposes, in the order in which a host should read them: those with a proof, the cheapest
 * first; then those that only stand against the attacks that were run. What they cost, and the command that checks one.
 * Texts are cut to size. */
#ifndef LL_REPORT_RELEASES_H
#define LL_REPORT_RELEASES_H

#include "report/audit_report.h"

enum { LL_RELEASES = 32 };

typedef struct {
    const ll_defence *rows[LL_RELEASES];
    long count, proved; /* the first `proved` have a proof */
} ll_releases;

/* Those with a setting whose noise is at most so many sampling errors. The rows are the audit's. */
ll_releases ll_report_sort_releases(const ll_audit *audit, double most);

/* What the best attack known is expected to get: planned, or the mean of its runs (d->share is what it is sure to get).
 */
double ll_report_best_known(const ll_defence *defence);

/* Behind what the text holds. */
__attribute__((format(printf, 3, 4))) void ll_report_append(char *text, size_t size, const char *format, ...);
/* Behind it, " --clip 0.01 --noise proportional:2" */
void ll_report_write_options(char *text, size_t size, const char *settings);
/* Behind it, "Cost: 2.1 sampling errors; two models must differ by 0.061 to be told apart. " */
void ll_report_write_cost(char *text, size_t size, const ll_audit *audit, const ll_defence *defence);
/* "lossleak audit ... --fail-on-bound": exits 0 where the release keeps the target; of one that is known not to,
 * the audit alone. */
void ll_report_write_check(char *text, size_t size, const ll_audit_report *report, const ll_defence *defence);

#endif

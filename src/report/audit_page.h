/* The audit as one page: no network, no scripts, pictures inside. */
#ifndef LL_REPORT_AUDIT_PAGE_H
#define LL_REPORT_AUDIT_PAGE_H

#include "report/audit_report.h"

/* Write the page to `path`. without: set to why it has no pictures (no gnuplot), or "". LL_SYSTEM names the file. */
LL_CHECK ll_status ll_report_audit_page(const char *path, const ll_audit_report *report, char *without, size_t size,
                                        ll_error *error);

/* The rules of <style> (page_style.c). */
extern const char ll_report_page_style[];

#endif

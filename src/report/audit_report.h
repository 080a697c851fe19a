/* What `audit` says: text for terminals, JSON for machines. The page is audit_page.h. */
#ifndef LL_REPORT_AUDIT_REPORT_H
#define LL_REPORT_AUDIT_REPORT_H

#include "lossleak.h"

typedef struct {
    const ll_scorer *scorer;
    const ll_audit *audit;
    const char *warning;                      /* or NULL */
    const char *html;                         /* the page that was written, or NULL */
    int is_brief;                             /* text: only the answer and what to do */
    const struct ll_identify_report *program; /* that was run and described, or NULL */
} ll_audit_report;

void ll_report_audit_text(const ll_audit_report *report);
LL_CHECK ll_status ll_report_audit_json(const ll_audit_report *report, ll_error *error);

/* Where no setting is recommended. */
const char *ll_report_nothing_to_do(const ll_audit *audit);
/* What holds for every host. */
extern const char ll_report_always[];

/* The table of codes alone, for attack --explain; best: marked, or -1. */
void ll_report_choices(const ll_plan_choice *choices, long count, long best, int has_limit);

/* Why those that do not serve do not, a line each. */
void ll_report_refusals(const ll_plan_choice *choices, long count);

/* "one-query", "exact", "statistical" or "bounded" */
const char *ll_report_regime_name(ll_regime regime);
/* "yes", "no, proved", "no known attack" or "not known" */
const char *ll_report_leaks(const ll_audit *audit);
/* What a run is good for: its mean less two standard errors. The share of an audit is the greatest of these. */
double ll_report_tried_share(const ll_tried *tried);
/* A number with so many significant digits, "-" where it is none, "no limit" where it is infinite. */
void ll_report_write_number(char *text, size_t size, double x, int digits);
/* A defence as tables show it: one that hides every difference between honest models, so that no size of it serves, is
 * "none", with what the audit itself says of share and limit. Texts are those of the audit, or constant. */
ll_defence ll_report_shown_defence(const ll_audit *audit, long index);
/* The setting of a defence, for people: "scale 0.0157", "3 decimals", "none". */
void ll_report_write_setting(char *text, size_t size, const ll_defence *defence);

#endif

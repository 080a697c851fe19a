/* An audit for somebody who is no mathematician: two sentences with the host's own numbers, and what to do about it.
 * Texts are cut to size. */
#ifndef LL_REPORT_ADVICE_H
#define LL_REPORT_ADVICE_H

#include "report/audit_report.h"

enum { LL_ADVICE = 4, LL_ADVICE_TEXT = 700 };

typedef struct {
    char what[LL_ADVICE_TEXT];  /* what to change, in words */
    char gives[LL_ADVICE_TEXT]; /* what that is good for, and whether it is proved */
    char cost[LL_ADVICE_TEXT];
    char check[LL_ADVICE_TEXT]; /* the command that checks it */
    const ll_defence *defence;
    int proved;
} ll_advice;

/* "Anyone with 143 submissions can read all your 2201 hidden labels. You allow 150." */
void ll_report_write_plain(char *text, size_t size, const ll_audit *audit);

/* "The noise gaussian:0.01 is too weak for that; gaussian:0.765 would be enough." Empty where there is none, or where
 * the limit is proved. */
void ll_report_write_enough(char *text, size_t size, const ll_audit_report *report);

/* At most LL_ADVICE lines, the first to do first; returns how many. */
int ll_report_advise(ll_advice *out, const ll_audit_report *report);

/* What holds for every host. */
extern const char ll_report_always[];

#endif

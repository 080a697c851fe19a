/* Does a release keep the target? Verdicts, defences, proposals, tables and pages all ask here, and nowhere else. */
#ifndef LL_AUDIT_KEEPS_TARGET_H
#define LL_AUDIT_KEEPS_TARGET_H

#include "audit/channel.h"

/* What is known of a release. */
typedef struct {
    double target; /* share of right labels that an attack may reach */
    double share;  /* what the best attack is sure to get */
    double bound;  /* what no attack can exceed */
    const ll_tried *tried;
    long tried_count;
    int all; /* every attack that applies was run */
} ll_findings;

/* No attack, known or not, passes the target. */
int ll_decide_proved(const ll_channel *channel, const ll_findings *found);

/* LL_TRUE: an attack passes the target. LL_FALSE: none can (proved), or every attack that applies was run and stays at
 * or below it, two standard errors included. LL_UNKNOWN: neither. */
ll_truth ll_decide_leaks(const ll_channel *channel, const ll_scorer *scorer, const ll_findings *found);

#endif

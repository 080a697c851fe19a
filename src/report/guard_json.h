/* What a guard says, as members of a JSON object: the same for `guard` and `serve`. */
#ifndef LL_REPORT_GUARD_JSON_H
#define LL_REPORT_GUARD_JSON_H

#include "report/json.h"

#include <lossleak/guard.h>

/* "outcome", "text", "score", "improved", "submission", "receipt", and what _left adds. */
void ll_report_guard_answer(ll_json *json, const ll_guard_answer *answer);
/* "spent", "left" */
void ll_report_guard_left(ll_json *json, const ll_guard_answer *answer);
/* The meter: "rows", "levels", "submissions", ..., "head", and the policy's "digest". */
void ll_report_guard_status(ll_json *json, const ll_guard_status *status, const ll_policy *policy);
/* For ll_guard_leaderboard; self: a JSON array. */
int ll_report_guard_place(void *self, const ll_guard_place *place);

#endif

#ifndef LL_CLI_DEFEND_POLICY_H
#define LL_CLI_DEFEND_POLICY_H

#include "lossleak.h"

/* Write a policy for `lossleak guard': the scorer with the first release by levels that the audit proposes, and the
 * audit's target as the promise. better: "higher" or "lower" of a metric that is not known, for which the scorer's
 * stands in; NULL: the scorer's own. LL_DOMAIN where the audit proposes none. */
LL_CHECK ll_status ll_cli_defend_write_policy(const char *path, const ll_scorer *scorer, const char *better,
                                              const ll_audit *audit, ll_error *error);

#endif

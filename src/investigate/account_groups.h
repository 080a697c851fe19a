/* Labels that no account determines alone: which accounts do together? */
#ifndef LL_INVESTIGATE_ACCOUNT_GROUPS_H
#define LL_INVESTIGATE_ACCOUNT_GROUPS_H

#include "investigate/history.h"
#include "investigate/knowledge.h"

/* For every row with is_shared, which some crowd knows: by[row * accounts + account] names a group whose submissions determine the label, and
 * after[row] the submission after which they do. The submissions that the label follows from name the group, and it is
 * followed again on its own, since what is known of class counts may have come from others; where that does not
 * determine the label, or where there are too many groups, all accounts until after[row] are named. LL_MEMORY. */
LL_CHECK ll_status ll_groups_name(const ll_history *history, const ll_knowledge *const *crowds, long crowd_count,
                                  const unsigned char *is_shared, unsigned char *by, long *after);

#endif

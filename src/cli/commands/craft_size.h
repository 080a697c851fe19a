/* How large the files of a plan would be, before they are written. */
#ifndef LL_CLI_CRAFT_SIZE_H
#define LL_CLI_CRAFT_SIZE_H

#include "lossleak.h"

/* LL_UNABLE, with the size and a block that would fit where there is one, where the files would need more than `most`
 * bytes in all. scorer is the plan's. */
LL_CHECK ll_status ll_cli_check_size(const ll_plan *plan, const ll_scorer *scorer, int npy, size_t most,
                                     ll_error *error);

#endif

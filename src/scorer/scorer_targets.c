/* Numeric targets of a scorer, for those who read and write labels. They follow from the text of the setting, so a
 * scorer need not be resolved. */
#include "scorer/scorer.h"

#include "metric/targets.h"

#include <stdio.h>

static int read_grid(ll_targets *out, const ll_scorer *scorer)
{
    const char *text = ll_scorer_text(scorer, LL_SET_TARGETS);
    return text != NULL && ll_targets_init(out, text, NULL) == LL_OK;
}

long ll_scorer_count_targets(const ll_scorer *scorer)
{
    ll_targets grid;
    if (!read_grid(&grid, scorer))
        return 0;
    long count = grid.count;
    ll_targets_clear(&grid);
    return count;
}

ll_status ll_scorer_write_target(const ll_scorer *scorer, char *text, size_t size, long label, ll_error *error)
{
    ll_targets grid;
    if (!read_grid(&grid, scorer))
        return ll_fail(error, LL_DOMAIN, "the scorer has no numeric targets");
    ll_status status = label >= 0 && label < grid.count
                           ? LL_OK
                           : ll_fail(error, LL_DOMAIN, "label %ld: there are %ld targets", label, grid.count);
    if (status == LL_OK)
        ll_targets_write(&grid, text, size, label);
    ll_targets_clear(&grid);
    return status;
}

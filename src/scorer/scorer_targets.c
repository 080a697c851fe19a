/* Numeric targets of a scorer, for those who read and write labels. They follow from the text of the setting, so a
 * scorer need not be resolved. */
#include "scorer/scorer.h"

#include "metric/targets.h"

#include <stdio.h>
#include <stdlib.h>

static int takes_targets(const ll_scorer *scorer)
{
    ll_metric *metric = NULL;
    int takes = ll_metric_create(&metric, ll_scorer_text(scorer, LL_SET_METRIC), NULL) == LL_OK &&
                ll_metric_takes_targets(metric);
    ll_metric_destroy(metric);
    return takes;
}

const char *ll_scorer_targets_text(const ll_scorer *scorer, char *text, size_t size)
{
    const char *set = ll_scorer_text(scorer, LL_SET_TARGETS), *classes = ll_scorer_text(scorer, LL_SET_CLASSES);
    if (set != NULL || classes == NULL || !takes_targets(scorer))
        return set;
    (void)snprintf(text, size, "0:%ld:1", strtol(classes, NULL, 10) - 1);
    return text;
}

static int read_grid(ll_targets *out, const ll_scorer *scorer)
{
    char own[40];
    const char *text = ll_scorer_targets_text(scorer, own, sizeof own);
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

/* The grid of a metric of numeric targets: the number that each label stands for. */
#include "metric/metric_private.h"
#include "metric/targets.h"

#include <stdlib.h>

long ll_metric_target_count(const ll_metric *loss)
{
    return loss->target_count;
}

const ll_exact *ll_metric_target(const ll_metric *loss, long label)
{
    return &loss->targets[label];
}

/* A number as a program reads it: the nearest of its format; fraction 0: as it is. */
static void round_target(ll_exact *x, long fraction)
{
    if (fraction == 52)
        ll_exact_set_d(x, ll_exact_get_d(x));
    else if (fraction == 23)
        ll_exact_set_d(x, (double)ll_exact_get_f(x));
}

static ll_status check_order(const ll_metric *loss, const char *text, ll_error *error)
{
    for (long k = 1; k < loss->target_count; k++)
        if (ll_exact_cmp(&loss->targets[k - 1], &loss->targets[k]) >= 0)
            return ll_fail(error, LL_DOMAIN, "targets %.80s: the scorer's arithmetic does not tell them apart", text);
    const ll_metric_family *family = loss->row->family;
    return family->check_targets != NULL ? family->check_targets(loss, text, error) : LL_OK;
}

ll_status ll_metric_set_targets(ll_metric *loss, const char *text, long fraction, ll_error *error)
{
    ll_targets grid;
    ll_status status = ll_targets_init(&grid, text, error);
    if (status != LL_OK)
        return status;
    loss->targets = calloc((size_t)grid.count, sizeof *loss->targets); /* zeros are initialised */
    if (loss->targets != NULL)
        loss->target_count = grid.count;
    for (long k = 0; k < loss->target_count; k++) {
        ll_targets_get(&grid, &loss->targets[k], k);
        round_target(&loss->targets[k], fraction);
    }
    ll_targets_clear(&grid);
    return loss->targets != NULL ? check_order(loss, text, error) : ll_fail(error, LL_MEMORY, "no memory for targets");
}

void ll_metric_clear_targets(ll_metric *loss)
{
    for (long k = 0; k < loss->target_count; k++)
        ll_exact_clear(&loss->targets[k]);
    free(loss->targets);
}

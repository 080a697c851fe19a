/* The grid of a metric of numeric targets: the number that each label stands for. */
#include "metric/metric_private.h"
#include "metric/targets.h"

#include <stdlib.h>

long ll_metric_target_count(const ll_metric *metric)
{
    return metric->target_count;
}

const ll_exact *ll_metric_target(const ll_metric *metric, long label)
{
    return &metric->targets[label];
}

double ll_metric_target_double(const ll_metric *metric, long label)
{
    return ll_exact_get_d(ll_metric_target(metric, label));
}

double ll_metric_target_width(const ll_metric *metric)
{
    return (ll_metric_target_double(metric, metric->target_count - 1) - ll_metric_target_double(metric, 0)) *
           (1 + 0x1p-50);
}

/* A number as a program reads it: the nearest of its format; fraction 0: as it is. */
static void round_target(ll_exact *x, long fraction)
{
    if (fraction == 52)
        ll_exact_set_d(x, ll_exact_get_d(x));
    else if (fraction == 23)
        ll_exact_set_d(x, (double)ll_exact_get_f(x));
}

static ll_status check_order(const ll_metric *metric, const char *text, ll_error *error)
{
    for (long k = 1; k < metric->target_count; k++)
        if (ll_exact_cmp(&metric->targets[k - 1], &metric->targets[k]) >= 0)
            return ll_fail(error, LL_DOMAIN, "targets %.80s: the scorer's arithmetic does not tell them apart", text);
    const ll_metric_family *family = metric->row->family;
    return family->check_targets != NULL ? family->check_targets(metric, text, error) : LL_OK;
}

ll_status ll_metric_set_targets(ll_metric *metric, const char *text, long fraction, ll_error *error)
{
    ll_targets grid;
    ll_status status = ll_targets_init(&grid, text, error);
    if (status != LL_OK)
        return status;
    metric->targets = calloc((size_t)grid.count, sizeof *metric->targets); /* zeros are initialised */
    if (metric->targets != NULL)
        metric->target_count = grid.count;
    for (long k = 0; k < metric->target_count; k++) {
        ll_targets_get(&grid, &metric->targets[k], k);
        round_target(&metric->targets[k], fraction);
    }
    ll_targets_clear(&grid);
    return metric->targets != NULL ? check_order(metric, text, error)
                                   : ll_fail(error, LL_MEMORY, "no memory for targets");
}

void ll_metric_clear_targets(ll_metric *metric)
{
    for (long k = 0; k < metric->target_count; k++)
        ll_exact_clear(&metric->targets[k]);
    free(metric->targets);
}

/* The grid of a metric of numeric targets: the number that each label stands for. */
#include "metric/metric_private.h"

#include <math.h>
#include <stdlib.h>

long ll_metric_target_count(const ll_metric *metric)
{
    return metric->grid.count;
}

/* A number as a program reads it: the nearest of its format; fraction 0: as it is. */
static void round_target(ll_exact *x, long fraction)
{
    if (fraction == 52)
        ll_exact_set_d(x, ll_exact_get_d(x));
    else if (fraction == 23)
        ll_exact_set_d(x, (double)ll_exact_get_f(x));
}

static void work_target(const ll_metric *metric, ll_exact *out, long label)
{
    ll_targets_get(&metric->grid, out, label);
    round_target(out, metric->fraction);
}

void ll_metric_get_target(const ll_metric *metric, ll_exact *out, long label)
{
    if (metric->targets != NULL)
        ll_exact_set(out, &metric->targets[label]);
    else
        work_target(metric, out, label);
}

void ll_metric_target_ball(const ll_metric *metric, arb_t out, long label, slong prec)
{
    ll_exact target;
    ll_exact_init(&target);
    ll_metric_get_target(metric, &target, label);
    ll_exact_get_ball(out, &target, prec);
    ll_exact_clear(&target);
}

double ll_metric_target_double(const ll_metric *metric, long label)
{
    ll_exact target;
    ll_exact_init(&target);
    ll_metric_get_target(metric, &target, label);
    double out = ll_exact_get_d(&target);
    ll_exact_clear(&target);
    return out;
}

double ll_metric_target_width(const ll_metric *metric)
{
    return (ll_metric_target_double(metric, metric->grid.count - 1) - ll_metric_target_double(metric, 0)) *
           (1 + 0x1p-50);
}

/* Numbers of a format that are more than its spacing at the largest of them apart are not rounded to the same one. */
static int is_spaced(const ll_metric *metric)
{
    ll_exact low, next;
    arb_t step, other;
    ll_exact_init(&low);
    ll_exact_init(&next);
    arb_init(step);
    arb_init(other);
    ll_targets_get(&metric->grid, &low, 0);
    ll_targets_get(&metric->grid, &next, 1);
    ll_exact_get_ball(other, &low, 4096);
    ll_exact_get_ball(step, &next, 4096);
    arb_sub(step, step, other, 4096);
    double most =
        fmax(fabs(ll_metric_target_double(metric, 0)), fabs(ll_metric_target_double(metric, metric->grid.count - 1)));
    arb_set_d(other, ldexp(most, (int)-metric->fraction));
    int spaced = metric->fraction == 0 || arb_gt(step, other);
    ll_exact_clear(&low);
    ll_exact_clear(&next);
    arb_clear(step);
    arb_clear(other);
    return spaced;
}

static int is_ascending(const ll_metric *metric)
{
    if (metric->targets == NULL)
        return is_spaced(metric);
    for (long k = 1; k < metric->grid.count; k++)
        if (ll_exact_cmp(&metric->targets[k - 1], &metric->targets[k]) >= 0)
            return 0;
    return 1;
}

static ll_status check_order(const ll_metric *metric, const char *text, ll_error *error)
{
    if (!is_ascending(metric))
        return ll_fail(error, LL_DOMAIN, "targets %.80s: the scorer's arithmetic does not tell them apart", text);
    const ll_metric_family *family = metric->row->family;
    return family->check_targets != NULL ? family->check_targets(metric, text, error) : LL_OK;
}

ll_status ll_metric_set_targets(ll_metric *metric, const char *text, long fraction, ll_error *error)
{
    ll_status status = ll_targets_init(&metric->grid, text, error);
    if (status != LL_OK)
        return status;
    const long count = metric->grid.count;
    metric->fraction = fraction;
    if (count <= LL_LISTED_CLASSES) {
        ll_exact *targets = calloc((size_t)count, sizeof *targets); /* zeros are initialised */
        if (targets == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for targets");
        for (long k = 0; k < count; k++)
            work_target(metric, &targets[k], k);
        metric->targets = targets;
    }
    return check_order(metric, text, error);
}

void ll_metric_clear_targets(ll_metric *metric)
{
    if (metric->targets != NULL)
        ll_exact_free(metric->targets, metric->grid.count);
    ll_targets_clear(&metric->grid);
}

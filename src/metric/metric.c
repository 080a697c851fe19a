/* What a metric says about itself: its row, its parameter. */
#include "metric/metric_private.h"

#include <stdlib.h>

void ll_metric_destroy(ll_metric *metric)
{
    if (!metric)
        return;
    ll_expression_destroy(metric->when_one);
    ll_expression_destroy(metric->when_zero);
    ll_expression_destroy(metric->phi);
    ll_exact_clear(&metric->parameter);
    ll_metric_clear_targets(metric);
    free(metric);
}

const ll_metric_info *ll_metric_row(const ll_metric *metric)
{
    return &metric->row->info;
}

int ll_metric_has_terms(const ll_metric *metric)
{
    return metric->row->family->has_terms;
}

int ll_metric_is_of_table(const ll_metric *metric, int labels)
{
    const ll_metric_family *family = metric->row->family;
    return family->is_of_table != NULL && family->is_of_table(metric, labels);
}

int ll_metric_may_fail(const ll_metric *metric)
{
    return metric->row->may_fail;
}

const char *ll_metric_undefined(const ll_metric *metric)
{
    return metric->row->undefined;
}

ll_status ll_metric_need_terms(const ll_metric *metric, const char *what, ll_error *error)
{
    if (ll_metric_has_terms(metric))
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "%s is a function of %s, no sum over rows, and %s is not known for such; that does "
                   "not mean it is safe",
                   metric->row->info.name, metric->row->info.link, what);
}

int ll_metric_is_whole(const ll_metric *metric)
{
    return metric->row->is_whole;
}

void ll_metric_range(const ll_metric *metric, double *least, double *most)
{
    *least = metric->row->least;
    *most = metric->row->most;
}

ll_truth ll_metric_is_convex(const ll_metric *metric)
{
    return metric->convex;
}

int ll_metric_is_gain(const ll_metric *metric)
{
    return metric->row->is_gain;
}

const ll_exact *ll_metric_parameter(const ll_metric *metric)
{
    return metric->row->parameter.takes == LL_PARAMETER_NUMBER ? &metric->parameter : NULL;
}

int ll_metric_is_log(const ll_metric *metric)
{
    return metric->row->form == LL_FORM_COORDINATE;
}

int ll_metric_is_brier(const ll_metric *metric)
{
    return metric->row->form == LL_FORM_BRIER;
}

ll_status ll_metric_check_classes(const ll_metric *metric, long classes, ll_error *error)
{
    const ll_metric_row_kind *row = metric->row;
    ll_status status = row->family->check_classes != NULL ? row->family->check_classes(metric, classes, error) : LL_OK;
    if (status != LL_OK || classes > 2 || row->of_two == NULL)
        return status;
    return ll_fail(error, LL_DOMAIN, "%s is for 3 classes or more: set the classes; of two classes it is %s",
                   row->info.name, row->of_two);
}

long ll_metric_part_count(const ll_metric *metric, long classes)
{
    return metric->row->parts != NULL ? metric->row->parts->count(classes) : 1;
}

int ll_metric_write_part(const ll_metric *metric, char *text, size_t size, long index, long classes)
{
    if (metric->row->parts != NULL)
        metric->row->parts->write(text, size, index, classes);
    return metric->row->parts != NULL;
}

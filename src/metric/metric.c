/* What a metric says about itself: its row, its parameter. */
#include "metric/metric_private.h"

#include <stdlib.h>

void ll_metric_destroy(ll_metric *loss)
{
    if (!loss)
        return;
    ll_expression_destroy(loss->when_one);
    ll_expression_destroy(loss->when_zero);
    ll_expression_destroy(loss->phi);
    ll_exact_clear(&loss->parameter);
    ll_metric_clear_targets(loss);
    free(loss);
}

const ll_metric_info *ll_metric_row(const ll_metric *loss)
{
    return &loss->row->info;
}

int ll_metric_has_terms(const ll_metric *loss)
{
    return loss->row->family->has_terms;
}

int ll_metric_is_of_table(const ll_metric *loss, int labels)
{
    const ll_metric_family *family = loss->row->family;
    return family->is_of_table != NULL && family->is_of_table(loss, labels);
}

int ll_metric_may_fail(const ll_metric *loss)
{
    return loss->row->may_fail;
}

const char *ll_metric_undefined(const ll_metric *loss)
{
    return loss->row->undefined;
}

ll_status ll_metric_need_terms(const ll_metric *loss, const char *what, ll_error *error)
{
    if (ll_metric_has_terms(loss))
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "%s is a function of %s, no sum over rows, and %s is not known for such; that does "
                   "not mean it is safe",
                   loss->row->info.name, loss->row->info.link, what);
}

int ll_metric_is_whole(const ll_metric *loss)
{
    return loss->row->is_whole;
}

void ll_metric_range(const ll_metric *loss, double *least, double *most)
{
    *least = loss->row->least;
    *most = loss->row->most;
}

ll_truth ll_metric_is_convex(const ll_metric *loss)
{
    return loss->convex;
}

int ll_metric_is_gain(const ll_metric *loss)
{
    return loss->row->is_gain;
}

const ll_exact *ll_metric_parameter(const ll_metric *loss)
{
    return loss->row->parameter.takes == LL_PARAMETER_NUMBER ? &loss->parameter : NULL;
}

int ll_metric_is_log(const ll_metric *loss)
{
    return loss->row->form == LL_FORM_COORDINATE;
}

int ll_metric_is_brier(const ll_metric *loss)
{
    return loss->row->form == LL_FORM_BRIER;
}

ll_status ll_metric_check_classes(const ll_metric *loss, long classes, ll_error *error)
{
    const ll_metric_row_kind *row = loss->row;
    ll_status status = row->family->check_classes != NULL ? row->family->check_classes(loss, classes, error) : LL_OK;
    if (status != LL_OK || classes > 2 || row->of_two == NULL)
        return status;
    return ll_fail(error, LL_DOMAIN, "%s is for 3 classes or more: set the classes; of two classes it is %s",
                   row->info.name, row->of_two);
}

long ll_metric_part_count(const ll_metric *loss, long classes)
{
    return loss->row->parts != NULL ? loss->row->parts->count(classes) : 1;
}

int ll_metric_write_part(const ll_metric *loss, char *text, size_t size, long index, long classes)
{
    if (loss->row->parts != NULL)
        loss->row->parts->write(text, size, index, classes);
    return loss->row->parts != NULL;
}

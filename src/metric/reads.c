/* What a metric reads: whether predictions are labels, probabilities, logits or any numbers, and in which columns. */
#include "metric/metric_private.h"

#include <math.h>

ll_input ll_metric_input(const ll_metric *metric)
{
    return metric->row->input;
}

ll_form ll_metric_form(const ll_metric *metric)
{
    return metric->row->form;
}

/* ---- a prediction ---- */

int ll_metric_reads_labels(const ll_metric *metric)
{
    return metric->row->input == LL_INPUT_LABEL;
}

int ll_metric_reads_probabilities(const ll_metric *metric)
{
    return metric->row->input == LL_INPUT_PROBABILITY;
}

int ll_metric_reads_logits(const ll_metric *metric)
{
    return metric->row->input == LL_INPUT_LOGIT;
}

int ll_metric_reads_alike(const ll_metric *metric, const ll_metric *other)
{
    return metric->row->input == other->row->input;
}

int ll_metric_is_free(const ll_metric *metric)
{
    return metric->row->input == LL_INPUT_NUMBER || metric->row->input == LL_INPUT_LOGIT;
}

int ll_metric_takes_labels(const ll_metric *metric)
{
    const ll_metric_family *family = metric->row->family;
    return family->takes_labels != NULL ? family->takes_labels(metric) : ll_metric_reads_labels(metric);
}

double ll_metric_of_share(const ll_metric *metric, double share, long columns)
{
    if (ll_metric_reads_labels(metric))
        return share >= 0.5;
    if (ll_metric_takes_targets(metric))
        return ll_metric_target_double(metric, 0) + share * ll_metric_target_width(metric);
    if (!ll_metric_reads_logits(metric))
        return share;
    share = fmin(fmax(share, 1e-12), 1 - 1e-12);
    return columns == 1 ? log(share / (1 - share)) : log(share);
}

void ll_metric_mirror(const ll_metric *metric, arb_t out, const arb_t x, slong prec)
{
    arb_neg(out, x);
    if (ll_metric_reads_probabilities(metric))
        arb_add_si(out, out, 1, prec);
}

/* ---- columns ---- */

int ll_metric_takes_targets(const ll_metric *metric)
{
    return metric->row->form == LL_FORM_TARGET;
}

int ll_metric_has_rows(const ll_metric *metric)
{
    ll_form form = metric->row->form;
    return form != LL_FORM_BINARY && form != LL_FORM_MATCH && form != LL_FORM_TARGET;
}

int ll_metric_reads_order(const ll_metric *metric)
{
    return metric->row->form == LL_FORM_RANK;
}

int ll_metric_takes_classes(const ll_metric *metric, long classes)
{
    return classes <= 2 || metric->row->form != LL_FORM_BINARY;
}

/* Does one column say all, of any number of classes? */
static int is_narrow(const ll_metric *metric)
{
    return metric->row->form == LL_FORM_MATCH || metric->row->form == LL_FORM_TARGET;
}

ll_status ll_computation_check_shape(const ll_computation *how, long columns, long classes, ll_error *error)
{
    const ll_metric *metric = how->metric;
    int one = columns == 1 && !ll_metric_reads_order(metric) && (classes == 2 || is_narrow(metric));
    int all = columns == classes && ll_metric_has_rows(metric);
    if (one && how->columns == LL_COLUMNS_ALL)
        return ll_fail(error, LL_DOMAIN, "one column of predictions, and the scorer reads one a class");
    if (all && classes == 2 && how->columns == LL_COLUMNS_ONE)
        return ll_fail(error, LL_DOMAIN, "two columns of predictions, and the scorer reads the one of class 1");
    if (one || all)
        return ll_metric_check_classes(metric, classes, error);
    return ll_fail(error, LL_DOMAIN, "%ld columns of predictions cannot be those of metric %s with %ld classes",
                   columns, ll_metric_row(metric)->name, classes);
}

long ll_computation_columns(const ll_computation *how, long classes)
{
    ll_form form = how->metric->row->form;
    if (!ll_metric_has_rows(how->metric))
        return 1;
    if (classes > 2 || how->columns == LL_COLUMNS_ALL || form == LL_FORM_RANK)
        return classes;
    int plain = how->clip_mode == LL_CLIP_NONE || how->clip_mode == LL_CLIP || how->clip_mode == LL_CLIP_RENORMALISE;
    return how->columns == LL_COLUMNS_EITHER && plain && (form == LL_FORM_COORDINATE || form == LL_FORM_SOFTMAX) ? 2
                                                                                                                 : 1;
}

long ll_computation_fewest_columns(const ll_computation *how, long classes)
{
    int one = is_narrow(how->metric) ||
              (classes == 2 && !ll_metric_reads_order(how->metric) && how->columns != LL_COLUMNS_ALL);
    return one ? 1 : classes;
}

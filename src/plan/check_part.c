/* Scores over a part of the rows that is not told: what is planned for them. */
#include "plan/plan.h"

/* A sum over two classes, divided by the rows that count: then an absent row adds nothing. Or counts of rows of two
 * classes. */
static ll_status check_metric(const ll_plan *plan, const ll_code_row *code, ll_error *error)
{
    const ll_metric *metric = plan->scoring.how->metric;
    const char *name = ll_plan_metric_name(plan);
    const int is_counts = ll_metric_view(metric) == LL_VIEW_CONFUSION;
    const int is_mean = ll_metric_view(metric) == LL_VIEW_TERMS && !ll_metric_is_sum(metric);
    if (!(is_counts || is_mean) || ll_metric_takes_targets(metric))
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s over a part of the rows that is not told, which does not make it "
                       "safe; means of terms (log-loss, squared, accuracy) and counts of two classes are planned for",
                       name);
    if (plan->scoring.classes > 2)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %ld classes of which some rows are absent, which does not make it "
                       "safe; two classes are planned for",
                       plan->scoring.classes);
    if (code->is_flipping != is_counts)
        return ll_fail(error, LL_DOMAIN, "the code %s is for %s over a part of the rows; %s is none", code->info.name,
                       code->is_flipping ? "metrics of counts" : "means of terms", name);
    if (plan->scoring.how->kind == LL_KIND_EXACT && !ll_plan_takes_labels(plan))
        return ll_fail(error, LL_DOMAIN,
                       "a part of the rows that is not told is planned for scorers in floats: give their arithmetic, "
                       "or a profile");
    return LL_OK;
}

/* The code for the metric, where it is one that has any. */
static const char *serving_code(const ll_plan *plan)
{
    const char *name = "";
    const int is_counts = ll_metric_view(plan->scoring.how->metric) == LL_VIEW_CONFUSION;
    for (long i = 0; i < ll_code_count(); i++)
        if (ll_code_get_row(i)->is_part && ll_code_get_row(i)->is_flipping == is_counts)
            name = ll_code_get_row(i)->info.name;
    return name;
}

ll_status ll_plan_check_part(const ll_plan *plan, ll_error *error)
{
    const ll_code_row *code = ll_code_find(plan->code_name);
    const int is_part = plan->scorer->is_part, serves = code != NULL && code->is_part;
    if (serves && !is_part)
        return ll_fail(error, LL_DOMAIN, "the code %s is for scores over a part of the rows; here every row is scored",
                       plan->code_name);
    if (!is_part)
        return LL_OK;
    if (!serves)
        return ll_fail(error, LL_DOMAIN,
                       "public %s: the code %s asks about rows that are all scored; the code %s serves",
                       ll_scorer_text(plan->scorer, LL_SET_PUBLIC), plan->code_name, serving_code(plan));
    if (plan->guarantee == LL_LIKELY)
        return ll_fail(
            error, LL_DOMAIN,
            "public %s: rows of a part that is not told are certain or open; no attack is planned that makes "
            "them likely",
            ll_scorer_text(plan->scorer, LL_SET_PUBLIC));
    return check_metric(plan, code, error);
}

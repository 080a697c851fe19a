/* The family of metrics that are a sum of one term per row. */
#include "metric/terms/terms.h"

#include <math.h>

const ll_term_kind *ll_terms_of(const ll_metric *metric)
{
    static const ll_term_kind none;
    return metric->row->family->score == ll_score_terms ? metric->row->own : &none;
}

int ll_metric_is_sum(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_sum;
}

int ll_metric_counts(const ll_metric *metric)
{
    return ll_terms_of(metric)->counts;
}

int ll_metric_is_mean(const ll_metric *metric)
{
    return ll_metric_has_terms(metric) && !ll_metric_is_sum(metric);
}

int ll_metric_match_side(const ll_metric *metric, long classes)
{
    const ll_term_kind *kind = ll_terms_of(metric);
    return kind->match_side != NULL ? kind->match_side(metric, classes) : 0;
}

int ll_metric_is_symmetric(const ll_metric *metric)
{
    return metric->row->parameter.takes != LL_PARAMETER_PHI && ll_terms_of(metric)->term == NULL;
}

int ll_metric_has_closed_powers(const ll_metric *metric)
{
    return ll_terms_of(metric)->has_closed_powers;
}

int ll_metric_is_difference(const ll_metric *metric)
{
    return ll_metric_has_terms(metric) && ll_terms_of(metric)->kernel == NULL;
}

int ll_metric_is_norm(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_norm;
}

int ll_metric_is_square(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_square;
}

int ll_metric_is_lines(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_lines;
}

int ll_metric_counts_from_zero(const ll_metric *metric)
{
    return ll_terms_of(metric)->from_zero;
}

int ll_metric_is_rough(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_rough;
}

int ll_metric_is_unlimited(const ll_metric *metric)
{
    return ll_terms_of(metric)->is_unlimited;
}

int ll_metric_most_term(const ll_metric *metric)
{
    return ll_terms_of(metric)->most;
}

/* ---- the metric ---- */

static ll_status read_phi(ll_metric *metric, const char *text, ll_error *error)
{
    ll_status status = ll_expression_create(&metric->phi, text, error);
    if (status != LL_OK)
        return status;
    if (ll_expression_uses_alpha(metric->phi))
        return ll_fail(error, LL_DOMAIN, "loss bregman: alpha has no value here; phi is a function of x alone");
    return ll_metric_check_phi(metric, error);
}

static ll_status open(ll_metric *metric, const char *parameter, ll_error *error)
{
    const ll_metric_info *info = &metric->row->info;
    if (metric->row->parameter.takes == LL_PARAMETER_PHI)
        return read_phi(metric, parameter, error);
    if (ll_terms_of(metric)->term != NULL)
        return LL_OK;
    ll_status status = ll_expression_create(&metric->when_one, info->when_one, error);
    return status == LL_OK ? ll_expression_create(&metric->when_zero, info->when_zero, error) : status;
}

static ll_status check_targets(const ll_metric *metric, const char *text, ll_error *error)
{
    if (ll_terms_of(metric)->needs_positive && ll_metric_target_double(metric, 0) < 0)
        return ll_fail(error, LL_DOMAIN, "targets %.80s: %s needs targets of at least 0", text, metric->row->info.name);
    return LL_OK;
}

int ll_terms_take_weights(const ll_metric *metric)
{
    return !ll_metric_is_sum(metric);
}

/* The most that log-loss can be in a row, above its least: -ln of the clip; -ln(1 + 2 eps) is the least where eps is
 * added. */
static double clip_bound(const ll_computation *how)
{
    double low = ll_exact_get_d(&how->low);
    if (how->clip_mode == LL_CLIP_NONE)
        return (double)INFINITY;
    return how->clip_mode == LL_LOG_CLAMP ? low : -log(low) + (how->adds_clip ? log1p(2 * low) : 0);
}

double ll_terms_most(const ll_computation *how, long rows)
{
    const ll_metric *metric = how->metric;
    if (ll_metric_is_sum(metric))
        return rows > 0 ? pow((double)rows, 1 / ll_exact_get_d(ll_metric_parameter(metric))) : (double)INFINITY;
    if (ll_metric_counts(metric) != 0)
        return 1;
    if (ll_terms_of(metric)->most > 0)
        return ll_terms_of(metric)->most;
    return ll_metric_is_brier(metric) ? 2 : ll_metric_is_log(metric) ? clip_bound(how) : (double)INFINITY;
}

/* ---- the score ---- */

ll_status ll_score_terms(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                         ll_error *error)
{
    if (scoring->how->kind == LL_KIND_NATIVE)
        return ll_score_native(scoring, out, predictions, error);
    if (scoring->how->kind == LL_KIND_FORMAT)
        return ll_score_format(scoring, out, predictions, error);
    return ll_score_exact(scoring, out, predictions, bits, error);
}

static int is_of_table(const ll_metric *metric, int labels)
{
    (void)labels;
    return ll_metric_counts(metric) != 0;
}

int ll_score_two_applies(const ll_computation *how)
{
    int is_count = ll_metric_counts(how->metric) != 0 && ll_link_is_linear(how);
    return how->metric->row->family->score_two != NULL && (is_count || !ll_metric_has_terms(how->metric));
}

/* A sum of terms that is a count: of right labels or wrong ones, or their share of the rows. */
static ll_status score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t misses = two->guessed + two->positives - 2 * two->tp;
    if (!ll_link_is_linear(how))
        return LL_DOMAIN;
    ll_worked_ratio(work, out, ll_metric_counts(how->metric) > 0 ? two->rows - misses : misses,
                    ll_metric_is_sum(how->metric) ? 1 : two->rows);
    ll_computation_add_roundoff(how, out->ball, 4);
    return LL_OK;
}

const ll_metric_family ll_family_terms = {.has_terms = 1,
                                          .score = ll_score_terms,
                                          .score_weighted = ll_score_weighted,
                                          .score_two = score_two,
                                          .open = open,
                                          .check_targets = check_targets,
                                          .most = ll_terms_most,
                                          .is_of_table = is_of_table,
                                          .takes_weights = ll_terms_take_weights,
                                          .spread = ll_terms_spread,
                                          .moves = ll_terms_moves,
                                          .fails = ll_terms_fail};

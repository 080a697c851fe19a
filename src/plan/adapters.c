/* What a question may have beside plain scores of all rows: rows with weights, a public split that is not known,
 * numeric targets, predictions of another kind, a block of rows, likely labels. Whether a strategy takes it is in its
 * row; what is said where it does not, is said here. */
#include "plan/strategy.h"

#include <math.h>

/* ---- a public split ---- */

int ll_candidate_takes_absent(const ll_candidate *candidate)
{
    const ll_strategy *strategy = candidate->strategy;
    return strategy != NULL && (strategy->takes & (LL_TAKES_PUBLIC_MEANS | LL_TAKES_PUBLIC_COUNTS)) != 0;
}

/* A sum over two classes, divided by the rows that count: then an absent row adds nothing. Or counts of rows of two
 * classes. */
static ll_status check_metric(const ll_plan *plan, ll_error *error)
{
    const ll_metric *metric = plan->scoring.how->metric;
    const char *name = ll_plan_metric_name(plan);
    const int is_counts = ll_metric_is_counts(metric);
    if (!(is_counts || ll_metric_is_mean(metric)) || ll_metric_takes_targets(metric))
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s over a hidden public split, which does not make it "
                       "safe; means of terms (log-loss, squared, accuracy) and counts of two classes are planned for",
                       name);
    if (plan->scoring.classes > 2)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %ld classes of which some rows are absent, which does not make it "
                       "safe; two classes are planned for",
                       plan->scoring.classes);
    const int for_counts = (plan->strategy->takes & LL_TAKES_PUBLIC_COUNTS) != 0;
    if (for_counts != is_counts)
        return ll_fail(error, LL_DOMAIN, "over a public split, the code %s is for %s; %s is not one of them",
                       plan->state->row->info.name, for_counts ? "metrics of counts" : "means of terms", name);
    if (plan->scoring.how->kind == LL_KIND_EXACT && !ll_plan_takes_labels(plan))
        return ll_fail(error, LL_DOMAIN,
                       "attacks on a hidden public split are planned for scorers in floats: give their arithmetic, "
                       "or a profile");
    return LL_OK;
}

static ll_status check_states(const ll_plan *plan, ll_error *error)
{
    const int is_part = plan->scorer->is_part, applies = ll_candidate_takes_absent(plan->candidate);
    if (applies && !is_part)
        return ll_fail(error, LL_DOMAIN, "the code %s is for scores over a public split; here every row is scored",
                       plan->name);
    if (!is_part)
        return LL_OK;
    if (!applies)
        return ll_fail(error, LL_DOMAIN, "public %s: the code %s needs all rows to be scored; use the code %s",
                       ll_scorer_text(plan->scorer, LL_SET_PUBLIC), plan->name,
                       ll_metric_is_counts(plan->scoring.how->metric) ? "flip" : "presence");
    if (plan->bounds.guarantee == LL_LIKELY)
        return ll_fail(
            error, LL_DOMAIN,
            "public %s: rows of a hidden public split are certain or undecided; no attack is planned that makes "
            "them likely",
            ll_scorer_text(plan->scorer, LL_SET_PUBLIC));
    return check_metric(plan, error);
}

/* ---- numeric targets ---- */

int ll_plan_is_unplanned(const ll_plan *plan)
{
    const ll_metric *metric = plan->scoring.how->metric;
    if (plan->scoring.how->is_weighted && ll_metric_has_terms(metric))
        return 1;
    if (ll_metric_takes_targets(metric))
        return !ll_metric_is_square(metric) && !ll_metric_is_lines(metric) && !ll_metric_is_r2(metric);
    return ll_metric_has_terms(metric) && ll_metric_reads_order(metric) &&
           ll_metric_match_side(metric, plan->classes) == 0;
}

static ll_status check_targets(const ll_plan *plan, ll_error *error)
{
    const ll_metric *metric = plan->scoring.how->metric;
    if (ll_plan_listed(plan) == 0 && (plan->strategy->takes & LL_TAKES_LONG_GRIDS) == 0)
        return ll_fail(error, LL_DOMAIN, "the code %s goes through every label of a row, and %ld are too many: %s",
                       plan->name, plan->classes,
                       ll_metric_has_terms(metric) && ll_metric_takes_targets(metric)
                           ? "use the code shifts"
                           : "no code is planned for so many, which does not make it safe");
    const int takes = ll_metric_takes_targets(metric), graded = (plan->strategy->takes & LL_TAKES_TARGETS) != 0;
    const int any = (plan->strategy->takes & LL_TAKES_ANY_TERMS) != 0;
    if (!any && ll_plan_is_unplanned(plan))
        return ll_fail(error, LL_DOMAIN, "no attack is planned for %s, which does not make it safe",
                       ll_plan_metric_name(plan));
    if (!any && takes && !graded)
        return ll_fail(
            error, LL_DOMAIN,
            "the code %s sets the weight of every label by itself, and one number of %s sets them all: use the code grades",
            plan->name, ll_plan_metric_name(plan));
    if (!takes && graded)
        return ll_fail(error, LL_DOMAIN, "the code %s is for numeric targets; %s has classes", plan->name,
                       ll_plan_metric_name(plan));
    return LL_OK;
}

/* ---- rows with weights ---- */

static ll_status check_weighted_counts(const ll_plan *plan, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    const char *name = ll_plan_metric_name(plan);
    if (how->weights == NULL)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned for %s with weights of classes, which labels decide; that does not mean it "
            "is safe",
            name);
    if (plan->scoring.classes > 2)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s of %ld classes whose rows have weights; that does not mean it is "
                       "safe",
                       name, plan->scoring.classes);
    if (how->zero_division == LL_ZERO_RAISE)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned for %s whose rows have weights and that fails at 0/0; that does not mean it "
            "is safe",
            name);
    if (plan->bounds.guarantee == LL_LIKELY)
        return ll_fail(error, LL_DOMAIN,
                       "%s whose rows have weights: labels are certain or open; no attack is planned that makes them "
                       "likely, which does not mean there is none",
                       name);
    return LL_OK;
}

static ll_status check_weights(const ll_plan *plan, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    const int is_counts = how->is_weighted && ll_metric_is_counts(how->metric);
    const int for_counts = (plan->strategy->takes & LL_TAKES_WEIGHTED_COUNTS) != 0;
    if (for_counts && !is_counts)
        return ll_fail(error, LL_DOMAIN, "the code %s is for metrics of counts whose rows have weights", plan->name);
    if (!how->is_weighted || ((plan->strategy->takes & LL_TAKES_WEIGHTS) != 0 && how->knows_total))
        return LL_OK;
    if (is_counts) {
        ll_status status = check_weighted_counts(plan, error);
        return status != LL_OK || for_counts
                   ? status
                   : ll_fail(error, LL_DOMAIN, "the code %s knows no weights; the code single does", plan->name);
    }
    if (!how->knows_total)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned: what a score with these class-weights is divided by follows from the class "
            "counts, which are not told; that does not mean it is safe");
    return ll_fail(error, LL_DOMAIN, "the code %s knows no weights; the code changes does", plan->name);
}

/* ---- predictions ---- */

int ll_plan_takes_labels(const ll_plan *plan)
{
    return ll_metric_takes_labels(plan->scoring.how->metric);
}

int ll_plan_asks_labels(const ll_plan *plan)
{
    return ll_plan_takes_labels(plan) || ll_metric_match_side(plan->scoring.how->metric, plan->classes) != 0;
}

static ll_status check_input(const ll_plan *plan, ll_error *error)
{
    const ll_metric *metric = plan->scoring.how->metric;
    if (!ll_plan_asks_labels(plan) && plan->state->row == plan->candidate->labels)
        return ll_fail(error, LL_DOMAIN, "the code %s is for metrics that take labels; %s takes a %s", plan->name,
                       ll_plan_metric_name(plan), ll_metric_row(metric)->input);
    if (ll_metric_reads_order(metric) && !ll_metric_has_terms(metric) && (plan->strategy->takes & LL_TAKES_RANKS) == 0)
        return ll_fail(error, LL_DOMAIN, "the code %s adds up terms of rows, and %s ranks them: use the code ranks",
                       plan->name, ll_plan_metric_name(plan));
    return LL_OK;
}

/* ---- the arithmetic ---- */

/* Scores that are no sums of chosen terms may be anywhere in the metric's range; those of a sum follow from its rows
 * (ll_plan_overflows). */
static ll_status check_overflow(const ll_plan *plan, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    const int has_terms = ll_metric_has_terms(how->metric);
    double least = 0, most = 0;
    if (how->kind == LL_KIND_EXACT || (has_terms && !ll_plan_asks_labels(plan)))
        return LL_OK;
    ll_metric_range(how->metric, &least, &most);
    if (has_terms)
        most = ll_computation_most(how, plan->rows);
    else if (ll_metric_is_whole(how->metric))
        most = (double)plan->rows;
    if (!isfinite(least) || !isfinite(most) ||
        !ll_release_overflows(&plan->scorer->release, &how->total.format, least, most))
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "no attack is planned: a score of %s between %g and %g may be too large for %s arithmetic once it is "
        "released; that does not mean it is safe; use a wider arithmetic or a smaller scale",
        ll_plan_metric_name(plan), least, most, how->arithmetic);
}

/* ---- the request ---- */

/* Rows a query, as the caller wants them; 0: as many as it takes. */
static ll_status check_block(const ll_plan *plan, const ll_question *q, ll_error *error)
{
    const ll_strategy *strategy = plan->strategy;
    const long block = q->request->block;
    if (block < 0 || block > plan->rows)
        return ll_fail(error, LL_DOMAIN, "a block of %ld rows: it must be 1 to %ld", block, plan->rows);
    if (block == 0 || block == plan->rows || strategy->whole == NULL || (q->part > 0 && strategy->reads_first))
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "blocks of %ld rows: the code %s %s; leave the block out", block, plan->name,
                   strategy->whole);
}

static ll_status check_guarantee(const ll_plan *plan, ll_error *error)
{
    if (!plan->strategy->is_certain || plan->bounds.guarantee != LL_LIKELY)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "the code %s gives labels that are certain, or leaves them open", plan->name);
}

/* ---- all of them ---- */

ll_status ll_plan_check_question(const ll_plan *plan, const ll_question *q, ll_error *error)
{
    static ll_status (*const checks[])(const ll_plan *, ll_error *) = {check_weights,   check_states, check_targets,
                                                                       check_guarantee, check_input,  check_overflow};
    ll_status status = check_block(plan, q, error);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == LL_OK; i++)
        status = checks[i](plan, error);
    return status;
}

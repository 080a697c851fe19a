/* One defence, the first line of `defend`: of the releases with a proof the cheapest. Where none is known, what stands
 * in the way of one. */
#include "report/defence.h"
#include "report/scorer_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int has_labels(const ll_plan_info *plan)
{
    return strcmp(plan->writer, "labels") == 0;
}

/* The gap as a double, 0 where it is not known or no double holds it. Counts of two classes all have one parity, so
 * those that can be mistaken for each other are two apart. */
static double gap_of(const ll_verdict *verdict, const ll_plan_info *plan)
{
    double gap = verdict->gap.text ? verdict->gap.value : 0;
    if (has_labels(plan) && plan->classes == 2)
        gap *= 2;
    return isfinite(gap) && gap > 0 ? gap : 0;
}

/* ---- which ---- */

ll_status ll_report_choose_defence(ll_chosen_defence *out, const ll_scorer *scorer, long queries,
                                   const ll_budget *budget, ll_error *error)
{
    ll_audit_request request;
    ll_audit_request_init(&request);
    request.combinations = request.proofs_only = 1;
    request.default_queries = queries;
    request.budget = budget;
    *out = (ll_chosen_defence){.first = NULL};
    ll_audit_init(&out->audit);
    ll_error why = {0};
    if (ll_scorer_get(scorer, "public") != NULL) /* what is to be defended is the split */
        return LL_OK;
    ll_status status = ll_audit_run(&out->audit, scorer, &request, &why);
    out->is_late = status == LL_UNABLE;
    if (status == LL_MEMORY)
        return ll_fail(error, status, "%s", why.text);
    const ll_proposal *first = status == LL_OK ? ll_audit_get_proposal(&out->audit, 0) : NULL;
    out->first = first != NULL && first->proved ? first : NULL;
    return LL_OK;
}

void ll_report_chosen_clear(ll_chosen_defence *chosen)
{
    ll_audit_clear(&chosen->audit);
    chosen->first = NULL;
}

/* ---- in words ---- */

static void write_first(char *text, size_t size, const ll_proposal *first)
{
    ll_report_append(text, size, "The cheapest release with a proof: %s %s %s ", first->change, first->effect,
                     first->cost);
}

/* The bound of a number of the answer that one label can move without end, by a failure or by its loss. The bound of
 * several numbers together has no such figure. 0: there is none. */
static int find_unbounded(ll_audit_bound *out, const ll_scorer *scorer)
{
    ll_error why = {0};
    for (long i = 0; i < ll_scorer_count_numbers(scorer); i++)
        if (ll_audit_limit(out, ll_scorer_get_number(scorer, i), 1, &why) == LL_OK && isinf(out->sensitivity))
            return 1;
    return 0;
}

/* What stands in the way. */
static void write_none(char *text, size_t size, const ll_scorer *scorer, const ll_audit *audit)
{
    ll_audit_bound bound;
    int is_unbounded = audit->bound != NULL && find_unbounded(&bound, scorer);
    if (is_unbounded && ll_scorer_count_targets(scorer) > 0)
        ll_report_append(
            text, size,
            "Nothing bounds these predictions, so new ones can be made against far more noise: clip them to "
            "the range of the targets first (clip-targets). ");
    else if (is_unbounded && isfinite(bound.reach))
        ll_report_append(
            text, size,
            "There are labels for which this metric has no value, and a program that fails says so without any "
            "noise: give them a value first. Then one label can still move the score by all of its range; a sum of "
            "bounded losses in its place is what noise can hide. ");
    else if (audit->noise != NULL && audit->noise[0] != '\0')
        ll_report_append(text, size, "%s ", audit->noise);
    else
        ll_report_append(text, size, "No release of this score with a proof is known here. ");
    ll_report_append(text, size, "Limit the submissions; `lossleak defend' lists what known attacks do not pass. ");
}

/* Said in place of a defence: the audit that would find one was not finished. */
static void write_late(char *text, size_t size)
{
    ll_report_append(text, size,
                     "What would stop this was not computed within --max-seconds; give it more, or ask `lossleak "
                     "defend'. ");
}

/* Of a score over a hidden public split: the part is what is to be defended. */
static void write_part(char *text, size_t size, const ll_plan_info *plan)
{
    if (plan->queries > plan->rows)
        ll_report_append(text, size,
                         "This plan asks about one row a submission; how few any method needs at least is said by "
                         "`lossleak audit --public'. ");
    ll_report_append(
        text, size,
        "Hiding which rows count costs an attacker some submissions and protects nothing. What does is said "
        "of the public part by `lossleak defend', with its number of rows. ");
}

/* Not a defence: what it is not. */
static void write_gap(char *text, size_t size, double gap, const ll_plan_info *plan)
{
    if (gap > 0)
        ll_report_append(text, size,
                         "Noise above %.3g a score, %s the gap, would only take the proof away from these predictions: "
                         "others can be made.",
                         gap / 2, has_labels(plan) && plan->classes == 2 ? "as large as" : "half");
}

void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict, const ll_chosen_defence *chosen)
{
    text[0] = '\0';
    if (verdict->kind == LL_NONE)
        ll_report_append(text, size, "This reading got nothing, but only because %sthe scorer was described wrongly. ",
                         verdict->guarantee == LL_LIKELY ? "noise passed the bound that it was planned for, or " : "");
    long limit = ll_scorer_get_count(scorer, "queries");
    if (limit > 0 && limit >= plan->queries && plan->labels < plan->rows && verdict->kind == LL_AMBIGUOUS)
        ll_report_append(text, size, "This plan was made for the limit of %ld %s, and asks about %ld of the rows. ",
                         limit, limit == 1 ? "submission" : "submissions", plan->labels);
    if (limit > 0 && limit < plan->queries && verdict->kind != LL_NONE)
        ll_report_append(text, size, "The limit of %ld %s kept the rest hidden: this plan asks %ld. ", limit,
                         limit == 1 ? "submission" : "submissions", plan->queries);
    if (chosen->first != NULL)
        write_first(text, size, chosen->first);
    else if (chosen->is_late)
        write_late(text, size);
    else if (ll_scorer_get(scorer, "public") != NULL)
        write_part(text, size, plan);
    else
        write_none(text, size, scorer, &chosen->audit);
    write_gap(text, size, gap_of(verdict, plan), plan);
}

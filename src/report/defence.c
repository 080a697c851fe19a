/* The argument. Two labellings that differ in one row give scores that differ by at most D = W / N, W the most that the
 * loss of a row can depend on its label. Bounded noise below D / 2 leaves predictions that prove a label with one
 * score; where nothing bounds W, there are such predictions for every bounded noise. Laplace noise of scale D / epsilon
 * makes a score epsilon-differentially private in each label, and q scores q epsilon: that holds against any reading.
 */
#include "report/defence.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static const double SAMPLE_CLIP = 1e-15;

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

ll_status ll_report_measure(ll_audit_bound *out, const ll_scorer *scorer, long rows, ll_error *error)
{
    (void)rows;
    *out = (ll_audit_bound){.reach = (double)NAN, .sensitivity = (double)NAN};
    return ll_audit_limit(out, scorer, 1, error) == LL_MEMORY ? LL_MEMORY : LL_OK;
}

/* What one row can do to the score: D, as the library measures it of the scorer. */
static double write_reach(char *text, size_t size, const ll_scorer *scorer, long rows, const ll_audit_bound *bound)
{
    double most = bound->sensitivity;
    if (isinf(most) && ll_scorer_count_targets(scorer) > 0) {
        append(text, size,
               "Nothing bounds these predictions, so new ones can be made against far more noise: clip them to the range "
               "of the targets first (clip-targets), and ask again what one row can do. ");
        return (double)NAN;
    }
    if (isinf(most) && isfinite(bound->reach)) {
        append(text, size,
               "There are labels for which this metric has no value, and a program that fails says so without any "
               "noise: give them a value first. Then one label can still move the score by all of its range; a sum of "
               "bounded losses in its place is what noise can hide. ");
        return (double)NAN;
    }
    if (isinf(bound->reach)) {
        double weight = -log(SAMPLE_CLIP);
        append(text, size,
               "Nothing clips this score, so new predictions can be made against %s noise: clip first. With a loss of "
               "at most %.1f a row (log-loss clipped at %g)",
               strcmp(ll_scorer_get(scorer, "arithmetic"), "exact") == 0 ? "any bounded" : "far more", weight,
               SAMPLE_CLIP);
        most = (strstr(ll_scorer_get(scorer, "transform"), "percent") != NULL ? 100 : 1) * weight / (double)rows;
    } else if (!isnan(most)) {
        append(text, size, "Here");
    }
    if (!isnan(most))
        append(text, size, " one row of %ld moves the score by at most D = %.3g. ", rows, most);
    return most;
}

static void write_noise(char *text, size_t size, double reach)
{
    if (isnan(reach))
        return;
    append(text, size,
           "Laplace noise of scale D/epsilon on every score (%.3g for epsilon = 0.1) makes a query "
           "epsilon-label-differentially private; epsilons add up over queries, so limit "
           "those too. Bounded noise below D/2 hides nothing. ",
           10 * reach);
}

/* d decimals are noise of half a unit of the last place: that is half the gap where 10^-d is the gap. */
static void write_decimals(char *text, size_t size, double gap, const ll_plan_info *plan)
{
    if (gap == 0)
        return;
    double most = floor(-log10(gap));
    append(text, size, "Fewer decimals do little: ");
    if (most < 0)
        append(text, size, "scores rounded to whole numbers still tell these labellings apart.");
    else
        append(text, size, "it takes %.0f or fewer to spoil these predictions%s", most,
               plan->block > 1 && !has_labels(plan) ? ", and then fewer rows a query get through." : ".");
}

void ll_report_write_defence(char *text, size_t size, const ll_scorer *scorer, const ll_plan_info *plan,
                             const ll_verdict *verdict, const ll_audit_bound *bound)
{
    double gap = gap_of(verdict, plan);
    text[0] = '\0';
    if (verdict->kind == LL_NONE)
        append(text, size, "This reading got nothing, but only because %sthe scorer was described wrongly. ",
               verdict->guarantee == LL_LIKELY ? "noise passed the bound that it was planned for, or " : "");
    long limit = ll_scorer_get_count(scorer, "queries");
    if (limit > 0 && limit < plan->queries && verdict->kind != LL_NONE)
        append(text, size, "The limit of %ld %s kept the rest hidden: this plan asks %ld. ", limit,
               limit == 1 ? "query" : "queries", plan->queries);
    if (gap > 0)
        append(text, size, "Noise above %.3g a score, %s the gap, takes the proof away from these predictions. ",
               gap / 2, has_labels(plan) && plan->classes == 2 ? "as large as" : "half");
    write_noise(text, size, write_reach(text, size, scorer, plan->rows, bound));
    write_decimals(text, size, gap, plan);
    if (text[0] == '\0')
        append(text, size,
               "What one row can do to this score is not worked out, so no noise is priced here. Limit the queries; "
               "`lossleak audit' says what is known.");
}

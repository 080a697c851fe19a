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

/* -ln of the clip, or NAN where it is not known here. */
static double clip_weight(const ll_scorer *scorer)
{
    if (strcmp(scorer->clip, "auto") == 0) {
        int fp32 = strcmp(scorer->arithmetic, "fp32") == 0;
        int known = fp32 || strcmp(scorer->arithmetic, "fp64") == 0 || strcmp(scorer->arithmetic, "exact") == 0;
        return known ? (fp32 ? 23 : 52) * log(2) : (double)NAN;
    }
    double clip = strtod(scorer->clip, NULL);
    return scorer->clip_mode == LL_LOG_CLAMP ? clip : -log(clip);
}

/* -ln of the least number of a format, or INFINITY. */
static double range_weight(const ll_scorer *scorer)
{
    return strcmp(scorer->arithmetic, "fp64") == 0   ? 1074 * log(2)
           : strcmp(scorer->arithmetic, "fp32") == 0 ? 149 * log(2)
                                                     : (double)INFINITY;
}

/* The P-th root of a count of `rows`: N times what one row can change it by, at the bottom for P >= 1, else at the top.
 */
static double root_weight(const char *degree, double rows)
{
    double power = 1 / strtod(degree, NULL);
    return rows * fmax(1, pow(rows, power) - pow(rows - 1, power));
}

/* W: INFINITY where nothing bounds it but the range of large numbers, NAN where its size is not known here. */
static double largest_weight(const ll_scorer *scorer, long rows)
{
    if (scorer->transform == LL_ROOT)
        return (double)NAN;
    if (strcmp(scorer->loss, "accuracy") == 0)
        return 1;
    if (strncmp(scorer->loss, "lp:", 3) == 0)
        return root_weight(scorer->loss + 3, (double)rows);
    if (strcmp(scorer->loss, "squared") == 0)
        return scorer->classes > 2 ? 2 : 1;
    if (strcmp(scorer->loss, "log-loss") == 0)
        return scorer->clip_mode != LL_CLIP_NONE ? clip_weight(scorer) : range_weight(scorer);
    int unbounded = strcmp(scorer->loss, "sigmoid-ce") == 0 || strcmp(scorer->loss, "softmax-ce") == 0 ||
                    (strcmp(scorer->loss, "itakura-saito") == 0 && scorer->clip_mode == LL_CLIP_NONE);
    return unbounded ? (double)INFINITY : (double)NAN;
}

static int has_labels(const ll_plan_info *plan)
{
    return strcmp(plan->code, "detecting:labels") == 0;
}

/* The gap as a double, 0 where it is not known or no double holds it. Counts of two classes all have one parity, so
 * those that can be mistaken for each other are two apart. */
static double gap_of(const ll_verdict *verdict, const ll_plan_info *plan)
{
    double gap = verdict->gap ? strtod(verdict->gap, NULL) : 0;
    if (has_labels(plan) && plan->classes == 2)
        gap *= 2;
    return isfinite(gap) && gap > 0 ? gap : 0;
}

/* What one row can do; the same as a number, NAN where it is not known. */
static double write_reach(char *text, size_t size, const ll_scorer *scorer, long rows)
{
    double weight = largest_weight(scorer, rows), scale = scorer->transform == LL_PERCENT ? 100 : 1;
    if (isinf(weight)) {
        weight = -log(SAMPLE_CLIP);
        append(text, size,
               "Nothing clips this score, so new predictions can be made against %s noise: clip first. With a loss of "
               "at most %.1f a row (log-loss clipped at %g)",
               strcmp(scorer->arithmetic, "exact") == 0 ? "any bounded" : "far more", weight, SAMPLE_CLIP);
    } else {
        append(text, size, "Here");
    }
    if (!isfinite(weight) || weight <= 0) {
        append(text, size, " one row of %ld moves the score by at most D = W/%ld, W the largest weight of a row. ",
               rows, rows);
        return (double)NAN;
    }
    append(text, size, " one row of %ld moves the score by at most D = %.3g. ", rows, scale * weight / (double)rows);
    return scale * weight / (double)rows;
}

static void write_noise(char *text, size_t size, double reach)
{
    append(text, size, "Laplace noise of scale D/epsilon on every score%s", isnan(reach) ? "" : " (");
    if (!isnan(reach))
        append(text, size, "%.3g for epsilon = 0.1)", 10 * reach);
    append(text, size,
           " makes a query epsilon-label-differentially private; epsilons add up over queries, so limit "
           "those too. Bounded noise below D/2 hides nothing. ");
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
                             const ll_verdict *verdict)
{
    double gap = gap_of(verdict, plan);
    text[0] = '\0';
    if (verdict->kind == LL_NONE)
        append(text, size, "This reading got nothing, but only because the scorer was described wrongly. ");
    if (verdict->queries < plan->queries)
        append(text, size, "The limit of %ld queries kept the rest hidden: this plan asks %ld. ", verdict->queries,
               plan->queries);
    if (gap > 0)
        append(text, size, "Noise above %.3g a score, %s the gap, takes the proof away from these predictions. ",
               gap / 2, has_labels(plan) && plan->classes == 2 ? "as large as" : "half");
    write_noise(text, size, write_reach(text, size, scorer, plan->rows));
    write_decimals(text, size, gap, plan);
}

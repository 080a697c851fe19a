/* The defence as code. Noise is drawn in integers by the exact sampler of Canonne, Kamath and Steinke (2020), so that
 * no rounding of floats gives it away; tests/real/r-release.py runs what is printed here. */
#include "report/defence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char code[] =
    "from math import ceil\n"
    "from secrets import randbelow\n"
    "\n"
    "def chance(a, b):  # true with probability exp(-a/b), 0 <= a <= b, exactly\n"
    "    k = 1\n"
    "    while randbelow(b * k) < a:\n"
    "        k += 1\n"
    "    return k %% 2 == 1\n"
    "\n"
    "def laplace(scale):  # an integer n with probability proportional to exp(-|n|/scale), exactly\n"
    "    while True:\n"
    "        n, sign = randbelow(scale), randbelow(2)\n"
    "        if chance(n, scale):\n"
    "            while chance(1, 1):\n"
    "                n += scale\n"
    "            if n or sign:\n"
    "                return n if sign else -n\n"
    "\n"
    "def release(losses, most=%.4g, epsilon=%.3g, answers=%ld, decimals=%d):  # losses: %s\n"
    "    unit = 2**20  # the sum is one of integers: no order, no rounding tells anything\n"
    "    total = sum(round(unit * min(max(float(loss), 0.0), most)) for loss in losses)\n"
    "    total += laplace(ceil(answers * (unit * most + 1) / epsilon))\n"
    "    return round(%s, decimals)\n";

/* The steps of a transform, and what each multiplies noise by. */
static const struct {
    const char *name, *before, *after;
    double factor;
} steps[] = {
    {"negate", "-(", ")", 1},
    {"root", "max(", ", 0) ** 0.5", 1},
    {"percent", "100 * (", ")", 100},
};

static const ll_metric_info *find_metric(const char *name)
{
    size_t stem = strcspn(name, ":");
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        if (strcspn(info->name, ":") == stem && strncmp(name, info->name, stem) == 0)
            return info;
    }
    return NULL;
}

/* Whose `losses` these are: of a metric of labels x is whether the label is right. */
static const char *describe_losses(const char *name)
{
    const ll_metric_info *info = find_metric(name);
    if (info == NULL || strcmp(info->input, "label") != 0)
        return "of every row, as the metric computes it";
    return strcmp(info->when_one, "x") == 0 ? "1 for every row whose label is right, else 0"
                                            : "1 for every row whose label is wrong, else 0";
}

/* The mean, or the P-th root of a sum. */
static void write_number(char *text, size_t size, const char *name)
{
    const ll_metric_info *info = find_metric(name);
    if (info != NULL && strcmp(info->link, "mean") != 0)
        (void)snprintf(text, size, "max(total / unit, 0) ** (1 / %.40s)", name + strcspn(name, ":") + 1);
    else
        (void)snprintf(text, size, "total / (unit * len(losses))");
}

/* What is released of it, step by step; the factor of its noise. */
static double write_released(char *text, size_t size, const char *transform)
{
    double factor = 1;
    for (const char *at = transform; *at != '\0';
         at += at[strcspn(at, ",")] == ',' ? strcspn(at, ",") + 1 : strcspn(at, ","))
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            char inner[240];
            if (strlen(steps[i].name) != strcspn(at, ",") || strncmp(at, steps[i].name, strlen(steps[i].name)) != 0)
                continue;
            (void)snprintf(inner, sizeof inner, "%.200s", text);
            (void)snprintf(text, size, "%s%.200s%s", steps[i].before, inner, steps[i].after);
            factor *= steps[i].factor;
        }
    return factor;
}

void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long rows, const ll_audit_bound *bound)
{
    double clipped = -log(0.01);
    long limit = ll_scorer_get_count(scorer, "queries"), answers = limit > 0 ? limit : 100;
    /* The most that a row's loss may be: what its scorer gives it, where that is known and less. */
    double most = bound->reach < clipped ? bound->reach : clipped, epsilon = 1;
    const char *name = ll_scorer_get(scorer, "metric");
    const ll_metric_info *info = find_metric(name);
    char released[240];
    text[0] = '\0';
    if (info != NULL && info->formula != NULL) /* no sum of losses: noise on one is no defence of it */
        return;
    write_number(released, sizeof released, name);
    double factor = write_released(released, sizeof released, ll_scorer_get(scorer, "transform"));
    double noise = factor * (double)answers * most / (epsilon * (double)rows);
    int decimals = (int)fmax(0, fmin(9, ceil(-log10(noise)))); /* finer ones show noise only */
    (void)snprintf(text, size, code, most, epsilon, answers, decimals, describe_losses(name), released);
}

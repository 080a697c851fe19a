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

/* How the sum becomes what is released, as the transform says. */
static const struct {
    const char *released, *of_sum; /* of a mean; of the P-th root of a sum, its P to be filled in */
    double factor;                 /* of the noise */
} endings[] = {
    [LL_IDENTITY] = {"total / (unit * len(losses))", "max(total / unit, 0) ** (1 / %s)", 1},
    [LL_NEGATE] = {"-total / (unit * len(losses))", "-max(total / unit, 0) ** (1 / %s)", 1},
    [LL_ROOT] = {"max(total / (unit * len(losses)), 0) ** 0.5", "max(total / unit, 0) ** (0.5 / %s)", 1},
    [LL_PERCENT] = {"100 * total / (unit * len(losses))", "100 * max(total / unit, 0) ** (1 / %s)", 100},
};

/* Is the score that of a row's input, a label: what its `losses` are. */
static const char *describe_losses(const ll_scorer *scorer)
{
    for (long i = 0; i < ll_loss_count(); i++) {
        const ll_loss_info *info = ll_loss_get_info(i);
        size_t stem = strcspn(info->name, ":");
        if (strncmp(scorer->loss, info->name, stem) == 0 && strcspn(scorer->loss, ":") == stem &&
            strcmp(info->input, "label") == 0) /* x: is the label right? */
            return strcmp(info->when_one, "x") == 0 ? "1 for every row whose label is right, else 0"
                                                    : "1 for every row whose label is wrong, else 0";
    }
    return "of every row, as the metric computes it";
}

static void write_ending(char *text, size_t size, const ll_scorer *scorer)
{
    if (strncmp(scorer->loss, "lp:", 3) == 0)
        (void)snprintf(text, size, endings[scorer->transform].of_sum, scorer->loss + 3);
    else
        (void)snprintf(text, size, "%s", endings[scorer->transform].released);
}

void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long rows, const ll_audit_bound *bound)
{
    double clipped = -log(0.01);
    long answers = scorer->queries > 0 ? scorer->queries : 100;
    /* The most that a row's loss may be: what its scorer gives it, where that is known and less. */
    double most = bound->reach < clipped ? bound->reach : clipped, epsilon = 1;
    double noise = endings[scorer->transform].factor * (double)answers * most / (epsilon * (double)rows);
    char ending[120];
    write_ending(ending, sizeof ending, scorer);
    int decimals = (int)fmax(0, fmin(9, ceil(-log10(noise)))); /* finer ones show noise only */
    (void)snprintf(text, size, code, most, epsilon, answers, decimals, describe_losses(scorer), ending);
}

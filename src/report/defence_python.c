/* The defence as code. Noise is drawn in integers by the exact samplers of Canonne, Kamath and Steinke (2020), so that
 * no rounding of floats gives it away; tests/real/r-release.py runs what is printed here. The number is rounded to the
 * grid that noise is drawn on, which moves it by half a step: a label moves it by one step more. */
#include "report/defence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char samplers[] =
    "from math import ceil, isqrt\n"
    "from secrets import randbelow\n"
    "\n"
    "def chance(a, b):  # true with probability exp(-a/b), exactly\n"
    "    while a > b:\n"
    "        if not chance(b, b):\n"
    "            return False\n"
    "        a -= b\n"
    "    k = 1\n"
    "    while randbelow(b * k) < a:\n"
    "        k += 1\n"
    "    return k % 2 == 1\n"
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
    "def gaussian(variance):  # an integer n with probability proportional to exp(-n^2/(2 variance)), exactly\n"
    "    scale = isqrt(variance) + 1\n"
    "    while True:\n"
    "        n = laplace(scale)\n"
    "        if chance((abs(n) * scale - variance) ** 2, 2 * variance * scale**2):\n"
    "            return n\n"
    "\n";

static const char sum_code[] = "def release(losses, labels, %s=%.4g, decimals=%d):\n"
                               "    # losses[i][k]: %s\n"
                               "    unit = 2**40  # sums of integers: no order, no rounding tells anything\n"
                               "    table = [[round(unit * float(loss)) for loss in row] for row in losses]\n"
                               "    score = lambda total: %s\n"
                               "%s"
                               "    total = sum(row[label] for row, label in zip(table, labels))\n"
                               "    return round((round(unit * score(total)) + noise) / unit, decimals)\n";

/* Noise that follows the number of positives (docs/proofs/proportional.md). */
static const char area_code[] =
    "def release(predictions, labels, c=%.4g, decimals=%d):\n"
    "    # labels are 0 and 1, and there are both; a greater prediction says 1\n"
    "    unit, n, ones, order = 2**40, len(labels), sum(labels), sorted(predictions)\n"
    "    ranks = [bisect_left(order, x) + bisect_right(order, x) - n for x in predictions]  # midranks, twice, about "
    "their mean\n"
    "    pairs = lambda p: p * (n - p)\n"
    "    score = lambda area: %s\n"
    "    square = sum(r * r for r in ranks) / 4\n"
    "    fewest = min(pairs(p) for p in (ones - 1, ones + 1) if 0 < p < n)\n"
    "    moves = (square + min(n / 4, square / pairs(ones)) * max(0, (2 * ones - n) ** 2 - n)) ** 0.5 / fewest\n"
    "    moves = unit * abs(score(1) - score(0)) * moves + n**0.5  # of all labels, and of rounding to the unit\n"
    "    noise = gaussian(ceil(c * c / 4 * moves**2 * (1 + 1e-9)))\n"
    "    area = 0.5 + sum(r for r, label in zip(ranks, labels) if label) / (2 * pairs(ones))\n"
    "    return round((round(unit * score(area)) + noise) / unit, decimals)\n";

/* Noise that follows F1 itself. */
static const char overlap_code[] =
    "def release(said, labels, c=%.4g, decimals=%d):\n"
    "    # labels and what the submission says of each row are 0 and 1\n"
    "    unit, n, ones, guessed = 2**40, len(labels), sum(labels), sum(said)\n"
    "    hits = sum(1 for x, label in zip(said, labels) if x and label)\n"
    "    number = 2 * hits / (guessed + ones) if hits else 0\n"
    "    score = lambda number: %s\n"
    "    moves = (guessed * (2 - number) ** 2 + (n - guessed) * number**2) ** 0.5 / max(guessed + ones - 1, 1)\n"
    "    moves = unit * abs(score(1) - score(0)) * moves + n**0.5  # of all labels, and of rounding to the unit\n"
    "    noise = gaussian(ceil(c * c / 4 * moves**2 * (1 + 1e-9)))\n"
    "    return round((round(unit * score(number)) + noise) / unit, decimals)\n";

/* Laws of noise that there is code for: the name of their size, and how noise is drawn. A label moves a sum most where
 * the others make it least: a root is steepest there, and a mean is as steep everywhere. */
static const struct {
    const char *name, *size, *code;
} laws[] = {
    {"proportional", "c",
     "    low = sum(min(row) for row in table)  # where a label moves the score most\n"
     "    moves = [unit * abs(score(low + max(row) - min(row)) - score(low)) + 1 for row in table]\n"
     "    noise = gaussian(ceil(c * c / 4 * sum(x * x for x in moves) * (1 + 1e-9)))\n"},
    {"gaussian", "sigma", "    noise = gaussian(ceil((unit * sigma * (1 + 1e-5)) ** 2))\n"},
};

/* The steps of a transform. */
static const struct {
    const char *name, *before, *after;
} steps[] = {
    {"negate", "-(", ")"},
    {"root", "max(", ", 0) ** 0.5"},
    {"percent", "100 * (", ")"},
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

/* What the table holds: of a metric of labels x is whether the label is right. */
static const char *describe_losses(const ll_metric_info *info)
{
    if (strcmp(info->input, "label") != 0)
        return "of row i with label k, as the metric computes it";
    return strcmp(info->when_one, "x") == 0 ? "1 if k is what row i says, else 0" : "0 if k is what row i says, else 1";
}

/* "value" of a setting name=value; "" where it is not among them. */
static void find_value(char *text, size_t size, const char *settings, const char *name)
{
    size_t length = strlen(name);
    text[0] = '\0';
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            (void)snprintf(text, size, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
}

/* ", of predictions clipped to [0.05, 0.95]" where the release clips. */
static void write_losses(char *text, size_t size, const ll_metric_info *info, const char *settings)
{
    char clip[40], targets[8];
    find_value(clip, sizeof clip, settings, "clip");
    find_value(targets, sizeof targets, settings, "clip-targets");
    (void)snprintf(text, size, "%s", describe_losses(info));
    size_t used = strlen(text);
    if (clip[0] != '\0')
        (void)snprintf(text + used, size - used, ", of probabilities clipped to [%s, %.12g]", clip,
                       1 - strtod(clip, NULL));
    else if (targets[0] != '\0')
        (void)snprintf(text + used, size - used, ", of predictions clipped to the range of the targets");
}

/* The mean, or the P-th root of a sum. */
static void write_number(char *text, size_t size, const char *name)
{
    const ll_metric_info *info = find_metric(name);
    if (info != NULL && strcmp(info->link, "mean") != 0)
        (void)snprintf(text, size, "max(total / unit, 0) ** (1 / %.40s)", name + strcspn(name, ":") + 1);
    else
        (void)snprintf(text, size, "total / (unit * len(table))");
}

/* What is released of it, step by step. */
static void write_released(char *text, size_t size, const char *transform)
{
    for (const char *at = transform; *at != '\0';
         at += at[strcspn(at, ",")] == ',' ? strcspn(at, ",") + 1 : strcspn(at, ","))
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            char inner[240];
            if (strlen(steps[i].name) != strcspn(at, ",") || strncmp(at, steps[i].name, strlen(steps[i].name)) != 0)
                continue;
            (void)snprintf(inner, sizeof inner, "%.200s", text);
            (void)snprintf(text, size, "%s%.200s%s", steps[i].before, inner, steps[i].after);
        }
}

/* The law of the release and its size; -1 where there is no code for it. */
static int find_law(const ll_defence *defence, double *size)
{
    char noise[60] = "";
    if (defence != NULL)
        find_value(noise, sizeof noise, defence->settings, "noise");
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        size_t length = strlen(laws[i].name);
        *size =
            strncmp(noise, laws[i].name, length) == 0 && noise[length] == ':' ? strtod(noise + length + 1, NULL) : 0;
        if (*size > 0)
            return (int)i;
    }
    return -1;
}

/* Is the number a root of a sum, or the sum itself? A power above 1 is steepest at the top, not at the bottom. */
static int is_concave(const char *name, const ll_metric_info *info)
{
    return strcmp(info->link, "mean") == 0 || strtod(name + strcspn(name, ":") + 1, NULL) >= 1;
}

/* A number that fills its range, as AUC fills [0, 1]. */
static void write_area(char *text, size_t size, const ll_metric_info *info)
{
    char *end;
    double low = strtod(info->reach + strcspn(info->reach, "-0123456789"), &end);
    double high = strtod(end + strcspn(end, "-0123456789"), NULL);
    if (low == 0 && high == 1)
        (void)snprintf(text, size, "area");
    else
        (void)snprintf(text, size, "%g * area + %g", high - low, low);
}

/* Numbers that noise in proportion has code of their own for: of those that see ranks, only what is linear in AUC has
 * such noise. */
static const char *const areas[] = {"ranks"};

static int is_area(const ll_metric_info *info, int law)
{
    int found = 0;
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        found |= strcmp(info->link, areas[i]) == 0;
    return found && law == 0;
}

/* What noise in proportion is computed from; `number` names what is released before the steps of the transform. */
static void write_code(char *text, size_t size, const ll_defence *defence, const ll_metric_info *info, int law,
                       const char *name, const char *transform)
{
    double noise;
    char released[240], losses[160];
    int decimals = (int)fmax(0, fmin(9, ceil(-log10(defence->error)))); /* finer ones show noise only */
    (void)find_law(defence, &noise);
    if (defence->follows_labels)
        (void)snprintf(released, sizeof released, "number");
    else if (is_area(info, law))
        write_area(released, sizeof released, info);
    else
        write_number(released, sizeof released, name);
    write_released(released, sizeof released, transform);
    write_losses(losses, sizeof losses, info, defence->settings);
    if (defence->follows_labels)
        (void)snprintf(text, size, overlap_code, noise, decimals, released);
    else if (is_area(info, law))
        (void)snprintf(text, size, area_code, noise, decimals, released);
    else
        (void)snprintf(text, size, sum_code, laws[law].size, noise, decimals, losses, released, laws[law].code);
}

void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, const ll_defence *defence)
{
    double noise;
    int law = find_law(defence, &noise);
    text[0] = '\0';
    if (law < 0)
        return;
    char own[60];
    find_value(own, sizeof own, defence->settings, "metric"); /* probabilities in place of logits */
    const char *name = own[0] != '\0' ? own : ll_scorer_get(scorer, "metric");
    const ll_metric_info *info = find_metric(name);
    int is_sum = info != NULL && info->formula == NULL && is_concave(name, info);
    if (info == NULL || !(is_sum || is_area(info, law) || defence->follows_labels))
        return;
    size_t used = (size_t)snprintf(
        text, size, "%s%s", is_area(info, law) ? "from bisect import bisect_left, bisect_right\n" : "", samplers);
    write_code(text + used, size - used, defence, info, law, name, ll_scorer_get(scorer, "transform"));
}

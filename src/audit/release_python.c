/* Noise as code. It is drawn in integers by the exact samplers of Canonne, Kamath and Steinke (2020), so that
 * no rounding of floats gives it away; tests/real/r-release.py runs what is printed here, and r-release-hostile.py
 * attacks it. The number is rounded to the grid that noise is drawn on, which moves it by half a step: a label moves it
 * by one step more. Divisions are those of integers: a float would round a large sum by more than a label adds. */
#include "audit/python_text.h"
#include "audit/settings_text.h"
#include "number/text_number.h"
#include "release/transform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char samplers[] =
    "from math import ceil, floor, isqrt, log\n"
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

/* Everything that a submission holds becomes a plain number before the first label is looked at, so that no label
 * decides whether it is refused. */
static const char readers[] =
    "def take(values, count):  # all is read before any label: what is refused is refused whatever the labels are\n"
    "    values = list(values)\n"
    "    if len(values) != count:\n"
    "        raise ValueError(\"refused: the number of rows or columns is wrong\")\n"
    "    return values\n"
    "\n"
    "def numbers(values, count, least=-(2.0**99), most=2.0**99):\n"
    "    values = [float(x) for x in take(values, count)]\n"
    "    if not all(least <= x <= most for x in values):  # this refuses nan, too\n"
    "        raise ValueError(\"refused: a value is missing, not finite or out of range\")\n"
    "    return values\n"
    "\n"
    "def classes(values, count, most):\n"
    "    values = numbers(values, count, 0, most)\n"
    "    if not all(x == int(x) for x in values):\n"
    "        raise ValueError(\"refused: a class is a whole number\")\n"
    "    return [int(x) for x in values]\n"
    "\n"
    "def root(x):  # of a number in units of 2**-80\n"
    "    return isqrt(max(x, 0) * 2**80)\n"
    "\n";

/* A label moves a sum most where the others make it least: a root is steepest there, and a mean is as steep
 * everywhere. The two units are for the rounding of two numbers and of two roots. */
static const char sum_code[] =
    "def noisy(losses, labels, %s=%.4g, decimals=%d):\n"
    "    # losses[i][k]: %s\n"
    "    unit, n = 2**40, len(labels)  # integers: no order, no rounding of a sum tells anything\n"
    "    table = [[round(unit * x) for x in numbers(row, %ld)] for row in take(losses, n)]\n"
    "    labels = classes(labels, n, %ld)\n"
    "    score = lambda total: %s  # in units of 2**-80\n"
    "    low = max(sum(min(row) for row in table), 0)  # where a label moves the score most\n"
    "    moves = [abs(score(low + max(row) - min(row)) - score(low)) // unit + 2 for row in table]\n"
    "%s"
    "    total = sum(row[label] for row, label in zip(table, labels))\n"
    "    return round((score(total) // unit + noise) / unit, decimals)\n";

/* A number that is a function of how many rows are right, or wrong: all its values are known beforehand, and so is the
 * longest step between two that follow each other. */
static const char count_code[] =
    "def noisy(said, labels, %s=%.4g, decimals=%d):\n"
    "    # labels and what the submission says of each row are whole numbers from 0 to %ld\n"
    "    unit, n = 2**40, len(labels)\n"
    "    said, labels = classes(said, n, %ld), classes(labels, n, %ld)\n"
    "    score = lambda count: %s  # in units of 2**-80\n"
    "    released = [score(count) // unit for count in range(n + 1)]\n"
    "    moves = [max(abs(after - before) for before, after in zip(released, released[1:]))] * n\n"
    "%s"
    "    count = sum(x %s label for x, label in zip(said, labels))\n"
    "    return round((released[count] + noise) / unit, decimals)\n";

/* Noise that follows the number of positives (docs/proofs/proportional.md). */
static const char auc_code[] =
    "def noisy(predictions, labels, c=%.4g, decimals=%d):\n"
    "    # labels are 0 and 1, and there are both; a greater prediction says 1\n"
    "    unit, n = 2**40, len(labels)\n"
    "    predictions, labels = numbers(predictions, n), classes(labels, n, 1)\n"
    "    ones, order = sum(labels), sorted(predictions)\n"
    "    if not 0 < ones < n or n < 3:\n"
    "        raise ValueError(\"there is no AUC of one class, and no noise for fewer than three rows\")\n"
    "    ranks = [bisect_left(order, x) + bisect_right(order, x) - n for x in predictions]  # midranks, twice, about "
    "their mean\n"
    "    pairs = lambda p: p * (n - p)\n"
    "    score = lambda area: %s  # in units of 2**-80\n"
    "    square = sum(r * r for r in ranks) / 4\n"
    "    fewest = min(pairs(p) for p in (ones - 1, ones + 1) if 0 < p < n)\n"
    "    moves = (square + min(n / 4, square / pairs(ones)) * max(0, (2 * ones - n) ** 2 - n)) ** 0.5 / fewest\n"
    "    moves = abs(score(unit**2) - score(0)) // unit * moves + n**0.5  # of labels, and of rounding\n"
    "    noise = gaussian(ceil(c * c / 4 * moves**2 * (1 + 1e-9)))\n"
    "    area = unit**2 * (pairs(ones) + sum(r for r, label in zip(ranks, labels) if label)) // (2 * pairs(ones))\n"
    "    return round((score(area) // unit + noise) / unit, decimals)\n";

/* Noise that follows F1 itself. */
static const char f1_code[] =
    "def noisy(said, labels, c=%.4g, decimals=%d):\n"
    "    # labels and what the submission says of each row are 0 and 1\n"
    "    unit, n = 2**40, len(labels)\n"
    "    said, labels = classes(said, n, 1), classes(labels, n, 1)\n"
    "    ones, guessed, hits = sum(labels), sum(said), sum(x * label for x, label in zip(said, labels))\n"
    "    number = 2 * hits / max(guessed + ones, 1)\n"
    "    score = lambda number: %s  # in units of 2**-80\n"
    "    moves = (guessed * (2 - number) ** 2 + (n - guessed) * number**2) ** 0.5 / max(guessed + ones - 1, 1)\n"
    "    moves = abs(score(unit**2) - score(0)) // unit * moves + n**0.5  # of labels, and of rounding\n"
    "    noise = gaussian(ceil(c * c / 4 * moves**2 * (1 + 1e-9)))\n"
    "    return round((score(unit**2 * 2 * hits // max(guessed + ones, 1)) // unit + noise) / unit, decimals)\n";

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

/* ", of predictions clipped to [0.05, 0.95]" where the release clips. */
static void write_losses(char *text, size_t size, const char *settings)
{
    char clip[40], targets[8];
    ll_settings_get(clip, sizeof clip, settings, "clip");
    ll_settings_get(targets, sizeof targets, settings, "clip-targets");
    (void)ll_print(text, size, "of row i with label k, as the metric computes it");
    size_t used = strlen(text);
    if (clip[0] != '\0')
        (void)ll_print(text + used, size - used, ", of probabilities clipped to [%s, %.12g]", clip,
                       1 - ll_read_double(clip, NULL));
    else if (targets[0] != '\0')
        (void)ll_print(text + used, size - used, ", of predictions clipped to the range of the targets");
}

/* What is released of it, step by step. */
static void write_released(char *text, size_t size, const ll_release *release)
{
    for (int i = 0; i < release->step_count; i++) {
        const ll_transform *step = release->steps[i].row;
        char inner[240];
        (void)ll_print(inner, sizeof inner, "%.200s", text);
        (void)ll_print(text, size, "%s%.200s%s", step->python_before, inner, step->python_after);
    }
}

/* ---- the draft ---- */

/* What is to be printed. */
typedef struct {
    const ll_scorer *scorer;
    const ll_defence *defence;
    const ll_metric_info *info;
    const char *name; /* of the metric */
    char own[60];     /* the defence's, probabilities in place of logits; "": none */
    char clip[40];    /* the defence's, else the scorer's; "": none */
    int clips_targets;
    const ll_law *law; /* of its noise; NULL where there is no code for it */
    double size;       /* of the noise */
    int decimals;      /* finer ones show noise only */
    long classes;
} draft;

/* Is there code for every step of the release? */
static int has_steps(const ll_release *release)
{
    int has = 1;
    for (int i = 0; i < release->step_count; i++)
        has &= release->steps[i].row->python_before != NULL;
    return has;
}

static void find_law(draft *d)
{
    const char *noise = ll_scorer_get(d->scorer, "noise");
    const ll_law *law = ll_law_find(noise, strcspn(noise, ":"));
    d->size = law != NULL && law->python != NULL ? ll_read_double(noise + strcspn(noise, ":") + 1, NULL) : 0;
    d->law = d->size > 0 && has_steps(&d->scorer->release) ? law : NULL;
}

/* How noise is drawn; 0 where noise of one size is for no range that could be checked. */
static int write_law(char *text, size_t size, const draft *d)
{
    double most = d->law->of_spread == NULL ? d->defence->sensitivity : 0;
    (void)ll_print(text, size, d->law->python, most);
    return isfinite(most);
}

/* ---- forms ---- */

/* Is the number a root of a sum, or the sum itself? A power above 1 is steepest at the top, not at the bottom. */
static int is_concave(const draft *d)
{
    return strcmp(d->info->link, "mean") == 0 || ll_read_double(d->name + strcspn(d->name, ":") + 1, NULL) >= 1;
}

static int follows_f1(const draft *d)
{
    return d->defence->follows_labels;
}

static void write_f1(char *text, size_t size, const draft *d)
{
    char released[240] = "number";
    write_released(released, sizeof released, &d->scorer->release);
    (void)ll_print(text, size, f1_code, d->size, d->decimals, released);
}

/* Numbers that noise in proportion has code of their own for: of those that see ranks, only what is linear in AUC has
 * such noise. */
static const char *const areas[] = {"ranks"};

static int is_auc(const draft *d)
{
    int found = 0;
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        found |= strcmp(d->info->link, areas[i]) == 0;
    return found && d->law->of_spread != NULL;
}

/* A number that fills its range, as AUC fills [0, 1]. */
static void write_auc(char *text, size_t size, const draft *d)
{
    char *end, released[240] = "area";
    double low = ll_read_double(d->info->reach + strcspn(d->info->reach, "-0123456789"), &end);
    double high = ll_read_double(end + strcspn(end, "-0123456789"), NULL);
    if (low != 0 || high != 1)
        (void)ll_print(released, sizeof released, "%g * area + %g * unit**2", high - low, low);
    write_released(released, sizeof released, &d->scorer->release);
    (void)ll_print(text, size, auc_code, d->size, d->decimals, released);
}

static int is_count(const draft *d)
{
    return d->info->formula == NULL && strcmp(d->info->input, "label") == 0;
}

static void write_count(char *text, size_t size, const draft *d)
{
    char released[240] = "count * unit**2 // n", law[400];
    long most = d->classes - 1;
    if (strcmp(d->info->link, "mean") != 0)
        (void)ll_print(released, sizeof released, "floor(unit**2 * count ** (1 / %.40s))",
                       d->name + strcspn(d->name, ":") + 1);
    write_released(released, sizeof released, &d->scorer->release);
    if (write_law(law, sizeof law, d))
        (void)ll_print(text, size, count_code, d->law->size_word, d->size, d->decimals, most, most, most, released, law,
                       strcmp(d->info->when_one, "x") == 0 ? "==" : "!=");
}

static int is_sum(const draft *d)
{
    return d->info->formula == NULL && is_concave(d);
}

static void write_sum(char *text, size_t size, const draft *d)
{
    char released[240] = "total * unit // n", losses[160], law[400];
    write_released(released, sizeof released, &d->scorer->release);
    write_losses(losses, sizeof losses, d->defence->settings);
    if (write_law(law, sizeof law, d))
        (void)ll_print(text, size, sum_code, d->law->size_word, d->size, d->decimals, losses, d->classes,
                       d->classes - 1, released, law);
}

/* ---- what a metric of sums loses ---- */

/* The losses of one prediction p, with every class; "x" where its metric has a clip. */
static const struct {
    const char *metric, *losses, *of_two; /* of_two: of two classes, where that is something else */
    int of_targets;
} losses_of[] = {
    {"log-loss", "[-log(x) for x in p]", NULL, 0},
    {"squared", "[sum((x - (k == j)) ** 2 for j, x in enumerate(p)) for k in range(CLASSES)]", "[p[1] ** 2, p[0] ** 2]",
     0},
    {"mse", "[(x - p) ** 2 for x in TARGETS]", NULL, 1},
    {"rmse", "[(x - p) ** 2 for x in TARGETS]", NULL, 1},
    {"mae", "[abs(x - p) for x in TARGETS]", NULL, 1},
};

static const char *body_of(const draft *d, size_t i)
{
    return d->classes == 2 && losses_of[i].of_two != NULL ? losses_of[i].of_two : losses_of[i].losses;
}

/* "x" of probabilities, clipped where the release or the scorer clips. */
static void write_clipped(char *text, size_t size, const draft *d)
{
    double clip = ll_read_double(d->clip, NULL); /* "auto" is that of the float */
    clip = d->clip[0] != '\0' && !(clip > 0) && d->clip[0] == 'a' ? 0x1p-52 : clip;
    if (d->clip[0] != '\0' && clip > 0)
        ll_print_more(text, size, "    p = [min(max(x, %.12g), 1 - %.12g) for x in p]\n", clip, clip);
}

static void write_targets(char *text, size_t size, const draft *d)
{
    double low = 0, step = 1;
    const char *targets = ll_scorer_get(d->scorer, "targets");
    if (targets != NULL) {
        low = ll_read_double(targets, NULL);
        step = ll_read_double(strrchr(targets, ':') + 1, NULL);
    }
    ll_print_more(text, size,
                  "TARGETS = [%.12g + %.12g * k for k in range(%ld)]\n"
                  "\n"
                  "def losses(predictions):  # of each row, with every target that its label can be\n"
                  "    predictions = list(predictions)\n"
                  "    for p in numbers(predictions, len(predictions)):\n%s",
                  low, step, d->classes, d->clips_targets ? "        p = min(max(p, TARGETS[0]), TARGETS[-1])\n" : "");
}

/* "losses", which makes of predictions what "noisy" takes. */
static void write_losses_code(char *text, size_t size, const draft *d)
{
    size_t i = 0, count = sizeof losses_of / sizeof losses_of[0];
    while (i < count && strcmp(losses_of[i].metric, d->name) != 0)
        i++;
    if (i == count) {
        ll_print_more(
            text, size,
            "from your_metric import losses  # of predictions: a row for each, with its loss for every class\n");
    } else if (losses_of[i].of_targets) {
        write_targets(text, size, d);
        ll_print_more(text, size, "        yield %s\n", body_of(d, i));
    } else {
        ll_print_more(text, size,
                      "CLASSES = %ld\n"
                      "\n"
                      "def loss(p):  # of one row, with every class; one number is the probability of class 1\n"
                      "    p = numbers(p, CLASSES) if hasattr(p, \"__len__\") else (lambda x: [1 - x, x])(float(p))\n",
                      d->classes);
        write_clipped(text, size, d);
        ll_print_more(text, size,
                      "    return %s\n\ndef losses(predictions):\n    return [loss(p) for p in predictions]\n",
                      body_of(d, i));
    }
    ll_print_more(text, size, "\n");
}

static void write_no_losses(char *text, size_t size, const draft *d)
{
    (void)text, (void)size, (void)d;
}

/* The first that applies is printed. */
static const struct {
    int (*applies)(const draft *d);
    void (*write)(char *text, size_t size, const draft *d);
    const char *imports;
    void (*write_losses)(char *text, size_t size, const draft *d);
    const char *given; /* what "noisy" takes of predictions */
} forms[] = {
    {follows_f1, write_f1, "", write_no_losses, "predictions"},
    {is_auc, write_auc, "from bisect import bisect_left, bisect_right\n", write_no_losses, "predictions"},
    {is_count, write_count, "", write_no_losses, "predictions"},
    {is_sum, write_sum, "", write_losses_code, "losses(predictions)"},
};

/* Settings under which a number is no plain mean of all rows. */
static const char *const others[] = {"weights", "class-weights", "public"};

/* Is the answer one number, in which every row counts alike? */
static int is_plain(const ll_scorer *scorer)
{
    int found = ll_scorer_count_numbers(scorer) == 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        found &= ll_scorer_get(scorer, others[i]) == NULL;
    return found;
}

static void find_clip(draft *d)
{
    const char *own = ll_scorer_get(d->scorer, "clip"), *mode = ll_scorer_get(d->scorer, "clip-mode");
    ll_settings_get(d->clip, sizeof d->clip, d->defence->settings, "clip");
    if (d->clip[0] == '\0' && own != NULL && strcmp(mode, "none") != 0)
        (void)snprintf(d->clip, sizeof d->clip, "%s", own);
    d->clips_targets = ll_settings_find(d->defence->settings, "clip-targets") != NULL ||
                       strcmp(ll_scorer_get(d->scorer, "clip-targets"), "no") != 0;
}

static int begin_draft(draft *d)
{
    ll_settings_get(d->own, sizeof d->own, d->defence->settings, "metric");
    find_clip(d);
    d->name = d->own[0] != '\0' ? d->own : ll_scorer_get(d->scorer, "metric");
    d->info = find_metric(d->name);
    d->decimals = (int)fmax(0, fmin(9, ceil(-log10(d->defence->error))));
    find_law(d);
    return d->info != NULL && d->law != NULL;
}

static const char *explain_none(const draft *d)
{
    return ll_scorer_count_numbers(d->scorer) > 1
               ? "There is no Python for noise on several numbers: each of them needs noise of its own."
           : d->classes > LL_LISTED_CLASSES
               ? "There is no Python for noise on so many targets: it would compute the loss of each row with every one of them."
           : !is_plain(d->scorer) ? "There is no Python for noise on rows that count differently."
           : d->law == NULL
               ? "There is no Python for this noise: Gaussian noise for the same promise has it."
               : "There is no Python for noise on this metric: what a label moves has no short formula here.";
}

/* Labels are numbered from 0 on: numeric targets by their place on the grid. */
static void write_labels(char *text, size_t size, const draft *d)
{
    int is_numeric = ll_metric_takes_targets(d->scorer->computation.metric);
    ll_print_more(text, size, "%s",
                  is_numeric ? "    labels = [TARGETS.index(min(TARGETS, key=lambda x: abs(x - y))) for y in labels]\n"
                             : "");
}

int ll_python_write_noisy(char *text, size_t size, ll_python_draft *of)
{
    char code[LL_PYTHON_SIZE] = "";
    draft d = {.scorer = of->scorer, .defence = of->defence, .classes = of->classes};
    int is_drafted = is_plain(of->scorer) && d.classes <= LL_LISTED_CLASSES && begin_draft(&d);
    size_t i = 0, count = sizeof forms / sizeof forms[0];
    while (is_drafted && i < count && !forms[i].applies(&d))
        i++;
    if (is_drafted && i < count)
        forms[i].write(code, sizeof code, &d);
    of->why = code[0] == '\0' ? explain_none(&d) : NULL;
    if (of->why != NULL)
        return 0;
    ll_python_write_store(text, size, of);
    ll_print_more(text, size, "%s%s%s%s\n", forms[i].imports, samplers, readers, code);
    forms[i].write_losses(text, size, &d);
    ll_print_more(text, size,
                  "def release(labels, predictions, account, store=\"release.sqlite\"):\n"
                  "    # What is refused for its form is refused before any label is read, and is not counted.\n");
    write_labels(text, size, &d);
    ll_print_more(text, size,
                  "    score = noisy(%s, labels)\n"
                  "    answered(store, str(account))\n"
                  "    return score\n",
                  forms[i].given);
    return 1;
}

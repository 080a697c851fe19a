/* The search for descriptions: a first look in doubles tells which metric and which steps of a release are near every
 * number; what is left is compared by certified intervals, with every rounding, clip and arithmetic of the tables. */
#include "identify/number_fit.h"

#include "metric/metric.h"
#include "number/text_number.h"
#include "scorer/scorer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_SEEN = 6, FEWEST_DIFFERENT = 3, THRESHOLDS = 42 };
enum {
    SHORT = 12
}; /* what floats of 32 bits cost: their intervals are wide, so that a narrow one that fits says more, whatever its clip */

/* ---- tables ---- */

/* Metrics with a parameter, beside those of the table that have none. */
static const char *const with_parameter[] = {"fbeta:2",
                                             "fbeta:0.5",
                                             "top-k:2",
                                             "top-k:3",
                                             "top-k:5",
                                             "top-k:10",
                                             "top-k-first:2",
                                             "top-k-first:3",
                                             "top-k-first:5",
                                             "top-k-first:10",
                                             "ndcg:2",
                                             "ndcg:3",
                                             "ndcg:5",
                                             "ndcg:10",
                                             "map:2",
                                             "map:3",
                                             "map:5",
                                             "map:10",
                                             "map-first:2",
                                             "map-first:3",
                                             "map-first:4",
                                             "map-first:5",
                                             "map-first:10",
                                             "ndcg-first:2",
                                             "ndcg-first:3",
                                             "ndcg-first:5",
                                             "ndcg-first:10",
                                             "quantile:0.1",
                                             "quantile:0.25",
                                             "quantile:0.5",
                                             "quantile:0.75",
                                             "quantile:0.9",
                                             "quantile:0.95",
                                             "huber:1",
                                             "huber:1.35",
                                             "huber:0.5",
                                             "class-precision:0",
                                             "class-recall:0",
                                             "class-f1:0",
                                             "class-precision:1",
                                             "class-recall:1",
                                             "class-f1:1",
                                             "class-precision:2",
                                             "class-recall:2",
                                             "class-f1:2",
                                             "support:0",
                                             "support:1",
                                             "support:2",
                                             "cell:0",
                                             "cell:1",
                                             "cell:2",
                                             "cell:3",
                                             "cell:4",
                                             "cell:5",
                                             "cell:6",
                                             "cell:7",
                                             "cell:8",
                                             "norm:3"};

/* Steps of a release: value = factor * (the metric or its root) [* rows] + summand. */
static const struct {
    const char *setting;
    double factor, summand;
    int is_root, times_rows, cost;
} steps[] = {
    {"", 1, 0, 0, 0, 0},
    {" transform=percent", 100, 0, 0, 0, 1},
    {" transform=negate", -1, 0, 0, 0, 1},
    {" transform=root", 1, 0, 1, 0, 1},
    {" transform=scale:", 1, 0, 0, 1, 2},
    {" transform=negate,offset:1", -1, 1, 0, 0, 2},
    {" transform=negate,percent", -100, 0, 0, 0, 2},
    {" transform=root,negate", -1, 0, 1, 0, 2},
    {" transform=root,percent", 100, 0, 1, 0, 3},
    {" transform=negate,scale:", -1, 0, 0, 1, 3},
    {" transform=negate,offset:1,percent", -100, 100, 0, 0, 3},
    {" transform=scale:1000", 1000, 0, 0, 0, 3},
    {" transform=scale:10", 10, 0, 0, 0, 3},
    {" transform=scale:2", 2, 0, 0, 0, 3},
    {" transform=scale:0.5", 0.5, 0, 0, 0, 3},
};

enum { STEPS = sizeof steps / sizeof *steps };

static const char *const arithmetics[] = {
    " arithmetic=fp64 sum=pairwise", " arithmetic=fp64 sum=naive", " arithmetic=fp32 sum=cascade sum-arithmetic=same",
    " arithmetic=fp32 sum=naive sum-arithmetic=fp64", " arithmetic=fp32 sum=naive sum-arithmetic=same"};

/* What else decides the number, by what the metric reads. */
static const struct {
    int (*applies)(const ll_metric *metric);
    const char *settings;
    int cost;
} rules[] = {
    {ll_metric_reads_probabilities, " clip=none", 0},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-15", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0x1p-52", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-16", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-12", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-10", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-9", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-8", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-7", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0x1p-23", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-6", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-5", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-4", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=1e-3", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.005", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.01", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.02", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.025", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.05", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip clip=0.1", 1},
    {ll_metric_reads_probabilities, " clip-mode=clip-renormalise clip=1e-15", 2},
    {ll_metric_reads_probabilities, " clip-mode=clip-renormalise clip=0x1p-52", 2},
    {ll_metric_reads_probabilities, " clip-mode=clip-renormalise clip=1e-7", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-clamp clip=100", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-16", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-15", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-12", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-10", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-9", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-8", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-7", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-6", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-5", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-4", 2},
    {ll_metric_reads_probabilities, " clip-mode=floor clip=1e-3", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-15", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-12", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-10", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-9", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-8", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-7", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-plus clip=1e-6", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-15", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=0x1p-52", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-12", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-10", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-9", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-8", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-7", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-6", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-5", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-4", 2},
    {ll_metric_reads_probabilities, " clip-mode=log-shift clip=1e-3", 2},
    {ll_metric_reads_labels, "", 0},
    {ll_metric_reads_labels, " zero-division=1", 1},
    {ll_metric_reads_labels, " zero-division=raise", 1},
    {ll_metric_is_free, "", 0},
    {ll_metric_is_free, " undefined=fails", 1},
    {ll_metric_is_free, " undefined=0", 1},
    {ll_metric_is_free, " clip-targets=yes", 1},
};

enum { RULES = sizeof rules / sizeof *rules };

static const struct {
    const char *name, *more; /* NULL: not rounded */
    int in_digits;
} roundings[] = {{NULL, "", 0},
                 {"decimals", "", 0},
                 {"digits", "", 1},
                 {"decimals", " truncate=yes", 0},
                 {"digits", " truncate=yes", 1}};

enum { ROUNDINGS = sizeof roundings / sizeof *roundings, ARITHMETICS = sizeof arithmetics / sizeof *arithmetics };

/* ---- the search ---- */

typedef struct {
    const ll_fit_case *c;
    ll_fit *fits;
    long count, rows; /* rows: that count */
    ll_score score;
    int no_memory;
} search;

typedef struct {
    const char *name;
    const ll_metric *metric;
    ll_reading reading;
    long reading_index; /* -1: entries are handed on as they are */
} candidate;

static double step_value(int step, double value, long rows)
{
    double number = steps[step].is_root ? sqrt(value) : value;
    return steps[step].factor * number * (steps[step].times_rows ? (double)rows : 1) + steps[step].summand;
}

static double near_enough(const search *s, const ll_seen *seen)
{
    return 1.01 * seen->unit + 4e-6 * (1 + fabs(seen->value)) + 5 * s->c->noise;
}

/* Numbers beyond [0,1] that are read as probabilities, or as classes by a threshold: what the program makes of them is
 * its own. */
static int is_beyond(const candidate *m, const ll_seen *seen)
{
    return seen->probe->input == LL_SENT_NUMBER && (m->reading_index >= 0 || ll_metric_reads_probabilities(m->metric));
}

/* Which steps bring the metric near every plain number? A bit per step. */
static unsigned look(search *s, const candidate *m, const ll_scorer *scorer)
{
    unsigned left = (1U << STEPS) - 1;
    for (long i = 0; i < s->c->count && left != 0; i++) {
        const ll_seen *seen = &s->c->seen[i];
        if (seen->probe->kind != LL_PROBE_PLAIN || seen->text == NULL ||
            (seen->probe->run.is_class && ll_metric_reads_probabilities(m->metric)))
            continue; /* classes are probabilities of 0 and 1, where a clip decides */
        int scored = ll_fit_score(&s->score, s->c, scorer, &m->reading, seen->probe);
        s->no_memory |= scored < 0;
        double value = scored == 1 ? ll_read_double(s->score.text, NULL) : (double)NAN;
        if (is_beyond(m, seen) && (scored == 0 || m->reading_index >= 0))
            continue;
        for (int step = 0; step < (int)STEPS; step++)
            if (!(fabs(step_value(step, value, s->rows) - seen->value) <= near_enough(s, seen)))
                left &= ~(1U << step);
    }
    return left;
}

/* ---- certified ---- */

static int holds(const search *s, const ll_seen *seen)
{
    double lower = ll_read_double(s->score.lower, NULL), upper = ll_read_double(s->score.upper, NULL);
    return seen->value >= lower && seen->value <= upper;
}

/* Does the description explain every run? *compared counts the numbers. */
static int explains(search *s, const candidate *m, const ll_scorer *scorer, long *compared)
{
    *compared = 0;
    for (long i = 0; i < s->c->count; i++) {
        const ll_seen *seen = &s->c->seen[i];
        if (is_beyond(m, seen) && m->reading_index >= 0)
            continue;
        int scored = ll_fit_score(&s->score, s->c, scorer, &m->reading, seen->probe);
        s->no_memory |= scored < 0;
        if (scored < 0 || (scored == 0 && seen->text != NULL && seen->probe->input != LL_SENT_NUMBER))
            return 0;
        if (scored == 1 && seen->text == NULL && seen->probe->kind != LL_PROBE_EXTREME)
            return 0;
        if (scored == 1 && seen->text != NULL && !holds(s, seen))
            return 0;
        *compared += scored == 1 && seen->text != NULL;
    }
    return *compared >= FEWEST_SEEN;
}

static void say_reading(ll_fit *fit, const candidate *m)
{
    fit->reading[0] = '\0';
    fit->read = m->reading;
    if (m->reading_index >= 0)
        (void)ll_print(fit->reading, sizeof fit->reading, "class 1 is read where a prediction is %s %g",
                       m->reading.is_from ? "at least" : "above", m->reading.threshold);
}

static int is_less(const ll_fit *a, const ll_fit *b)
{
    return a->cost < b->cost;
}

/* Keep the plainest ones; of one metric and reading, the first of a cost stands for those that are no plainer. */
static void keep(search *s, const ll_fit *fit)
{
    long at = s->count;
    while (at > 0 && is_less(fit, &s->fits[at - 1]))
        at--;
    if (at >= LL_FITS)
        return;
    long last = s->count < LL_FITS ? s->count : LL_FITS - 1;
    memmove(&s->fits[at + 1], &s->fits[at], sizeof *s->fits * (size_t)(last - at));
    s->fits[at] = *fit;
    s->count = last + 1;
}

static int write_settings(char *text, size_t size, const search *s, const char *metric, const char *more, int step,
                          int rounding)
{
    char release[64] = "", rows[24] = "";
    long places = roundings[rounding].in_digits ? s->c->digits : s->c->decimals;
    if (roundings[rounding].name != NULL && (s->c->digits > 14 || places < roundings[rounding].in_digits))
        return 0;
    if (roundings[rounding].name != NULL)
        (void)snprintf(release, sizeof release, " %s=%ld%s", roundings[rounding].name, places,
                       roundings[rounding].more);
    if (steps[step].times_rows)
        (void)snprintf(rows, sizeof rows, "%ld", s->rows);
    return snprintf(text, size, "metric=%s%s%s%s%s", metric, more, steps[step].setting, rows, release) < (int)size;
}

static int try_one(search *s, const candidate *m, const char *more, int step, int rounding, int cost)
{
    ll_fit fit = {.cost = cost};
    if (!write_settings(fit.settings, sizeof fit.settings, s, m->name, more, step, rounding))
        return 0;
    ll_scorer *scorer = ll_fit_scorer(s->c->task, fit.settings);
    int fits = scorer != NULL && explains(s, m, scorer, &fit.compared);
    ll_scorer_destroy(scorer);
    if (!fits)
        return 0;
    (void)snprintf(fit.metric, sizeof fit.metric, "%s", m->name);
    say_reading(&fit, m);
    keep(s, &fit);
    return 1;
}

/* Does every run send classes? Then no clip shows, and a metric of classes is the plainer one. */
static int are_classes(const search *s)
{
    for (long i = 0; i < s->c->count; i++)
        if (!s->c->seen[i].probe->run.is_class)
            return 0;
    return 1;
}

/* Two classes in one column: attacks have to send one, too. */
static const char *columns_of(const search *s, const candidate *m)
{
    int is_one = s->c->task->classes == 2 && s->c->seen[0].probe->run.columns == 1;
    return is_one && ll_metric_reads_probabilities(m->metric) ? " columns=1" : "";
}

/* One rounding with every arithmetic: the first that fits stands for the others; -1: none does. Floats of 32 bits have
 * eight digits, so that fewer were rounded: their intervals would hold them. */
static int try_arithmetics(search *s, const candidate *m, int rule, int step, int rounding, int cost)
{
    char more[160];
    for (int a = 0; a < (int)ARITHMETICS; a++) {
        int is_short = a > 1;
        if (is_short && roundings[rounding].name == NULL && s->c->digits < 8)
            continue;
        (void)snprintf(more, sizeof more, "%s%s%s", rules[rule].settings, columns_of(s, m), arithmetics[a]);
        if (try_one(s, m, more, step, rounding, cost + SHORT * is_short))
            return a;
    }
    return -1;
}

/* Every rounding of one rule. */
static int try_roundings(search *s, const candidate *m, int rule, int step, int cost)
{
    int fits = 0;
    for (int rounding = 0; rounding < (int)ROUNDINGS; rounding++) {
        int arithmetic = try_arithmetics(s, m, rule, step, rounding, cost + rounding);
        fits |= arithmetic >= 0;
        if (rounding == 0 && (arithmetic == 0 || arithmetic == 1))
            break; /* all its digits: no rounding is needed */
    }
    return fits;
}

/* Every clip, rounding and arithmetic of the tables. Where no clip is needed none is tried. */
static void certify(search *s, const candidate *m, int step)
{
    int only_classes = are_classes(s), is_other = only_classes && !ll_metric_reads_labels(m->metric);
    int is_also_accuracy = strstr(ll_metric_row(m->metric)->summary, ": accuracy") !=
                           NULL; /* but for its rounding errors: that is the plainer name */
    for (int rule = 0; rule < (int)RULES; rule++) {
        if (!rules[rule].applies(m->metric) || (is_other && rules[rule].cost > 0))
            continue;
        int fits = try_roundings(s, m, rule, step,
                                 16 * steps[step].cost + 4 * (rules[rule].cost + is_other) + 2 * is_also_accuracy);
        if (fits && rules[rule].cost == 0 && ll_metric_reads_probabilities(m->metric))
            return;
    }
}

/* ---- under noise: the mean square of what is left over ---- */

static double misfit(search *s, const candidate *m, const ll_scorer *scorer, int step)
{
    double sum = 0;
    long count = 0;
    for (long i = 0; i < s->c->count; i++) {
        const ll_seen *seen = &s->c->seen[i];
        if (seen->probe->kind != LL_PROBE_PLAIN || seen->text == NULL ||
            ll_fit_score(&s->score, s->c, scorer, &m->reading, seen->probe) != 1)
            continue;
        double left = (step_value(step, ll_read_double(s->score.text, NULL), s->rows) - seen->value) / s->c->noise;
        sum += left * left;
        count++;
    }
    return count >= FEWEST_SEEN ? sum / (double)count : INFINITY;
}

/* 95 of 100 right descriptions lie below: chi-square of some 30 numbers over their count. */
#define MOST_MISFIT 1.7

/* The same of a number that is always the same: no description is needed where that does. */
static double misfit_of_none(const search *s)
{
    double sum = 0, squares = 0;
    long count = 0;
    for (long i = 0; i < s->c->count; i++) {
        const ll_seen *seen = &s->c->seen[i];
        if (seen->probe->kind != LL_PROBE_PLAIN || seen->text == NULL)
            continue;
        sum += seen->value / s->c->noise;
        squares += seen->value / s->c->noise * (seen->value / s->c->noise);
        count++;
    }
    return count > 1 ? (squares - sum * sum / (double)count) / (double)(count - 1) : 0;
}

static void try_noisy(search *s, const candidate *m, const ll_scorer *scorer, int step)
{
    if (misfit_of_none(s) < 2 * MOST_MISFIT)
        return;
    ll_fit fit = {.cost = 16 * steps[step].cost, .misfit = misfit(s, m, scorer, step), .compared = s->c->count};
    if (!(fit.misfit <= MOST_MISFIT) ||
        !write_settings(fit.settings, sizeof fit.settings, s, m->name, arithmetics[0], step, 0))
        return;
    fit.cost += (int)(8 * fit.misfit);
    (void)snprintf(fit.metric, sizeof fit.metric, "%s", m->name);
    say_reading(&fit, m);
    keep(s, &fit);
}

/* ---- every candidate ---- */

static void try_reading(search *s, const candidate *m, const ll_scorer *scorer)
{
    unsigned left = look(s, m, scorer);
    for (int step = 0; step < (int)STEPS; step++) {
        if (!(left & (1U << step)))
            continue;
        if (s->c->noise > 0)
            try_noisy(s, m, scorer, step);
        else
            certify(s, m, step);
    }
}

/* Do entries have to be turned into classes by a threshold? */
static int needs_threshold(const search *s, const ll_metric *metric)
{
    for (long i = 0; i < s->c->count; i++) {
        const ll_run *run = &s->c->seen[i].probe->run;
        if (!run->is_class && run->columns == 1)
            return ll_metric_reads_labels(metric);
    }
    return 0;
}

static void try_metric(search *s, const char *name)
{
    char settings[80];
    (void)snprintf(settings, sizeof settings, "metric=%s arithmetic=fp64", name);
    ll_scorer *scorer = ll_fit_scorer(s->c->task, settings);
    if (scorer != NULL && ll_scorer_count_numbers(scorer) == 1) {
        candidate m = {
            .name = name, .metric = scorer->computation.metric, .reading = {.threshold = 0.5}, .reading_index = -1};
        int readings = needs_threshold(s, m.metric) ? THRESHOLDS : 1;
        for (int i = 0; i < readings && !s->no_memory; i++) {
            if (readings > 1)
                m.reading = (ll_reading){.threshold = ((i / 2 + 10) % 21) / 20.0, .is_from = i % 2};
            m.reading_index = readings > 1 ? i : -1;
            try_reading(s, &m, scorer);
        }
    }
    ll_scorer_destroy(scorer);
}

static int is_telling(const ll_fit_case *c)
{
    double kinds[FEWEST_DIFFERENT];
    long numbers = 0, different = 0;
    for (long i = 0; i < c->count; i++) {
        int is_new = c->seen[i].text != NULL;
        numbers += is_new;
        for (long j = 0; j < different && is_new; j++)
            is_new = kinds[j] != c->seen[i].value;
        if (is_new && different < FEWEST_DIFFERENT)
            kinds[different++] = c->seen[i].value;
    }
    return numbers >= FEWEST_SEEN && different == FEWEST_DIFFERENT;
}

/* ---- profiles ---- */

static void find_profile(search *s, ll_fit *fit)
{
    char settings[320];
    const char *release = strstr(fit->settings, " transform=");
    candidate m = {.name = fit->metric, .reading = fit->read};
    for (long i = 0; i < ll_profile_count() && fit->profile[0] == '\0'; i++) {
        const char *name = ll_profile_get_info(i)->name;
        long compared;
        if (release == NULL)
            release = strstr(fit->settings, " decimals=") ? strstr(fit->settings, " decimals=")
                                                          : strstr(fit->settings, " digits=");
        (void)snprintf(settings, sizeof settings, "scorer=%s%s", name, release != NULL ? release : "");
        ll_scorer *scorer = ll_fit_scorer(s->c->task, settings);
        m.metric = scorer != NULL ? scorer->computation.metric : NULL;
        if (scorer != NULL && strcmp(ll_scorer_get(scorer, "metric"), fit->metric) == 0 &&
            explains(s, &m, scorer, &compared))
            (void)snprintf(fit->profile, sizeof fit->profile, "%s", name);
        ll_scorer_destroy(scorer);
    }
}

static void try_all(search *s)
{
    if (s->c->hint != NULL)
        try_metric(s, s->c->hint);
    for (long i = 0; i < ll_metric_count() && !s->no_memory; i++)
        if (strchr(ll_metric_get_info(i)->name, ':') == NULL)
            try_metric(s, ll_metric_get_info(i)->name);
    for (size_t i = 0; i < sizeof with_parameter / sizeof *with_parameter && !s->no_memory; i++)
        try_metric(s, with_parameter[i]);
}

ll_status ll_fit_find(ll_fit *fits, long *count, const ll_fit_case *c, ll_error *error)
{
    search s = {.c = c, .fits = fits, .rows = c->task->rows};
    *count = 0;
    for (long i = 0; c->is_scored != NULL && i < c->task->rows; i++)
        s.rows -= !c->is_scored[i];
    if (!is_telling(c))
        return LL_OK;
    ll_score_init(&s.score);
    try_all(&s);
    for (long i = 0; i < s.count && c->noise == 0; i++)
        find_profile(&s, &fits[i]);
    ll_score_clear(&s.score);
    *count = s.count;
    return s.no_memory ? ll_fail(error, LL_MEMORY, "no memory to compare descriptions") : LL_OK;
}

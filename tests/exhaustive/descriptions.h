/* Random descriptions of scorers, for the audits of x-all-clear: any of the table, and those whose predictions nothing
 * bounds; with several numbers per answer, scores of groups, class counts that are known, a prior. */
#ifndef LL_TESTS_DESCRIPTIONS_H
#define LL_TESTS_DESCRIPTIONS_H

#include "../unit/curator_tools.h"
#include "far_attack.h"
#include "worlds.h"

#include <math.h>

enum { MOST_ROWS = 300 };

/* How one number is shown. */
typedef struct {
    char noise[WORLD_NAME]; /* "": none */
    long decimals, digits;  /* -1, 0: all of them */
} shown_as;

/* What descriptions are counted by. */
enum { KIND_SEVERAL, KIND_GROUPS, KIND_TOLD, KIND_PRIOR, KINDS };
static const char *const kind_names[] = {"several numbers", "groups", "told counts", "priors"};

typedef struct {
    char text[3000], plain[3000]; /* plain: the same without noise and rounding */
    ll_scorer *scorer;
    shown_as first, also; /* of a second number, where there is one */
    int kinds;            /* bits: 1 << KIND_SEVERAL, ... */
    int is_careful;
    long group[MOST_ROWS];
    const char *input;
    long rows, classes, queries;
    double prior[4], low, high;
    long counts[4]; /* told, where has_counts */
    int has_counts;
    int has_prior, is_random, has_ladder, has_clip;
} description;

__attribute__((format(printf, 2, 3))) static inline void append_shown(description *d, const char *format, ...)
{
    size_t used = strlen(d->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(d->text + used, sizeof d->text - used, format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static inline void append(description *d, const char *format, ...)
{
    size_t used = strlen(d->plain), before = strlen(d->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(d->plain + used, sizeof d->plain - used, format, arguments);
    va_end(arguments);
    (void)snprintf(d->text + before, sizeof d->text - before, "%s", d->plain + used);
}

static inline void set_metric(description *d, const ll_metric_info *info)
{
    const char *end = strchr(info->name, ':');
    d->input = info->input;
    if (strncmp(info->name, "bregman", 7) == 0)
        append(d, "metric=bregman:x^3 + x^2");
    else if (end)
        append(d, "metric=%.*s:%s", (int)(end - info->name), info->name, below(2) ? "1" : below(2) ? "0.5" : "3.5");
    else
        append(d, "metric=%s", info->name);
    d->classes = strcmp(info->classes, "2") == 0 || below(3) ? 2 : 2 + below(3);
    d->has_clip = strcmp(info->input, "probability") == 0 && below(2);
    if (d->has_clip)
        append(d, "; clip=%s; clip-mode=clip", below(2) ? "0.01" : "1e-6");
}

/* Of a host who means to be safe a random law, and more of it. */
static inline void draw_noise(description *d, shown_as *shown, double size)
{
    static world_list laws;
    long law = 0;
    if (laws.count == 0)
        laws = list_laws();
    do
        law = below(laws.count);
    while (d->is_careful && strncmp(laws.names[law], "bounded", strlen("bounded")) == 0);
    world_noise(shown->noise, sizeof shown->noise, laws.names[law], size * (d->is_careful ? 30 : 1));
    d->is_random |= strncmp(shown->noise, "bounded", strlen("bounded")) != 0;
}

static inline void set_release(description *d)
{
    static world_list transforms;
    int kind = (int)below(8);
    d->is_careful = below(3) == 0;
    if (transforms.count == 0)
        transforms = list_transforms();
    append(d, "; transform=%s", transforms.names[below(2) ? 0 : below(transforms.count)]);
    d->first.decimals = kind < 3 ? below(5) : -1;
    d->first.digits = kind == 3 ? 1 + below(4) : 0;
    d->has_ladder = kind == 4;
    if (kind < 3)
        append_shown(d, "; decimals=%ld", d->first.decimals);
    if (kind == 3)
        append_shown(d, "; digits=%ld", d->first.digits);
    if (d->has_ladder)
        append(d, "; release=ladder:%.3g%s", pow(10, -3 * uniform()), below(2) ? "; start=none" : "");
    else if (kind > 4 || d->is_careful || below(3) == 0) {
        draw_noise(d, &d->first, pow(10, 2 - 5 * uniform()));
        append_shown(d, "; noise=%s", d->first.noise);
    }
}

/* A second number, of any metric, with a release and, where it reads classes, a threshold of its own. */
static inline void set_also(description *d)
{
    static world_list metrics;
    static const char *const thresholds[] = {"", "", ",threshold=above:0.5", ",threshold=from:0.2"};
    const char *threshold = thresholds[below(strcmp(d->input, "probability") == 0 && d->classes == 2 ? 4 : 1)];
    if (metrics.count == 0)
        metrics = list_metrics();
    d->also = (shown_as){"none", -1, 0};
    if (d->is_careful || below(3) > 0)
        draw_noise(d, &d->also, pow(10, (strcmp(d->input, "number") == 0 ? 5 : 2) - 5 * uniform()));
    d->also.decimals = below(2) ? below(4) : -1;
    append(d, "; also=%s", below(3) ? metrics.names[below(metrics.count)] : below(2) ? "accuracy" : "f1");
    append_shown(d, ":noise=%s", d->also.noise);
    if (d->also.decimals >= 0)
        append_shown(d, ",decimals=%ld", d->also.decimals);
    else
        append_shown(d, ",decimals=none");
    append_shown(d, "%s", threshold);
    size_t used = strlen(d->plain);
    if (threshold[0] != '\0')
        (void)snprintf(d->plain + used, sizeof d->plain - used, ":%s", threshold + 1);
    if (strcmp(d->also.noise, "none") == 0)
        d->also.noise[0] = '\0';
}

/* Runs of rows, of up to four groups. */
static inline void set_groups(description *d)
{
    long groups = 1 + below(d->rows < 4 ? d->rows : 4), run;
    for (long i = 0; i < d->rows; i += run) {
        long g = below(groups);
        run = 1 + below(1 + d->rows / 4);
        run = run < d->rows - i ? run : d->rows - i;
        append(d, "%s%c*%ld", i == 0 ? "; groups=" : ",", (char)('a' + g), run);
        for (long j = i; j < i + run; j++)
            d->group[j] = g;
    }
}

static inline void set_prior(description *d)
{
    double sum = 0;
    d->has_prior = 1;
    for (long k = 0; k < d->classes; k++)
        sum += d->prior[k] = 0.1 + uniform();
    for (long k = 0; k < d->classes; k++)
        append(d, "%s%.17g", k == 0 ? "; prior=" : ",", d->prior[k] /= sum);
}

/* Any metric; planning for logits takes seconds. */
static inline const ll_metric_info *any_metric(void)
{
    const ll_metric_info *info = ll_metric_get_info(below(ll_metric_count()));
    for (int again = 0; again < 3 && strcmp(info->input, "logit") == 0; again++)
        info = ll_metric_get_info(below(ll_metric_count()));
    return info;
}

static inline void make(description *d, const ll_metric_info *info)
{
    memset(d, 0, sizeof *d);
    d->high = 1;
    set_metric(d, info);
    set_release(d);
    d->rows = 1 + below(below(2) ? 12 : getenv("LL_TEST_LONG") ? MOST_ROWS : MOST_ROWS / 5);
    d->queries = 1 + below(below(2) ? 4 : 60);
    append(d, "; arithmetic=%s; rows=%ld; classes=%ld; queries=%ld", below(4) || d->rows > 40 ? "fp64" : "exact",
           d->rows, d->classes, d->queries);
}

/* Class counts, told to everybody. */
static inline void set_counts(description *d)
{
    d->has_counts = 1;
    for (long i = 0; i < d->rows; i++)
        d->counts[i == 0 && below(8) ? 1 : below(3) ? 0 : below(d->classes)]++;
    for (long k = 0; k < d->classes; k++)
        append(d, "%s%ld", k == 0 ? "; counts=" : ",", d->counts[k]);
}

/* Which kinds the next description has: bits. */
static inline int draw_kinds(void)
{
    long several = below(8);
    int kinds = several < 3 ? 1 << KIND_SEVERAL : several < 6 ? 1 << KIND_GROUPS : 0;
    kinds |= (below(3) == 0) << KIND_TOLD;
    return kinds | (below(3) == 0) << KIND_PRIOR;
}

static inline void set_kinds(description *d, int kinds)
{
    static void (*const set[KINDS])(description * d) = {set_also, set_groups, set_counts, set_prior};
    d->kinds = kinds;
    for (int k = 0; k < KINDS; k++)
        if (kinds & 1 << k)
            set[k](d);
}

/* Any description of the kinds that are drawn; 0: none of some that were drawn is a scorer. */
static inline int draw_described(description *d)
{
    int kinds = draw_kinds();
    for (int again = 0; again < 40; again++) {
        ll_error error = {0};
        make(d, any_metric());
        set_kinds(d, kinds);
        if (try_scorer_text(&d->scorer, d->text, &error) == LL_OK)
            return 1;
    }
    return 0;
}

static inline int32_t draw_label(const description *d)
{
    double at = uniform(), each = 1 / (double)d->classes;
    long k = 0;
    for (; k < d->classes - 1 && at >= (d->has_prior ? d->prior[k] : each); k++)
        at -= d->has_prior ? d->prior[k] : each;
    return (int32_t)k;
}

static inline long likeliest(const description *s)
{
    long best = 0;
    for (long k = 1; s->has_counts && k < s->classes; k++)
        best = s->counts[k] > s->counts[best] ? k : best;
    for (long k = 1; s->has_prior && !s->has_counts && k < s->classes; k++)
        best = s->prior[k] > s->prior[best] ? k : best;
    return best;
}

/* ---- predictions of any size ---- */

/* The rows of the table that take numbers or logits, each in turn. */
static inline const ll_metric_info *unbounded_metric(long turn)
{
    for (long i = 0, seen = 0;; i = (i + 1) % ll_metric_count()) {
        const ll_metric_info *info = ll_metric_get_info(i);
        int takes = strcmp(info->input, "number") == 0 || strcmp(info->input, "logit") == 0;
        if (takes && seen++ == turn)
            return info;
    }
}

static inline void set_grid(description *d)
{
    static const double lows[] = {0, 0, 1, 1000, -2}, steps[] = {1, 1, 0.5, 2, 100};
    double low = lows[below(WORLDS_COUNT(lows))], step = steps[below(WORLDS_COUNT(steps))];
    d->low = low;
    d->high = low + step * (double)(d->classes - 1);
    append(d, "; targets=%g:%g:%g%s", d->low, d->high, step, below(2) ? "; clip-targets=yes" : "");
}

/* Every law, mostly, of a size between what hides nothing and what hides all, with rounding or not. */
static inline void make_unbounded(description *d, long turn)
{
    static world_list transforms, laws;
    if (laws.count == 0) {
        transforms = list_transforms();
        laws = list_laws();
    }
    memset(d, 0, sizeof *d);
    set_metric(d, unbounded_metric(turn));
    d->low = -1;
    d->high = 1;
    d->first.decimals = -1;
    if (below(8) > 0) {
        world_noise(d->first.noise, sizeof d->first.noise, laws.names[turn % laws.count], pow(10, 7 * uniform() - 2));
        append_shown(d, "; noise=%s", d->first.noise);
        d->is_random = d->is_careful = strncmp(d->first.noise, "bounded", strlen("bounded")) != 0;
    }
    if (below(2)) {
        long *shown = below(3) ? &d->first.decimals : &d->first.digits;
        *shown = 1 + below(4);
        append_shown(d, "; %s=%ld", shown == &d->first.decimals ? "decimals" : "digits", *shown);
    }
    append(d, "; transform=%s", transforms.names[below(2) ? 0 : below(transforms.count)]);
    d->rows = 1 + below(below(2) ? 8 : FAR_ROWS);
    d->queries = 1 + below(below(2) ? 4 : 40);
    append(d, "; arithmetic=%s; rows=%ld; queries=%ld",
           below(4)   ? "fp64"
           : below(2) ? "fp32"
                      : "exact",
           d->rows, d->queries);
}

/* Metrics of targets have a grid, the others classes. 0: no such scorer. */
static inline int has_scorer(description *d)
{
    ll_error error = {0};
    description begun = *d;
    set_grid(d);
    int found = try_scorer_text(&d->scorer, d->text, &error) == LL_OK;
    if (!found) {
        *d = begun;
        append(d, "; classes=%ld", d->classes);
        found = try_scorer_text(&d->scorer, d->text, &error) == LL_OK;
    }
    return found;
}

/* 0: none of some that were drawn is a scorer. */
static inline int draw_unbounded(description *d, long turn)
{
    int kinds = draw_kinds();
    for (int again = 0; again < 40; again++) {
        make_unbounded(d, turn);
        set_kinds(d, kinds);
        if (has_scorer(d))
            return 1;
    }
    return 0;
}

#endif

/* Random descriptions of scorers, for the audits of x-all-clear: any of the table, and those whose predictions nothing
 * bounds. */
#ifndef LL_TESTS_DESCRIPTIONS_H
#define LL_TESTS_DESCRIPTIONS_H

#include "../unit/curator_tools.h"
#include "far_attack.h"
#include "worlds.h"

#include <math.h>

enum { MOST_ROWS = 300 };

typedef struct {
    char text[1200];
    ll_scorer *scorer;
    const char *input;
    long rows, classes, queries;
    double prior[4], low, high;
    long counts[4]; /* told, where has_counts */
    int has_counts;
    int has_prior, is_random, has_ladder, has_clip;
} description;

__attribute__((format(printf, 2, 3))) static inline void append(description *d, const char *format, ...)
{
    size_t used = strlen(d->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(d->text + used, sizeof d->text - used, format, arguments);
    va_end(arguments);
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

static inline void set_noise(description *d)
{
    static world_list laws;
    char text[WORLD_NAME];
    if (laws.count == 0)
        laws = list_laws();
    world_noise(text, sizeof text, laws.names[below(laws.count)], pow(10, 2 - 5 * uniform()));
    d->is_random = strncmp(text, "bounded", strlen("bounded")) != 0;
    append(d, "; noise=%s", text);
}

static inline void set_release(description *d)
{
    static world_list transforms;
    int kind = (int)below(8);
    if (transforms.count == 0)
        transforms = list_transforms();
    append(d, "; transform=%s", transforms.names[below(2) ? 0 : below(transforms.count)]);
    if (kind < 3)
        append(d, "; decimals=%ld", below(5));
    if (kind == 3)
        append(d, "; digits=%ld", 1 + below(4));
    d->has_ladder = kind == 4;
    if (d->has_ladder)
        append(d, "; release=ladder:%.3g", pow(10, -3 * uniform()));
    else if (kind > 4 || below(3) == 0)
        set_noise(d);
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
    d->rows = 1 + below(below(2) ? 12 : MOST_ROWS);
    d->queries = 1 + below(below(2) ? 4 : 60);
    append(d, "; arithmetic=%s; rows=%ld; classes=%ld; queries=%ld", below(4) ? "fp64" : "exact", d->rows, d->classes,
           d->queries);
    if (below(3) == 0)
        set_prior(d);
}

/* Class counts, told to everybody. */
static inline void set_counts(description *d)
{
    d->has_counts = 1;
    for (long i = 0; i < d->rows; i++)
        d->counts[below(3) ? 0 : below(d->classes)]++;
    for (long k = 0; k < d->classes; k++)
        append(d, "%s%ld", k == 0 ? "; counts=" : ",", d->counts[k]);
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
    char noise[WORLD_NAME];
    if (laws.count == 0) {
        transforms = list_transforms();
        laws = list_laws();
    }
    memset(d, 0, sizeof *d);
    set_metric(d, unbounded_metric(turn));
    d->low = -1;
    d->high = 1;
    if (below(8) > 0) {
        world_noise(noise, sizeof noise, laws.names[turn % laws.count], pow(10, 7 * uniform() - 2));
        append(d, "; noise=%s", noise);
        d->is_random = strncmp(noise, "bounded", strlen("bounded")) != 0;
    }
    if (below(2))
        append(d, "; %s=%ld", below(3) ? "decimals" : "digits", 1 + below(4));
    append(d, "; transform=%s", transforms.names[below(2) ? 0 : below(transforms.count)]);
    d->rows = 1 + below(below(2) ? 8 : FAR_ROWS);
    d->queries = 1 + below(below(2) ? 4 : 40);
    append(d, "; arithmetic=%s; rows=%ld; queries=%ld",
           below(4)   ? "fp64"
           : below(2) ? "fp32"
                      : "exact",
           d->rows, d->queries);
    if (below(3) == 0)
        set_prior(d);
}

/* Metrics of targets have a grid, the others classes. 0: no such scorer. */
static inline int has_scorer(description *d)
{
    ll_error error = {0};
    char *begun = strdup(d->text);
    set_grid(d);
    int found = try_scorer_text(&d->scorer, d->text, &error) == LL_OK;
    if (!found) {
        (void)snprintf(d->text, sizeof d->text, "%s", begun);
        d->low = -1;
        d->high = 1;
        append(d, "; classes=%ld", d->classes);
        found = try_scorer_text(&d->scorer, d->text, &error) == LL_OK;
    }
    free(begun);
    return found;
}

/* 0: none of some that were drawn is a scorer. */
static inline int draw_unbounded(description *d, long turn)
{
    for (int again = 0; again < 8; again++) {
        make_unbounded(d, turn);
        if (has_scorer(d))
            return 1;
    }
    return 0;
}

#endif

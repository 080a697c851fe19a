/* A question to an audit, with every setting apart, so that one of them can be changed: the product of the tables of
 * metrics, steps of a release, laws of noise, sizes, limits, priors and groups. */
#ifndef LL_TESTS_QUESTIONS_H
#define LL_TESTS_QUESTIONS_H

#include "../unit/curator_tools.h"
#include "worlds.h"

#include <math.h>

enum { QUESTION_GROUPS = 4, QUESTION_TEXT = 2000 };

typedef struct {
    const char *metric, *transform, *law, *also; /* law, also: NULL for none */
    const char *profile;                         /* in place of metric and arithmetic; "": the metric's name alone */
    int is_numeric, is_exact, clip;
    long decimals, digits; /* -1, 0: all of them */
    double noise;
    long rows, classes, queries, accounts; /* queries 0: no limit */
    double prior;                          /* of class 0, the others alike; 0: not known */
    long counts;                           /* rows of class 0 that are told, of two classes; -1: not known */
    long group_rows[QUESTION_GROUPS], groups;
    int fails_free;
    long public_rows; /* the score is over so many of the rows; 0: over all */
} question;

__attribute__((format(printf, 2, 3))) static inline void question_add(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, QUESTION_TEXT - used, format, arguments);
    va_end(arguments);
}

static inline void question_write_release(char *text, const question *q)
{
    char noise[WORLD_NAME];
    if (q->decimals >= 0)
        question_add(text, "; decimals=%ld", q->decimals);
    if (q->digits > 0)
        question_add(text, "; digits=%ld", q->digits);
    if (q->law != NULL) {
        world_noise(noise, sizeof noise, q->law, q->noise);
        question_add(text, "; noise=%s", noise);
    }
    if (q->also != NULL)
        question_add(text, "; also=%s", q->also);
    for (long g = 0; g < q->groups; g++)
        question_add(text, "%s%c*%ld", g == 0 ? "; groups=" : ",", (char)('a' + g), q->group_rows[g]);
}

static inline void question_write(char *text, const question *q)
{
    text[0] = '\0';
    if (q->profile == NULL)
        question_add(text, "metric=%s; arithmetic=%s", q->metric, q->is_exact ? "exact" : "fp64");
    else
        question_add(text, "%s=%s", *q->profile ? "scorer" : "metric", *q->profile ? q->profile : q->metric);
    question_add(text, "; transform=%s; rows=%ld", q->transform, q->rows);
    if (q->is_numeric)
        question_add(text, "; targets=0:%ld:1", q->classes - 1);
    else
        question_add(text, "; classes=%ld", q->classes);
    if (q->clip)
        question_add(text, q->is_numeric ? "; clip-targets=yes" : "; clip=0.01; clip-mode=clip");
    question_write_release(text, q);
    if (q->queries > 0)
        question_add(text, "; queries=%ld", q->queries);
    if (q->accounts > 1)
        question_add(text, "; accounts=%ld", q->accounts);
    for (long k = 0; q->prior > 0 && k < q->classes; k++)
        question_add(text, "%s%.17g", k == 0 ? "; prior=" : ",",
                     k == 0 ? q->prior : (1 - q->prior) / (double)(q->classes - 1));
    if (q->counts >= 0)
        question_add(text, "; counts=%ld,%ld", q->counts, q->rows - q->counts);
    if (q->fails_free)
        question_add(text, "; failures=free");
    if (q->public_rows > 0)
        question_add(text, "; public=%ld", q->public_rows);
}

/* ---- any of them ---- */

static inline void question_draw_release(question *q)
{
    static world_list transforms, laws;
    if (laws.count == 0) {
        transforms = list_transforms();
        laws = list_laws();
    }
    q->transform = transforms.names[below(3) ? 0 : below(transforms.count)];
    long kind = below(8);
    q->decimals = kind < 4 ? below(6) : -1;
    q->digits = kind == 4 ? 1 + below(6) : 0;
    if (kind > 5 || below(4) == 0) {
        q->law = laws.names[below(laws.count)];
        q->noise = pow(10, 1 - 5 * uniform());
    }
}

static inline void question_draw_groups(question *q)
{
    long left = q->rows, groups = 1 + below(QUESTION_GROUPS - 1);
    for (q->groups = 0; q->groups < groups && left > 0; q->groups++) {
        long size = q->groups + 1 == groups ? left : 1 + below(left);
        q->group_rows[q->groups] = size;
        left -= size;
    }
    if (left > 0)
        q->group_rows[q->groups - 1] += left;
}

/* Of at most so many rows. */
static inline void question_draw(question *q, long most_rows)
{
    static world_list metrics;
    if (metrics.count == 0)
        metrics = list_metrics();
    *q = (question){.counts = -1, .metric = metrics.names[below(metrics.count)]};
    q->is_numeric = below(2) == 0;
    q->clip = below(4) == 0;
    q->classes = below(3) ? 2 : 3 + below(3);
    q->rows = 1 + below(below(2) ? 16 : (long)exp(log((double)most_rows) * (0.5 + 0.5 * uniform())));
    q->queries = below(10) ? 1 + below(below(2) ? 5 : below(2) ? 60 : 2 * q->rows) : 0;
    q->is_exact = q->rows <= 40 && below(4) == 0;
    q->accounts = below(8) ? 1 : 2;
    question_draw_release(q);
    if (below(4) == 0)
        question_draw_groups(q);
    if (below(3) == 0)
        q->prior = 0.05 + 0.9 * uniform();
    else if (below(5) == 0 && q->classes == 2)
        q->counts = below(q->rows + 1);
}

/* A question that is a scorer; 0: none of some that were drawn. */
static inline int question_draw_valid(question *q, ll_scorer **out, long most_rows)
{
    char text[QUESTION_TEXT];
    for (int again = 0; again < 60; again++) {
        ll_error error = {0};
        question_draw(q, most_rows);
        question_write(text, q);
        if (try_scorer_text(out, text, &error) == LL_OK)
            return 1;
    }
    return 0;
}

#endif

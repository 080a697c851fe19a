/* Small worlds for the exhaustive tests: every list is read from the library's own table, so that a new row is tried,
 * or fails the test that has nothing to try it with. */
#ifndef LL_TESTS_WORLDS_H
#define LL_TESTS_WORLDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"
#include "planner/planner.h"
#include "scorer/scorer.h"
#include "strategy/cells/cells.h"
#include "strategy/ordered/ordered.h"
#include "strategy/single/single.h"

#define WORLDS_COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

/* ---- what the tables do not say: values for their parameters ---- */

/* Names as in ll_metric_info, and what is tried in their place. */
static const char *const world_parameters[][4] = {
    {"norm:ALPHA", "norm:2.5", "norm:3", NULL},
    {"focal:GAMMA", "focal:2", "focal:0.5", NULL},
    {"bregman:EXPR", "bregman:x^4+x^2+2*x", NULL},
    {"lp:P", "lp:1", "lp:2", "lp:0.5"},
    {"fbeta:B", "fbeta:0.5", "fbeta:2", NULL},
    {"quantile:Q", "quantile:0.75", NULL},
    {"top-k:K", "top-k:1", "top-k:2", NULL},
    {"top-k-first:K", "top-k-first:2", NULL},
    {"map:K", "map:2", NULL},
    {"ndcg:K", "ndcg:2", "ndcg:100", NULL},
    {"map-first:K", "map-first:2", NULL},
    {"ndcg-first:K", "ndcg-first:3", NULL},
    {"huber:D", "huber:1", "huber:0.3", NULL},
    {"class-precision:C", "class-precision:1", NULL},
    {"class-recall:C", "class-recall:0", NULL},
    {"class-f1:C", "class-f1:1", NULL},
    {"support:C", "support:1", NULL},
    {"cell:M", "cell:3", NULL},
};

/* Arithmetics with parameters, beside those that have a name. */
static const char *const world_formats[] = {"fpa:24", "fpa:32", "fpa:8,40"};

enum { WORLD_NAMES = 96, WORLD_NAME = 64 };

typedef struct {
    long count;
    char names[WORLD_NAMES][WORLD_NAME];
} world_list;

/* The first `length` characters of a name, and `more` of the next text after a colon. */
static inline void world_list_add(world_list *list, const char *name, size_t length, const char *variant, size_t more)
{
    assert_true(list->count < WORLD_NAMES && length + more + 2 < WORLD_NAME);
    char *to = list->names[list->count++];
    memcpy(to, name, length);
    if (more > 0)
        to[length++] = ':';
    memcpy(to + length, variant, more);
    to[length + more] = '\0';
}

/* A row with a parameter takes those of the map; one that is not there ends the test. */
static inline void add_metric(world_list *list, const char *name)
{
    long found = 0;
    for (long i = 0; i < WORLDS_COUNT(world_parameters); i++)
        for (long j = 1; strcmp(world_parameters[i][0], name) == 0 && j < 4 && world_parameters[i][j]; j++, found++)
            world_list_add(list, world_parameters[i][j], strlen(world_parameters[i][j]), "", 0);
    if (found == 0 && strchr(name, ':') != NULL)
        fail_msg("the metric %s takes a parameter, and the tests have none for it: tests/exhaustive/worlds.h", name);
    if (found == 0)
        world_list_add(list, name, strlen(name), "", 0);
}

/* Those that are a sum of terms, or the others. */
static inline void add_metrics(world_list *list, int of_terms)
{
    for (long i = 0; i < ll_metric_count(); i++)
        if ((ll_metric_get_info(i)->when_one[0] != '\0') == of_terms)
            add_metric(list, ll_metric_get_info(i)->name);
}

/* Is it many numbers at once? x-several.c tries those. */
static inline int is_many(const char *name)
{
    ll_metric *metric = NULL;
    int many = ll_metric_create(&metric, name, NULL) == LL_OK && ll_metric_part_count(metric, 2) > 1;
    ll_metric_destroy(metric);
    return many;
}

static inline world_list list_metrics(void)
{
    world_list list = {0}, single = {0};
    add_metrics(&list, 1);
    add_metrics(&list, 0);
    for (long i = 0; i < list.count; i++)
        if (!is_many(list.names[i]))
            world_list_add(&single, list.names[i], strlen(list.names[i]), "", 0);
    return single;
}

/* Every code, and every variant of it by name; but for those of rows that may be absent, which x-public.c tries. */
static inline world_list list_codes(void)
{
    world_list list = {0};
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_code_info *info = ll_code_get_info(i);
        const ll_candidate *c = ll_candidate_get(i); /* x-public.c, x-counts.c, x-several.c, x-changes.c try these: */
        if (ll_candidate_takes_absent(c) || c == &ll_candidate_ordered || c == &ll_candidate_cells ||
            c == &ll_candidate_single)
            continue;
        world_list_add(&list, info->name, strlen(info->name), "", 0);
        for (const char *at = info->variants; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
            world_list_add(&list, info->name, strlen(info->name), at, strcspn(at, " "));
    }
    return list;
}

/* The words of a setting. */
static inline world_list list_words(ll_setting setting)
{
    world_list list = {0};
    for (long i = 0; ll_setting_word(setting, i) != NULL; i++)
        world_list_add(&list, ll_setting_word(setting, i), strlen(ll_setting_word(setting, i)), "", 0);
    assert_true(list.count > 1);
    return list;
}

static inline world_list list_arithmetics(void)
{
    world_list list = list_words(LL_SET_ARITHMETIC);
    for (long i = 0; i < WORLDS_COUNT(world_formats); i++)
        world_list_add(&list, world_formats[i], strlen(world_formats[i]), "", 0);
    return list;
}

/* Every step, and every two that differ, one after the other. */
static inline world_list list_transforms(void)
{
    world_list list = list_words(LL_SET_TRANSFORM);
    for (long i = 0; ll_release_step_name(i) != NULL; i++)
        for (long j = 0; ll_release_step_name(j) != NULL; j++) {
            char both[WORLD_NAME];
            (void)snprintf(both, sizeof both, "%s,%s", ll_release_step_name(i), ll_release_step_name(j));
            if (i != j)
                world_list_add(&list, both, strlen(both), "", 0);
        }
    return list;
}

/* Laws of noise that have a size, and ways to draw the bounded one: "gaussian", "bounded,plus". */
static inline world_list list_laws(void)
{
    world_list list = {0};
    for (long i = 0; ll_release_law_name(i) != NULL; i++) {
        char text[WORLD_NAME];
        const char *law = ll_release_law_name(i);
        if (strcmp(law, "none") == 0)
            continue;
        for (long j = 0; strcmp(law, "bounded") == 0 && ll_release_draw_name(j) != NULL; j++) {
            (void)snprintf(text, sizeof text, "%s,%s", law, ll_release_draw_name(j));
            world_list_add(&list, text, strlen(text), "", 0);
        }
        if (strcmp(law, "bounded") != 0)
            world_list_add(&list, law, strlen(law), "", 0);
    }
    return list;
}

/* "bounded,plus" of size 0.1 is "bounded:0.1,plus". */
static inline void world_noise(char *out, size_t size, const char *law, double scale)
{
    int name = (int)strcspn(law, ",");
    (void)snprintf(out, size, "%.*s:%.3g%s", name, law, scale, law + name);
}

static inline long world_power(long classes, long rows)
{
    long count = 1;
    for (long i = 0; i < rows; i++)
        count *= classes;
    return count;
}

static inline void world_labelling(int32_t *labels, long number, long rows, long classes)
{
    for (long i = 0; i < rows; i++, number /= classes)
        labels[i] = (int32_t)(number % classes);
}

static inline int world_is_one(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, "1") == 0;
}

/* ---- oracles that answer what a curator of these labels may answer ---- */

enum { WORLD_SIMULATED, WORLD_LOWER, WORLD_UPPER, WORLD_ANSWERS };

typedef struct {
    ll_curator *curator;
    int which;           /* WORLD_SIMULATED, or an end of the interval of the real program */
    const char *shorten; /* a printf format for a double, to write the answer anew; NULL: as it is */
    char **scores;       /* kept copies, one a query; NULL: none are kept */
    long fewest;         /* digits that a score had, at least, and one; 0: none was answered */
    long first;          /* digits that the first had, and one */
} world_oracle;

/* Digits from the first that is not 0. */
static inline long world_digits(const char *text)
{
    long digits = 0;
    for (; *text != '\0' && *text != 'e' && *text != 'E'; text++)
        digits += *text >= '0' && *text <= '9' && (digits > 0 || *text != '0');
    return digits;
}

static inline ll_status world_answer(void *self, char **score, const ll_predictions *predictions, long query,
                                     ll_error *error)
{
    world_oracle *o = self;
    ll_score out;
    char text[64];
    ll_score_init(&out);
    ll_status status = ll_curator_score(o->curator, &out, predictions, error);
    if (status == LL_OK) {
        const char *said = o->which == WORLD_LOWER ? out.lower : o->which == WORLD_UPPER ? out.upper : out.text;
        if (o->shorten != NULL) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            (void)snprintf(text, sizeof text, o->shorten, strtod(said, NULL));
#pragma GCC diagnostic pop
            said = text;
        }
        *score = strdup(said);
        long digits = world_digits(said) + 1;
        o->first = o->fewest == 0 ? digits : o->first;
        o->fewest = o->fewest == 0 || digits < o->fewest ? digits : o->fewest;
        if (o->scores != NULL)
            o->scores[query] = strdup(said);
    }
    ll_score_clear(&out);
    return status;
}

/* What is wrong with a verdict under a true description; NULL: nothing. */
static inline const char *world_fault(const ll_verdict *verdict, const int32_t *truth, long rows, long classes)
{
    long certain = 0;
    if (verdict->kind == LL_NONE)
        return "no labelling fits";
    if (verdict->guarantee == LL_LIKELY) /* its labels are guesses, and it says so */
        return verdict->certain == 0 ? NULL : "a label is certain and likely";
    for (long i = 0; i < rows; i++) {
        certain += verdict->labels[i] >= 0;
        if (verdict->labels[i] >= 0 && verdict->labels[i] != truth[i])
            return "a label is certain and wrong";
        if (!verdict->candidates[i * classes + truth[i]])
            return "the true label is no candidate";
    }
    if (verdict->certain != certain || (verdict->kind == LL_UNIQUE) != (certain == rows))
        return "the counts do not fit the labels";
    return NULL;
}

#endif

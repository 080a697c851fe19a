/* Scorers for tests, in one line: "metric=squared; arithmetic=fp64; rows=8; noise=bounded:0.01". */
#ifndef LL_TESTS_SCORER_TOOLS_H
#define LL_TESTS_SCORER_TOOLS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lossleak.h"

/* Set what the text says, settings separated by ';'. */
static inline ll_status set_scorer_text(ll_scorer *scorer, const char *text, ll_error *error)
{
    ll_status status = LL_OK;
    char *copy = strdup(text), *rest = copy;
    for (char *part; status == LL_OK && (part = strsep(&rest, ";")) != NULL;) {
        part += strspn(part, " ");
        char *value = strchr(part, '=');
        if (*part == '\0')
            continue;
        if (value == NULL) {
            status = ll_fail(error, LL_DOMAIN, "no value in '%s'", part);
            break;
        }
        *value++ = '\0';
        for (char *bar = value;
             (bar = strchr(bar, '|')) != NULL;) /* several numbers: semicolons separate settings here */
            *bar = ';';
        status = ll_scorer_set(scorer, part, value, error);
    }
    free(copy);
    return status;
}

/* A resolved scorer, or the library's refusal. */
static inline ll_status try_scorer_text(ll_scorer **out, const char *text, ll_error *error)
{
    ll_scorer *scorer = NULL;
    ll_status status = ll_scorer_create(&scorer, error);
    if (status == LL_OK)
        status = set_scorer_text(scorer, text, error);
    if (status == LL_OK)
        status = ll_scorer_resolve(scorer, NULL, error);
    if (status == LL_OK)
        *out = scorer;
    else
        ll_scorer_destroy(scorer);
    return status;
}

/* The same from a format; the test ends where it is refused. Destroy it. */
__attribute__((format(printf, 1, 2))) static inline ll_scorer *scorer_of_text(const char *format, ...)
{
    char text[2048];
    ll_error error = {0};
    ll_scorer *scorer = NULL;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (try_scorer_text(&scorer, text, &error) != LL_OK) {
        (void)fprintf(stderr, "scorer '%s': %s\n", text, error.text);
        abort();
    }
    return scorer;
}

/* The fewest classes that a profile is for. */
static inline long profile_classes(const char *name)
{
    char text[120];
    ll_scorer *scorer = NULL;
    (void)snprintf(text, sizeof text, "scorer=%s; classes=2", name);
    if (try_scorer_text(&scorer, text, NULL) != LL_OK)
        return 3;
    ll_scorer_destroy(scorer);
    return 2;
}

/* A resolved copy with other settings. */
__attribute__((format(printf, 2, 3))) static inline ll_scorer *vary_scorer(const ll_scorer *scorer, const char *format,
                                                                           ...)
{
    char text[2048];
    ll_error error = {0};
    ll_scorer *copy = NULL;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (ll_scorer_copy(&copy, scorer, &error) != LL_OK || set_scorer_text(copy, text, &error) != LL_OK ||
        ll_scorer_resolve(copy, NULL, &error) != LL_OK) {
        (void)fprintf(stderr, "scorer '%s': %s\n", text, error.text);
        abort();
    }
    return copy;
}

/* A plan of that code, all else as usual; NULL: it is refused. Destroy it. */
static inline ll_plan *plan_of_code(const ll_scorer *scorer, const char *code, ll_error *error)
{
    ll_plan *plan = NULL;
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = code;
    return ll_plan_create(&plan, scorer, &request, error) == LL_OK ? plan : NULL;
}

#endif

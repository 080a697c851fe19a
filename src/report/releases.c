#include "report/releases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_report_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- order ---- */

static const ll_defence *get(const ll_audit *a, long i)
{
    return (const ll_defence *)(const void *)((const char *)a->defences + (size_t)i * a->defence_size);
}

static int by_place(const void *x, const void *y)
{
    const ll_defence *a = *(const ll_defence *const *)x, *b = *(const ll_defence *const *)y;
    return (a->place > b->place) - (a->place < b->place);
}

ll_releases ll_report_sort_releases(const ll_audit *a, double most)
{
    ll_releases l = {.count = 0};
    for (long i = 0; i < a->defence_count && l.count < LL_RELEASES; i++) {
        const ll_defence *d = get(a, i);
        if (d->place == 0 || !(d->noise_over_sampling_error <= most))
            continue;
        l.rows[l.count++] = d;
        l.proved += d->proved;
    }
    qsort(l.rows, (size_t)l.count, sizeof(const ll_defence *), by_place);
    return l;
}

double ll_report_best_known(const ll_defence *d)
{
    double share = d->share;
    for (long i = 0; i < d->tried_count; i++)
        share = fmax(share, d->tried[i].share);
    return fmin(share, d->bound);
}

/* ---- the command that checks one ---- */

/* Is the setting one of "name=value name=value"? */
static int is_among(const char *settings, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return 1;
    return 0;
}

void ll_report_write_options(char *text, size_t size, const char *settings)
{
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, " ");
        int is_yes = strncmp(at + name + 1, "yes", value) == 0, is_no = strncmp(at + name + 1, "no", value) == 0;
        ll_report_append(text, size, "%s%s--%.*s", text[0] ? " " : "", is_no ? "without " : "", (int)name, at);
        if (!is_yes && !is_no) /* else it is a flag */
            ll_report_append(text, size, " %.*s", (int)value, at + name + 1);
    }
}

enum { LONGEST = 200 };

/* A value as a word of a shell, whatever is in it: names of groups come from files. */
static void append_word(char *text, size_t size, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/=+%@^";
    if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
        ll_report_append(text, size, " %s", value);
        return;
    }
    ll_report_append(text, size, " '");
    for (; *value; value++)
        ll_report_append(text, size, *value == '\'' ? "'\\''" : "%c", *value);
    ll_report_append(text, size, "'");
}

/* Options that are not the profile's own. */
static ll_status add_own(char *text, size_t size, const ll_scorer *scorer, const char *settings)
{
    ll_scorer *profile = NULL;
    const char *name = ll_scorer_get(scorer, "scorer");
    ll_status status = ll_scorer_create(&profile, NULL);
    if (status == LL_OK && name != NULL)
        status = ll_scorer_set(profile, "scorer", name, NULL);
    for (long i = 0; i < ll_setting_count() && status == LL_OK; i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name), *usual = ll_scorer_get(profile, info->name);
        int same = strcmp(info->name, "scorer") != 0 && usual != NULL && value != NULL && strcmp(value, usual) == 0;
        if (value == NULL || value[0] == '\0' || same || is_among(settings, info->name) ||
            strcmp(info->name, "seed") == 0)
            continue;
        ll_report_append(text, size, " --%s", info->name);
        if (info->values[0] != '\0')
            append_word(text, size, strlen(value) > LONGEST ? "FILE" : value); /* lists are read from files */
    }
    ll_scorer_destroy(profile);
    return status;
}

void ll_report_write_check(char *text, size_t size, const ll_audit_report *r, const ll_defence *d)
{
    text[0] = '\0';
    ll_report_append(text, size, "lossleak audit");
    if (add_own(text, size, r->scorer, d->settings) != LL_OK)
        return;
    ll_report_write_options(text, size, d->settings);
    if (isinf(r->audit->queries) && isfinite(d->queries) && !is_among(d->settings, "queries"))
        ll_report_append(text, size, " --queries %.0f", d->queries); /* what it is priced for */
    ll_report_append(text, size, " --target-share %.4g", r->audit->target_share);
    if (d->proved || d->share <= r->audit->target_share) /* else it is known to leak */
        ll_report_append(text, size, " --fail-on-%s", d->proved ? "bound" : "leak");
}

/* ---- cost ---- */

void ll_report_write_cost(char *text, size_t size, const ll_audit *a, const ll_defence *d)
{
    if (d->error > 0)
        ll_report_append(text, size, "Cost: %.3g sampling errors; two models must differ by %.2g to be told apart. ",
                         d->noise_over_sampling_error, d->distance);
    else
        ll_report_append(text, size, "Cost: no noise. ");
    if (isinf(a->queries))
        ll_report_append(text, size, "For %.0f submission%s in all. ", d->queries, d->queries == 1 ? "" : "s");
    else if (d->queries < a->queries)
        ll_report_append(text, size, "It gives up answers: %.0f in all. ", d->queries);
}

/* Settings of a defence as text, "name=value name=value": looked up, and as options of a command. */
#include "audit/settings_text.h"
#include "audit/audit_private.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ll_settings_next(const char *at)
{
    at += strcspn(at, " ");
    return at + (*at == ' ');
}

const char *ll_settings_find(const char *settings, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = settings; *at != '\0'; at = ll_settings_next(at))
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

void ll_settings_get(char *text, size_t size, const char *settings, const char *name)
{
    const char *value = ll_settings_find(settings, name);
    (void)snprintf(text, size, "%.*s", value != NULL ? (int)strcspn(value, " ") : 0, value != NULL ? value : "");
}

void ll_settings_add_options(char *text, size_t size, const char *settings)
{
    for (const char *at = settings; *at != '\0'; at = ll_settings_next(at)) {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, " ");
        int is_yes = strncmp(at + name + 1, "yes", value) == 0;
        ll_print_more(text, size, " --%.*s", (int)name, at);
        if (!is_yes) /* else it is a flag */
            ll_print_more(text, size, " %.*s", (int)value, at + name + 1);
    }
}

static int is_computed(int setting)
{
    static const ll_setting computed[] = {LL_SET_CLIP, LL_SET_CLIP_MODE, LL_SET_CLIP_TARGETS, LL_SET_METRIC,
                                          LL_SET_COLUMNS};
    int is = 0;
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++)
        is |= setting == (int)computed[i];
    return is;
}

ll_status ll_settings_apply(ll_scorer **out, const ll_scorer *scorer, const char *settings)
{
    char name[40], value[LL_SETTINGS_SIZE];
    ll_status status = ll_scorer_copy(out, scorer, NULL);
    for (const char *at = settings; *at != '\0' && status == LL_OK; at = ll_settings_next(at)) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "="), at);
        ll_settings_get(value, sizeof value, settings, name);
        if (is_computed(ll_setting_find(name)))
            continue;
        if (ll_setting_find(name) == LL_SET_RELEASE) /* the start of a Ladder that is no longer there */
            status = ll_scorer_set(*out, "start", NULL, NULL);
        if (status == LL_OK)
            status = ll_scorer_set(*out, name, value, NULL);
    }
    return status == LL_OK ? ll_scorer_resolve(*out, NULL, NULL) : status;
}

/* ---- the command ---- */

enum { LONGEST = 200, FILE_NAME = 1000 };

void ll_settings_get_file(char *text, size_t size, const char *files, const char *name)
{
    size_t length = strlen(name);
    text[0] = '\0';
    for (const char *at = files != NULL ? files : ""; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            (void)snprintf(text, size, "%.*s", (int)strcspn(at + length + 1, "\n"), at + length + 1);
}

/* A value as a word of a shell, whatever is in it: names of groups come from files. */
static void add_word(char *text, size_t size, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/=+%@^";
    if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
        ll_print_more(text, size, " %s", value);
        return;
    }
    ll_print_more(text, size, " '");
    for (; *value; value++)
        ll_print_more(text, size, *value == '\'' ? "'\\''" : "%c", *value);
    ll_print_more(text, size, "'");
}

/* Options that say what the command would not take without them; the seed is that of the audit. LL_MEMORY. */
static ll_status add_own(char *text, size_t size, const ll_scorer *scorer, uint64_t seed, const char *files,
                         const char *settings)
{
    for (long i = 0; i < ll_setting_count(); i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name);
        int is_seed = ll_setting_find(info->name) == LL_SET_SEED,
            is_changed = ll_settings_find(settings, info->name) != NULL;
        int is_usual = value == NULL || is_seed || is_changed;
        if (!is_usual && ll_scorer_is_usual(scorer, &is_usual, info->name) != LL_OK)
            return LL_MEMORY;
        if (is_usual)
            continue;
        char file[FILE_NAME];
        ll_settings_get_file(file, sizeof file, files, info->name);
        ll_print_more(text, size, " --%s", info->name);
        if (info->values[0] != '\0') /* lists are read from files */
            add_word(text, size, file[0] != '\0' ? file : strlen(value) > LONGEST ? "FILE" : value);
    }
    if (seed != strtoull(ll_setting_get_info(LL_SET_SEED)->standard, NULL, 10))
        ll_print_more(text, size, " --seed %llu", (unsigned long long)seed);
    return LL_OK;
}

/* The fewest digits that are read as this very number: a target that is rounded down may not be kept. */
static void add_share(char *text, size_t size, double share)
{
    char number[40];
    int digits = 4;
    do
        (void)ll_print(number, sizeof number, "%.*g", digits, share);
    while (digits++ < 17 && ll_read_double(number, NULL) != share);
    ll_print_more(text, size, " --target-share %s", number);
}

ll_status ll_settings_write_check(char *text, size_t size, const ll_scorer *scorer, uint64_t seed, const char *files,
                                  const ll_defence *d)
{
    (void)snprintf(text, size, "lossleak audit");
    ll_status status = add_own(text, size, scorer, seed, files, d->settings);
    ll_settings_add_options(text, size, d->settings);
    if (scorer->queries == 0 && ll_settings_find(d->settings, "queries") == NULL)
        ll_print_more(text, size, " --queries %.0f", ceil(d->queries / (double)scorer->accounts)); /* priced for */
    add_share(text, size, d->target);
    if (d->proved || d->leaks == LL_FALSE) /* else it is known to leak, or not known */
        ll_print_more(text, size, d->proved ? " --fail-on-bound" : " --fail-on-leak");
    return status;
}

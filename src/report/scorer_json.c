/* A scorer as a JSON object, and back: one key a setting. */
#include "report/json.h"
#include "report/scorer_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a setting's value stands in JSON; texts unless said otherwise. */
typedef enum { AS_TEXT, AS_COUNT, AS_REAL, AS_FLAG, AS_SHARES, AS_SEED, AS_LIST } json_kind;

static const struct {
    const char *setting, *key; /* key: where it is not the name */
    json_kind kind;
    const char *absent; /* the word that is null in JSON */
} forms[] = {
    {"scorer", "profile", AS_TEXT, NULL}, {"metric", "loss", AS_TEXT, NULL},
    {"rows", NULL, AS_COUNT, NULL},       {"classes", NULL, AS_COUNT, NULL},
    {"clip", NULL, AS_TEXT, "none"},      {"sum-arithmetic", NULL, AS_TEXT, "same"},
    {"precision", NULL, AS_COUNT, NULL},  {"loss-arithmetic", NULL, AS_TEXT, "same"},
    {"log-ulps", NULL, AS_REAL, NULL},    {"decimals", NULL, AS_COUNT, "none"},
    {"digits", NULL, AS_COUNT, "none"},   {"truncate", NULL, AS_FLAG, NULL},
    {"queries", NULL, AS_COUNT, NULL},    {"prior", NULL, AS_SHARES, NULL},
    {"seed", NULL, AS_SEED, NULL},        {"clip-targets", NULL, AS_FLAG, NULL},
    {"also", NULL, AS_LIST, NULL},        {"improvements", NULL, AS_COUNT, NULL},
    {"own-levels", NULL, AS_COUNT, NULL}, {"accounts", NULL, AS_COUNT, NULL},
    {"per-day", NULL, AS_COUNT, NULL},    {"days", NULL, AS_COUNT, NULL},
    {"teams", NULL, AS_COUNT, NULL},
};

typedef struct {
    char key[40];
    json_kind kind;
    const char *absent;
} json_form;

static json_form form_of(const char *name)
{
    json_form form = {.kind = AS_TEXT};
    (void)snprintf(form.key, sizeof form.key, "%s", name);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].setting, name) == 0) {
            form.kind = forms[i].kind;
            form.absent = forms[i].absent;
            if (forms[i].key != NULL)
                (void)snprintf(form.key, sizeof form.key, "%s", forms[i].key);
        }
    for (char *c = form.key; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return form;
}

/* ---- out ---- */

static json_t *make_shares(const char *text)
{
    json_t *array = json_array();
    for (char *end; array != NULL; text = end + 1) {
        if (json_array_append_new(array, json_real(strtod(text, &end))) != 0) {
            json_decref(array);
            return NULL;
        }
        if (*end == '\0')
            break;
    }
    return array;
}

/* What semicolons separate. */
static json_t *make_list(const char *text)
{
    json_t *array = json_array();
    for (size_t length; array != NULL; text += length + 1) {
        length = strcspn(text, ";");
        if (json_array_append_new(array, json_stringn(text, length)) != 0) {
            json_decref(array);
            return NULL;
        }
        if (text[length] == '\0')
            break;
    }
    return array;
}

static json_t *make_value(const json_form *form, const char *text)
{
    if (form->kind == AS_FLAG)
        return json_boolean(text != NULL && strcmp(text, "yes") == 0);
    if (text == NULL || (form->absent != NULL && strcmp(text, form->absent) == 0))
        return json_null();
    switch (form->kind) {
    case AS_COUNT:
        return json_integer(strtol(text, NULL, 10));
    case AS_REAL:
        return json_real(strtod(text, NULL));
    case AS_SHARES:
        return make_shares(text);
    case AS_LIST:
        return make_list(text);
    case AS_SEED:
        return ll_report_json_unsigned(strtoull(text, NULL, 10));
    default:
        return json_string(text); /* as it is: a plan is made again from it */
    }
}

json_t *ll_report_json_scorer(const ll_scorer *scorer)
{
    ll_json json = {json_object(), 0};
    for (long i = 0; i < ll_setting_count(); i++) {
        const char *name = ll_setting_get_info(i)->name;
        json_form form = form_of(name);
        ll_report_json_add(&json, form.key, make_value(&form, ll_scorer_get(scorer, name)));
    }
    if (!json.failed)
        return json.object;
    json_decref(json.object);
    return NULL;
}

/* ---- in ---- */

static ll_status fail(ll_error *error, const char *key, const char *why)
{
    return ll_fail(error, LL_DOMAIN, "scorer: %s: %s", key, why);
}

static ll_status read_shares(char *text, size_t size, const json_t *value, const char *key, ll_error *error)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!json_is_number(json_array_get(value, i)))
            return fail(error, key, "a share is not a number");
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? "," : "",
                                 json_number_value(json_array_get(value, i)));
        if (used + 32 > size)
            return fail(error, key, "too many shares");
    }
    return json_array_size(value) >= 2 ? LL_OK : fail(error, key, "is neither shares nor null");
}

static ll_status read_list(char *text, size_t size, const json_t *value, const char *key, ll_error *error)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *item = json_string_value(json_array_get(value, i));
        if (item == NULL || used + strlen(item) + 2 > size)
            return fail(error, key, item == NULL ? "an entry is no text" : "too many entries");
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ";" : "", item);
    }
    return json_array_size(value) >= 1 ? LL_OK : fail(error, key, "is neither a list nor null");
}

/* The value as the text that the setting takes. */
static ll_status read_value(char *text, size_t size, const json_form *form, const json_t *value, ll_error *error)
{
    if (form->kind == AS_FLAG && json_is_boolean(value))
        (void)snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_integer(value) &&
             (form->kind == AS_COUNT || (form->kind == AS_SEED && json_integer_value(value) >= 0)))
        (void)snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (form->kind == AS_REAL && json_is_number(value))
        (void)snprintf(text, size, "%.17g", json_number_value(value));
    else if (form->kind == AS_LIST)
        return read_list(text, size, value, form->key, error);
    else if (form->kind == AS_SHARES)
        return read_shares(text, size, value, form->key, error);
    else if ((form->kind == AS_TEXT || form->kind == AS_SEED) && json_is_string(value)) {
        if (json_string_length(value) >= size)
            return fail(error, form->key, "is too long");
        (void)snprintf(text, size, "%s", json_string_value(value));
    } else
        return fail(error, form->key, "is not of its type");
    return LL_OK;
}

static ll_status read_setting(ll_scorer *scorer, const char *name, const json_t *object, ll_error *error)
{
    ll_error why = {0};
    json_form form = form_of(name);
    const json_t *value = json_object_get(object, form.key);
    if (value == NULL)
        return fail(error, form.key, "is missing");
    if (json_is_null(value)) {
        ll_status status = form.absent != NULL ? ll_scorer_set(scorer, name, form.absent, &why) : LL_OK;
        return status == LL_OK ? LL_OK : fail(error, form.key, why.text);
    }
    size_t longest = 65536 + (json_is_string(value) ? json_string_length(value) : 0);
    char *text = malloc(longest);
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a setting");
    ll_status status = read_value(text, longest, &form, value, error);
    if (status == LL_OK) {
        status = ll_scorer_set(scorer, name, text, &why);
        if (status != LL_OK)
            (void)ll_fail(error, status, "scorer: %s: %.400s", form.key, why.text);
    }
    free(text);
    return status;
}

ll_status ll_report_read_scorer(ll_scorer **out, const json_t *object, ll_error *warning, ll_error *error)
{
    ll_scorer *scorer = NULL;
    ll_status status = ll_scorer_create(&scorer, error);
    for (long i = 0; i < ll_setting_count() && status == LL_OK; i++)
        status = read_setting(scorer, ll_setting_get_info(i)->name, object, error);
    if (status == LL_OK && json_object_size(object) != (size_t)ll_setting_count())
        status = ll_fail(error, LL_DOMAIN, "scorer: %zu keys where %ld are known", json_object_size(object),
                         ll_setting_count());
    if (status == LL_OK)
        status = ll_scorer_resolve(scorer, warning, error);
    if (status == LL_OK)
        *out = scorer;
    else
        ll_scorer_destroy(scorer);
    return status;
}

#include "cli/commands/defend_policy.h"
#include "io/files/write_file.h"

#include <jansson.h>
#include <lossleak/guard.h>
#include <stdlib.h>
#include <string.h>

/* The first in the order of the audit's proposals whose settings have levels; NULL: none. */
static const ll_defence *find_levels(const ll_audit *audit)
{
    const ll_defence *found = NULL;
    for (long i = 0; i < audit->defence_count; i++) {
        const ll_defence *one = ll_audit_get_defence(audit, i);
        int has_levels = one->place > 0 && one->proved && strstr(one->settings, "release=levels:") != NULL;
        if (has_levels && (found == NULL || one->place < found->place))
            found = one;
    }
    return found;
}

/* NULL: no memory. */
static json_t *scorer_settings(const ll_scorer *scorer)
{
    json_t *object = json_object();
    for (long i = 0; i < ll_setting_count() && object != NULL; i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name);
        int is_usual = 1;
        if ((value != NULL && ll_scorer_is_usual(scorer, &is_usual, info->name) != LL_OK) ||
            (!is_usual && json_object_set_new(object, info->name, json_string(value)) != 0)) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

/* "name=value name=value" on top. */
static void override(json_t *object, const char *settings)
{
    char *copy = strdup(settings), *rest = NULL;
    for (char *one = copy != NULL ? strtok_r(copy, " ", &rest) : NULL; one != NULL; one = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(one, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        (void)json_object_set_new(object, one, json_string(value));
    }
    free(copy);
}

static ll_status write_text(const char *path, const char *text, ll_error *error)
{
    ll_io_output *out = NULL;
    ll_status status = ll_io_output_open(&out, path, error);
    if (status == LL_OK)
        status = ll_io_output_write(out, text, strlen(text), error);
    if (status == LL_OK)
        status = ll_io_output_write(out, "\n", 1, error);
    if (status == LL_OK)
        return ll_io_output_commit(out, error);
    ll_io_output_abandon(out);
    return status;
}

ll_status ll_cli_defend_write_policy(const char *path, const ll_scorer *scorer, const char *better,
                                     const ll_audit *audit, ll_error *error)
{
    const ll_defence *levels = find_levels(audit);
    ll_policy *policy = NULL;
    if (levels == NULL)
        return ll_fail(error, LL_DOMAIN,
                       "no release by levels keeps this promise, and a guard needs one: promise a larger "
                       "share, or allow fewer submissions");
    json_t *settings = scorer_settings(scorer);
    if (settings == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a policy");
    override(settings, levels->settings);
    if (better != NULL) {
        (void)json_object_del(settings, "metric");
        (void)json_object_del(settings, "transform");
    }
    json_t *object =
        json_pack("{s:i, s:o, s:{s:f}}", "policy", 1, "scorer", settings, "promise", "share", audit->target_share);
    if (object != NULL && better != NULL && json_object_set_new(object, "better", json_string(better)) != 0) {
        json_decref(object);
        object = NULL;
    }
    char *text = object != NULL ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    ll_status status = text != NULL ? ll_policy_read(&policy, text, strlen(text), error)
                                    : ll_fail(error, LL_MEMORY, "no memory for a policy");
    free(text);
    if (status == LL_OK)
        status = write_text(path, ll_policy_get_json(policy), error);
    ll_policy_destroy(policy);
    return status;
}

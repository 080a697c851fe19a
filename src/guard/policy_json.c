/* A policy as JSON: every member with its value in force, in one fixed order. */
#include "guard/policy.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put(json_t *object, const char *name, json_t *value)
{
    (void)json_object_set_new(object, name, value);
}

/* Settings in the order of their table. NULL: no memory; one that is left out would be another policy. */
static json_t *scorer_json(const ll_policy *p)
{
    const ll_scorer *scorer = p->scorer;
    json_t *object = json_object();
    for (long i = 0; i < ll_setting_count() && object != NULL; i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name);
        int is_stand_in = p->better != NULL && strcmp(info->name, "metric") == 0, is_usual = 1;
        if ((value != NULL && !is_stand_in && ll_scorer_is_usual(scorer, &is_usual, info->name) != LL_OK) ||
            (!is_usual && json_object_set_new(object, info->name, json_string(value)) != 0)) {
            json_decref(object);
            object = NULL;
        }
    }
    if (p->noise != NULL && object != NULL)
        put(object, "noise", json_string(p->noise));
    return object;
}

static json_t *promise_json(const ll_policy *p)
{
    json_t *object = json_object();
    if (!isnan(p->share))
        put(object, "share", json_real(p->share));
    if (!isnan(p->bits))
        put(object, "bits", json_real(p->bits));
    if (!isnan(p->row_share))
        put(object, "row_share", json_real(p->row_share));
    if (!isnan(p->row_rho))
        put(object, "row_rho", json_real(p->row_rho));
    return object;
}

static json_t *code_json(const ll_policy *p)
{
    json_t *object = json_object();
    int is_fixed = p->tariff.rate_kind == ll_rate_kind_find("fixed");
    put(object, "rate", is_fixed ? json_real(p->tariff.rate) : json_string(p->tariff.rate_kind->name));
    put(object, "first", json_string(p->tariff.is_first_uniform ? "uniform" : "climb"));
    put(object, "overrun", json_string(p->tariff.is_nearest ? "nearest" : "refuse"));
    return object;
}

static void put_limit(json_t *object, const char *name, long limit)
{
    if (limit > 0)
        put(object, name, json_integer(limit));
}

static json_t *limits_json(const ll_policy *p)
{
    json_t *object = json_object();
    put_limit(object, "submissions", p->submissions);
    put_limit(object, "accounts", p->accounts);
    put_limit(object, "per_account", p->per_account);
    put_limit(object, "per_day", p->per_day);
    put_limit(object, "improvements", p->improvements);
    return object;
}

char *ll_policy_write(const ll_policy *p)
{
    json_t *scorer = scorer_json(p), *object = scorer != NULL ? json_object() : NULL;
    if (object == NULL) {
        json_decref(scorer);
        return NULL;
    }
    put(object, "policy", json_integer(1));
    put(object, "scorer", scorer);
    if (p->better != NULL)
        put(object, "better", json_string(p->better));
    json_t *program = ll_policy_program_json(p);
    if (program != NULL)
        put(object, "program", program);
    put(object, "promise", promise_json(p));
    if (p->levels > 0)
        put(object, "code", code_json(p));
    put(object, "limits", limits_json(p));
    put(object, "failures", json_string(p->are_failures_counted ? "counted" : "free"));
    put(object, "leaderboard", json_string(p->is_public ? "public" : "host"));
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(object);
    return text;
}

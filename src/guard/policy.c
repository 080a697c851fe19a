/* A policy from JSON. Every member is a row of a table; what is not in it is refused. */
#include "guard/policy.h"
#include "guard/noisy_level.h"
#include "guard/row_ledger.h"
#include "number/text_number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    ll_status (*read)(ll_policy *p, const char *name, const json_t *value, ll_error *error);
} member;

static ll_status refuse(ll_error *error, const char *name, const char *accepted)
{
    return ll_fail(error, LL_DOMAIN, "policy: %s must be %s", name, accepted);
}

static ll_status read_members(ll_policy *p, const char *what, const json_t *object, const member *members, size_t count,
                              ll_error *error)
{
    const char *name = NULL;
    json_t *value = NULL;
    ll_status status = json_is_object(object) ? LL_OK : refuse(error, what, "an object");
    if (status != LL_OK)
        return status;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        size_t i = 0;
        while (i < count && strcmp(members[i].name, name) != 0)
            i++;
        if (i == count)
            return ll_fail(error, LL_DOMAIN, "policy: %s has a member %s, which is not known", what, name);
        status = members[i].read(p, name, value, error);
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

#define READ_MEMBERS(p, what, object, members, error)                                                                  \
    read_members(p, what, object, members, sizeof(members) / sizeof *(members), error)

/* One of two words. */
static ll_status read_word(int *out, const char *name, const json_t *value, const char *yes, const char *no,
                           ll_error *error)
{
    const char *text = json_string_value(value);
    if (text == NULL || (strcmp(text, yes) != 0 && strcmp(text, no) != 0))
        return ll_fail(error, LL_DOMAIN, "policy: %s must be \"%s\" or \"%s\"", name, yes, no);
    *out = strcmp(text, yes) == 0;
    return LL_OK;
}

/* ---- scorer ---- */

/* A setting as text: strings, numbers, true and false. NULL: none of these. */
static char *setting_text(const json_t *value)
{
    if (json_is_string(value))
        return strdup(json_string_value(value));
    if (json_is_boolean(value))
        return strdup(json_is_true(value) ? "yes" : "no");
    return json_is_number(value) ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
}

/* Does this setting name a metric, or a profile that has one? */
static int is_metric(const char *setting)
{
    static const char *const names[] = {"metric", "loss", "scorer", "profile"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(setting, names[i]) == 0)
            return 1;
    return 0;
}

static ll_status read_scorer(ll_policy *p, const char *name, const json_t *object, ll_error *error)
{
    const char *setting = NULL;
    json_t *value = NULL;
    if (!json_is_object(object))
        return refuse(error, name, "an object of settings");
    json_object_foreach((json_t *)(uintptr_t)object, setting, value)
    {
        char *text = setting_text(value);
        p->names_metric |= is_metric(setting);
        ll_status status = text != NULL ? ll_scorer_set(p->scorer, setting, text, error)
                                        : refuse(error, setting, "a text, a number, true or false");
        free(text);
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

/* ---- promise ---- */

static ll_status read_share(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    p->share = json_number_value(value);
    return json_is_number(value) && p->share > 0 && p->share < 1 ? LL_OK : refuse(error, name, "between 0 and 1");
}

static ll_status read_bits(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    p->bits = json_number_value(value);
    return json_is_number(value) && p->bits > 0 && p->bits < 1e12 ? LL_OK : refuse(error, name, "a number above 0");
}

static ll_status read_row_share(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    p->row_share = json_number_value(value);
    return json_is_number(value) && p->row_share > 0 && p->row_share < 1 ? LL_OK
                                                                         : refuse(error, name, "between 0 and 1");
}

static ll_status read_row_rho(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    p->row_rho = json_number_value(value);
    return json_is_number(value) && p->row_rho > 0 && p->row_rho < 100 ? LL_OK
                                                                       : refuse(error, name, "between 0 and 100");
}

static ll_status read_promise(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    static const member members[] = {
        {"share", read_share}, {"bits", read_bits}, {"row_share", read_row_share}, {"row_rho", read_row_rho}};
    return READ_MEMBERS(p, name, value, members, error);
}

/* ---- code of answers ---- */

static ll_status read_rate(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    const char *word = json_string_value(value);
    p->tariff.rate = json_number_value(value);
    p->tariff.rate_kind = ll_rate_kind_find(word != NULL ? word : "fixed");
    int is_good = word != NULL ? p->tariff.rate_kind == ll_rate_kind_find("learned")
                               : json_is_number(value) && p->tariff.rate >= 1e-9 && p->tariff.rate <= 1 - 1e-9;
    return is_good ? LL_OK : refuse(error, name, "\"learned\" or a number between 0 and 1");
}

static ll_status read_first(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    return read_word(&p->tariff.is_first_uniform, name, value, "uniform", "climb", error);
}

static ll_status read_overrun(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    return read_word(&p->tariff.is_nearest, name, value, "nearest", "refuse", error);
}

static ll_status read_code(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    static const member members[] = {{"rate", read_rate}, {"first", read_first}, {"overrun", read_overrun}};
    return READ_MEMBERS(p, name, value, members, error);
}

/* ---- limits ---- */

static ll_status read_limit(long *out, const char *name, const json_t *value, ll_error *error)
{
    *out = (long)json_integer_value(value);
    return json_is_integer(value) && *out >= 1 ? LL_OK : refuse(error, name, "a whole number of at least 1");
}

#define LIMIT(field)                                                                                                   \
    static ll_status read_##field(ll_policy *p, const char *name, const json_t *value, ll_error *error)                \
    {                                                                                                                  \
        return read_limit(&p->field, name, value, error);                                                              \
    }
LIMIT(submissions)
LIMIT(accounts)
LIMIT(per_account)
LIMIT(per_day)
LIMIT(improvements)

static ll_status read_limits(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    static const member members[] = {{"submissions", read_submissions},
                                     {"accounts", read_accounts},
                                     {"per_account", read_per_account},
                                     {"per_day", read_per_day},
                                     {"improvements", read_improvements}};
    return READ_MEMBERS(p, name, value, members, error);
}

/* ---- the rest ---- */

static ll_status read_version(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    (void)p;
    return json_integer_value(value) == 1 ? LL_OK : refuse(error, name, "1, the version of this form");
}

static ll_status read_failures(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    return read_word(&p->are_failures_counted, name, value, "counted", "free", error);
}

static ll_status read_leaderboard(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    return read_word(&p->is_public, name, value, "public", "host", error);
}

/* A metric that stands in for the host's own: levels ask only which scores are better. */
static const struct {
    const char *better, *metric;
} stand_ins[] = {{"higher", "accuracy"}, {"lower", "log-loss"}};

static ll_status read_better(ll_policy *p, const char *name, const json_t *value, ll_error *error)
{
    const char *word = json_string_value(value);
    for (size_t i = 0; word != NULL && i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (strcmp(stand_ins[i].better, word) == 0)
            p->better = stand_ins[i].better;
    return p->better != NULL ? LL_OK : refuse(error, name, "\"higher\" or \"lower\"");
}

static const member members[] = {
    {"policy", read_version},
    {"scorer", read_scorer},
    {"promise", read_promise},
    {"code", read_code},
    {"limits", read_limits},
    {"failures", read_failures},
    {"leaderboard", read_leaderboard},
    {"better", read_better},
    {"program", ll_policy_read_program},
};

/* ---- what it means together ---- */

static void take_limit(long *out, const ll_scorer *scorer, const char *setting)
{
    if (*out == 0)
        *out = ll_scorer_get_count(scorer, setting);
}

static const ll_metric_info *find_metric(const ll_scorer *scorer)
{
    const char *metric = ll_scorer_get(scorer, "metric");
    for (long i = 0; i < ll_metric_count() && metric != NULL; i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        size_t length = strcspn(info->name, ":");
        if (strncmp(info->name, metric, length) == 0 && strcspn(metric, ":") == length)
            return info;
    }
    return NULL;
}

/* A metric that divides rows by their sums takes weights. */
static const char *find_input(const ll_policy *p)
{
    const ll_metric_info *info = p->better == NULL ? find_metric(p->scorer) : NULL;
    const char *clip = ll_scorer_get(p->scorer, "clip-mode"), *input = info != NULL ? info->input : "number";
    int divides = clip != NULL && strcmp(clip, "clip-renormalise") == 0;
    return divides && strcmp(input, "probability") == 0 ? "weight" : input;
}

/* Noise is drawn here, before levels: the scorer has none. */
static ll_status take_noise(ll_policy *p, ll_error *error)
{
    const char *noise = ll_scorer_get(p->scorer, "noise");
    if (noise == NULL || strcmp(noise, "none") == 0)
        return LL_OK;
    p->noise = strdup(noise);
    return p->noise != NULL ? ll_scorer_set(p->scorer, "noise", "none", error)
                            : ll_fail(error, LL_MEMORY, "no memory for a policy");
}

static ll_status check_release(ll_policy *p, ll_error *error)
{
    if (ll_scorer_count_numbers(p->scorer) != 1)
        return ll_fail(error, LL_DOMAIN, "policy: scorer: one number can be guarded, but an answer has several");
    if (ll_scorer_get(p->scorer, "public") != NULL)
        return ll_fail(error, LL_DOMAIN,
                       "policy: scorer: a public part of the rows: guard the labels of that part alone");
    if (ll_scorer_get_count(p->scorer, "rows") < 1)
        return ll_fail(error, LL_DOMAIN, "policy: scorer: rows are missing: how many labels are there?");
    p->levels = ll_scorer_get_level(p->scorer, NULL, 0, 0);
    if (p->levels == 0 && p->noise == NULL)
        return ll_fail(error, LL_DOMAIN,
                       "policy: scorer: scores must be shown by levels, with noise, or both; "
                       "release is levels:BASE:BEST:COUNT, levels:G0,G1,... or ladder:STEP");
    if (p->better != NULL && p->noise != NULL)
        return ll_fail(error, LL_DOMAIN,
                       "policy: better: what a label can move the host's own metric is not known, so "
                       "noise has no size; show it by levels alone");
    return LL_OK;
}

/* The metric of the scorer where the policy has the host's own. */
static ll_status set_stand_in(ll_policy *p, ll_error *error)
{
    size_t i = 0;
    if (p->better == NULL)
        return LL_OK;
    if (p->names_metric)
        return ll_fail(error, LL_DOMAIN,
                       "policy: better is for the host's own metric: leave out the metric of the scorer");
    while (strcmp(stand_ins[i].better, p->better) != 0)
        i++;
    return ll_scorer_set(p->scorer, "metric", stand_ins[i].metric, error);
}

/* ---- single labels ---- */

/* Do levels of this Ladder rise? -1: it has none. */
static int rises(const ll_policy *p, const char *ladder_text)
{
    ll_scorer *ladder = NULL;
    char texts[2][400];
    int answer = -1;
    if (ll_scorer_vary(&ladder, p->bare, NULL, "release", ladder_text, (char *)NULL) == LL_OK &&
        ll_scorer_get_level(ladder, texts[0], sizeof texts[0], 0) >= 1) {
        (void)ll_scorer_get_level(ladder, texts[1], sizeof texts[1], 1);
        answer = ll_read_double(texts[1], NULL) > ll_read_double(texts[0], NULL);
    }
    ll_scorer_destroy(ladder);
    return answer;
}

/* Which of two numbers is better? A Ladder of this metric knows; its step must be smaller than its range. */
static ll_status find_direction(ll_policy *p, ll_error *error)
{
    static const char *const ladders[] = {"ladder:0.001", "ladder:0.1", "ladder:10", "ladder:1000"};
    p->is_high = -1;
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders && p->is_high < 0; i++)
        p->is_high = rises(p, ladders[i]);
    return p->is_high >= 0 ? LL_OK
                           : ll_fail(error, LL_DOMAIN,
                                     "policy: scorer: which numbers of this metric are better is not known; "
                                     "show it by levels");
}

/* What noise alone does not have. */
static ll_status check_noise_alone(const ll_policy *p, ll_error *error)
{
    if (p->levels > 0)
        return LL_OK;
    if (p->improvements > 0)
        return ll_fail(error, LL_DOMAIN, "policy: limits: improvements are of releases by levels");
    if (ll_scorer_get(p->scorer, "counts") != NULL)
        return ll_fail(error, LL_DOMAIN,
                       "policy: scorer: where class counts are known, answers with noise are not "
                       "metered; show scores by levels");
    return LL_OK;
}

/* Bits about one label, even for somebody who knows all others (docs/proofs/row-ledger.md). */
static ll_status set_row_cap(ll_policy *p, ll_error *error)
{
    double bits = 0;
    ll_status status = LL_OK;
    p->row_cap = INFINITY;
    if (!isnan(p->row_share) && !isnan(p->row_rho))
        return ll_fail(error, LL_DOMAIN, "policy: promise has row_share and row_rho: one of them is enough");
    if (!isnan(p->row_rho))
        p->row_cap = p->row_rho;
    if (!isnan(p->row_share)) {
        status = ll_audit_bits_of_share(&bits, p->scorer, p->row_share, error);
        p->row_cap = LL_RHO_OF_BITS * bits / (double)ll_scorer_get_count(p->scorer, "rows") * (1 - 0x1p-40);
    }
    if (status == LL_OK && !(p->row_cap > 0))
        status = ll_fail(error, LL_DOMAIN, "policy: guessing gets a share of %g already: promise more of a row",
                         p->row_share);
    return status;
}

/* Only of sums of terms is it known what each label can move. */
static ll_status check_metric_of_rows(const ll_policy *p, ll_error *error)
{
    const ll_metric_info *info = find_metric(p->scorer);
    if (p->keeps_rows && p->noise != NULL && (info == NULL || info->formula != NULL))
        return ll_fail(error, LL_DOMAIN,
                       "policy: scorer: what a label can move this metric is not known row by row; show "
                       "it by levels, and promise nothing of single labels");
    return LL_OK;
}

static ll_status set_rows(ll_policy *p, ll_error *error)
{
    int is_promised = !isnan(p->row_share) || !isnan(p->row_rho);
    p->keeps_rows = p->levels == 0 || is_promised;
    ll_status status = check_noise_alone(p, error);
    if (status == LL_OK)
        status = check_metric_of_rows(p, error);
    if (status == LL_OK && is_promised && p->noise == NULL)
        status = ll_fail(error, LL_DOMAIN, "policy: promise: levels promise nothing of a single label; add noise");
    if (status == LL_OK)
        status = set_row_cap(p, error);
    if (status == LL_OK && p->levels == 0)
        status = find_direction(p, error);
    return status;
}

/* The number before noise and levels, and with noise alone. */
static ll_status set_bare(ll_policy *p, ll_error *error)
{
    if (p->noise == NULL)
        return LL_OK;
    if (ll_noise_kind_find(p->noise) == NULL)
        return ll_noise_kind_refuse(error);
    if (strcmp(ll_scorer_get(p->scorer, "arithmetic"), "fp64") != 0)
        return ll_fail(error, LL_DOMAIN, "policy: scorer: noise is added to numbers in fp64");
    ll_status status = ll_scorer_vary(&p->bare, p->scorer, error, "release", "plain", "start", (char *)NULL,
                                      "improvements", (char *)NULL, "scope", (char *)NULL, "queries", (char *)NULL,
                                      "decimals", "none", "digits", "none", (char *)NULL);
    if (status == LL_OK)
        status = ll_scorer_vary(&p->noisy, p->bare, error, "noise", p->noise, (char *)NULL);
    return status;
}

static ll_status set_budget(ll_policy *p, ll_error *error)
{
    double bits = INFINITY;
    ll_status status = LL_OK;
    if (!isnan(p->share) && !isnan(p->bits))
        return ll_fail(error, LL_DOMAIN, "policy: promise has a share and bits: one of them is enough");
    if (!isnan(p->share))
        status = ll_audit_bits_of_share(&bits, p->scorer, p->share, error);
    else if (!isnan(p->bits))
        bits = p->bits;
    p->tariff.budget = ll_meter_round_down(bits);
    if (status == LL_OK && p->tariff.budget <= 0 && !isnan(p->bits))
        status = ll_fail(error, LL_DOMAIN, "policy: bits must be at least a millionth");
    if (status == LL_OK && p->tariff.budget <= 0)
        status = ll_fail(error, LL_DOMAIN, "policy: guessing gets a share of %g already: promise more", p->share);
    return status;
}

/* In doubles where nothing else is said: an exact score that is equal to a level is never decided. */
static ll_status set_arithmetic(ll_policy *p, ll_error *error)
{
    const char *arithmetic = ll_scorer_get(p->scorer, "arithmetic");
    int is_exact = arithmetic != NULL && strcmp(arithmetic, "exact") == 0;
    return is_exact ? ll_scorer_set(p->scorer, "arithmetic", "fp64", error) : LL_OK;
}

static ll_status resolve(ll_policy *p, ll_error *error)
{
    ll_status status = ll_policy_check_program(p, error);
    if (status == LL_OK)
        status = set_stand_in(p, error);
    if (status == LL_OK)
        status = set_arithmetic(p, error);
    if (status == LL_OK)
        status = take_noise(p, error);
    if (status == LL_OK)
        status = ll_scorer_resolve(p->scorer, NULL, error);
    if (status == LL_OK)
        status = check_release(p, error);
    if (status == LL_OK)
        status = set_bare(p, error);
    if (status != LL_OK)
        return status;
    const char *scope = ll_scorer_get(p->scorer, "scope");
    p->is_leaderboard = scope != NULL && strcmp(scope, "leaderboard") == 0;
    p->input = find_input(p);
    take_limit(&p->per_account, p->scorer, "queries");
    take_limit(&p->accounts, p->scorer, "accounts");
    take_limit(&p->per_day, p->scorer, "per-day");
    take_limit(&p->improvements, p->scorer, "improvements");
    status = set_rows(p, error);
    return status == LL_OK ? set_budget(p, error) : status;
}

static ll_status finish(ll_policy *p, ll_error *error)
{
    ll_digest digest;
    p->json = ll_policy_write(p);
    if (p->json == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a policy");
    ll_digest_init(&digest, "policy");
    ll_digest_add_text(&digest, p->json);
    ll_digest_finish_text(&digest, p->digest);
    return LL_OK;
}

ll_status ll_policy_read(ll_policy **out, const char *json, size_t length, ll_error *error)
{
    json_error_t wrong;
    ll_policy *p = calloc(1, sizeof *p);
    if (p == NULL || sodium_init() < 0) {
        free(p);
        return ll_fail(error, LL_MEMORY, "no memory for a policy");
    }
    p->tariff.rate_kind = ll_rate_kind_find("learned");
    p->tariff.is_first_uniform = p->tariff.is_nearest = p->are_failures_counted = p->is_public = 1;
    p->share = p->bits = p->row_share = p->row_rho = NAN;
    json_t *object = json_loadb(json, length, JSON_REJECT_DUPLICATES, &wrong);
    ll_status status = object != NULL ? ll_scorer_create(&p->scorer, error)
                                      : ll_fail(error, LL_DOMAIN, "policy: line %d: %s", wrong.line, wrong.text);
    if (status == LL_OK)
        status = READ_MEMBERS(p, "the policy", object, members, error);
    json_decref(object);
    if (status == LL_OK)
        status = resolve(p, error);
    if (status == LL_OK)
        status = finish(p, error);
    if (status != LL_OK)
        ll_policy_destroy(p);
    else
        *out = p;
    return status;
}

void ll_policy_destroy(ll_policy *policy)
{
    if (policy == NULL)
        return;
    ll_scorer_destroy(policy->scorer);
    ll_scorer_destroy(policy->bare);
    ll_scorer_destroy(policy->noisy);
    free(policy->noise);
    for (int i = 0; i < LL_POLICY_PROGRAM; i++)
        free(policy->program[i]);
    free(policy->json);
    free(policy);
}

const char *ll_policy_get_json(const ll_policy *policy)
{
    return policy->json;
}

const char *ll_policy_get_digest(const ll_policy *policy)
{
    return policy->digest;
}

const ll_scorer *ll_policy_get_scorer(const ll_policy *policy)
{
    return policy->scorer;
}

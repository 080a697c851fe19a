#include "cli/commands/audit_program.h"

#include "cli/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long find_option(const char *name)
{
    for (long i = 0; i < ll_setting_count(); i++)
        if (strcmp(ll_setting_get_info(i)->name, name) == 0)
            return i;
    return -1;
}

const char *ll_cli_program_given(const ll_scorer_options *scorer, const char *name)
{
    long at = find_option(name);
    return at >= 0 ? scorer->given[at] : NULL;
}

/* Channels that a platform hides which shows the leaderboard alone: logs, and columns that are not on it. */
static int hide_files(const ll_platform *platform, char *unseen, size_t size)
{
    char names[sizeof platform->hidden], *rest = names;
    (void)snprintf(unseen, size, "stdout,stderr");
    (void)snprintf(names, sizeof names, "%s", platform->hidden);
    for (char *name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ","))
        if (name[0] != '\0' && strlen(unseen) + 2 * strlen(name) + 30 < size)
            (void)snprintf(unseen + strlen(unseen), size - strlen(unseen), ",scores.json:%s,scores.txt:%s", name, name);
    return platform->hides_files;
}

ll_status ll_cli_program_ask(ll_audited_program *out, const ll_program_choice *choice, const ll_scorer_options *scorer,
                             ll_common_options *common, ll_error *error)
{
    ll_identify_request request;
    ll_program_attack_request attack;
    ll_budget budget = ll_cli_budget(common);
    const char *why_not, *classes = ll_cli_program_given(scorer, "classes");
    ll_identification_init(&out->found);
    ll_program_attack_result_init(&out->measured);
    ll_identify_request_init(&request);
    ll_program_attack_request_init(&attack);
    request.budget = attack.budget = &budget;
    request.classes = classes != NULL ? strtol(classes, NULL, 10) : 0;
    request.targets = ll_cli_program_given(scorer, "targets");
    request.rows = ll_cli_program_rows(choice);
    request.unseen = choice->unseen;
    request.seed = attack.seed = common->seed;
    ll_status status = ll_cli_program_open(&out->program, &out->platform, choice, error);
    char unseen[800];
    if (status != LL_OK)
        return status;
    if (request.unseen == NULL && hide_files(&out->platform, unseen, sizeof unseen))
        request.unseen = unseen;
    int is_open = ll_cli_program_labels(&request, out->program);
    const ll_program program = ll_run_program_view(out->program);
    status = ll_identify(&out->found, &program, &request, error);
    if (status == LL_DOMAIN)
        ll_cli_program_advise(choice, error);
    if (status == LL_OK)
        status = ll_program_attack(&out->measured, &program, &out->found, &attack, error);
    out->limits = ll_cli_program_limits_json(&out->platform);
    int is_sandboxed = ll_run_program_is_sandboxed(out->program, &why_not);
    out->report = (ll_identify_report){.found = &out->found,
                                       .program = choice->program != NULL ? choice->program : choice->interface,
                                       .format = ll_run_program_format(out->program),
                                       .platform = out->platform.path[0] ? out->platform.words : NULL,
                                       .limits = out->limits,
                                       .processor = ll_run_program_processor(out->program),
                                       .without_sandbox = is_sandboxed ? NULL : why_not,
                                       .attack = &out->measured,
                                       .is_open = is_open};
    return status;
}

/* A sum over the made-up rows is one over the host's rows: scale:29 becomes scale:N. */
static void rescale(char *text, size_t size, const char *settings, long made_up, const char *rows)
{
    char from[40];
    (void)snprintf(from, sizeof from, "scale:%ld", made_up);
    const char *at = strstr(settings, from), *behind = at != NULL ? at + strlen(from) : NULL;
    int is_sum = at != NULL && (*behind == ' ' || *behind == '\0') && rows != NULL;
    (void)snprintf(text, size, "%.*s%s%s%s", is_sum ? (int)(at - settings) : 0, settings, is_sum ? "scale:" : "",
                   is_sum ? rows : "", is_sum ? behind : settings);
}

/* As an option; one more number (also) joins those before. */
static ll_status put(ll_audited_program *asked, ll_scorer_options *scorer, const char *name, const char *value,
                     ll_error *error)
{
    const char **given = &scorer->given[find_option(name)], *before = *given != NULL ? *given : "";
    size_t length = strlen(before) + strlen(value) + 2;
    if (asked->used + length > sizeof asked->texts)
        return ll_fail(error, LL_UNABLE, "what was found is too long for one description");
    char *text = &asked->texts[asked->used];
    (void)snprintf(text, length, "%s%s%s", before, before[0] ? ";" : "", value);
    asked->used += length;
    *given = text;
    return LL_OK;
}

/* What the platform says of submissions and of digits, where no option does; it shows no more decimals than were found. */
static ll_status put_limits(ll_audited_program *asked, ll_scorer_options *scorer, ll_error *error)
{
    char number[24];
    const ll_platform *p = &asked->platform;
    const char *found = asked->found.settings, *decimals = strstr(found, " decimals=");
    long queries = p->total > 0 ? p->total : p->per_day * p->days;
    int is_counted = ll_cli_program_given(scorer, "queries") != NULL ||
                     ll_cli_program_given(scorer, "per-day") != NULL || ll_cli_program_given(scorer, "days") != NULL;
    int is_rounded = ll_cli_program_given(scorer, "decimals") != NULL ||
                     ll_cli_program_given(scorer, "digits") != NULL || strstr(found, " digits=") != NULL;
    ll_status status = LL_OK;
    (void)snprintf(number, sizeof number, "%ld", queries);
    if (queries > 0 && !is_counted)
        status = put(asked, scorer, "queries", number, error);
    (void)snprintf(number, sizeof number, "%ld", p->decimals);
    if (status == LL_OK && p->hides_files && p->decimals >= 0 && !is_rounded &&
        (decimals == NULL || strtol(decimals + strlen(" decimals="), NULL, 10) > p->decimals))
        status = put(asked, scorer, "decimals", number, error);
    return status;
}

/* The classes of the example, or those that were found; or the numbers. */
static ll_status put_labels(ll_audited_program *asked, ll_scorer_options *scorer, ll_error *error)
{
    char number[24];
    long of_example = ll_run_program_classes(asked->program),
         classes = of_example > 1 ? of_example : asked->found.classes;
    if (ll_cli_program_given(scorer, "classes") != NULL || ll_cli_program_given(scorer, "targets") != NULL)
        return LL_OK;
    (void)snprintf(number, sizeof number, "%ld", classes);
    if (asked->found.targets != NULL)
        return put(asked, scorer, "targets", asked->found.targets, error);
    return classes > 2 ? put(asked, scorer, "classes", number, error) : LL_OK;
}

ll_status ll_cli_program_describe(ll_audited_program *asked, ll_scorer_options *scorer, ll_error *error)
{
    char text[1600], *rest = text;
    const char *typed[LL_SCORER_OPTIONS];
    ll_status status = put_limits(asked, scorer, error);
    if (status == LL_OK)
        status = put_labels(asked, scorer, error);
    memcpy((void *)typed, (const void *)scorer->given, sizeof typed);
    rescale(text, sizeof text, asked->found.settings, asked->found.rows, ll_cli_program_given(scorer, "rows"));
    for (char *pair = strsep(&rest, " "); pair != NULL && status == LL_OK; pair = strsep(&rest, " ")) {
        char *value = strchr(pair, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        long at = find_option(pair);
        if (at >= 0 && typed[at] == NULL)
            status = put(asked, scorer, pair, value, error);
    }
    return status;
}

void ll_cli_program_clear(ll_audited_program *asked)
{
    if (asked->found.size > 0)
        ll_identification_clear(&asked->found);
    if (asked->measured.size > 0)
        ll_program_attack_result_clear(&asked->measured);
    json_decref(asked->limits);
    ll_run_program_close(asked->program);
}

int ll_cli_program_shows_rows(const ll_audited_program *asked)
{
    for (long i = 0; i < asked->found.surprise_count; i++)
        if (strcmp(ll_identification_get_surprise(&asked->found, i)->kind, "row-labels") == 0)
            return 1;
    return 0;
}

int ll_cli_program_leaks(const ll_audited_program *asked, double target_share)
{
    const ll_program_attack_result *m = &asked->measured;
    const ll_attack_measured *best = ll_program_attack_get_tried(m, 0);
    double target = target_share > 0 ? target_share : m->guess + 0.05;
    return ll_cli_program_shows_rows(asked) || best->share - 3 * best->error > target;
}

#include "cli/commands/audit_program.h"

#include "cli/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ll_cli_program_given(const ll_scorer_options *scorer, const char *name)
{
    for (long i = 0; i < ll_setting_count(); i++)
        if (strcmp(ll_setting_get_info(i)->name, name) == 0)
            return scorer->given[i];
    return NULL;
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
    request.unseen = choice->unseen;
    request.seed = attack.seed = common->seed;
    ll_status status = ll_cli_program_limits(&out->platform, choice, error);
    char unseen[800];
    if (status == LL_OK && request.unseen == NULL && hide_files(&out->platform, unseen, sizeof unseen))
        request.unseen = unseen;
    if (status == LL_OK)
        status = ll_cli_program_open(&out->program, choice, error);
    if (status != LL_OK)
        return status;
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
                                       .attack = &out->measured};
    return status;
}

/* A sum over the made-up rows is one over the host's rows: scale:29 becomes scale:N. */
static void rescale(char *text, size_t size, const char *settings, long made_up, const char *rows)
{
    char from[40];
    (void)snprintf(from, sizeof from, "scale:%ld", made_up);
    const char *at = strstr(settings, from), *behind = at != NULL ? at + strlen(from) : NULL;
    int is_sum = at != NULL && (*behind == ' ' || *behind == '\0') && rows != NULL;
    (void)snprintf(text, size, "%.*s%s%s%s", is_sum ? (int)(at - settings) : 0, settings, is_sum ? "scale:" : "", is_sum ? rows : "", is_sum ? behind : settings);
}

static ll_status set_count(ll_scorer_options *scorer, const char *name, long count, ll_error *error)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%ld", count);
    return ll_scorer_set(scorer->scorer, name, number, error);
}

/* What the platform says of submissions and of digits, where no option does. */
static ll_status set_limits(const ll_platform *p, const char *found, ll_scorer_options *scorer, ll_error *error)
{
    ll_status status = LL_OK;
    int is_counted = ll_cli_program_given(scorer, "queries") != NULL || ll_cli_program_given(scorer, "per-day") != NULL || ll_cli_program_given(scorer, "days") != NULL;
    if (p->total > 0 && !is_counted)
        status = set_count(scorer, "queries", p->total, error);
    else if (p->per_day > 0 && p->days > 0 && !is_counted)
        status = set_count(scorer, "queries", p->per_day * p->days, error);
    const char *decimals = strstr(found, " decimals=");
    int is_rounded = ll_cli_program_given(scorer, "decimals") != NULL || ll_cli_program_given(scorer, "digits") != NULL || strstr(found, " digits=") != NULL;
    if (status == LL_OK && p->hides_files && p->decimals >= 0 && !is_rounded && (decimals == NULL || strtol(decimals + strlen(" decimals="), NULL, 10) > p->decimals))
        status = set_count(scorer, "decimals", p->decimals, error);
    return status;
}

ll_status ll_cli_program_describe(const ll_audited_program *asked, ll_scorer_options *scorer, ll_error *error)
{
    char text[1600], kept[1600] = "", *rest = text;
    ll_identification found = asked->found;
    rescale(text, sizeof text, asked->found.settings, asked->found.rows, ll_cli_program_given(scorer, "rows"));
    for (char *pair = strsep(&rest, " "); pair != NULL; pair = strsep(&rest, " ")) {
        char name[40];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
        if (ll_cli_program_given(scorer, name) == NULL && strlen(kept) + strlen(pair) + 2 < sizeof kept) {
            strcat(kept, kept[0] ? " " : "");
            strcat(kept, pair);
        }
    }
    found.settings = kept;
    ll_status status = ll_identification_set(&found, scorer->scorer, error);
    return status == LL_OK ? set_limits(&asked->platform, asked->found.settings, scorer, error) : status;
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

int ll_cli_program_leaks(const ll_audited_program *asked, double target_share)
{
    const ll_program_attack_result *m = &asked->measured;
    const ll_attack_measured *best = ll_program_attack_get_tried(m, 0);
    double target = target_share > 0 ? target_share : m->guess + 0.05;
    for (long i = 0; i < asked->found.surprise_count; i++)
        if (strcmp(ll_identification_get_surprise(&asked->found, i)->kind, "row-labels") == 0)
            return 1; /* labels are shown as they are */
    return best->share - 3 * best->error > target;
}

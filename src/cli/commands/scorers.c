/* lossleak scorers: the table of profiles of real scorers. */
#include "cli/commands/listing.h"
#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <stdio.h>
#include <string.h>

static const char *const headings[] = {"scorer", "verified against", "what it is", NULL};

static const char *name_of(long index)
{
    return ll_profile_get_info(index)->name;
}

static const char *verified_text(const ll_profile_info *info)
{
    return info->verified[0] ? info->verified : "-";
}

static void write_cell(char *text, size_t size, long index, long column)
{
    const ll_profile_info *info = ll_profile_get_info(index);
    const char *cells[] = {info->name, verified_text(info), info->summary};
    (void)snprintf(text, size, "%s", cells[column]);
}

static ll_scorer *make_scorer(const ll_profile_info *info)
{
    ll_scorer *scorer = NULL;
    if (ll_scorer_create(&scorer, NULL) == LL_OK && ll_scorer_set(scorer, "scorer", info->name, NULL) == LL_OK)
        return scorer;
    ll_scorer_destroy(scorer);
    return NULL;
}

static void print_details(long index)
{
    const ll_profile_info *info = ll_profile_get_info(index);
    char text[400];
    ll_scorer *scorer = make_scorer(info);
    ll_report_field(stdout, "scorer", "%s", info->name);
    ll_report_field(stdout, "", "%s", info->summary);
    ll_report_field(stdout, "verified", "%s",
                    info->verified[0] ? info->verified : "not against the real program: from its source only");
    ll_report_field(stdout, "source", "%s", info->source);
    if (scorer == NULL)
        return;
    ll_report_write_scorer(text, sizeof text, scorer);
    ll_report_field(stdout, "settings", "%s", text);
    ll_scorer_destroy(scorer);
}

static json_t *make_object(long index)
{
    const ll_profile_info *info = ll_profile_get_info(index);
    ll_scorer *scorer = make_scorer(info);
    if (scorer == NULL)
        return NULL;
    json_t *object = json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "name", ll_report_json_string(info->name), "verified",
                               info->verified[0] != '\0', "verified_against",
                               ll_report_json_string(info->verified[0] ? info->verified : NULL), "summary",
                               ll_report_json_string(info->summary), "source", ll_report_json_string(info->source),
                               "scorer", ll_report_json_scorer(scorer));
    ll_scorer_destroy(scorer);
    return object;
}

static const char doc[] =
    "The profiles that --scorer takes: scorers of real programs. A profile is verified if its interval was checked "
    "to contain the score of the named program and version; the others follow the program's source. With NAME: its "
    "settings, each of which an option can override, the versions that it was verified against, and the source file "
    "that it follows. A NAME without a version means the newest profile that was verified.\v"
    "Example:\n"
    "  lossleak scorers sklearn/log_loss";

static const ll_syntax syntax = LL_LISTING_SYNTAX("scorers", doc);

/* The name of the row that `word`, perhaps without a version, stands for; `word` itself where there is none. */
static const char *full_name(const ll_scorer *scorer, const char *word)
{
    const char *full = ll_scorer_get(scorer, "scorer");
    for (long i = 0; full && i < ll_profile_count(); i++)
        if (strcmp(name_of(i), full) == 0)
            return name_of(i);
    return word;
}

static void complete_names(ll_texts *names)
{
    ll_scorer *scorer = NULL;
    if (ll_scorer_create(&scorer, NULL) != LL_OK)
        return;
    for (long i = 0; i < names->count; i++)
        if (ll_scorer_set(scorer, "scorer", names->texts[i], NULL) == LL_OK)
            names->texts[i] = full_name(scorer, names->texts[i]);
    ll_scorer_destroy(scorer);
}

static ll_exit work(void *options)
{
    complete_names(&((ll_listing_options *)options)->names);
    static const ll_listing listing = {&syntax,    ll_profile_count, name_of,    headings,
                                       write_cell, print_details,    make_object};
    return ll_cli_list(&listing, options);
}

const ll_command ll_command_scorers = {&syntax, "the profiles of real scorers, and which were verified", work};

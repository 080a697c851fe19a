/* lossleak scorers: the table of profiles of real scorers. */
#include "cli/commands/listing.h"
#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <stdio.h>

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
    if (scorer == NULL)
        return;
    ll_report_write_scorer(text, sizeof text, scorer);
    ll_report_field(stdout, "parts", "%s", text);
    ll_scorer_destroy(scorer);
}

static json_t *make_object(long index)
{
    const ll_profile_info *info = ll_profile_get_info(index);
    ll_scorer *scorer = make_scorer(info);
    if (scorer == NULL)
        return NULL;
    json_t *object = json_pack("{s:o, s:b, s:o, s:o, s:o}", "name", ll_report_json_string(info->name), "verified",
                               info->verified[0] != '\0', "verified_against",
                               ll_report_json_string(info->verified[0] ? info->verified : NULL), "summary",
                               ll_report_json_string(info->summary), "scorer", ll_report_json_scorer(scorer));
    ll_scorer_destroy(scorer);
    return object;
}

static const char doc[] =
    "The profiles that --scorer takes: scorers of real programs. A profile is verified where its interval was checked "
    "to hold the score of the named program and version; the others follow the program's source. With NAME: its "
    "parts, each of which an option can override.\v"
    "Example:\n  lossleak scorers sklearn-1.2/log_loss";

static const ll_syntax syntax = LL_LISTING_SYNTAX("scorers", doc);

static ll_exit work(void *options)
{
    static const ll_listing listing = {&syntax,    ll_profile_count, name_of,    headings,
                                       write_cell, print_details,    make_object};
    return ll_cli_list(&listing, options);
}

const ll_command ll_command_scorers = {&syntax, "the profiles of real scorers, and which were verified", work};

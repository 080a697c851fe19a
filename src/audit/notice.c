/* What participants notice of a release: how the scores that they are shown differ from those that they were shown
 * before. */
#include "audit/audit_private.h"
#include "audit/settings_text.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(char *text, size_t size, const char *sentence)
{
    ll_print_more(text, size, "%s%s", text[0] != '\0' ? " " : "", sentence);
}

static void notice_levels(char *text, size_t size, const ll_scorer *scorer)
{
    char line[300];
    const char *of = scorer->groups != NULL ? ", for all rows and for each group" : "";
    int is_record = scorer->is_leaderboard;
    if (scorer->own_levels > 0)
        (void)ll_print(
            line, sizeof line,
            "Only a submission that beats the best of all accounts shows a new record. Below it an account sees "
            "the record, and which of %ld level%s of its own it has reached.",
            scorer->own_levels, scorer->own_levels == 1 ? "" : "s");
    else
        (void)ll_print(
            line, sizeof line, "%s%s.",
            is_record ? "Only a submission that beats the best of all accounts shows a new score; everybody else sees "
                        "the record"
                      : "Small improvements do not show, a worse submission shows the old score, and close models tie",
            of);
    add(text, size, line);
    if (!is_record && scorer->own_levels == 0)
        add(text, size, "Whoever has reached no level sees where the list begins.");
    if (is_record)
        add(text, size, "Who is second is known at the end, from rows that were never scored.");
}

static void notice_noise(char *text, size_t size, const ll_defence *d, const char *noise)
{
    char line[200];
    if (strcmp(noise, "none") == 0)
        return;
    (void)ll_print(
        line, sizeof line,
        "Scores are blurred: models that differ by less than %.2g may swap places, and a submission that is sent "
        "again gets another score.",
        d->distance);
    add(text, size, line);
}

static void notice_clip(char *text, size_t size, const char *clip)
{
    char line[200];
    (void)ll_print(line, sizeof line, "A probability below %s counts as %s, so being surer than that gains nothing.",
                   clip, clip);
    add(text, size, line);
}

void ll_audit_write_notice(char *text, size_t size, const ll_scorer *scorer, const ll_defence *d)
{
    char value[80], line[160];
    text[0] = '\0';
    if (ll_release_is_history(&scorer->release))
        notice_levels(text, size, scorer);
    ll_settings_get(value, sizeof value, d->settings, "noise");
    if (value[0] != '\0')
        notice_noise(text, size, d, value);
    ll_settings_get(value, sizeof value, d->settings, "clip");
    if (value[0] != '\0')
        notice_clip(text, size, value);
    ll_settings_get(value, sizeof value, d->settings, "decimals");
    if (value[0] != '\0' && strcmp(value, "none") != 0) {
        (void)ll_print(line, sizeof line, "Scores have %s decimal%s, and closer ones tie.", value,
                       strcmp(value, "1") == 0 ? "" : "s");
        add(text, size, line);
    }
    ll_settings_get(value, sizeof value, d->settings, "queries");
    if (value[0] != '\0') {
        (void)ll_print(line, sizeof line, "Each account gets %s score%s, and then none.", value,
                       strcmp(value, "1") == 0 ? "" : "s");
        add(text, size, line);
    }
    if (text[0] == '\0')
        add(text, size, "Nothing: scores look as before.");
}

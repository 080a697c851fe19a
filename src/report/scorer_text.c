#include "report/scorer_text.h"

#include "report/text_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_report_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* The value of a setting unless it is this word, or not set. */
static const char *unless(const ll_scorer *scorer, const char *name, const char *word)
{
    const char *text = ll_scorer_get(scorer, name);
    return text != NULL && strcmp(text, word) != 0 ? text : NULL;
}

static void append_computation(char *text, size_t size, const ll_scorer *scorer)
{
    const char *arithmetic = ll_scorer_get(scorer, "arithmetic"), *metric = unless(scorer, "loss-arithmetic", "same");
    const char *total = unless(scorer, "sum-arithmetic", "same"), *transform = unless(scorer, "transform", "identity");
    ll_report_append(text, size, "%s", ll_scorer_get(scorer, "metric"));
    if (transform != NULL)
        ll_report_append(text, size, ", %s", transform);
    if (ll_scorer_get(scorer, "targets") != NULL)
        ll_report_append(text, size, ", targets %s", ll_scorer_get(scorer, "targets"));
    if (strcmp(ll_scorer_get(scorer, "zero-division"), "raise") == 0)
        ll_report_append(text, size, ", 0/0 fails");
    if (ll_scorer_get(scorer, "undefined") != NULL)
        ll_report_append(text, size, ", undefined %s", ll_scorer_get(scorer, "undefined"));
    if (unless(scorer, "clip-targets", "no") != NULL)
        ll_report_append(text, size, ", predictions clipped to them");
    if (unless(scorer, "clip-mode", "none") != NULL)
        ll_report_append(text, size, ", %s %s", ll_scorer_get(scorer, "clip-mode"), ll_scorer_get(scorer, "clip"));
    if (ll_scorer_get(scorer, "weights") != NULL)
        ll_report_append(text, size, ", rows weighted");
    if (ll_scorer_get(scorer, "class-weights") != NULL)
        ll_report_append(text, size, ", class weights %s", ll_scorer_get(scorer, "class-weights"));
    ll_report_append(text, size, ", %s", arithmetic);
    if (strcmp(arithmetic, "exact") == 0)
        return;
    if (metric != NULL && strcmp(metric, "rows") != 0)
        ll_report_append(text, size, ", loss in %s", metric);
    ll_report_append(text, size, ", %s sum", ll_scorer_get(scorer, "sum"));
    if (total != NULL && strcmp(total, arithmetic) != 0)
        ll_report_append(text, size, " in %s", total);
}

/* How probabilities become classes: what is not known is said, too. */
static void append_threshold(char *text, size_t size, const ll_scorer *scorer)
{
    const char *threshold = ll_scorer_get(scorer, "threshold"), *number = strchr(threshold, ':');
    if (!ll_scorer_reads_classes(scorer))
        return;
    if (number != NULL)
        ll_report_append(text, size, ", class 1 %s %s", threshold[0] == 'a' ? "above" : "from", number + 1);
    else if (strcmp(threshold, "argmax") == 0)
        ll_report_append(text, size, ", classes by argmax");
    else if (strcmp(threshold, "open") == 0)
        ll_report_append(text, size, ", classes by argmax or a threshold in the middle, ties open");
    else
        ll_report_append(text, size, ", classes by the threshold %s, ties open", threshold);
}

/* A long list of levels is cut. */
static void append_levels(char *text, size_t size, const ll_scorer *scorer, const char *release)
{
    enum { SHOWN = 60 };
    ll_report_append(text, size, ", %.*s%s", (int)SHOWN, release, strlen(release) > SHOWN ? "..." : "");
    if (ll_scorer_get(scorer, "start") != NULL)
        ll_report_append(text, size, " from %s", ll_scorer_get(scorer, "start"));
    if (unless(scorer, "scope", "account") != NULL)
        ll_report_append(text, size, ", records of the leaderboard %s",
                         ll_scorer_get(scorer, "own-levels") == NULL ? "only" : "beside");
    if (ll_scorer_get(scorer, "own-levels") != NULL)
        ll_report_append(text, size, " %s levels of each account's own", ll_scorer_get(scorer, "own-levels"));
    if (ll_scorer_get(scorer, "improvements") != NULL)
        ll_report_append(text, size, ", at most %s improvements", ll_scorer_get(scorer, "improvements"));
}

static void append_answers(char *text, size_t size, const ll_scorer *scorer)
{
    long each = ll_scorer_get_count(scorer, "queries"), accounts = ll_scorer_get_count(scorer, "accounts");
    each = each > 0 ? each : ll_scorer_get_count(scorer, "per-day") * ll_scorer_get_count(scorer, "days");
    accounts = accounts > 0 ? accounts : ll_scorer_get_count(scorer, "teams");
    if (each > 0)
        ll_report_append(text, size, ", at most %ld submission%s", each, each == 1 ? "" : "s");
    if (accounts > 1)
        ll_report_append(text, size, "%s of %ld accounts", each > 0 ? " of each" : ", submissions", accounts);
}

static void append_release(char *text, size_t size, const ll_scorer *scorer)
{
    const char *decimals = unless(scorer, "decimals", "none"), *digits = unless(scorer, "digits", "none");
    const char *noise = unless(scorer, "noise", "none"), *release = unless(scorer, "release", "plain");
    const char *how = unless(scorer, "truncate", "no") != NULL ? "cut" : "rounded";
    const char *count = decimals != NULL ? decimals : digits;
    if (count != NULL)
        ll_report_append(text, size, ", %s to %s %s%s", how, count, decimals != NULL ? "decimal" : "digit",
                         ll_report_plural(strtol(count, NULL, 10)));
    if (noise != NULL)
        ll_report_append(text, size, ", noise %s", noise);
    if (release != NULL)
        append_levels(text, size, scorer, release);
    if (ll_scorer_get(scorer, "public") != NULL)
        ll_report_append(text, size, ", over a hidden public split (%s)", ll_scorer_get(scorer, "public"));
    if (ll_scorer_get(scorer, "also") != NULL)
        ll_report_append(text, size, ", also %s", ll_scorer_get(scorer, "also"));
    append_threshold(text, size, scorer);
    if (ll_scorer_get(scorer, "groups") != NULL)
        ll_report_append(text, size, ", of all rows and of each of %ld group%s", ll_scorer_count_numbers(scorer) - 1,
                         ll_report_plural(ll_scorer_count_numbers(scorer) - 1));
    append_answers(text, size, scorer);
    if (unless(scorer, "failures", "counted") != NULL)
        ll_report_append(text, size, ", failures not counted");
}

void ll_report_write_scorer(char *text, size_t size, const ll_scorer *scorer)
{
    text[0] = '\0';
    if (ll_scorer_get(scorer, "scorer") != NULL)
        ll_report_append(text, size, "%s: ", ll_scorer_get(scorer, "scorer"));
    append_computation(text, size, scorer);
    append_release(text, size, scorer);
}

void ll_report_write_options(char *text, size_t size, const char *settings)
{
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, " ");
        int is_yes = strncmp(at + name + 1, "yes", value) == 0, is_no = strncmp(at + name + 1, "no", value) == 0;
        ll_report_append(text, size, "%s%s--%.*s", text[0] ? " " : "", is_no ? "without " : "", (int)name, at);
        if (!is_yes && !is_no) /* else it is a flag */
            ll_report_append(text, size, " %.*s", (int)value, at + name + 1);
    }
}

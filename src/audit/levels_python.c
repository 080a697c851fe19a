/* A release by levels as code: complete but for the metric itself, where that is none of scikit-learn's.
 * tests/real/r-levels.py runs what is printed here, in two processes at once, and kills them. */
#include "audit/python_text.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, PART = 40, LISTED = 60, LIST = 1500 };

/* Decimals of a text, and one more than its step needs. */
static int count_decimals(double base, const char *best, long count)
{
    double size = fabs(ll_read_double(best, NULL) - base) / (double)count;
    int places = 1;
    for (; size < 1 && places < 15; places++)
        size *= 10;
    size_t point = strcspn(best, ".");
    int own = best[point] == '.' ? (int)strlen(best + point + 1) : 0;
    return (own > places ? own : places) + 1;
}

/* "levels:BASE:BEST:COUNT"; 0: it is none. */
static int split(char parts[PARTS][PART], const char *levels)
{
    static const char begin[] = "levels";
    const char *at = levels;
    int count = 0;
    if (strncmp(at, begin, strlen(begin)) != 0)
        return 0;
    for (at += strcspn(at, ":"); *at == ':' && count < PARTS; at += strcspn(at, ":"), count++) {
        at++;
        (void)snprintf(parts[count], PART, "%.*s", (int)strcspn(at, ":"), at);
    }
    return count == PARTS && *at == '\0';
}

/* The ends, and a list where the levels are not evenly spaced; 0 where it is too long to print. */
static int write_list(char *text, size_t size, const ll_scorer *scorer)
{
    char parts[PARTS][PART];
    long count = ll_scorer_get_level(scorer, NULL, 0, 0);
    if (!split(parts, ll_scorer_get(scorer, "release"))) {
        int is_ladder =
            ll_release_takes_start(&scorer->release) || strncmp(ll_scorer_get(scorer, "release"), "ladder", 6) == 0;
        (void)ll_scorer_get_level(scorer, parts[0], PART, 0);
        (void)ll_scorer_get_level(scorer, parts[1], PART, count);
        (void)ll_print(parts[2], PART, "%ld", count);
        if (!is_ladder && count > LISTED)
            return 0;
        if (!is_ladder) {
            ll_print_more(text, size, "LEVELS = [");
            for (long j = 0; j <= count; j++) {
                (void)ll_scorer_get_level(scorer, parts[0], PART, j);
                ll_print_more(text, size, "%s%s", j > 0 ? ", " : "", parts[0]);
            }
            ll_print_more(text, size,
                          "]  # fixed before the first submission: a new list is a new promise\n"
                          "BASE, BEST = LEVELS[0], LEVELS[-1]\n");
            return 1;
        }
    }
    ll_print_more(text, size,
                  "BASE, BEST, COUNT = %s, %s, %s  # fixed before the first submission: a new list is a new promise\n"
                  "LEVELS = [round(BASE + (BEST - BASE) * level / COUNT, %d) for level in range(COUNT + 1)]\n",
                  parts[0], parts[1], parts[2],
                  count_decimals(ll_read_double(parts[0], NULL), parts[1], strtol(parts[2], NULL, 10)));
    return 1;
}

static void write_own(char *text, size_t size, const ll_scorer *scorer)
{
    if (scorer->own_levels > 0)
        ll_print_more(
            text, size,
            "OWN = [round(BASE + (BEST - BASE) * level / %ld, 9) for level in range(%ld)]  # of each account, the same "
            "for all\n",
            scorer->own_levels + 1, scorer->own_levels + 1);
}

static void write_release(char *text, size_t size, const ll_scorer *scorer)
{
    int is_record = scorer->is_leaderboard;
    ll_print_more(text, size, "def release(labels, predictions, account, store=\"release.sqlite\"):\n");
    if (scorer->groups != NULL)
        ll_print_more(
            text, size,
            "    # Returns the level of all rows, as that of None, and the level of each group.\n"
            "    labels, predictions, account = numpy.asarray(labels), numpy.asarray(predictions), %s\n"
            "    found = [((\"best\", part, account), level(scored(labels[rows(part)], predictions[rows(part)]))) for part in PARTS]\n"
            "    return {part: LEVELS[best] for part, best in zip(PARTS, answered(store, account, found))}\n",
            is_record ? "\"leaderboard\"  # only a new record of all accounts is shown" : "str(account)");
    else if (scorer->own_levels > 0)
        ll_print_more(text, size,
                      "    # Returns the record of all accounts, and which of its own levels the account has reached.\n"
                      "    score = scored(labels, predictions)\n"
                      "    found = [((\"record\",), level(score)), ((\"best\", str(account)), level(score, OWN))]\n"
                      "    record, own = answered(store, str(account), found)\n"
                      "    return LEVELS[record], OWN[own]\n");
    else
        ll_print_more(
            text, size,
            "    # Returns LEVELS[0] while nothing is above the baseline. Check the form of the file before you call this.\n"
            "    account = %s\n"
            "    best, = answered(store, account, [((\"best\", account), level(scored(labels, predictions)))])\n"
            "    return LEVELS[best]\n",
            is_record ? "\"leaderboard\"  # only a new record of all accounts is shown" : "str(account)");
}

int ll_python_write_levels(char *text, size_t size, ll_python_draft *d)
{
    const ll_release *r = &d->scorer->release;
    char list[LIST] = "";
    d->why = !ll_release_has_levels(r) ? "There is no Python for a Ladder without a start: levels need a baseline."
             : r->noise != NULL        ? "There is no Python for levels of noisy scores: `lossleak guard' has them."
             : r->improvements > 0     ? "There is no Python for a limit on improvements: `lossleak guard' has it."
             : !write_list(list, sizeof list, d->scorer)
                 ? "There is no Python for a list of so many levels: name evenly spaced ones, levels:BASE:BEST:COUNT."
                 : NULL;
    if (d->why != NULL)
        return 0;
    ll_python_write_store(text, size, d);
    if (d->scorer->groups != NULL)
        ll_python_write_parts(text, size, d);
    ll_print_more(text, size, "%s", list);
    write_own(text, size, d->scorer);
    ll_print_more(text, size,
                  "\n"
                  "def level(score, levels=LEVELS):  # the best one that this score is good enough for; 0 for nan\n"
                  "    return sum(score %s level for level in levels[1:])\n"
                  "\n",
                  ll_release_is_better_high(r) ? ">=" : "<=");
    write_release(text, size, d->scorer);
    return 1;
}

/* The sentence. Both sides in one breath: what the best attack does, and what none can do. */
#include "audit/audit_private.h"

#include "number/agree.h"
#include "number/text_number.h"
#include "scorer/several.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void append(ll_audit *a, const char *format, ...)
{
    size_t used = strlen(a->verdict);
    va_list arguments;
    va_start(arguments, format);
    (void)ll_print_list(a->verdict + used, LL_VERDICT_SIZE - used, format, arguments);
    va_end(arguments);
    ll_agree(a->verdict + used);
}

static int any_noise(const ll_scorer *scorer)
{
    for (long i = 0; i < ll_scorer_count_numbers(scorer); i++)
        if (ll_scorer_get_number(scorer, i)->release.noise != NULL)
            return 1;
    return 0;
}

/* What was told of the labels. */
static void write_labels(char *text, size_t size, const ll_scorer *scorer, long classes)
{
    enum { LISTED = 6 };
    if (scorer->counts == NULL) {
        (void)snprintf(text, size, "labels independent and %s",
                       scorer->prior != NULL ? "drawn from the prior" : "uniform");
        return;
    }
    int used = snprintf(text, size, "labels uniform among those with the known class counts");
    for (long k = 0; k < classes && classes <= LISTED; k++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%lld", k == 0 ? " (" : ", ", (long long)scorer->counts[k]);
    if (classes <= LISTED)
        (void)snprintf(text + used, size - (size_t)used, ")");
}

/* What the limits assume of labels and noise. Several numbers with one draw of noise would tell their difference. */
static void write_assumptions(ll_audit *a, const ll_channel *c, const ll_scorer *scorer)
{
    write_labels(a->assumptions, LL_ASSUMPTIONS_SIZE, scorer, c->classes);
    size_t used = strlen(a->assumptions);
    (void)snprintf(a->assumptions + used, LL_ASSUMPTIONS_SIZE - used, "%s",
                   c->numbers > 0 && any_noise(scorer)
                       ? ", noise drawn anew for every answer and for each of its numbers apart"
                   : c->noise != NULL ? c->noise->assumption
                                      : "");
}

static const char *submissions(double count)
{
    return count == 1 ? "submission" : "submissions";
}

/* "; no fixed set of submissions could do it in fewer than 128, and no method at all in fewer than 102": of all labels,
 * whether the sentence before it spoke of all of them or not. */
static void add_bounds(ll_audit *a, int of_all)
{
    const ll_audit_bound *b = a->bound;
    const char *it = of_all ? "do it" : "read all of them";
    if (b->min_queries_fixed <= 1)
        return;
    if (b->min_queries < b->min_queries_fixed && b->min_queries > 1)
        append(a, "; no fixed set of submissions could %s in fewer than %.0f, and no method at all in fewer than %.0f",
               it, b->min_queries_fixed, b->min_queries);
    else if (b->min_queries < b->min_queries_fixed)
        append(a, "; no fixed set of submissions could %s in fewer than %.0f", it, b->min_queries_fixed);
    else
        append(a, "; no method could %s in fewer than %.0f", it, b->min_queries);
    append(a, " (%s)", a->assumptions);
}

/* Does averaging get more labels right within the limit than a code does for certain, the rest guessed? */
static int is_averaging_better(const ll_audit *a)
{
    double certain = (double)a->choices[a->best].recovered / (double)a->rows;
    return a->share > certain + (1 - certain) * a->guess + 1e-9;
}

/* How many submissions all labels take, by whichever code takes the fewest, or those that the best code can read. */
static void add_without_limit(ll_audit *a, const ll_plan_choice *best, const char *sure)
{
    const ll_plan_choice *all = ll_audit_reads_all(a);
    if (all != NULL)
        append(a, "; all of them%s would take %ld", sure, all->queries);
    else
        append(a, "; all that the best code can read%s take %ld", sure, best->queries);
    add_bounds(a, all != NULL);
}

static void write_exact(ll_audit *a)
{
    const ll_plan_choice *best = &a->choices[a->best];
    if (best->recovered >= a->rows) {
        append(a, "A scorer like this gives away all %ld labels in %ld %s", a->rows, best->queries,
               submissions((double)best->queries));
        add_bounds(a, 1);
        append(a, ".");
        return;
    }
    append(a, "Within the %.0f %s that it answers, a scorer like this gives away ", a->queries,
           submissions(a->queries));
    int is_average = is_averaging_better(a);
    if (is_average)
        append(a, "about %.1f%% of %ld labels, where guessing gets %.1f%%", 100 * a->share, a->rows, 100 * a->guess);
    else
        append(a, "%ld of %ld labels for certain", best->recovered, a->rows);
    add_without_limit(a, best, is_average ? " for certain" : "");
    append(a, ".");
}

/* Of a label in a single score. Noise without end leaves every label possible as long as every score is a number, as it
 * is where something bounds what labels can move; beyond that, what is known is which codes were tried. */
static void begin_uncertain(ll_audit *a, const ll_channel *c)
{
    int is_hidden = c->noise_size > 0 && ll_law_is_random(c->noise) && isfinite(c->sensitivity);
    int is_limited = a->best >= 0 && (double)a->choices[a->best].queries > a->queries;
    append(a, "%s%s, but ",
           is_hidden ? "Its noise leaves nothing certain" : "No code that was tried reads labels for certain",
           is_limited && !is_hidden ? " within the limit" : "");
}

/* Codes whose labels are right but for a small probability. */
static void write_likely(ll_audit *a, const ll_channel *c)
{
    const ll_plan_choice *best = &a->choices[a->best];
    begin_uncertain(a, c);
    if (best->recovered >= a->rows)
        append(a, "all %ld labels can be had in %ld %s, right but for one chance in a million", a->rows, best->queries,
               submissions((double)best->queries));
    else
        append(a, "within %.0f %s %ld of %ld labels can be had, right but for one chance in a million", a->queries,
               submissions(a->queries), best->recovered, a->rows);
    add_bounds(a, best->recovered >= a->rows);
    append(a, ".");
}

/* "detecting, climbing": what was run. */
static void add_tried(ll_audit *a)
{
    for (long i = 0; i < a->tried_count; i++)
        append(a, "%s%s%s", i == 0 ? "" : ", ", a->tried[i].attack, a->tried[i].runs == 0 ? " (forecast)" : "");
    if (a->average_share >= a->share && a->average_share > a->guess)
        append(a, "; averaging forecast");
}

static void write_statistical(ll_audit *a, const ll_channel *c)
{
    int forever = isinf(a->queries) && a->average_share > a->guess;
    if (!forever && a->best >= 0 && a->choices[a->best].recovered > 0 && !is_averaging_better(a)) {
        write_likely(a, c);
        return;
    }
    begin_uncertain(a, c);
    if (forever) {
        append(a, "nothing limits the number of submissions, and averaging over enough of them gets every label "
                  "right.");
        return;
    }
    append(a, "%s", a->average_share >= a->share ? "averaging" : "the best attack");
    if (isfinite(a->queries))
        append(a, " over its %.0f %s", a->queries, submissions(a->queries));
    append(a,
           " gets about %.1f%% of %ld labels right, where guessing gets %.1f%%; no method can get more than %.1f%% "
           "(%s).",
           100 * a->share, a->rows, 100 * a->guess, 100 * a->bound->max_share, a->assumptions);
}

static void write_bounded(ll_audit *a)
{
    append(a,
           "Whatever is asked in %.0f %s, no attack gets more than %.1f%% of the %ld labels right on average, where "
           "guessing gets %.1f%%: below the target of %.1f%% (%s).",
           a->queries, submissions(a->queries), 100 * a->bound->max_share, a->rows, 100 * a->guess,
           100 * a->target_share, a->assumptions);
}

static void write_fell_short(ll_audit *a)
{
    append(a, "No known attack gets more than %.1f%% of the labels right, where guessing gets %.1f%% (run: ",
           100 * a->share, 100 * a->guess);
    add_tried(a);
    append(a, "); the proved limit is %.1f%% (%s).", 100 * a->bound->max_share, a->assumptions);
}

static void write_unknown(ll_audit *a)
{
    append(a, "Not known: ");
    if (a->tried_count > 0) {
        append(a, "the attacks that were run (");
        add_tried(a);
        append(a, ") do not settle whether %.1f%% is reachable", 100 * a->target_share);
    } else
        append(a, "%s",
               a->best >= 0 ? "the attacks that apply to this release are too large to be run here"
                            : "no attack is planned for this release, which does not make it safe");
    append(a, "; what is proved is that no method can get more than %.1f%% of the labels right (%s).",
           100 * a->bound->max_share, a->assumptions);
}

void ll_audit_write_verdict(ll_audit *a, const ll_channel *c, const ll_scorer *scorer)
{
    a->verdict[0] = '\0';
    write_assumptions(a, c, scorer);
    if (a->alone[0] != '\0')
        append(a, "Of the numbers of an answer %s gives most away by itself. ", a->alone);
    if (a->failures[0] != '\0')
        append(a, "%s", a->failures);
    else if (a->regime == LL_REGIME_BOUNDED)
        write_bounded(a);
    else if (a->leaks == LL_UNKNOWN)
        write_unknown(a);
    else if (a->leaks == LL_FALSE)
        write_fell_short(a);
    else if (a->regime == LL_REGIME_STATISTICAL)
        write_statistical(a, c);
    else
        write_exact(a);
}

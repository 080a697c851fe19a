/* The sentence. Both sides in one breath: what the best attack does, and what none can do. */
#include "audit/audit_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void append(ll_audit *a, const char *format, ...)
{
    size_t used = strlen(a->verdict);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(a->verdict + used, sizeof a->verdict - used, format, arguments);
    va_end(arguments);
}

static const char *submissions(double count)
{
    return count == 1 ? "submission" : "submissions";
}

/* "; no fixed set of submissions could do it in fewer than 128, and no method at all in fewer than 102" */
static void add_bounds(ll_audit *a)
{
    const ll_audit_bound *b = a->bound;
    if (b->min_queries_fixed <= 1)
        return;
    if (b->min_queries < b->min_queries_fixed && b->min_queries > 1)
        append(a,
               "; no fixed set of submissions could do it in fewer than %.0f, and no method at all in fewer than %.0f",
               b->min_queries_fixed, b->min_queries);
    else if (b->min_queries < b->min_queries_fixed)
        append(a, "; no fixed set of submissions could do it in fewer than %.0f", b->min_queries_fixed);
    else
        append(a, "; no method could do it in fewer than %.0f", b->min_queries);
}

/* Does averaging get more labels right within the limit than a code does for certain, the rest guessed? */
static int is_averaging_better(const ll_audit *a)
{
    double certain = (double)a->choices[a->best].recovered / (double)a->rows;
    return a->average_share > certain + (1 - certain) * a->guess;
}

static void write_exact(ll_audit *a)
{
    const ll_plan_choice *best = &a->choices[a->best];
    if (best->recovered >= a->rows) {
        append(a, "A scorer like this gives away all %ld labels in %ld %s", a->rows, best->queries,
               submissions((double)best->queries));
        add_bounds(a);
        append(a, ".");
        return;
    }
    append(a, "Within the %.0f %s that it answers, a scorer like this gives away ", a->queries,
           submissions(a->queries));
    if (is_averaging_better(a))
        append(a, "about %.1f%% of %ld labels, where guessing gets %.1f%%; all of them for certain would take %ld",
               100 * a->average_share, a->rows, 100 * a->guess, best->queries);
    else
        append(a, "%ld of %ld labels for certain; all of them would take %ld", best->recovered, a->rows, best->queries);
    add_bounds(a);
    append(a, ".");
}

/* Codes whose labels are right but for a small probability. */
static void write_likely(ll_audit *a)
{
    const ll_plan_choice *best = &a->choices[a->best];
    append(a, "Its noise leaves nothing certain, but ");
    if (best->recovered >= a->rows)
        append(a, "all %ld labels can be had in %ld %s, right but for one chance in a million", a->rows, best->queries,
               submissions((double)best->queries));
    else
        append(a, "within %.0f %s %ld of %ld labels can be had, right but for one chance in a million", a->queries,
               submissions(a->queries), best->recovered, a->rows);
    add_bounds(a);
    append(a, ".");
}

static void write_statistical(ll_audit *a)
{
    if (a->best >= 0 && a->choices[a->best].recovered > 0 && !is_averaging_better(a)) {
        write_likely(a);
        return;
    }
    if (isinf(a->queries) && a->average_share > a->guess)
        append(a, "No single score of this scorer gives a label away for certain, but nothing limits the number of "
                  "submissions, and averaging over enough of them gets every label right.");
    else if (a->average_share > a->guess + 0.001)
        append(a,
               "No score of this scorer gives a label away for certain, but averaging over its %.0f submissions gets "
               "about "
               "%.1f%% of %ld labels right, where guessing gets %.1f%%; no method can get more than %.1f%%.",
               a->queries, 100 * a->average_share, a->rows, 100 * a->guess, 100 * a->bound->max_share);
    else
        append(a,
               "No attack known here gets more out of this scorer than guessing does (%.1f%% of the labels); what is "
               "proved is that no method can get more than %.1f%%.",
               100 * a->guess, 100 * a->bound->max_share);
}

static void write_bounded(ll_audit *a)
{
    append(
        a,
        "Whatever is asked in %.0f %s, nobody can expect more than %.1f%% of the %ld labels right, where guessing gets "
        "%.1f%%: below the target of %.1f%%.",
        a->queries, submissions(a->queries), 100 * a->bound->max_share, a->rows, 100 * a->guess, 100 * a->target_share);
}

void ll_audit_write_verdict(ll_audit *a, const ll_channel *c, const ll_scorer *scorer)
{
    (void)c;
    (void)scorer;
    a->verdict[0] = '\0';
    if (a->regime == LL_REGIME_BOUNDED)
        write_bounded(a);
    else if (a->regime == LL_REGIME_STATISTICAL)
        write_statistical(a);
    else
        write_exact(a);
}

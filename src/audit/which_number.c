/* Which of several numbers should a host stop showing first? The one without which an attack needs the most
 * submissions; where that makes no difference, the one that leaves the highest bound. */
#include "audit/audit_private.h"
#include "number/text_number.h"
#include "planner/planner.h"
#include "scorer/several.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    long rows, labels;     /* that the best code reads: those of some groups may stay open */
    double queries, bound; /* submissions that it takes, infinity where none serves; that any method takes */
} cost;

/* The plan for a scorer counts where it reads more labels than was found before, or as many in fewer queries. */
static ll_status count_plan(cost *out, const ll_scorer *scorer, const ll_audit_request *request, ll_error *error)
{
    ll_plan_request asked;
    ll_plan_info info;
    ll_plan *plan = NULL;
    ll_audit_plan_request(&asked, request, scorer);
    ll_status status = ll_plan_create_within(&plan, scorer, &asked, 0, NULL);
    if (status == LL_MEMORY)
        return ll_fail(error, status, "no memory for a plan");
    if (status != LL_OK)
        return LL_OK;
    ll_plan_get_info(plan, &info);
    ll_plan_destroy(plan);
    if (info.labels > out->labels || (info.labels == out->labels && (double)info.queries < out->queries)) {
        out->labels = info.labels;
        out->queries = (double)info.queries;
    }
    return LL_OK;
}

/* Plans for numbers that read classes or scores made of a submission, which a plan for the answer leaves out. */
static ll_status count_alone(cost *out, const ll_scorer *scorer, const ll_audit_request *request, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 1; i < ll_scorer_count_numbers(scorer) && status == LL_OK; i++) {
        const ll_scorer *number = ll_scorer_get_number(scorer, i);
        if (number->reading != LL_READ_ALL && ll_number_is_free(scorer, number))
            status = count_plan(out, number, request, error);
    }
    return status;
}

static ll_status find_cost(cost *out, const ll_scorer *scorer, const ll_audit_request *request, ll_error *error)
{
    ll_audit_bound bound;
    *out = (cost){.rows = scorer->rows, .queries = INFINITY};
    ll_status status = count_plan(out, scorer, request, error);
    if (status == LL_OK)
        status = count_alone(out, scorer, request, error);
    if (status == LL_OK)
        status = ll_audit_limit(&bound, scorer, INFINITY, error);
    out->bound = status == LL_OK ? bound.min_queries : 0;
    return status;
}

static int is_more(const cost *a, const cost *b)
{
    return a->queries != b->queries ? a->queries > b->queries : a->bound > b->bound;
}

static void say_queries(char *text, size_t size, const cost *c)
{
    if (isinf(c->queries))
        (void)snprintf(text, size, "no attack is planned, which does not make it safe");
    else if (c->labels < c->rows)
        (void)ll_print(text, size, "the %ld of %ld labels that a plan reads take %.0f submissions", c->labels, c->rows,
                       c->queries);
    else
        (void)ll_print(text, size, "all labels take %.0f submissions", c->queries);
}

/* The bounds are of all labels, whatever the plans read. */
static const char *of_all(const cost *a, const cost *b)
{
    return a->labels < a->rows || b->labels < b->rows ? "for all labels no method" : "no method";
}

/* Why they tell so much together. */
static const char *why_together(const ll_channel *c)
{
    if (c->of_table == c->numbers && c->once_bits > 0)
        return "all of them follow from one table of label and prediction, whose class counts are the same in all "
               "answers";
    if (c->of_table > 1 && c->once_bits > 0)
        return "those that follow from one table of label and prediction tell no more than it, and the others add up";
    return "none of them follows from another, as far as is known, and what they tell adds up";
}

static int say_bits(ll_audit *a, const ll_channel *c)
{
    char once[80] = "";
    if (isinf(c->joint_bits))
        return snprintf(a->several, LL_SEVERAL_SIZE,
                        "Nothing bounds what the %ld numbers of an answer tell together: %s.", c->numbers,
                        why_together(c));
    if (c->once_bits > 0)
        (void)ll_print(once, sizeof once, " beside the class counts (%.4g bits, once)", c->once_bits);
    return ll_print(a->several, LL_SEVERAL_SIZE,
                    "The %ld numbers of an answer tell at most %.4g bits together%s, %.4g one by one: %s.", c->numbers,
                    c->joint_bits, once, c->sum_bits, why_together(c));
}

static void say(ll_audit *a, const ll_channel *c, const cost *all, const cost *best)
{
    char now[120], then[120];
    int used = say_bits(a, c);
    say_queries(now, sizeof now, all);
    if (!is_more(best, all)) { /* what one does not tell, the others do */
        a->stop_first[0] = '\0';
        (void)snprintf(a->several + used, LL_SEVERAL_SIZE - (size_t)used,
                       " Not showing one of them changes nothing: %s with all of them and without any one.", now);
        return;
    }
    say_queries(then, sizeof then, best);
    (void)ll_print(
        a->several + used, LL_SEVERAL_SIZE - (size_t)used,
        " Stop showing %s first: without it %s, with it %s; %s takes fewer than %.0f without it, than %.0f with "
        "it.",
        a->stop_first, then, now, of_all(all, best), best->bound, all->bound);
    a->queries_without = best->queries;
    a->min_queries_without = best->bound;
}

/* Scores of groups beside that of all rows: what the same scorer gives away without them. */
static ll_status say_groups(ll_audit *a, const ll_scorer *scorer, const ll_audit_request *request, ll_error *error)
{
    ll_scorer *fewer = NULL;
    cost all, without;
    char now[120], then[120];
    ll_status status =
        ll_scorer_vary(&fewer, scorer, error, ll_setting_name(LL_SET_GROUPS), (char *)NULL, (char *)NULL);
    if (status == LL_OK)
        status = find_cost(&without, fewer, request, error);
    if (status == LL_OK)
        status = find_cost(&all, scorer, request, error);
    ll_scorer_destroy(fewer);
    if (status != LL_OK)
        return status;
    say_queries(now, sizeof now, &all);
    say_queries(then, sizeof then, &without);
    (void)snprintf(a->stop_first, LL_STOP_FIRST_SIZE, "%s", ll_setting_name(LL_SET_GROUPS));
    (void)ll_print(a->several, LL_SEVERAL_SIZE,
                   "The score of each group of rows tells of its own rows alone, so one submission reads all groups at "
                   "once, and the largest needs the most. Stop showing scores of groups first: without them %s, with "
                   "them %s; %s takes fewer than %.0f without them, than %.0f with them.",
                   then, now, of_all(&all, &without), without.bound, all.bound);
    a->queries_without = without.queries;
    a->min_queries_without = without.bound;
    return LL_OK;
}

ll_status ll_audit_several(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, const ll_audit_request *request,
                           ll_error *error)
{
    cost all = {0}, best = {.queries = -1, .bound = -1};
    long items = ll_several_count_items(scorer);
    a->numbers = ll_scorer_count_numbers(scorer);
    a->sum_bits = c->sum_bits;
    if (scorer->groups != NULL)
        return say_groups(a, scorer, request, error);
    ll_status status = a->numbers > 1 ? find_cost(&all, scorer, request, error) : LL_OK;
    for (long i = 0; i < items && a->numbers > 1 && items > 1 && status == LL_OK; i++) {
        ll_scorer *fewer = NULL;
        cost without;
        char name[LL_STOP_FIRST_SIZE];
        status = ll_several_without(&fewer, name, sizeof name, scorer, i, error);
        if (status == LL_OK)
            status = find_cost(&without, fewer, request, error);
        if (status == LL_OK && is_more(&without, &best)) {
            best = without;
            memcpy(a->stop_first, name, sizeof name);
        }
        ll_scorer_destroy(fewer);
    }
    if (status == LL_OK && best.queries >= 0)
        say(a, c, &all, &best);
    return status;
}

/* Every number of an answer, attacked as if it were alone, under its own release. Attacks on all numbers together (the
 * code that is planned for them, averages) may miss what one of them gives away: one that reads classes made of
 * probabilities, or one without noise among others that have some. */
#include "audit/audit_private.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ALONE = 8 };

/* Can a submission carry whatever an attack on this number alone would say? Classes and scores of class 1 can be
 * written as probabilities; of a submission of labels nothing can be read but labels. */
int ll_number_is_free(const ll_scorer *scorer, const ll_scorer *number)
{
    const ll_metric *first = scorer->computation.metric;
    if (number->reading == LL_READ_LAST)
        return !ll_metric_reads_labels(first);
    return number->reading != LL_READ_ALL || ll_metric_reads_alike(first, number->computation.metric);
}

/* Labels that some plan reads for certain. */
static double most_certain(const ll_audit *alone)
{
    long most = 0;
    for (long i = 0; i < alone->choice_count; i++) {
        const ll_plan_choice *choice = alone->choices + i;
        if (choice->status == LL_OK && choice->guarantee == LL_CERTIFIED && choice->recovered > most)
            most = choice->recovered;
    }
    return (double)most;
}

/* Of all labels, where the number may be one of a group of rows. The labels of a group of some rows are not drawn as the
 * audit of its number supposes where the class counts of all rows are told: then only what is certain counts. */
static double share_of_all(const ll_audit *a, const ll_audit *alone, const ll_scorer *scorer)
{
    double rows = (double)alone->rows, all = (double)a->rows, right = rows * alone->share;
    if (scorer->groups != NULL && scorer->counts != NULL && alone->rows < a->rows)
        right = most_certain(alone) + (rows - most_certain(alone)) * a->guess;
    return fmin(a->bound->max_share, (right + (all - rows) * a->guess) / all);
}

/* Whoever is shown all numbers may look at this one alone. */
static void take_choices(ll_audit *a, const ll_audit *alone)
{
    for (long i = 0; i < a->choice_count; i++) {
        const ll_plan_choice *own = alone->choices + i;
        ll_plan_choice *choice = a->choices + i;
        int has_none = choice->status != LL_OK || choice->recovered == 0;
        if (own->status == LL_OK &&
            (has_none || (own->guarantee <= choice->guarantee && ll_choice_is_better(own, choice))))
            *choice = *own;
    }
    a->best = ll_plan_choose(a->choices, a->choice_count);
}

/* What is said of attacks is said of those on this number. */
static void take_attacks(ll_audit *a, const ll_audit *alone, const ll_scorer *number)
{
    a->average_share = alone->average_share;
    a->tried_count = alone->tried_count;
    for (long i = 0; i < alone->tried_count; i++)
        a->tried[i] = alone->tried[i];
    (void)snprintf(a->alone, LL_ALONE_SIZE, "%s", ll_scorer_text(number, LL_SET_METRIC));
}

static ll_status attack_alone(ll_audit *a, const ll_scorer *scorer, const ll_scorer *number,
                              const ll_audit_request *request, int is_cut, ll_error *error)
{
    ll_audit alone;
    ll_audit_request asked = *request;
    asked.target_share = a->target_share;
    asked.target_bits = asked.epsilon = 0;
    asked.without_defences = 1;
    ll_audit_init(&alone);
    ll_status status = ll_audit_run(&alone, number, &asked, error);
    double share = status == LL_OK ? share_of_all(a, &alone, scorer) : 0;
    int is_whole = status == LL_OK && alone.rows == a->rows;
    if (is_whole && (is_cut || share > a->share))
        take_choices(a, &alone);
    if (is_whole && share > a->share)
        take_attacks(a, &alone, number);
    a->share = fmax(a->share, share);
    ll_audit_clear(&alone);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Is there anything that attacks on this number alone could add? */
static int can_add(const ll_audit *a, const ll_scorer *scorer, const ll_scorer *number, int is_cut)
{
    int is_whole = number->own_rows == NULL, is_first_again = !is_whole && number->rows == a->rows;
    return !is_first_again && ll_number_is_free(scorer, number) &&
           (a->share < a->bound->max_share - 1e-6 || (is_cut && is_whole));
}

ll_status ll_audit_each_number(ll_audit *a, const ll_scorer *scorer, const ll_audit_request *request, int is_cut,
                               ll_error *error)
{
    ll_status status = LL_OK;
    long tried = 0;
    for (long i = 0; i < ll_scorer_count_numbers(scorer) && status == LL_OK && tried < MOST_ALONE; i++) {
        const ll_scorer *number = ll_scorer_get_number(scorer, i);
        if (!can_add(a, scorer, number, is_cut))
            continue;
        tried++;
        status = attack_alone(a, scorer, number, request, is_cut, error);
    }
    return status;
}

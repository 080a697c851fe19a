/* The plan: what a submission has of every row is what the plan of its group predicts there. The group with the most
 * queries decides how many there are, and the others repeat their last one meanwhile. A group that the code does not
 * serve is read with the best one that does, if its predictions are of the same kind; a group that no plan reads stays
 * open, and its rows are predicted like the first row of the largest plan. Whoever is shown scores of groups may leave
 * them unread: where a plan for the number of all rows gives more labels, it is taken. */
#include "strategy/groups/groups.h"

#include "scorer/groups.h"
#include "strategy/groups/decode_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_plan_state common;   /* not used */
    ll_plan **plans;        /* [group]; NULL: no plan reads it */
    ll_plan *whole;         /* for the number of all rows, the only one that is then read; NULL: groups are read */
    const ll_plan *largest; /* what is said of the plan is what this one says, of all rows */
} state;

static state *state_of(const ll_plan *plan)
{
    return (state *)plan->state;
}

static long count_groups(const ll_plan *plan)
{
    return plan->scorer->groups->count;
}

ll_plan *ll_groups_plan(const ll_plan *plan, long group)
{
    return state_of(plan)->plans[group];
}

const ll_plan *ll_groups_whole(const ll_plan *plan)
{
    return state_of(plan)->whole;
}

/* ---- making it ---- */

static ll_plan *first_made(const ll_plan *plan)
{
    ll_plan *first = NULL;
    for (long g = 0; g < count_groups(plan) && first == NULL; g++)
        first = ll_groups_plan(plan, g);
    return first;
}

/* Of groups that the code does not serve, by any other one. */
static ll_status make_others(ll_plan *plan, ll_question *own, ll_error *error)
{
    const ll_plan *made = first_made(plan);
    assert(made != NULL);
    own->code = (ll_named_code){0};
    for (long g = 0; g < count_groups(plan); g++) {
        ll_plan *other = NULL;
        own->scorer = ll_scorer_get_number(plan->scorer, 1 + g);
        ll_status status = ll_groups_plan(plan, g) == NULL ? own->make(&other, own, error) : LL_DOMAIN;
        if (status == LL_MEMORY)
            return status;
        if (status != LL_OK)
            continue;
        if (other->columns == made->columns && other->entries == made->entries)
            state_of(plan)->plans[g] = other;
        else
            ll_plan_destroy(other);
    }
    return LL_OK;
}

static ll_status make_groups(ll_plan *plan, const ll_question *q, ll_error *error)
{
    const ll_row_groups *groups = plan->scorer->groups;
    ll_plan_request each = *q->request;
    ll_question own = *q;
    ll_status status = LL_DOMAIN; /* until some group has a plan */
    each.block = 0;
    own.request = &each;
    for (long g = 0; g < groups->count; g++) {
        ll_error why = {0};
        own.scorer = ll_scorer_get_number(plan->scorer, 1 + g);
        ll_status made = q->make(&state_of(plan)->plans[g], &own, &why);
        if (made == LL_MEMORY || (made != LL_OK && g == 0))
            (void)ll_fail(error, made, "group %.40s of %ld rows: %s", groups->names[g], groups->sizes[g], why.text);
        if (made == LL_MEMORY)
            return made;
        status = made == LL_OK ? LL_OK : status;
    }
    return status == LL_OK ? make_others(plan, &own, error) : status;
}

static const ll_plan *find_largest(const ll_plan *plan)
{
    const ll_plan *largest = NULL;
    for (long g = 0; g < count_groups(plan); g++) {
        const ll_plan *own = ll_groups_plan(plan, g);
        if (own != NULL && (largest == NULL || own->queries > largest->queries ||
                            (own->queries == largest->queries && own->rows > largest->rows)))
            largest = own;
    }
    return largest;
}

static ll_status check_kinds(const ll_plan *plan, ll_error *error)
{
    const ll_plan *largest = find_largest(plan);
    for (long g = 0; g < count_groups(plan); g++)
        if (ll_groups_plan(plan, g) != NULL && (ll_groups_plan(plan, g)->columns != largest->columns ||
                                                ll_groups_plan(plan, g)->entries != largest->entries))
            return ll_fail(error, LL_DOMAIN,
                           "the groups need predictions of different kinds; no attack is planned, "
                           "which does not mean they are safe");
    return LL_OK;
}

/* What is said of the plan. */
static ll_status join(ll_plan *plan, ll_error *error)
{
    const state *s = state_of(plan);
    const ll_plan *largest = state_of(plan)->largest = s->whole != NULL ? s->whole : find_largest(plan);
    assert(largest != NULL);
    plan->columns = largest->columns;
    plan->entries = largest->entries;
    plan->queries = largest->queries;
    plan->rows = plan->block = plan->scorer->rows;
    plan->classes = largest->classes;
    plan->scoring.classes = largest->scoring.classes;
    plan->prec = largest->prec;
    plan->expected.share = largest->expected.share;
    free(plan->name);
    plan->name = strdup(largest->name);
    return plan->name != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a plan");
}

static long all_within(const ll_plan *plan, long queries)
{
    long all = 0;
    for (long g = 0; g < count_groups(plan); g++)
        all += ll_groups_plan(plan, g) != NULL ? ll_plan_rows_within(ll_groups_plan(plan, g), queries) : 0;
    return all;
}

/* More labels within the limit, then fewer queries. */
static int is_better_than_groups(const ll_plan *plan, const ll_plan *whole, long limit)
{
    long alone = ll_plan_rows_within(whole, limit), groups = all_within(plan, limit);
    return alone != groups ? alone > groups : whole->queries < find_largest(plan)->queries;
}

/* has_groups: the groups have plans that can be asked together. */
static ll_status consider_whole(ll_plan *plan, const ll_question *q, int has_groups)
{
    ll_plan *whole = NULL;
    ll_plan_request request = *q->request;
    ll_question own = *q;
    request.block = 0;
    own.request = &request;
    own.scorer = ll_scorer_get_number(plan->scorer, 0);
    ll_status status = q->make(&whole, &own, NULL);
    if (status != LL_OK)
        return status;
    if (!has_groups || is_better_than_groups(plan, whole, q->limit > 0 ? q->limit : q->within))
        state_of(plan)->whole = whole;
    else
        ll_plan_destroy(whole);
    return LL_OK;
}

static ll_status plan_groups(ll_plan *plan, const ll_question *q, ll_error *error)
{
    if (q->request->guarantee == LL_LIKELY || q->code.candidate->averages)
        return ll_fail(error, LL_DOMAIN,
                       "scores of groups are read for certain or not at all; no other attack is planned");
    state_of(plan)->plans = calloc((size_t)count_groups(plan), sizeof(ll_plan *));
    if (state_of(plan)->plans == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    ll_status status = make_groups(plan, q, error);
    if (status == LL_OK)
        status = check_kinds(plan, error);
    if (status == LL_MEMORY)
        return status;
    if (consider_whole(plan, q, status == LL_OK) == LL_MEMORY)
        return ll_fail(error, LL_MEMORY, "no memory to try the number of all rows");
    return status == LL_OK || state_of(plan)->whole != NULL ? join(plan, error) : status;
}

static void forget(ll_plan *plan)
{
    for (long g = 0; state_of(plan)->plans != NULL && g < count_groups(plan); g++)
        ll_plan_destroy(ll_groups_plan(plan, g));
    free(state_of(plan)->plans);
    ll_plan_destroy(state_of(plan)->whole);
}

/* ---- asking it ---- */

static ll_status finish(ll_plan *plan, ll_error *error)
{
    ll_plan *whole = state_of(plan)->whole;
    ll_status status = whole != NULL ? ll_plan_finish(whole, error) : LL_OK;
    for (long g = 0; g < count_groups(plan) && status == LL_OK && whole == NULL; g++)
        status = ll_groups_plan(plan, g) != NULL ? ll_plan_finish(ll_groups_plan(plan, g), error) : LL_OK;
    return status;
}

static long rows_within(const ll_plan *plan, long queries)
{
    const ll_plan *whole = ll_groups_whole(plan);
    return whole != NULL ? ll_plan_rows_within(whole, queries) : all_within(plan, queries);
}

static void describe(const ll_plan *plan, ll_plan_info *info)
{
    const ll_plan *largest = state_of(plan)->largest;
    largest->strategy->describe(largest, info);
}

static void words(const ll_plan *plan, ll_words *words)
{
    const ll_plan *whole = ll_groups_whole(plan);
    if (whole != NULL) {
        ll_words_add_text(words, "read", "all rows");
        whole->strategy->words(whole, words);
    }
    for (long g = 0; g < count_groups(plan) && whole == NULL; g++) {
        const ll_plan *own = ll_groups_plan(plan, g);
        if (own != NULL)
            own->strategy->words(own, words);
        else
            ll_words_add_number(words, "open group", g);
    }
}

static void copy_rows(void *to, const ll_block *from, long at, long entries)
{
    for (long e = 0; e < entries; e++)
        if (from->entries == LL_ENTRIES_EXACT)
            ll_exact_set((ll_exact *)to + at + e, from->exacts + e);
        else
            ((double *)to)[at + e] = from->doubles[e];
}

/* Rows that follow each other in their group are asked for together. */
static long run_length(const ll_row_groups *groups, long row, long most)
{
    long count = 1;
    while (count < most && groups->of[row + count] == groups->of[row])
        count++;
    return count;
}

/* `rows` rows of a group, from its place `place` on. */
static ll_status get_own(const ll_plan *plan, const ll_plan *own, long query, ll_block *out, long place, long rows,
                         ll_error *error)
{
    const ll_plan *asked = own != NULL ? own : state_of(plan)->largest;
    long last = query < asked->queries ? query : asked->queries - 1;
    return asked->strategy->get(asked, last, out, own != NULL ? place : 0, own != NULL ? rows : 1, error);
}

static ll_status get(const ll_plan *plan, long query, ll_block *out, long first, long count, ll_error *error)
{
    const ll_row_groups *groups = plan->scorer->groups;
    const ll_plan *whole = ll_groups_whole(plan);
    ll_block some;
    ll_status status = LL_OK;
    if (whole != NULL)
        return whole->strategy->get(whole, query, out, first, count, error);
    void *to = ll_plan_reserve(plan, out, count);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    ll_block_init(&some);
    for (long i = 0, rows; i < count && status == LL_OK; i += rows) {
        const ll_plan *own = ll_groups_plan(plan, groups->of[first + i]);
        rows = own != NULL ? run_length(groups, first + i, count - i) : 1;
        status = get_own(plan, own, query, &some, groups->place[first + i], rows, error);
        if (status == LL_OK)
            copy_rows(to, &some, i * plan->columns, rows * plan->columns);
    }
    ll_block_clear(&some);
    return status;
}

const ll_strategy ll_strategy_groups = {
    .name = "groups",
    .proof = "several.md",
    .whole = "reads each group by itself",
    .state_size = sizeof(state),
    .plan = plan_groups,
    .finish = finish,
    .forget = forget,
    .rows_within = rows_within,
    .describe = describe,
    .words = words,
    .get = get,
    LL_DECODES_GROUPS,
};

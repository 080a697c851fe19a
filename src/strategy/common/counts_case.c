#include "strategy/common/counts_case.h"
#include "metric/counts/counting.h"
#include "number/whole.h"
#include "plan/strategy.h"

#include <math.h>
#include <stdlib.h>

/* Doubles that evaluate a metric are right to 1e-12 by far. */
static const double spare = 1e-9;

void ll_case_widen(double *low, double *high, const arb_t number)
{
    arf_t from, to;
    arf_init(from);
    arf_init(to);
    arb_get_interval_arf(from, to, number, 128);
    *low = arf_get_d(from, ARF_RND_FLOOR) - spare;
    *high = arf_get_d(to, ARF_RND_CEIL) + spare;
    arf_clear(from);
    arf_clear(to);
}

void ll_case_query_clear(ll_case_query *query)
{
    free(query->predicted);
    free(query->own);
    *query = (ll_case_query){0};
}

static ll_status count_predicted_rows(const ll_plan *plan, ll_case_query *out, const ll_code *code, ll_error *error)
{
    out->predicted = calloc((size_t)plan->classes, sizeof *out->predicted);
    if (out->predicted == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld classes", plan->classes);
    for (long i = 0; i < code->rows; i++)
        out->predicted[code->row->predict(code, i)]++;
    return LL_OK;
}

ll_status ll_case_ask(const ll_plan *plan, ll_case_query *out, const ll_code *code, ll_error *error)
{
    const ll_case_kind *kind = plan->strategy->cases;
    ll_case_query_clear(out);
    if (kind == NULL)
        return count_predicted_rows(plan, out, code, error);
    out->own = calloc(1, kind->query_size);
    return out->own != NULL ? kind->ask(plan, out->own, code, error)
                            : ll_fail(error, LL_MEMORY, "no memory for %ld classes", plan->classes);
}

int ll_case_first(ll_case *c, const ll_plan *plan)
{
    *c = (ll_case){.plan = plan, .counts = plan->scorer->counts, .kind = plan->strategy->cases};
    ll_worked_init(&c->number);
    c->is_matches = ll_counts_needs(plan->scoring.how) == LL_NEEDS_MATCHES || plan->classes > 2;
    if (c->counts != NULL)
        c->positives = c->counts[1];
    if (c->kind != NULL)
        ll_moments_first(&c->moments, plan);
    return 1;
}

int ll_case_next(ll_case *c)
{
    if (c->kind != NULL)
        return ll_moments_next(&c->moments);
    return !c->is_matches && c->counts == NULL && ++c->positives <= c->plan->rows;
}

void ll_case_clear(ll_case *c)
{
    ll_worked_clear(&c->number);
}

/* Matches of known counts: every class at least guesses + count - N, at most the smaller. */
static void range_of_matches(const ll_case *c, const ll_case_query *q, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = c->plan->rows;
    if (c->counts == NULL)
        return;
    *to = 0;
    for (long k = 0; k < c->plan->classes; k++) {
        *from += ll_most(0, q->predicted[k] + c->counts[k] - c->plan->rows);
        *to += ll_least(q->predicted[k], c->counts[k]);
    }
}

/* Does the program make a number of such counts at all? */
static ll_status work_as(const ll_computation *computation, const ll_case *c, const ll_case_query *q, int64_t t,
                         const ll_work *how, ll_worked *out)
{
    if (c->is_matches)
        return ll_counts_score_matches(computation, how, out, t, c->counts, q->predicted, c->plan->classes,
                                       c->plan->rows);
    return ll_score_two(computation, how, out, &(ll_two){t, q->predicted[1], c->positives, c->plan->rows});
}

static ll_status work(const ll_case *c, const ll_case_query *q, int64_t t, const ll_work *how, ll_worked *out)
{
    return work_as(c->plan->scoring.how, c, q, t, how, out);
}

/* Is the number a function of what the case knows: two classes, or matches and counts? */
static int is_known(const ll_case *c, const ll_computation *how)
{
    if (c->kind != NULL || !ll_score_two_applies(how))
        return 0;
    if (!c->is_matches)
        return 1;
    return ll_counts_needs(how) == LL_NEEDS_MATCHES || (ll_counts_needs(how) == LL_NEEDS_COUNTS && c->counts != NULL);
}

int ll_case_explains_others(const ll_case *c, const ll_case_query *q, int64_t t, arb_srcptr observed)
{
    ll_worked *own = (ll_worked *)&c->number;
    for (long i = 0; observed != NULL && i < ll_scorer_count_numbers(c->plan->answer); i++) {
        const ll_computation *how = &ll_scorer_get_number(c->plan->answer, i)->computation;
        const ll_work balls = ll_view_work(how, c->plan->prec);
        if (i == c->plan->number || !is_known(c, how))
            continue;
        if (work_as(how, c, q, t, &balls, own) != LL_OK || !arb_overlaps(own->ball, observed + i))
            return 0;
    }
    return 1;
}

/* The number for t, in doubles; NaN where there is none. */
static double number_of(const ll_case *c, const ll_case_query *q, int64_t t)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    ll_worked *number = (ll_worked *)&c->number;
    return work(c, q, t, &doubles, number) == LL_OK ? number->native : (double)NAN;
}

int ll_case_range(const ll_case *c, const ll_case_query *q, double low, double high, int64_t *from, int64_t *to)
{
    int64_t rows = c->plan->rows;
    if (c->kind != NULL)
        return c->kind->range(&c->moments, q->own, low, high, from, to);
    if (c->is_matches) {
        range_of_matches(c, q, from, to);
    } else {
        *from = ll_most(0, q->predicted[1] + c->positives - rows);
        *to = ll_least(q->predicted[1], c->positives);
    }
    while (*from <= *to && isnan(number_of(c, q, *from))) /* where 0/0 fails, without a hit there is none */
        (*from)++;
    return *from <= *to;
}

int ll_case_is_ranged(const ll_case *c)
{
    return c->kind != NULL;
}

int ll_case_explains(const ll_case *c, const ll_case_query *q, int64_t t, const arb_t number)
{
    const ll_work balls = ll_view_work(c->plan->scoring.how, c->plan->prec);
    ll_worked *own = (ll_worked *)&c->number;
    if (c->kind == NULL)
        return work(c, q, t, &balls, own) == LL_OK && arb_overlaps(own->ball, number);
    c->kind->ball(&c->moments, q->own, t, own->ball, c->plan->prec);
    return arb_overlaps(own->ball, number);
}

int64_t ll_case_sum(const ll_case *c, const ll_case_query *q, int64_t t)
{
    if (c->kind != NULL)
        return c->kind->sum(&c->moments, t);
    return c->is_matches ? t : c->plan->rows - q->predicted[1] - c->positives + 2 * t;
}

int ll_case_counts(const ll_case *c, const int32_t *labels, const ll_code *code)
{
    int64_t positives = 0;
    long rows = code->rows;
    if (c->kind != NULL)
        return ll_moments_fit(&c->moments, labels, rows - code->counted);
    if (c->is_matches && c->counts == NULL)
        return 1;
    for (long k = 0; c->is_matches && k < c->plan->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < rows; i++)
            count += labels[i] == k;
        if (count != c->counts[k])
            return 0;
    }
    for (long i = 0; i < rows; i++)
        positives += labels[i] == 1;
    return c->is_matches || positives == c->positives;
}

/* ---- the integers that a number leaves ---- */

/* The first t in from .. to whose number is at least `low`, where they rise; to + 1 where there is none. */
static int64_t find_first(const ll_case *c, const ll_case_query *q, int64_t from, int64_t to, double low)
{
    int64_t end = to + 1;
    while (from < end) {
        int64_t middle = from + (end - from) / 2;
        if (number_of(c, q, middle) >= low)
            end = middle;
        else
            from = middle + 1;
    }
    return end;
}

/* The last t in from .. to whose number is at least `low`, where they fall; from - 1 where there is none. */
static int64_t find_last(const ll_case *c, const ll_case_query *q, int64_t from, int64_t to, double low)
{
    int64_t end = from - 1;
    while (end < to) {
        int64_t middle = to - (to - end - 1) / 2;
        if (number_of(c, q, middle) >= low)
            end = middle;
        else
            to = middle - 1;
    }
    return end;
}

/* Where numbers cease to fall. */
static int64_t find_turn(const ll_case *c, const ll_case_query *q, int64_t from, int64_t to)
{
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (number_of(c, q, middle + 1) >= number_of(c, q, middle))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

void ll_case_find(const ll_case *c, const ll_case_query *q, double low, double high, int64_t from, int64_t to,
                  ll_case_runs *out)
{
    const double above = nextafter(high, INFINITY);
    int64_t turn = find_turn(c, q, from, to);
    *out = (ll_case_runs){
        .from = {find_first(c, q, turn, to, low), find_last(c, q, from, turn - 1, above) + 1},
        .to = {find_first(c, q, turn, to, above) - 1, find_last(c, q, from, turn - 1, low)},
    };
}

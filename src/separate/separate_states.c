/* Metrics of counts and ranks, two classes: the score of a labelling is a function of its *state*, and there are far
 * fewer states than labellings. Counts: positives and true positives. AUC: positives and the sum of their ranks, those
 * that ties allow by dynamic programming (search/tally.h). Other ranks: how many positives every tie has.
 * docs/proofs/states.md.
 */
#include "metric/ranks/auc.h"
#include "metric/view.h"
#include "number/memory.h"
#include "search/tally.h"
#include "separate/separate_views.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 256, SAME_BITS = 200, MOST_STATES = 1 << 21 };
static const ll_work exactly = {LL_WORK_BALLS, PREC};

/* The scores of the states seen so far. */
typedef struct {
    const ll_views *views;
    arf_ptr list;
    long count, room;
    ll_worked number;
    ll_unreleased unreleased;
} states;

/* ---- the list ---- */

static ll_status keep(states *s, ll_error *error)
{
    arf_ptr grown = ll_grow(s->list, &s->room, s->count, sizeof *grown);
    if (grown == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for more than %ld scores", s->count);
    s->list = grown;
    arf_init(s->list + s->count);
    arf_set_round(s->list + s->count++, arb_midref(s->unreleased.number), PREC, ARF_RND_NEAR);
    return LL_OK;
}

/* From the exact number to what is released before noise and rounding; labels without a number have no score. */
static ll_status see(states *s, ll_status worked, ll_error *error)
{
    if (worked == LL_DOMAIN)
        return LL_OK;
    if (worked != LL_OK)
        return worked;
    s->unreleased.is_float = s->unreleased.is_rational = 0;
    arb_set(s->unreleased.number, s->number.ball);
    ll_unreleased_ends(s->unreleased.lower, s->unreleased.upper, s->unreleased.number);
    ll_status status = ll_release_transform(&s->views->work->scorer->release, &s->unreleased, PREC, error);
    return status == LL_OK ? keep(s, error) : status;
}

/* ---- counts ---- */

static ll_status see_counts(states *s, ll_error *error)
{
    const ll_views *v = s->views;
    ll_status status = LL_OK;
    long guessed = v->sizes[0]; /* group 0 is the highest prediction: label 1, where there is one */
    if (v->groups == 1 && !v->has_one)
        guessed = 0;
    for (long p = 0; p <= v->rows && status == LL_OK; p++) {
        long least = p + guessed > v->rows ? p + guessed - v->rows : 0;
        if (!ll_views_may_have(v, p))
            continue;
        for (long tp = least; tp <= guessed && tp <= p && status == LL_OK; tp++) {
            ll_two two = {tp, guessed, p, v->rows};
            status = see(s, ll_score_two(v->work->scoring.how, &exactly, &s->number, &two), error);
        }
    }
    return status;
}

static double count_counts(const ll_views *v)
{
    double guessed = (double)v->sizes[0];
    return (guessed + 1) * ((double)v->rows - guessed + 1);
}

/* ---- AUC ---- */

/* A row of label 1 adds 1 positive and twice the rows below it, those of its tie once. */
static void set_vectors(const ll_views *v, long *vectors)
{
    long below = v->rows;
    for (long g = 0; g < v->groups; g++) {
        below -= v->sizes[g];
        vectors[2 * g] = 1;
        vectors[2 * g + 1] = 2 * below + v->sizes[g] - 1;
    }
}

/* 2 U = the sum of those - P (P - 1), since positives are rows below positives too. */
static ll_status see_auc(states *s, long positives, long sum, ll_error *error)
{
    const ll_views *v = s->views;
    if (positives == 0 || positives == v->rows || !ll_views_may_have(v, positives))
        return LL_OK;
    arb_set_si(s->number.ball, sum - positives * (positives - 1));
    arb_div_si(s->number.ball, s->number.ball, 2 * positives * (v->rows - positives), PREC);
    ll_auc_get_number(v->work->scoring.how, s->number.ball, s->number.ball, PREC);
    return see(s, LL_OK, error);
}

static ll_status see_areas(states *s, ll_error *error)
{
    const ll_views *v = s->views;
    long *vectors = malloc(sizeof *vectors * 2 * (size_t)v->groups), sums[2];
    ll_tally_rows rows = {v->groups, 2, v->sizes, vectors};
    ll_tally tally;
    if (vectors == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", v->rows);
    set_vectors(v, vectors);
    ll_status status = ll_tally_init(&tally, &rows, v->max_memory, error);
    for (long state = 0; status == LL_OK && (state = ll_tally_next(&tally, state)) >= 0; state++) {
        ll_tally_get(&tally, state, sums);
        status = see_auc(s, sums[0], sums[1], error);
    }
    ll_tally_clear(&tally);
    free(vectors);
    return status;
}

/* At most the pairs of every number of positives; and what the layers take must be there. */
static double count_areas(const ll_views *v)
{
    double n = (double)v->rows, bits = n * n * n * (double)v->groups, known_counts = v->known_counts != NULL ? n : 1;
    return bits / 8 > v->max_memory ? INFINITY : n * n * n / 6 / known_counts * (v->groups < v->rows ? 2 : 1);
}

/* ---- other ranks ---- */

static ll_status see_ranking(states *s, const long *ones, int64_t *above, ll_error *error)
{
    const ll_views *v = s->views;
    int64_t zeros = 0, positives = 0;
    for (long g = 0; g < v->groups; g++) {
        above[2 * g] = zeros += v->sizes[g] - ones[g];
        above[2 * g + 1] = positives += ones[g];
    }
    ll_ranking ranking = {v->rows, positives, v->groups, above};
    if (!ll_views_may_have(v, (long)positives))
        return LL_OK;
    return see(s, ll_ranking_work(v->work->scoring.how, &exactly, &s->number, &ranking, NULL), error);
}

static int advance(long *ones, const ll_views *v)
{
    for (long g = 0; g < v->groups; g++) {
        if (++ones[g] <= v->sizes[g])
            return 1;
        ones[g] = 0;
    }
    return 0;
}

static ll_status see_rankings(states *s, ll_error *error)
{
    const ll_views *v = s->views;
    long *ones = calloc((size_t)v->groups, sizeof *ones);
    int64_t *above = malloc(sizeof *above * 2 * (size_t)v->groups);
    ll_status status = LL_OK;
    if (ones == NULL || above == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld rows", v->rows);
    while (status == LL_OK) {
        status = see_ranking(s, ones, above, error);
        if (!advance(ones, v))
            break;
    }
    free(ones);
    free(above);
    return status;
}

static double count_rankings(const ll_views *v)
{
    double count = 1;
    for (long g = 0; g < v->groups; g++)
        count *= (double)v->sizes[g] + 1;
    return count;
}

/* ---- the least difference ---- */

static int by_value(const void *a, const void *b)
{
    return arf_cmp((arf_srcptr)a, (arf_srcptr)b);
}

static void find_step(states *s, double *different, arf_t step)
{
    arf_t x, same;
    arf_init(x);
    arf_init(same);
    arf_set_ui_2exp_si(same, 1, -SAME_BITS);
    arf_pos_inf(step);
    *different = s->count > 0;
    qsort(s->list, (size_t)s->count, sizeof *s->list, by_value);
    for (long i = 1; i < s->count; i++) {
        arf_sub(x, s->list + i, s->list + i - 1, PREC, ARF_RND_NEAR);
        if (arf_cmp(x, same) <= 0)
            continue;
        ++*different;
        if (arf_cmp(x, step) < 0)
            arf_set(step, x);
    }
    arf_clear(x);
    arf_clear(same);
}

static void set_range(const states *s)
{
    ll_separation_work *w = s->views->work;
    if (s->count == 0)
        return;
    arb_set_arf(w->least, s->list);
    arb_set_arf(w->greatest, s->list + s->count - 1);
}

static void clear_states(states *s)
{
    for (long i = 0; i < s->count; i++)
        arf_clear(s->list + i);
    free(s->list);
    ll_worked_clear(&s->number);
    ll_unreleased_clear(&s->unreleased);
}

ll_status ll_views_count(const ll_views *v, double *different, arf_t step, ll_error *error)
{
    static const struct {
        double (*count)(const ll_views *);
        ll_status (*see)(states *, ll_error *);
    } kinds[] = {{count_counts, see_counts}, {count_areas, see_areas}, {count_rankings, see_rankings}};
    int kind = !v->is_ranks ? 0 : ll_auc_slope(v->work->scoring.how) != 0 ? 1 : 2;
    states s = {.views = v};
    *different = 0;
    if (v->classes != 2 || !(kinds[kind].count(v) <= MOST_STATES))
        return LL_OK;
    ll_worked_init(&s.number);
    ll_unreleased_init(&s.unreleased);
    ll_status status = kinds[kind].see(&s, error);
    if (status == LL_OK) {
        find_step(&s, different, step);
        set_range(&s);
    }
    clear_states(&s);
    return status;
}

/* All labellings near the one that was found: every change of up to so many rows, as many as a budget allows; for few
 * rows that is every labelling there is. Better ones are taken over, the others are added up.
 *
 * A change of one label moves each sum by -1, 0 or 1; a change of several by the sum of these steps. What a sum is
 * worth that is moved by d stands in a table, query by query: log P(score), or, while the labels do not explain every
 * score, minus the square of what is missing. */
#include "posterior/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WEIGHT = 24, MOVES = 300, MOVES_FAR = 16 };
static const double most_steps = 1e8; /* bytes of all steps */
static const double budget = 2e7;     /* additions of one enumeration */
/* Odds of all others against the best one at which nothing is claimed any more: their sum is not finished. */
static const double hopeless = 1e5;

typedef struct {
    const ll_posterior_problem *problem;
    long queries, changes; /* answered ones; rows * (classes - 1) */
    long *asked;           /* [query]: its number in the problem */
    int8_t *steps;         /* [change * queries + query] */
    double *table;         /* [query * (2 * reach + 1) + reach + d] */
    double *sums;          /* z, [query in the problem], twice */
    int16_t *moved;        /* [depth * queries + query] */
    double *prior;         /* [class]: log of its share, or NULL */
    double *likelier;      /* [change]: by how much the prior likes it better */
    double *each;          /* [change]: odds of all labellings that have it */
    int32_t *labels;
    long weight, reach;
    int is_hard; /* the labels explain all scores: worth is log P */
    long path[MOST_WEIGHT], best_path[MOST_WEIGHT];
    long best_size;
    double best, odds, enough;
    double least, next; /* gains below are lost in the odds; where these pass `next`, `least` is set anew */
} work;

/* Change c gives row c / (classes - 1) the label that is so many after its own. */
static long row_of(const work *w, long change)
{
    return change / (w->problem->classes - 1);
}

static int32_t label_of(const work *w, long change)
{
    long k = w->problem->classes;
    return (int32_t)((w->labels[row_of(w, change)] + 1 + change % (k - 1)) % k);
}

static double prior_of(const work *w, long change)
{
    return w->prior == NULL || !w->is_hard ? 0 : w->prior[label_of(w, change)] - w->prior[w->labels[row_of(w, change)]];
}

/* ---- what is known of the labels ---- */

static int set_steps(work *w)
{
    const ll_posterior_problem *s = w->problem;
    uint16_t *kinds = malloc(sizeof *kinds * (size_t)s->rows);
    for (long q = 0; q < w->queries && kinds != NULL; q++) {
        s->kinds(s->self, kinds, w->asked[q]);
        for (long c = 0; c < w->changes; c++) {
            long row = row_of(w, c);
            w->steps[c * w->queries + q] = (int8_t)ll_posterior_step(kinds[row], w->labels[row], label_of(w, c));
        }
    }
    free(kinds);
    return kinds != NULL;
}

static double worth(const work *w, long asked, double z)
{
    const ll_posterior_problem *s = w->problem;
    if (w->is_hard)
        return ll_posterior_log_chance(s, asked, z);
    double missing = fmax(s->low[asked] - z, 0) + fmin(s->high[asked] - z, 0);
    return -missing * missing;
}

/* Sums of the labels as they are, and the table around them. */
static ll_status set_table(work *w)
{
    const ll_posterior_problem *s = w->problem;
    ll_status status = ll_posterior_sums(s, w->sums, w->labels);
    w->is_hard = 1;
    for (long q = 0; q < w->queries && status == LL_OK; q++)
        w->is_hard = w->is_hard && ll_posterior_log_chance(s, w->asked[q], w->sums[w->asked[q]] / 2) > -INFINITY;
    for (long q = 0; q < w->queries && status == LL_OK; q++) {
        double *own = w->table + q * (2 * w->reach + 1) + w->reach, z = w->sums[w->asked[q]] / 2;
        double now = worth(w, w->asked[q], z);
        for (long d = -w->reach; d <= w->reach; d++)
            own[d] = worth(w, w->asked[q], z + (double)d) - now;
    }
    for (long c = 0; c < w->changes; c++)
        w->likelier[c] = prior_of(w, c);
    return status;
}

/* ---- all changes ---- */

/* What the labels are worth with change c on top of those at `depth`, whose sums go to depth + 1. */
static double weigh(work *w, long c, long depth)
{
    const int8_t *step = w->steps + c * w->queries;
    const int16_t *from = w->moved + depth * w->queries;
    int16_t *to = w->moved + (depth + 1) * w->queries;
    const double *own = w->table + w->reach;
    double sum = 0;
    for (long q = 0; q < w->queries; q++, own += 2 * w->reach + 1) {
        int d = from[q] + step[q];
        sum += own[d];
        to[q] = (int16_t)d;
    }
    return sum;
}

/* The same where nothing comes on top of it; it ends at the first score that cannot be. */
static inline double weigh_last(const work *w, long c, long depth)
{
    const int8_t *step = w->steps + c * w->queries;
    const int16_t *from = w->moved + depth * w->queries;
    const double *own = w->table + w->reach;
    double sum = 0;
    for (long q = 0; q < w->queries && sum > -INFINITY; q++, own += 2 * w->reach + 1)
        sum += own[from[q] + step[q]];
    return sum;
}

/* The same of changes c .. c + 3, each added up in that order: one addition need not wait for the one before. */
static void weigh_four(const work *w, double *sums, long c, long depth)
{
    const int8_t *step = w->steps + c * w->queries;
    const int16_t *from = w->moved + depth * w->queries;
    const double *own = w->table + w->reach;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (long q = 0; q < w->queries; q++, own += 2 * w->reach + 1) {
        const double *at = own + from[q];
        s0 += at[step[q]];
        s1 += at[step[w->queries + q]];
        s2 += at[step[2 * w->queries + q]];
        s3 += at[step[3 * w->queries + q]];
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
}

/* While the labels do not explain every score, worth is no likelihood, and all are looked at; so they are where these
 * are all labellings there are. */
static double enough_odds(const work *w)
{
    return w->is_hard && w->reach < w->problem->rows ? hopeless * exp(fmin(w->best, 600)) : INFINITY;
}

/* exp(-38) < 2^-54: what is less than that of a sum does not change it. */
static inline void add_odds(work *w, double gain)
{
    if (gain < w->least)
        return;
    w->odds += exp(gain < 700 ? gain : 700);
    if (w->odds > w->next) {
        w->next = 2 * w->odds;
        w->least = log(w->odds) - 38;
    }
}

/* Labels with the changes of the path and c. */
static inline void meet(work *w, long c, long depth, double gain)
{
    double before = w->odds;
    w->path[depth] = c;
    add_odds(w, gain);
    w->each[c] += w->odds - before;
    if (gain > w->best) {
        w->best = gain;
        w->enough = enough_odds(w);
        w->best_size = depth + 1;
        memcpy(w->best_path, w->path, sizeof w->path);
    }
}

static void visit_last(work *w, long first, long depth, double prior)
{
    int can_fail = w->is_hard && w->problem->noise.law == NULL;
    long c = first;
    for (double sums[4]; !can_fail && c + 4 <= w->changes && w->odds < w->enough; c += 4) {
        weigh_four(w, sums, c, depth);
        for (long i = 0; i < 4 && w->odds < w->enough; i++)
            meet(w, c + i, depth, sums[i] + prior + w->likelier[c + i]);
    }
    for (; c < w->changes && w->odds < w->enough; c++)
        meet(w, c, depth, weigh_last(w, c, depth) + prior + w->likelier[c]);
}

static void visit(work *w, long first, long depth, double prior)
{
    if (depth + 1 == w->weight) {
        visit_last(w, first, depth, prior);
        return;
    }
    for (long c = first; c < w->changes && w->odds < w->enough; c++) {
        meet(w, c, depth, weigh(w, c, depth) + prior + w->likelier[c]);
        double before = w->odds;
        visit(w, (row_of(w, c) + 1) * (w->problem->classes - 1), depth + 1, prior + w->likelier[c]);
        w->each[c] += w->odds - before;
    }
}

/* The most rows whose changes are all within the budget: those of the greatest weight end at the first score that they
 * do not explain, if there is no random noise. */
static long affordable(double *additions, long rows, long classes, double queries, int is_random)
{
    double nodes = 1, inner = 0, each = is_random ? queries : 8;
    *additions = 0;
    for (long v = 1; v <= rows; v++) {
        inner += nodes;
        nodes *= (double)(rows - v + 1) / (double)v * (double)(classes - 1);
        double needed = nodes * each + inner * queries;
        if (needed > budget || v > MOST_WEIGHT)
            return v > 1 ? v - 1 : 1;
        *additions = needed;
    }
    return rows;
}

double ll_posterior_search_work(long rows, long classes, double queries, int is_random)
{
    double additions;
    (void)affordable(&additions, rows, classes, queries, is_random);
    return (double)rows * (double)(classes - 1) * queries > most_steps ? 0 : additions;
}

static void enumerate(work *w, long weight)
{
    w->weight = weight;
    w->best = 1e-9;
    w->best_size = 0;
    w->odds = w->next = 0;
    w->least = -746; /* exp of less is 0 */
    w->enough = enough_odds(w);
    memset(w->each, 0, sizeof *w->each * (size_t)w->changes);
    visit(w, 0, 0, 0);
}

/* ---- the search ---- */

static ll_status take_best(work *w)
{
    int32_t after[MOST_WEIGHT];
    for (long i = 0; i < w->best_size; i++)
        after[i] = label_of(w, w->best_path[i]);
    for (long i = 0; i < w->best_size; i++)
        w->labels[row_of(w, w->best_path[i])] = after[i];
    return set_steps(w) ? set_table(w) : LL_MEMORY;
}

/* Single changes while one is better, then all; again from the best of these. */
static ll_status climb(work *w, long most)
{
    ll_status status = set_steps(w) ? set_table(w) : LL_MEMORY;
    for (int far = 0, moves = 0; status == LL_OK; moves++) {
        enumerate(w, 1);
        if (w->best_size == 0) {
            enumerate(w, most);
            far++;
        }
        if (w->best_size == 0 || moves == MOVES || far == MOVES_FAR)
            break;
        status = take_best(w);
    }
    return status;
}

static int prepare(work *w)
{
    const ll_posterior_problem *s = w->problem;
    size_t queries = (size_t)s->queries;
    w->asked = malloc(sizeof *w->asked * queries);
    w->sums = malloc(sizeof *w->sums * queries);
    if (w->asked == NULL || w->sums == NULL)
        return 0;
    for (long q = 0; q < s->queries; q++)
        if (s->answered[q])
            w->asked[w->queries++] = q;
    w->changes = s->rows * (s->classes - 1);
    if ((double)w->changes * (double)w->queries > most_steps)
        return 1;
    double additions;
    long most = affordable(&additions, s->rows, s->classes, (double)w->queries, s->noise.law != NULL);
    w->reach = most;
    w->steps = malloc((size_t)w->changes * (size_t)w->queries + 1);
    w->table = malloc(sizeof *w->table * (size_t)(w->queries * (2 * most + 1)) + 1);
    w->moved = calloc((size_t)((most + 1) * w->queries) + 1, sizeof *w->moved);
    w->likelier = malloc(sizeof *w->likelier * (size_t)w->changes);
    w->each = malloc(sizeof *w->each * (size_t)w->changes);
    w->prior = s->prior != NULL ? malloc(sizeof *w->prior * (size_t)s->classes) : NULL;
    for (long k = 0; w->prior != NULL && k < s->classes; k++)
        w->prior[k] = log(fmax(s->prior[k], 1e-300));
    return w->steps != NULL && w->table != NULL && w->moved != NULL && w->likelier != NULL && w->each != NULL &&
           (s->prior == NULL || w->prior != NULL);
}

static void clear(work *w)
{
    free(w->asked);
    free(w->sums);
    free(w->steps);
    free(w->table);
    free(w->moved);
    free(w->prior);
    free(w->likelier);
    free(w->each);
}

/* Too large to be searched: do the labels explain all scores? */
static ll_status only_fits(work *w)
{
    ll_status status = ll_posterior_sums(w->problem, w->sums, w->labels);
    w->is_hard = 1;
    for (long q = 0; q < w->queries && status == LL_OK; q++)
        w->is_hard =
            w->is_hard && ll_posterior_log_chance(w->problem, w->asked[q], w->sums[w->asked[q]] / 2) > -INFINITY;
    return status;
}

static void tell_each(const work *w, double *each)
{
    long k = w->problem->classes;
    memset(each, 0, sizeof *each * (size_t)(w->problem->rows * k));
    for (long c = 0; c < w->changes && w->each != NULL; c++)
        each[row_of(w, c) * k + label_of(w, c)] = w->each[c];
}

ll_status ll_posterior_search(const ll_posterior_problem *problem, ll_posterior_nearby *out, double *each,
                              int32_t *labels)
{
    work w = {.problem = problem, .labels = labels};
    ll_status status = prepare(&w) ? LL_OK : LL_MEMORY;
    if (status == LL_OK)
        status = w.reach > 0 ? climb(&w, w.reach) : only_fits(&w);
    *out = (ll_posterior_nearby){w.reach, w.odds, w.reach == 0 || w.odds < w.enough, w.is_hard};
    if (status == LL_OK && each != NULL)
        tell_each(&w, each);
    clear(&w);
    return status;
}

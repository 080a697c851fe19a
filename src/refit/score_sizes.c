/* Are these scores like those of labels drawn at random, under another description? For a clip that bends the weights
 * of a code there is no decoder, but the size of the scores tells it: with labels drawn with a share s of class 1, the
 * sum of a query has mean sum of t0 + s (t1 - t0) and variance s (1 - s) sum of (t1 - t0)^2, and over many rows it is
 * nearly Normal. The share is fitted. Nothing is proved by it. */
#include "refit/refit.h"

#include <math.h>
#include <stdlib.h>

enum { SHARES = 24, MOST_TERMS = 1 << 20 };

typedef struct {
    double number;             /* rows * score */
    double base, step, square; /* sums over the rows of t0, t1 - t0 and (t1 - t0)^2 */
    double grid;               /* what the release leaves open of the number */
} query;

static ll_status read_query(const ll_refit_case *c, const ll_scorer *other, query *q, double *terms, long index)
{
    ll_predictions own;
    ll_scoring scoring = {.how = &other->computation, .rows = c->plan->rows, .classes = 2};
    arb_t x;
    ll_status status = ll_plan_predictions(c->plan, &own, index, NULL);
    if (status == LL_OK)
        status = ll_score_all_terms(&scoring, terms, &own, NULL);
    if (status != LL_OK)
        return status;
    arb_init(x);
    status = ll_release_read(&other->release, x, c->scores[index], NULL, LL_STATED_AND_OWN, 128, NULL);
    if (status == LL_OK)
        status = ll_release_undo(&other->release, x, 0, LL_STATED_AND_OWN, 128);
    *q = (query){.number = (double)c->plan->rows * arf_get_d(arb_midref(x), ARF_RND_NEAR),
                 .grid = (double)c->plan->rows * mag_get_d(arb_radref(x))};
    arb_clear(x);
    for (long i = 0; i < c->plan->rows; i++) {
        double step = terms[2 * i + 1] - terms[2 * i];
        q->base += terms[2 * i];
        q->step += step;
        q->square += step * step;
    }
    return status;
}

/* -ln of the density, but for a constant; *chi: the sum of the squared distances in standard deviations. */
static double surprise(const query *queries, long count, double share, double *chi)
{
    double sum = 0;
    *chi = 0;
    for (long i = 0; i < count; i++) {
        const query *q = &queries[i];
        double variance = share * (1 - share) * q->square + q->grid * q->grid + 1e-300;
        double away = q->number - q->base - share * q->step;
        *chi += away * away / variance;
        sum += 0.5 * (away * away / variance + log(variance));
    }
    return sum;
}

static void judge(ll_refit_trial *out, const query *queries, long count)
{
    double least = INFINITY, best = INFINITY;
    for (int i = 1; i < SHARES; i++) {
        double chi, own = surprise(queries, count, (double)i / SHARES, &chi);
        if (own < least) {
            least = own;
            best = chi;
        }
    }
    /* chi squared of `count` is at most this but for one case in some thousands */
    double most = (double)count + 4 * sqrt(2 * (double)count) + 8;
    *out = (ll_refit_trial){.answer = best <= most ? LL_REFIT_YES : LL_REFIT_NO, .by_size = 1, .surplus = least};
}

ll_status ll_refit_moments(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other)
{
    *out = (ll_refit_trial){.answer = LL_REFIT_OPEN};
    int has_terms = ll_metric_has_terms(other->computation.metric);
    if (!has_terms || c->plan->classes != 2 || c->plan->rows > MOST_TERMS)
        return LL_OK;
    long count = c->count * c->plan->rows > MOST_TERMS ? MOST_TERMS / c->plan->rows : c->count;
    double *terms = malloc(sizeof *terms * 2 * (size_t)c->plan->rows);
    query *queries = calloc((size_t)count, sizeof *queries);
    ll_status status = terms != NULL && queries != NULL ? LL_OK : LL_MEMORY;
    for (long q = 0; q < count && status == LL_OK; q++)
        status = ll_clock() > c->until ? LL_UNABLE : read_query(c, other, &queries[q], terms, q);
    if (status == LL_OK)
        judge(out, queries, count);
    free(terms);
    free(queries);
    return status == LL_DOMAIN ? LL_OK : status;
}

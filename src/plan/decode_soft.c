/* The verdict of a plan of the code hadamard: labels with probabilities from all scores at once, or proved labels. */
#include "plan/decode_soft.h"
#include "code/hadamard.h"
#include "plan/decoder.h"
#include "plan/signs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a query gives an interval ---- */

ll_status ll_decoder_keep_interval(ll_decoder *d, const ll_reading *r)
{
    const ll_plan *plan = d->plan;
    arb_t sum, half, base;
    arf_t end;
    arb_init(sum);
    arb_init(half);
    arb_init(base);
    arf_init(end);
    arb_sub(sum, r->score, r->offset, plan->prec);
    ll_status status = ll_decoder_base_sum(d, base);
    ll_decoder_allowed_sum(plan, sum, base, sum, r->deviation, r->rounding);
    arb_set_si(half, plan->rows);
    arb_mul_2exp_si(half, half, -1);
    arb_sub(sum, sum, half, plan->prec);
    arb_get_lbound_arf(end, sum, 53);
    d->low[d->query / plan->repeats] = arf_get_d(end, ARF_RND_FLOOR);
    arb_get_ubound_arf(end, sum, 53);
    d->high[d->query / plan->repeats] = arf_get_d(end, ARF_RND_CEIL);
    arb_clear(sum);
    arb_clear(half);
    arb_clear(base);
    arf_clear(end);
    return status;
}

/* ---- all intervals together give labels ---- */

static ll_soft_problem problem_of(const ll_plan *plan, const double *low, const double *high,
                                  const unsigned char *answered)
{
    const ll_hadamard *h = ll_hadamard_get(plan->code);
    ll_soft_channel channel;
    ll_signs_channel(plan, &channel, 0, plan->queries);
    return (ll_soft_problem){.rows = plan->rows,
                             .classes = plan->classes,
                             .queries = plan->queries,
                             .groups = h->groups,
                             .kinds = ll_hadamard_kinds,
                             .self = plan->code,
                             .is_random = h->is_random,
                             .bits = h->bits,
                             .columns = h->columns,
                             .lines = h->lines,
                             .low = low,
                             .high = high,
                             .answered = answered,
                             .noise = channel.noise,
                             .is_any_law = ll_release_has_any_law(&plan->scorer->release),
                             .prior = channel.prior};
}

/* The likeliest label of every row. */
static void choose_labels(const ll_verdict *v)
{
    for (long i = 0; i < v->rows; i++) {
        const double *share = v->shares + i * v->classes;
        long best = 0;
        for (long k = 1; k < v->classes; k++)
            best = share[k] > share[best] ? k : best;
        v->labels[i] = (int32_t)best;
    }
}

static void set_proved(ll_verdict *v)
{
    free(v->shares);
    v->shares = NULL;
    v->guarantee = LL_CERTIFIED;
    v->kind = LL_UNIQUE;
    v->probability = 1;
    v->certain = v->rows;
    memset(v->candidates, 0, (size_t)v->rows * (size_t)v->classes);
    for (long i = 0; i < v->rows; i++)
        v->candidates[i * v->classes + v->labels[i]] = 1;
}

static void set_none(ll_verdict *v)
{
    free(v->shares);
    v->shares = NULL;
    v->kind = LL_NONE;
    v->guarantee = LL_CERTIFIED;
    memset(v->candidates, 0, (size_t)v->rows * (size_t)v->classes);
    for (long i = 0; i < v->rows; i++)
        v->labels[i] = -1;
}

/* Labels that explain every score weigh more than what message passing settled on: the rows that had to change get the
 * shares of the two labels exchanged. */
static void take_over(ll_verdict *v, const int32_t *polished)
{
    for (long i = 0; i < v->rows; i++) {
        double *share = v->shares + i * v->classes, old = share[polished[i]];
        if (polished[i] == v->labels[i])
            continue;
        share[polished[i]] = share[v->labels[i]];
        share[v->labels[i]] = old;
        v->labels[i] = polished[i];
    }
}

/* Where the labels do not explain every score: do others near by? */
static ll_status polish(const ll_soft_problem *problem, ll_verdict *v, ll_soft_proof *proof)
{
    ll_soft_proof after = {0};
    int32_t *labels = malloc(sizeof *labels * (size_t)v->rows);
    if (labels == NULL)
        return LL_MEMORY;
    memcpy(labels, v->labels, sizeof *labels * (size_t)v->rows);
    ll_status status = ll_soft_polish(problem, labels);
    if (status == LL_OK)
        status = ll_soft_certify(problem, &after, labels);
    if (status == LL_OK && after.fits) {
        take_over(v, labels);
        *proof = after;
    }
    free(labels);
    return status;
}

/* No label is less likely to be right than all of them together. */
static void raise_shares(ll_verdict *v)
{
    for (long i = 0; i < v->rows; i++) {
        double *share = v->shares + i * v->classes, own = share[v->labels[i]];
        for (long k = 0; k < v->classes && own < v->probability; k++)
            share[k] = k == v->labels[i] ? v->probability : share[k] * (1 - v->probability) / (1 - own);
    }
}

/* Labels that are not proved: the best near by, and their probability. */
static ll_status set_joint(const ll_soft_problem *problem, ll_verdict *v)
{
    int32_t *labels = malloc(sizeof *labels * (size_t)v->rows);
    if (labels == NULL)
        return LL_MEMORY;
    memcpy(labels, v->labels, sizeof *labels * (size_t)v->rows);
    ll_status status = ll_soft_joint(problem, &v->probability, labels);
    if (status == LL_OK) {
        take_over(v, labels);
        raise_shares(v);
    }
    free(labels);
    return status;
}

ll_status ll_plan_soft_verdict(const ll_plan *plan, ll_verdict *v, const double *low, const double *high,
                               const unsigned char *answered)
{
    ll_soft_problem problem = problem_of(plan, low, high, answered);
    ll_soft_proof proof;
    v->shares = malloc(sizeof *v->shares * (size_t)v->rows * (size_t)v->classes);
    if (v->shares == NULL || ll_soft_decode(&problem, v->shares) != LL_OK)
        return LL_MEMORY;
    v->guarantee = LL_LIKELY;
    v->kind = LL_AMBIGUOUS;
    choose_labels(v);
    ll_status status = ll_soft_certify(&problem, &proof, v->labels);
    if (status == LL_OK && !problem.is_random && !proof.fits && !proof.impossible)
        status = polish(&problem, v, &proof);
    if (status != LL_OK)
        return status;
    if (proof.is_only)
        set_proved(v);
    else if (proof.impossible)
        set_none(v);
    else
        status = set_joint(&problem, v);
    return status;
}

/* The verdict of a plan of the code hadamard: labels with probabilities from all scores at once, or proved labels. */
#include "strategy/averages/averages.h"
#include "strategy/averages/hadamard.h"
#include "strategy/averages/signs.h"
#include "strategy/common/sum_reading.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_decoder common;
    double *low, *high; /* [query]: where the sum of its signs (z of src/posterior) must lie, rounded outward */
} decoder;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    own->low = malloc(sizeof *own->low * queries);
    own->high = malloc(sizeof *own->high * queries);
    return own->low != NULL && own->high != NULL;
}

static void clear(ll_decoder *d)
{
    free(((decoder *)d)->low);
    free(((decoder *)d)->high);
}

/* ---- a query gives an interval ---- */

/* A sum of weights 0 and 1 is one of signs, halved, but for half the rows. */
static void keep_ends(const ll_plan *plan, double *low, double *high, const ll_reading *r)
{
    arb_t sum, half;
    arf_t end;
    arb_init(sum);
    arb_init(half);
    arf_init(end);
    ll_reading_allowed(plan, sum, r);
    arb_set_si(half, plan->rows);
    arb_mul_2exp_si(half, half, -1);
    arb_sub(sum, sum, half, plan->prec);
    arb_get_lbound_arf(end, sum, 53);
    *low = arf_get_d(end, ARF_RND_FLOOR);
    arb_get_ubound_arf(end, sum, 53);
    *high = arf_get_d(end, ARF_RND_CEIL);
    arb_clear(sum);
    arb_clear(half);
    arf_clear(end);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long query = ll_decoder_query(d);
    ll_reading reading = {0};
    ll_status status = ll_reading_take(d, &reading, released);
    if (status == LL_OK)
        keep_ends(d->plan, own->low + query, own->high + query, &reading);
    ll_reading_clear(&reading);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a sum") : status;
}

/* ---- all intervals together give labels ---- */

static ll_posterior_problem problem_of(const decoder *own)
{
    const ll_plan *plan = own->common.plan;
    const ll_hadamard *h = ll_hadamard_get(plan->state->code);
    ll_posterior_channel channel;
    ll_signs_channel(plan, &channel, 0, plan->queries);
    return (ll_posterior_problem){.rows = plan->rows,
                                  .classes = plan->classes,
                                  .queries = plan->queries,
                                  .groups = h->groups,
                                  .kinds = ll_hadamard_kinds,
                                  .self = plan->state->code,
                                  .is_random = h->is_random,
                                  .bits = h->bits,
                                  .columns = h->columns,
                                  .lines = h->lines,
                                  .low = own->low,
                                  .high = own->high,
                                  .answered = own->common.complete,
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
static ll_status polish(const ll_posterior_problem *problem, ll_verdict *v, ll_posterior_proof *proof)
{
    ll_posterior_proof after = {0};
    int32_t *labels = malloc(sizeof *labels * (size_t)v->rows);
    if (labels == NULL)
        return LL_MEMORY;
    memcpy(labels, v->labels, sizeof *labels * (size_t)v->rows);
    ll_status status = ll_posterior_polish(problem, labels);
    if (status == LL_OK)
        status = ll_posterior_certify(problem, &after, labels);
    if (status == LL_OK && after.fits) {
        take_over(v, labels);
        *proof = after;
    }
    free(labels);
    return status;
}

static ll_status conclude(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    (void)error;
    ll_posterior_problem problem = problem_of((const decoder *)d);
    ll_posterior_proof proof;
    v->shares = malloc(sizeof *v->shares * (size_t)v->rows * (size_t)v->classes);
    if (v->shares == NULL || ll_posterior_decode(&problem, v->shares) != LL_OK)
        return LL_MEMORY;
    v->guarantee = LL_LIKELY;
    v->kind = LL_AMBIGUOUS;
    choose_labels(v);
    ll_status status = ll_posterior_certify(&problem, &proof, v->labels);
    if (status == LL_OK && !problem.is_random && !proof.fits && !proof.impossible)
        status = polish(&problem, v, &proof);
    if (status != LL_OK)
        return status;
    if (proof.is_only)
        set_proved(v);
    else if (proof.impossible)
        set_none(v);
    else
        status = ll_posterior_joint(&problem, &v->probability, v->shares, v->labels);
    return status;
}

/* ---- the strategy ---- */

/* Every query asks about all rows, with weights that labels do not have. */
static ll_status plan_all(ll_plan *plan, const ll_question *q, ll_error *error)
{
    if (ll_plan_asks_labels(plan))
        return ll_plan_take_labels(plan, q, error);
    return q->is_forecast ? ll_plan_find_signs(plan, q, error) : ll_plan_try_block(plan, plan->rows, q, error);
}

static const ll_strategy strategy = {
    .name = "averages",
    .proof = "hadamard.md",
    .whole = LL_ASKS_ALL,
    .plan = plan_all,
    .prepare = ll_plan_find_signs,
    .made = ll_signs_set_seed,
    .writer = &ll_writer_signs,
    .decoder_size = sizeof(decoder),
    .begin = init,
    .end = clear,
    .keep = keep,
    .conclude = conclude,
    LL_PLANS_BLOCKS,
};

const ll_candidate ll_candidate_hadamard = {.code = &ll_code_hadamard, .rank = 1, .averages = 1, .strategy = &strategy};

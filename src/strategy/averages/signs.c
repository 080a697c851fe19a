/* Weight and number of queries for the code hadamard, by prediction (ll_posterior_evolve).
 *
 * Weight. A larger one beats the noise better; but a score that is rounded coarsely tells most where its expected value
 * lies on the boundary of two roundings, and the weight moves that value. So two are compared: the largest that the
 * scorer reaches, and the largest below it that puts the expected score on a boundary.
 *
 * Queries. As many as were asked for; else the fewest whose predicted failure is small enough, with a margin since the
 * prediction is one for many rows. A certified answer needs all lines of the matrix. */
#include "strategy/averages/signs.h"

#include "strategy/averages/averages.h"
#include "strategy/averages/hadamard.h"
#include "strategy/common/floats.h"

#include <math.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC };

/* ---- reach ---- */

static void keep_below(arb_t reach, double most)
{
    arb_t bound;
    arb_init(bound);
    arb_set_d(bound, most);
    if (!arb_is_finite(reach))
        arb_set(reach, bound);
    arb_min(reach, reach, bound, 64);
    arb_clear(bound);
}

/* The weight that both signs reach. In exact arithmetic without a clip there may be no end: one query of another code
 * is the better attack then, and 2^10 is as good as any. */
static ll_status find_reach(const ll_plan *plan, arb_t reach)
{
    const ll_computation *r = plan->scoring.how;
    arb_t low;
    arb_init(low);
    ll_status status;
    ll_clip_mode mode = plan->scoring.how->clip_mode;
    if (r->kind == LL_KIND_EXACT && mode == LL_LOG_CLAMP) {
        ll_exact_get_ball(reach, &r->low, 64);
        arb_neg(low, reach);
        status = LL_OK;
    } else if (r->kind == LL_KIND_EXACT) {
        status = ll_metric_reach(r->metric, low, reach, mode == LL_CLIP_NONE ? NULL : &r->low, 64);
    } else {
        status = ll_floats_reach(plan, low, reach);
    }
    arb_neg(low, low);
    keep_below(reach, 1024);
    keep_below(low, 1024);
    arb_min(reach, reach, low, 64);
    arb_mul_ui(reach, reach, 4095, 64);
    arb_mul_2exp_si(reach, reach, -12);
    arb_clear(low);
    return status;
}

/* The mean score and the blur of that weight; NAN where it cannot be written. *memory: LL_MEMORY once memory ended. */
static double try_weight(ll_plan *plan, const arb_t weight, double *blur, ll_status *memory)
{
    ll_signs *signs;
    ll_status status = ll_signs_create(&signs, plan, weight, NULL);
    if (status == LL_MEMORY)
        *memory = status;
    if (status != LL_OK)
        return NAN;
    double mean = ll_signs_mean(signs, plan);
    *blur = ll_signs_blur(signs, plan);
    ll_signs_destroy(signs, plan);
    return mean;
}

/* The largest of 32 parts of the reach whose blur is below the tolerance; 0 where none is. */
static int find_part(ll_plan *plan, arb_t weight, double tolerance, ll_status *memory)
{
    int found = 0;
    arb_t some;
    arb_init(some);
    for (int part = 32; part > 1 && !found && *memory == LL_OK; part--) {
        double blur = 1;
        arb_mul_ui(some, weight, (ulong)part, 64);
        arb_mul_2exp_si(some, some, -5);
        found = isfinite(try_weight(plan, some, &blur, memory)) && blur < tolerance;
    }
    if (found)
        arb_set(weight, some);
    arb_clear(some);
    return found;
}

/* Rows of several entries, and clips, may reach less: the largest part of the reach at which all labels weigh about
 * one unit or none. */
static ll_status largest_weight(ll_plan *plan, arb_t weight, ll_error *error)
{
    static const double tolerances[] = {0x1p-12, 0x1p-7, 0x1p-4};
    ll_status memory = LL_OK;
    for (int i = 0; i < 3; i++)
        if (find_part(plan, weight, tolerances[i], &memory))
            return LL_OK;
    if (memory != LL_OK)
        return ll_fail(error, memory, "no memory for a weight");
    return ll_fail(error, LL_DOMAIN, "labels cannot be given weights of two sizes in %s with this clip",
                   ll_plan_metric_name(plan));
}

/* ---- the channel ---- */

void ll_signs_channel(const ll_plan *plan, ll_posterior_channel *out, double mean, long queries)
{
    const ll_scorer *s = plan->scorer;
    double boundary, size, unit = arf_get_d(arb_midref(plan->state->unit), ARF_RND_NEAR);
    double scale = (double)plan->rows / unit, grid = ll_release_grid(&s->release, &boundary);
    *out = (ll_posterior_channel){.rows = plan->rows, .classes = plan->classes, .queries = queries, .place = NAN};
    out->grid = 2 * arf_get_d(arb_midref(plan->state->noise), ARF_RND_NEAR) / unit;
    /* every row of a sign submission depends on its label by the same unit */
    out->noise.law = ll_release_law(&s->release, &size, sqrt((double)plan->rows) / scale / 2);
    out->noise.size = size * scale;
    /* Where the noise is all rounding, the place of the mean within its cell counts. */
    if (grid > 0 && out->grid < grid * scale * (1 + 1e-9)) {
        double at = mean / grid - (0.5 - boundary);
        out->place = at - round(at);
    }
    if (s->prior != NULL && s->prior_count == plan->classes)
        out->prior = s->prior;
}

/* ---- the weight ---- */

/* The largest weight below `weight` whose mean score is on a boundary of the rounding; 0 where there is none. */
static int find_boundary(ll_plan *plan, arb_t out, const arb_t weight, double mean, ll_status *memory)
{
    double shift, blur, grid = ll_release_grid(&plan->scorer->release, &shift);
    if (grid <= 0)
        return 0;
    double target = (floor(mean / grid - shift) + shift) * grid;
    if (!(target > 0))
        return 0;
    arb_t part;
    arb_init(part);
    double low = 0.25, high = 1;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        arb_set_d(part, middle);
        arb_mul(part, part, weight, 64);
        double at = try_weight(plan, part, &blur, memory);
        if (!(at >= target))
            low = middle;
        else
            high = middle;
    }
    arb_set_d(out, high);
    arb_mul(out, out, weight, 64);
    arb_clear(part);
    double at = try_weight(plan, out, &blur, memory);
    return fabs(at - target) < 1e-3 * grid;
}

/* The forecast of plan->state->unit, whose mean score is `mean`. */
static ll_status forecast(const ll_plan *plan, ll_posterior_forecast *out, double mean, long queries)
{
    ll_posterior_channel channel;
    ll_signs_channel(plan, &channel, mean, queries);
    return ll_posterior_evolve(out, &channel);
}

static int is_better(const ll_posterior_forecast *a, const ll_posterior_forecast *b)
{
    return fabs(a->share - b->share) > 1e-9 ? a->share > b->share : a->failure < b->failure;
}

/* ---- the number of queries ---- */

static long groups_of(const ll_plan *plan)
{
    return (1L << ll_posterior_bits(plan->classes)) - 1;
}

static long all_lines(const ll_plan *plan)
{
    return groups_of(plan) << ll_posterior_bits(plan->rows + 1);
}

/* The fewest queries, to one part in 64, whose failure is small enough; 0 where 2^26 are not. */
static ll_status fewest(const ll_plan *plan, long *out, double mean)
{
    long fails = 0, fits = 0;
    for (long queries = 8; fits == 0 || fits - fails > 1 + fits / 64;) {
        ll_posterior_forecast seen;
        ll_status status = forecast(plan, &seen, mean, queries);
        if (status != LL_OK)
            return status;
        if (seen.failure <= plan->bounds.failure)
            fits = queries;
        else
            fails = queries;
        if (fits == 0 && fails >= 1L << 26)
            break;
        queries = fits == 0 ? 2 * fails : fails + (fits - fails) / 2;
    }
    /* The prediction is sharp for many rows; for N rows its threshold is blurred by some parts in sqrt(N). */
    double margin = 1.08 + 6 / sqrt((double)plan->rows);
    *out = fits > 0 ? (long)ceil((double)fits * margin) : 0;
    return LL_OK;
}

/* Sums that are known to within two integers leave one labelling, by Parseval's identity, almost always. */
static int may_certify(const ll_plan *plan, double mean)
{
    ll_posterior_channel channel;
    ll_signs_channel(plan, &channel, mean, 1);
    return channel.noise.law == NULL && channel.grid < 2;
}

/* All lines asked, and sums known to within one integer: then Parseval's identity always does. */
static int will_certify(const ll_plan *plan, const ll_hadamard *h)
{
    double unit = arf_get_d(arb_midref(plan->state->unit), ARF_RND_NEAR);
    double grid = 2 * arf_get_d(arb_midref(plan->state->noise), ARF_RND_NEAR) / unit;
    ll_posterior_channel channel;
    ll_signs_channel(plan, &channel, 0, 1);
    return channel.noise.law == NULL && plan->state->levels == (int64_t)h->groups << h->bits && grid < 0.99;
}

void ll_signs_set_seed(const ll_plan *plan, ll_code *code)
{
    uint64_t seed = plan->scorer->seed;
    if (plan->bounds.guarantee == LL_CERTIFIED || will_certify(plan, ll_hadamard_get(code)))
        ll_hadamard_set_seed(code, seed);
    else
        ll_hadamard_set_random(code, seed);
}

static ll_status choose_queries(const ll_plan *plan, const ll_question *q, long *out, double mean, ll_error *error)
{
    long asked = plan->state->levels > 0 ? (long)plan->state->levels : q->limit;
    if (plan->bounds.guarantee == LL_CERTIFIED && !may_certify(plan, mean))
        return ll_fail(error, LL_DOMAIN,
                       "the code hadamard proves labels only where a score tells its sum of weights to within two "
                       "units, which this noise does not: guarantee likely takes labels with probabilities");
    /* more than all lines prove nothing more, so a limit above that is not used up */
    int spare = plan->bounds.guarantee == LL_CERTIFIED && plan->state->levels == 0 && asked > all_lines(plan);
    *out = asked;
    if (asked > 0 && !spare)
        return LL_OK;
    if (plan->bounds.guarantee == LL_CERTIFIED) {
        *out = all_lines(plan);
        return LL_OK;
    }
    ll_status status = fewest(plan, out, mean);
    if (status == LL_OK && *out == 0)
        status = ll_fail(error, LL_DOMAIN,
                         "not even 2^26 queries would give every label with this noise; say how many to use");
    return status;
}

/* ---- both ---- */

typedef struct {
    arb_t weight;
    double mean;
    long queries;
    ll_posterior_forecast seen;
} choice;

/* Queries and forecast of a weight. */
static ll_status weigh(ll_plan *plan, const ll_question *q, choice *c, ll_error *error)
{
    double blur;
    ll_status status = LL_OK;
    c->mean = try_weight(plan, c->weight, &blur, &status);
    if (status == LL_OK)
        status = choose_queries(plan, q, &c->queries, c->mean, error);
    if (status == LL_OK)
        status = forecast(plan, &c->seen, c->mean, c->queries);
    return status;
}

static void keep(ll_plan *plan, const choice *c)
{
    arb_set(plan->state->unit, c->weight);
    plan->state->levels = c->queries;
    plan->expected =
        (ll_forecast){c->seen.share, fmin(c->seen.failure, 1), arf_get_d(arb_midref(c->weight), ARF_RND_NEAR)};
}

static int is_choice_better(const choice *a, const choice *b)
{
    return a->queries != b->queries ? a->queries < b->queries : is_better(&a->seen, &b->seen);
}

static ll_status choose(ll_plan *plan, const ll_question *q, const arb_t weight, ll_error *error)
{
    choice whole = {0}, boundary = {0};
    arb_init(whole.weight);
    arb_init(boundary.weight);
    arb_set(whole.weight, weight);
    ll_status status = weigh(plan, q, &whole, error);
    ll_status memory = LL_OK;
    int has_boundary = find_boundary(plan, boundary.weight, weight, whole.mean, &memory);
    status = memory == LL_OK ? status : memory;
    if (has_boundary && (status == LL_OK || status == LL_DOMAIN)) {
        ll_status other = weigh(plan, q, &boundary, NULL);
        if (other == LL_MEMORY)
            status = other;
        else if (other == LL_OK && (status != LL_OK || is_choice_better(&boundary, &whole))) {
            keep(plan, &boundary);
            status = LL_OK;
        } else if (status == LL_OK) {
            keep(plan, &whole);
        }
    } else if (status == LL_OK) {
        keep(plan, &whole);
    }
    arb_clear(whole.weight);
    arb_clear(boundary.weight);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a forecast") : status;
}

ll_status ll_plan_find_signs(ll_plan *plan, const ll_question *q, ll_error *error)
{
    if (!ll_metric_takes_classes(plan->scoring.how->metric, plan->classes))
        return ll_fail(error, LL_DOMAIN, "%s is for two classes", ll_plan_metric_name(plan));
    plan->columns = ll_computation_columns(plan->scoring.how, plan->classes);
    plan->prec = PREC;
    arb_t weight;
    arb_init(weight);
    ll_status status = find_reach(plan, weight);
    if (status != LL_OK)
        (void)ll_fail(error, status, "the reach of %s is not known", ll_plan_metric_name(plan));
    else
        status = largest_weight(plan, weight, error);
    if (status == LL_OK)
        status = choose(plan, q, weight, error);
    arb_clear(weight);
    return status;
}

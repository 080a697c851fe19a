/* What all scores so far tell. */
#include "decode/decoder.h"
#include "number/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x over the rows that count: what it is in units of the score. 0: no memory. */
static int set_margin(const ll_decoder *d, ll_number *out, const arb_t x)
{
    const ll_plan *plan = d->plan;
    arb_t scaled;
    arb_init(scaled);
    arb_div_si(scaled, x, d->counted, 64);
    if (ll_plan_takes_labels(plan)) {
        ll_link_get_step(plan->scoring.how, scaled, d->counted);
        arb_mul(scaled, scaled, x, 64);
    }
    *out = ll_release_margin(&plan->scorer->release, scaled);
    arb_clear(scaled);
    return out->text != NULL;
}

static int set_margins(const ll_decoder *d, ll_verdict *out)
{
    if (d->is_none && arb_is_finite(d->missing) && !set_margin(d, &out->explains, d->missing))
        return 0;
    if (!d->has_margins)
        return 1;
    return set_margin(d, &out->gap, d->tightest.gap) && set_margin(d, &out->noise, d->tightest.noise) &&
           set_margin(d, &out->rounding, d->tightest.rounding) && set_margin(d, &out->residual, d->tightest.residual);
}

/* Which labels are possible: as found, or where they are not listed all of a row that is open. 0: no memory. */
static int create_possible(const ll_decoder *d, ll_verdict *v)
{
    const size_t rows = (size_t)v->rows, cells = rows * (size_t)ll_plan_listed(d->plan);
    if (cells > 0) {
        v->candidates = malloc(cells);
        return v->candidates != NULL && memcpy(v->candidates, d->candidates, cells) != NULL;
    }
    v->lowest = malloc(sizeof *v->lowest * rows);
    v->highest = malloc(sizeof *v->highest * rows);
    for (long i = 0; v->lowest && v->highest && i < v->rows; i++) {
        v->lowest[i] = d->labels[i] < 0 ? 0 : d->labels[i];
        v->highest[i] = d->labels[i] < 0 ? (int32_t)(v->classes - 1) : d->labels[i];
    }
    return v->lowest && v->highest;
}

/* Bounds that hold with a probability prove nothing: where the plan asks for likely labels, what would be certain is
 * only likely, and where nothing fits the bounds may have been passed. */
static ll_status conclude_bounds(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    (void)error;
    const ll_plan *plan = d->plan;
    if (plan->bounds.guarantee != LL_LIKELY)
        return LL_OK;
    v->guarantee = LL_LIKELY;
    v->probability = v->kind == LL_NONE ? 0 : 1 - plan->bounds.failure;
    v->certain = 0;
    if (v->kind == LL_NONE)
        return LL_OK;
    v->shares = malloc(sizeof *v->shares * (size_t)v->rows * (size_t)v->classes);
    if (v->shares == NULL)
        return LL_MEMORY;
    for (long i = 0; i < v->rows; i++)
        for (long k = 0; k < v->classes; k++) {
            double open = 1 / (double)v->classes, other = plan->bounds.failure / (double)(v->classes - 1);
            v->shares[i * v->classes + k] = v->labels[i] < 0 ? open : v->labels[i] == k ? v->probability : other;
        }
    return LL_OK;
}

/* Counts have no gap: of those only the bits speak. They do not of numeric targets, which lie beside the grid rather
 * than anywhere. */
double ll_verdict_chance(const ll_plan *plan, const ll_verdict *v)
{
    ll_plan_info info;
    if (v == NULL || v->kind == LL_NONE || v->guarantee != LL_CERTIFIED)
        return (double)NAN;
    double each = v->gap.text != NULL ? 2 * (v->noise.value + v->rounding.value) / v->gap.value : 1;
    double chance = pow(fmin(1, each), (double)v->queries);
    ll_plan_get_info(plan, &info);
    if (v->gap.text == NULL || (ll_plan_is_joint(plan) && !ll_metric_takes_targets(plan->scoring.how->metric)))
        chance = fmin(chance, exp2((double)info.rows * log2((double)info.classes) -
                                   info.score_bits * (double)v->queries / (double)info.queries));
    return chance;
}

int ll_verdict_is_conditional(const ll_verdict *verdict)
{
    return verdict->guarantee == LL_CERTIFIED && verdict->certain > 0 && !(verdict->wrong_description <= 0.01);
}

ll_status ll_decoder_verdict(const ll_decoder *d, ll_verdict *out, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_verdict v;
    if (!d->is_none && ll_release_check_texts(&plan->scorer->release, &d->texts, error) != LL_OK)
        return LL_DOMAIN;
    ll_verdict_init(&v);
    v.gap.value = v.noise.value = v.rounding.value = v.residual.value = v.explains.value = (double)NAN;
    v.rows = plan->rows;
    v.classes = plan->classes;
    v.absent = ll_plan_has_absent(plan) ? plan->scoring.classes : 0;
    v.queries = d->scores;
    v.labels = malloc(sizeof *v.labels * (size_t)plan->rows);
    if (v.labels == NULL || !create_possible(d, &v) || !set_margins(d, &v)) {
        ll_verdict_clear(&v);
        return ll_fail(error, LL_MEMORY, "no memory for a verdict");
    }
    memcpy(v.labels, d->labels, sizeof *v.labels * (size_t)plan->rows);
    for (long i = 0; i < plan->rows; i++) {
        if (d->is_none)
            v.labels[i] = -1;
        v.certain += v.labels[i] >= 0;
    }
    v.guarantee = LL_CERTIFIED;
    v.probability = 1;
    v.kind = d->is_none ? LL_NONE : v.certain == plan->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    ll_status status = (plan->strategy->conclude != NULL ? plan->strategy->conclude : conclude_bounds)(d, &v, error);
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for a verdict");
    if (status == LL_OK) {
        v.wrong_description = fmax(v.wrong_description, ll_verdict_chance(plan, &v));
        ll_verdict_clear(out);
        status = ll_value_give(out, &v, sizeof v, error);
    }
    if (status != LL_OK)
        ll_verdict_clear(&v);
    return status;
}

/* Numeric targets: the unit is what the grid makes of it, the square of its step or a step, and what is to be found is
 * how far outside the grid predictions may lie. The farther, the more labels a query carries, and the more of the score
 * is lost to rounding, since its size grows with the square. Of two targets the unit may be any multiple of that, as
 * large as the noise asks for (docs/proofs/targets.md). */
#include "strategy/common/decode_levels.h"
#include "strategy/common/floats.h"
#include "strategy/common/grades_code.h"
#include "strategy/common/writers.h"
#include "strategy/fit/fit.h"
#include "strategy/grades/grades.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC, MOST_TARGETS = 4096 };

/* ---- the grid ---- */

/* (y_(K-1) - y_0) / (K - 1), to the power of 1 or 2, times the slope of lines. */
static void set_unit(ll_plan *plan)
{
    const ll_metric *metric = plan->scoring.how->metric;
    long last = ll_metric_target_count(metric) - 1;
    arb_t low, other;
    arb_init(low);
    arb_init(other);
    ll_metric_target_ball(metric, low, 0, PREC);
    ll_metric_target_ball(metric, plan->state->unit, last, PREC);
    arb_sub(plan->state->unit, plan->state->unit, low, PREC);
    arb_div_si(plan->state->unit, plan->state->unit, last, PREC);
    if (ll_metric_is_square(metric)) {
        arb_mul(plan->state->unit, plan->state->unit, plan->state->unit, PREC);
    } else {
        ll_metric_get_lines(metric, low, other, PREC);
        arb_mul(plan->state->unit, plan->state->unit, low, PREC);
    }
    arb_clear(low);
    arb_clear(other);
}

/* ---- what a query loses ---- */

/* At least the sum over rows of the largest term, in units, which are 2^stretch times those of the grid: a share of h
 * puts a prediction 2^stretch h/2 steps off the middle of the grid, and a target at most (K-1)/2 steps from it. Lines:
 * K - 1 steps and the margin. */
static double largest_sum(const ll_plan *plan, const ll_code *code, int stretch)
{
    const ll_metric *metric = plan->scoring.how->metric;
    double last = (double)plan->classes - 1, sum = 0;
    if (!ll_metric_is_square(metric)) {
        arb_t slope, margin;
        arb_init(slope);
        arb_init(margin);
        ll_metric_get_lines(metric, slope, margin, 64);
        arb_mul(margin, margin, slope, 64);
        arb_div(margin, margin, plan->state->unit, 64);
        double more = arf_get_d(arb_midref(margin), ARF_RND_CEIL);
        arb_clear(slope);
        arb_clear(margin);
        return (double)plan->rows * (last + more) * (1 + 1e-9);
    }
    for (long row = 0; row < code->rows; row++)
        sum += pow((ldexp(ll_grades_most_share(code, row), stretch) + last) / 2, 2);
    return ldexp(sum + (double)(plan->rows - code->rows) * last * last / 4, -stretch) * (1 + 1e-9);
}

/* Of stored predictions and of terms, the fewer. */
static long fraction_bits(const ll_computation *how)
{
    long rows = how->rows.format.fraction_bits, terms = how->term.format.fraction_bits;
    return rows < terms ? rows : terms;
}

/* Is every sum of such a code told from its neighbours? Half a unit must hold what the release hides, the scorer's own
 * rounding, and what stored predictions and rounded terms are off, some units in the last place of the terms. */
static int has_room(ll_plan *plan, const ll_code *code, int stretch)
{
    ll_stored_error all = {0};
    arb_t most, lost, own;
    arb_init(most);
    arb_init(lost);
    arb_init(own);
    mag_init(all.magnitude);
    arb_set_d(most, largest_sum(plan, code, stretch));
    arb_mul(most, most, plan->state->unit, 64);
    arb_get_mag(all.magnitude, most);
    arf_set_mag(arb_midref(most), all.magnitude);
    mag_zero(arb_radref(most));
    ll_plan_set_noise(plan, most);
    ll_plan_rounding(plan, &all, lost);
    arb_add(lost, lost, plan->state->noise, 64);
    arb_mul_2exp_si(own, most, 3 - (fraction_bits(plan->scoring.how) + 1));
    arb_add(lost, lost, own, 64);
    arb_mul_2exp_si(own, plan->state->unit, -1);
    arb_set_d(most, 1 - 0x1p-20);
    arb_mul(own, own, most, 64);
    int fits = arb_lt(lost, own);
    arb_clear(most);
    arb_clear(lost);
    arb_clear(own);
    mag_clear(all.magnitude);
    return fits;
}

/* Does a code of so many levels serve? LL_DOMAIN: not. */
static ll_status try_levels(ll_plan *plan, int64_t levels, int stretch)
{
    ll_code *code = NULL;
    ll_status status =
        ll_code_create(&code, plan->state->row, plan->state->variant, plan->block, plan->classes, NULL, levels, NULL);
    if (status == LL_OK && !has_room(plan, code, stretch))
        status = LL_DOMAIN;
    ll_code_destroy(code);
    return status;
}

/* Predictions that are clipped to the grid are at most (K-1)/2 steps from its middle; beyond 2^40 nothing is to be had.
 */
static int64_t most_levels(const ll_plan *plan)
{
    if (!ll_metric_is_square(plan->scoring.how->metric))
        return 1;
    return plan->scoring.how->clip_mode == LL_CLIP_NONE ? (int64_t)1 << 40 : plan->classes - 1;
}

static ll_status search(ll_plan *plan, int64_t most, int stretch)
{
    int64_t fits = 0, fails = most + 1;
    while (fails - fits > 1) {
        int64_t middle = fits == 0 ? 1 : fails > 4 * fits ? 2 * fits : fits + (fails - fits) / 2;
        ll_status status = try_levels(plan, middle, stretch);
        if (status == LL_MEMORY)
            return status;
        if (status == LL_OK)
            fits = middle;
        else
            fails = middle;
    }
    plan->state->levels = fits;
    return fits > 0 ? try_levels(plan, fits, stretch) : LL_DOMAIN; /* the noise of the one that is taken */
}

/* May units be multiples of the grid's? Two targets add 0 and h, whatever h is; more add what only the grid's own unit
 * tells from shares. */
static int can_stretch(const ll_plan *plan)
{
    const ll_computation *how = plan->scoring.how;
    return plan->classes == 2 && ll_metric_is_square(how->metric) && how->clip_mode == LL_CLIP_NONE;
}

/* The least unit, by a factor of 4, whose half holds what the release hides. Sums of squares grow with the square of
 * the unit: beyond 2^fraction bits their rounding alone is more. */
static ll_status search_units(ll_plan *plan)
{
    ll_status status = search(plan, most_levels(plan), 0);
    long most = can_stretch(plan) ? fraction_bits(plan->scoring.how) + 2 : 0;
    for (int stretch = 2; status == LL_DOMAIN && stretch <= most; stretch += 2) {
        set_unit(plan);
        arb_mul_2exp_si(plan->state->unit, plan->state->unit, stretch);
        status = search(plan, most_levels(plan), stretch);
    }
    return status;
}

static ll_status find_grades(ll_plan *plan, const ll_question *q, ll_error *error)
{
    (void)q;
    const ll_computation *how = plan->scoring.how;
    if (plan->classes > MOST_TARGETS)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s looks at every target of a row, and %ld are too many: use the code shifts",
                       plan->name, plan->classes);
    if (how->kind == LL_KIND_EXACT)
        return ll_fail(error, LL_DOMAIN, "the code %s is for scorers in floats: give an arithmetic, fp64 for one",
                       plan->name);
    arb_t slope, margin;
    arb_init(slope);
    arb_init(margin);
    ll_metric_get_lines(how->metric, slope, margin, 64);
    int outside = how->clip_mode != LL_CLIP_NONE && ll_metric_is_lines(how->metric) && !arb_is_zero(margin);
    arb_clear(slope);
    arb_clear(margin);
    if (outside)
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s of clipped predictions, which does not make it safe",
                       ll_plan_metric_name(plan));
    plan->columns = 1;
    plan->prec = PREC;
    int is_square = ll_metric_is_square(plan->scoring.how->metric);
    ll_status status = ll_plan_choose_variant(plan, is_square ? NULL : "lines", error);
    if (status != LL_OK)
        return status;
    set_unit(plan);
    status = search_units(plan);
    if (status == LL_DOMAIN)
        return ll_fail(error, LL_DOMAIN,
                       "what the release hides of the score of %ld rows is more than half of what one step of one "
                       "target changes: use less noise or more decimals",
                       plan->rows);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for a plan");
}

/* ---- the strategy ---- */

/* Numbers that noise makes of one: as many as the format has within it, beside a score of at most `most`. */
static double noise_bits(const ll_plan *plan, double most)
{
    if (ll_release_has_no_noise(&plan->scorer->release))
        return 0;
    double noise = arf_get_d(arb_midref(plan->state->noise), ARF_RND_UP);
    return log2(1 + ldexp(noise / most, (int)plan->scoring.how->total.format.fraction_bits + 2));
}

/* Sums are integers, of lines and of squares about the middle of the grid few of them: 1 or 0.5 are scores like any
 * other. */
static double value_bits(const ll_plan *plan, long query)
{
    const ll_code *code = ll_plan_code(plan, query);
    double width = ll_grades_width(code, plan->rows - code->rows);
    return log2(width + 1) + noise_bits(plan, width * arf_get_d(arb_midref(plan->state->unit), ARF_RND_DOWN));
}

static const ll_strategy strategy = {
    .name = "grades",
    .proof = "targets.md",
    .takes = LL_TAKES_TARGETS,
    .plan = ll_plan_find_block,
    .prepare = find_grades,
    .writer = &ll_writer_levels,
    .value_bits = value_bits,
    LL_DECODES_LEVELS,
    LL_PLANS_BLOCKS,
};

static const ll_strategy *pick(const ll_plan *plan)
{
    return ll_metric_is_fit(plan->scoring.how->metric) ? &ll_strategy_fit : &strategy;
}

static int claims(const ll_scorer *scorer)
{
    return ll_metric_takes_targets(scorer->computation.metric) && !ll_metric_takes_labels(scorer->computation.metric);
}

const ll_candidate ll_candidate_grades = {.code = &ll_code_grades, .rank = 1, .claims = claims, .pick = pick};

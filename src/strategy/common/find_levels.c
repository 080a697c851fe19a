/* With A levels the unit is reach / A. A larger A carries more labels and leaves less room for noise, rounding and
 * deviations; the largest A with room is found by bisection, over the kinds of row that a code may ask for. */
#include "number/ball_bits.h"
#include "strategy/common/row_kinds.h"
#include "strategy/common/writers.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC };

typedef struct {
    double range, magnitude; /* of one row's deviations, of its largest term */
    arb_t radius;            /* of its offset */
} worst;

/* Widen `w` by the kind of row that m->key says. */
static ll_status try_key(const ll_plan *plan, ll_row_kinds *m, worst *w, ll_error *error)
{
    ll_row_kind *k;
    ll_status status = ll_row_kinds_find(plan, m, &k, error);
    if (status != LL_OK)
        return status;
    arb_t radius;
    arb_init(radius);
    arb_get_rad_arb(radius, m->bases + (k - m->kinds));
    arb_max(w->radius, w->radius, radius, PREC);
    arb_clear(radius);
    w->range = fmax(w->range, (k->high - k->low) * (1 + DBL_EPSILON));
    w->magnitude = fmax(w->magnitude, k->magnitude);
    return LL_OK;
}

/* By the kind whose label k adds k * step (at most the levels in size). */
static ll_status try_step(const ll_plan *plan, ll_row_kinds *m, worst *w, int64_t step, ll_error *error)
{
    for (long c = 0; c < plan->classes; c++)
        m->key[c] = c * step;
    return try_key(plan, m, w, error);
}

/* By the kinds whose last label adds `most`, which need not be a multiple of its number; the others' shares rounded
 * down, or up. */
static ll_status try_ends(const ll_plan *plan, ll_row_kinds *m, worst *w, int64_t most, ll_error *error)
{
    ll_status status = LL_OK;
    for (int i = 0; i < 4 && status == LL_OK; i++) {
        const int64_t last = plan->classes - 1;
        assert(last > 0);
        for (long c = 0; c <= last; c++)
            m->key[c] = (c * most + (i & 1 ? last - 1 : 0)) / last * (i & 2 ? -1 : 1);
        status = try_key(plan, m, w, error);
    }
    return status;
}

/* Rows that may be absent: asked for label 0 or 1, with weights from half the levels to all of them (presence.c). */
static ll_status try_asked(const ll_plan *plan, ll_row_kinds *m, worst *w, int64_t most, long spread, ll_error *error)
{
    const int64_t least = (most + 1) / 2;
    ll_status status = LL_OK;
    for (long i = 0; i < 2 * spread && status == LL_OK; i++) {
        const long step = i / 2; /* of 0 .. spread - 1, for each label */
        int64_t weight = least + (int64_t)((double)(most - least) * (double)step / (double)(spread - 1));
        memset(m->key, 0, sizeof *m->key * (size_t)plan->classes);
        m->key[i % 2] = weight > most ? most : weight;
        status = try_key(plan, m, w, error);
    }
    return status;
}

static int both_signs(const ll_plan *plan)
{
    return !plan->state->row->bounded.one_sign;
}

/* How levels are tried. */
typedef struct {
    long gap;     /* in levels */
    long spread;  /* kinds of rows that are tried */
    int64_t most; /* of what a last label adds, tried too; 0: nothing, -1: all levels */
} trial;

/* Of the largest sum, where that makes a difference. */
static void set_noise(ll_plan *plan, const worst *w)
{
    arb_t most;
    if (!ll_release_is_relative(&plan->scorer->release))
        return;
    arb_init(most);
    arb_set_d(most, w->magnitude);
    arb_mul_si(most, most, plan->rows, PREC);
    ll_plan_set_noise(plan, most);
    arb_clear(most);
}

/* Does no sum overflow, and is gap units > 2 (noise + rounding) + N (range + 2 radius), with a twentieth to spare on
 * what was only sampled? What has none with some kinds of rows has none with more. */
static int has_room(ll_plan *plan, const worst *w, long gap)
{
    set_noise(plan, w);
    ll_stored_error all = {0};
    arb_t blur, part;
    arb_init(blur);
    arb_init(part);
    mag_init(all.magnitude);
    mag_set_d(all.magnitude, w->magnitude);
    mag_mul_ui(all.magnitude, all.magnitude, (ulong)plan->rows);
    ll_plan_rounding(plan, &all, blur);
    arb_add(blur, blur, plan->state->noise, PREC);
    arb_mul_2exp_si(blur, blur, 1);
    arb_mul_2exp_si(part, w->radius, 1);
    ll_row_kinds_add_double(part, w->range);
    arb_mul_si(part, part, plan->rows, PREC);
    arb_mul_ui(part, part, 21, PREC);
    arb_div_ui(part, part, 20, PREC);
    arb_add(blur, blur, part, PREC);
    arb_mul_si(part, plan->state->unit, gap, PREC);
    int room = !ll_plan_overflows(plan, &all) && arb_gt(part, blur);
    mag_clear(all.magnitude);
    arb_clear(blur);
    arb_clear(part);
    return room;
}

/* Steps, of both signs where the code has both: large, spread between at golden-ratio distances, and small, until there
 * is no room. */
static ll_status try_steps(ll_plan *plan, ll_row_kinds *m, worst *w, int64_t most, const trial *how, ll_error *error)
{
    enum { SMALL = 4, LARGE = 4 };
    ll_status status = LL_OK;
    for (long n = 0; n < how->spread && status == LL_OK && has_room(plan, w, how->gap); n++) {
        long i = (n + SMALL) % how->spread;
        double at = (double)i * 0.6180339887498949;
        int64_t step = i < SMALL           ? i
                       : i < SMALL + LARGE ? most - (i - SMALL)
                                           : (int64_t)((at - (double)(long)at) * (double)most);
        step = step < 0 ? 0 : step > most ? most : step;
        status = try_step(plan, m, w, step, error);
        if (status == LL_OK && both_signs(plan))
            status = try_step(plan, m, w, -step, error);
    }
    return status;
}

static void set_unit(ll_plan *plan, const arb_t reach, int64_t levels)
{
    arb_mul_ui(plan->state->unit, reach, 4095, 64);
    arb_mul_2exp_si(plan->state->unit, plan->state->unit, -12);
    arb_div_si(plan->state->unit, plan->state->unit, levels, 64);
    arf_set_round(arb_midref(plan->state->unit), arb_midref(plan->state->unit), 48, ARF_RND_DOWN);
    mag_zero(arb_radref(plan->state->unit));
}

/* Kinds of rows that are tried, and the worst of them. */
typedef struct {
    ll_row_kinds kinds;
    worst worst;
} sample;

static ll_status sample_init(sample *s, const ll_plan *plan, ll_error *error)
{
    *s = (sample){.kinds.key = calloc((size_t)plan->classes, sizeof *s->kinds.key)};
    arb_init(s->worst.radius);
    return s->kinds.key != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a row");
}

static void sample_clear(sample *s)
{
    ll_row_kinds_clear(&s->kinds);
    arb_clear(s->worst.radius);
}

static ll_status levels_fit(ll_plan *plan, int *fits, const arb_t reach, int64_t levels, const trial *how,
                            ll_error *error)
{
    sample s;
    set_unit(plan, reach, levels);
    ll_status status = sample_init(&s, plan, error);
    if (status == LL_OK && ll_plan_has_absent(plan))
        status = try_asked(plan, &s.kinds, &s.worst, levels, how->spread, error);
    else if (status == LL_OK)
        status = try_steps(plan, &s.kinds, &s.worst, levels / (plan->classes - 1), how, error);
    if (status == LL_OK && how->most != 0)
        status = try_ends(plan, &s.kinds, &s.worst, how->most < 0 ? levels : how->most, error);
    *fits = status == LL_OK && has_room(plan, &s.worst, how->gap);
    sample_clear(&s);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Above 0, and of a size whose exponent has room to be multiplied in set_part. */
static int is_usable(const arb_t reach)
{
    return arb_is_positive(reach) && arb_is_finite(reach) && arf_cmpabs_2exp_si(arb_midref(reach), 1L << 48) < 0 &&
           arf_cmpabs_2exp_si(arb_midref(reach), -(1L << 48)) > 0;
}

/* What both signs can reach. With more classes the entries of a row share 1, but weights that grow with the label leave
 * the heaviest row's other entries next to nothing; what is lost to them is a deviation like any other. */
static ll_status find_reach(const ll_plan *plan, arb_t reach)
{
    arb_t low;
    arb_init(low);
    ll_status status = ll_floats_reach(plan, low, reach);
    arb_neg(low, low);
    arb_min(reach, reach, low, 64);
    arb_clear(low);
    return status == LL_OK && !is_usable(reach) ? LL_DOMAIN : status;
}

static int64_t most_levels(const ll_plan *plan)
{
    return (int64_t)1 << (ll_plan_has_absent(plan) ? 40 : 46);
}

/* Some levels that fit, no more than `most`: the first that do of `most`, a quarter of it, and so on; 0 where not even
 * one does. What does not fit is noticed by its first kinds of rows. */
static ll_status find_some(ll_plan *plan, int64_t *out, const arb_t reach, int64_t most, const trial *how,
                           ll_error *error)
{
    int room = 0;
    ll_status status = LL_OK;
    for (*out = most; *out > 0 && status == LL_OK && !room; *out = room ? *out : *out / 4)
        status = levels_fit(plan, &room, reach, *out, how, error);
    return status;
}

/* The most levels that fit into that reach, to one part in `parts`, where as many as `known` do; what fits, fits with
 * fewer levels, too. */
static ll_status bisect(ll_plan *plan, int64_t *out, const arb_t reach, int64_t known, int64_t parts, const trial *how,
                        ll_error *error)
{
    int64_t fits = 0, fails = most_levels(plan);
    ll_status status = LL_OK;
    while (status == LL_OK && fails - fits > 1 + fits / parts) {
        int64_t middle = fails > 8 * fits ? 4 * fits + 1 : fits + (fails - fits) / 2;
        int room = 1;
        if (middle > known)
            status = levels_fit(plan, &room, reach, middle, how, error);
        if (room)
            fits = middle;
        else
            fails = middle;
    }
    *out = fits > known ? fits : known;
    return status;
}

/* More than `most` of them, to one part in 16; `most` where no more fit. */
static ll_status raise_levels(ll_plan *plan, int64_t *most, const arb_t reach, const trial *how, ll_error *error)
{
    int64_t known = 0;
    int room = 1;
    ll_status status = LL_OK;
    if (*most == 0)
        status = find_some(plan, &known, reach, most_levels(plan) / 4, how, error);
    else
        status = levels_fit(plan, &room, reach, known = *most + 1, how, error);
    if (status != LL_OK || !room || known == 0)
        return status;
    return bisect(plan, most, reach, known, 16, how, error);
}

/* All of the reach, or with one column less of it: near its negative end 1 - p has few bits, and a part of the reach
 * with small deviations may carry more levels than the whole. */
static void set_part(arb_t out, const arb_t reach, long n, long parts)
{
    if (n > parts) { /* n - parts of the parts of the reach itself */
        arb_mul_si(out, reach, n - parts, 64);
        arb_div_si(out, out, parts, 64);
    } else { /* n^3 parts of its exponent: Itakura-Saito reaches 2^1000 on one side and 2^53 on the other */
        slong exponent = ll_ball_bits(reach);
        arb_one(out);
        arb_mul_2exp_si(out, out, exponent * n * n * n / (parts * parts * parts));
    }
}

/* Even without any rounding, part / (2 noise) levels are no more than `most`. */
static int cannot_beat(const ll_plan *plan, const arb_t part, int64_t most)
{
    arb_t levels;
    arb_init(levels);
    arb_mul_2exp_si(levels, plan->state->noise, 1);
    arb_div(levels, part, levels, 64);
    int few = !ll_release_is_relative(&plan->scorer->release) && arb_is_finite(levels) &&
              arf_cmp_si(arb_midref(levels), most) <= 0;
    arb_clear(levels);
    return few;
}

static int is_part_better(const ll_plan *plan, const arb_t reach)
{
    if (plan->columns > 1)
        return ll_metric_is_brier(plan->scoring.how->metric);
    return both_signs(plan) || arf_cmpabs_2exp_si(arb_midref(reach), 64) > 0;
}

/* strict: kinds of rows whose last label adds all the levels must have room, too; a part of the reach may serve them.
 */
static ll_status best_reach(ll_plan *plan, arb_t reach, int strict, ll_error *error)
{
    enum { PARTS = 8 };
    arb_t part, best;
    arb_init(part);
    arb_init(best);
    arb_set(best, reach);
    const trial coarse = {1, 12, strict ? -1 : 0}, fine = {1, 60, coarse.most};
    ll_status status = LL_OK;
    int64_t most = 0;
    for (long n = 2 * PARTS; n > 0 && status == LL_OK; n--) {
        int64_t before = most;
        set_part(part, reach, n, PARTS);
        if (!strict && !is_part_better(plan, reach))
            break;
        if (cannot_beat(plan, part, most))
            continue;
        status = raise_levels(plan, &most, part, &coarse, error);
        if (most > before)
            arb_set(best, part);
    }
    int64_t known = 0;
    if (status == LL_OK)
        status = find_some(plan, &known, best, most, &fine, error);
    if (status == LL_OK)
        status = bisect(plan, &plan->state->levels, best, known, 4096, &fine, error);
    arb_set(reach, best);
    arb_clear(part);
    arb_clear(best);
    return status;
}

/* ---- more than two classes ----
 *
 * The entries of a row share 1, so a clip takes hold before the last label adds all the levels: kinds of rows that add
 * nearly so much are not among the multiples that were tried. */

/* The most that a last label adds in the code of plan->state->levels: in query 0, where every share is rounded up. */
static ll_status most_added(const ll_plan *plan, int64_t *out, ll_error *error)
{
    ll_code *code;
    ll_status status = ll_code_create(&code, plan->state->row, plan->state->variant, plan->block, plan->classes, NULL,
                                      plan->state->levels, error);
    *out = 0;
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    for (long row = 0; row < plan->block; row++) {
        int64_t level = code->row->bounded.level(code, row, plan->classes - 1);
        level = level < 0 ? -level : level;
        *out = level > *out ? level : *out;
    }
    ll_code_destroy(code);
    return LL_OK;
}

static ll_status check_ends(ll_plan *plan, arb_t reach, const arb_t whole, ll_error *error)
{
    trial how = {1, 60, 0};
    int fits = 1;
    ll_status status = most_added(plan, &how.most, error);
    if (status == LL_OK && how.most > 0)
        status = levels_fit(plan, &fits, reach, plan->state->levels, &how, error);
    if (status != LL_OK || fits)
        return status;
    arb_set(reach, whole);
    return best_reach(plan, reach, 1, error);
}

/* Can rows be written whose label k weighs k shares of the levels, rounded? */
static ll_status try_uneven(ll_plan *plan, int *fits, const arb_t reach, int64_t levels, ll_error *error)
{
    sample s;
    set_unit(plan, reach, levels);
    ll_status status = sample_init(&s, plan, error);
    if (status == LL_OK)
        status = try_ends(plan, &s.kinds, &s.worst, levels, error);
    *fits = status == LL_OK;
    sample_clear(&s);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Steps were tried of whole levels a label. Where the levels are few and no multiple of K - 1, a label's share is
 * rounded up, and all of them together may be more than the entries of one row can have: fewer levels then. */
static ll_status keep_writable(ll_plan *plan, const arb_t reach, ll_error *error)
{
    int fits = plan->scoring.classes == 2;
    ll_status status = LL_OK;
    while (status == LL_OK && !fits && plan->state->levels >= plan->classes - 1) {
        status = try_uneven(plan, &fits, reach, plan->state->levels, error);
        if (!fits)
            plan->state->levels -= 1 + plan->state->levels / 64;
    }
    return status;
}

/* ---- half levels ----
 *
 * Between A and A + 1 levels there is A + 1/2, by the code detecting:odd: 2A + 1 half levels, 2 of which are a gap. */

/* *out: an odd number of half levels, 2A + 1 where they fit, else 2A - 1. */
static ll_status find_half_levels(ll_plan *plan, int64_t *out, const arb_t reach, ll_error *error)
{
    int fits;
    const trial how = {2, 60, 0};
    ll_status status = levels_fit(plan, &fits, reach, 2 * plan->state->levels + 1, &how, error);
    *out = 2 * plan->state->levels + (fits ? 1 : -1);
    return status;
}

static ll_status count_queries(const ll_plan *plan, long *out, const char *variant, int64_t levels)
{
    ll_code *code;
    ll_status status = ll_code_create(&code, plan->state->row, variant, plan->block, plan->classes, NULL, levels, NULL);
    *out = status == LL_OK ? code->queries : LONG_MAX;
    if (status == LL_OK)
        ll_code_destroy(code);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Do half levels need fewer queries than the levels of the plan? */
static ll_status save_queries(const ll_plan *plan, int *out, const char *half, int64_t halves)
{
    long queries, fewer;
    ll_status status = count_queries(plan, &queries, plan->state->variant, plan->state->levels);
    if (status == LL_OK)
        status = count_queries(plan, &fewer, half, halves);
    if (status == LL_OK)
        *out = fewer < queries;
    return status;
}

/* Take half levels where they are asked for, or need fewer queries. */
static ll_status try_half_levels(ll_plan *plan, const arb_t reach, ll_error *error)
{
    enum { FEW = 64 }; /* above, half a level more is no label more */
    const char *half = ll_code_find_variant(plan->state->row, LL_HALF_VARIANT) != NULL ? LL_HALF_VARIANT : NULL;
    int64_t halves;
    int any = half != NULL && plan->state->variant == NULL;
    int asked = half != NULL && plan->state->variant != NULL && strcmp(plan->state->variant, half) == 0, takes = asked;
    if (!asked && !(any && plan->state->levels <= FEW && plan->classes == 2))
        return LL_OK;
    ll_status status = find_half_levels(plan, &halves, reach, error);
    if (status == LL_OK && any)
        status = save_queries(plan, &takes, half, halves);
    if (status != LL_OK || !takes)
        return status;
    plan->state->levels = halves;
    return ll_plan_set_code(plan, plan->state->row, half, error);
}

ll_status ll_plan_find_levels(ll_plan *plan, ll_error *error)
{
    if (plan->scoring.how->kind == LL_KIND_EXACT)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s is for scorers in floats; in exact arithmetic radix needs fewer bits", plan->name);
    if (!ll_metric_takes_classes(plan->scoring.how->metric, plan->scoring.classes))
        return ll_fail(error, LL_DOMAIN, "%s is for two classes", ll_plan_metric_name(plan));
    plan->columns = ll_computation_columns(plan->scoring.how, plan->scoring.classes);
    plan->prec = PREC;
    arb_t reach, whole;
    arb_init(reach);
    arb_init(whole);
    ll_status status = find_reach(plan, reach);
    arb_set(whole, reach);
    if (status != LL_OK)
        (void)ll_fail(error, status, "what a row of %s can add is not known, or no number to divide into levels",
                      ll_plan_metric_name(plan));
    else
        status = best_reach(plan, reach, 0, error);
    if (status == LL_OK && plan->scoring.classes > 2 && plan->state->levels > 0 && both_signs(plan))
        status = check_ends(plan, reach, whole, error);
    if (status == LL_OK)
        status = keep_writable(plan, reach, error);
    if (status == LL_OK && plan->state->levels < plan->scoring.classes - 1)
        status = ll_fail(error, LL_DOMAIN,
                         "this scorer's noise leaves %ld levels between what one row can add: too few for %ld classes",
                         (long)plan->state->levels, plan->scoring.classes);
    if (status == LL_OK)
        status = try_half_levels(plan, reach, error);
    if (status == LL_OK)
        set_unit(plan, reach, plan->state->levels);
    arb_clear(reach);
    arb_clear(whole);
    return status;
}

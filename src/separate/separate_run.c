/* Lambda of given predictions: the least difference of two labellings' scores.
 *
 * Exact arithmetic: the sum of the terms decides (separate_core.c), and the score is the sum times a constant. Where it
 * is a root, few labellings are scored one by one, and for many the bound |sqrt a - sqrt b| >= |a-b| / (2 sqrt max) is
 * used. Floats: few labellings are scored one by one; for many, the terms' intervals go through the same search, and
 * what sum and mean can round is taken off below. Above, a pair that was found is scored as it is, and where nothing is
 * left below, so are some labellings, one by one, to find two with one score. */
#include "number/budget.h"
#include "number/sum.h"
#include "separate/separate_views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_WORK_PREC, DIGITS = 64, MOST_SCORED = 1 << 16 };

/* ---- a pair, scored ---- */

static ll_status score_pair(ll_separation_work *w, ll_error *error)
{
    const ll_release *release = &w->scorer->release;
    slong bits = w->terms.bits > 128 ? w->terms.bits : 128;
    ll_status status = ll_terms_score(&w->terms, &w->first, w->pair, bits, error);
    if (status == LL_OK)
        status = ll_terms_score(&w->terms, &w->second, w->pair + w->terms.rows, bits, error);
    if (status == LL_OK)
        status = ll_release_transform(release, &w->first, bits, error);
    if (status == LL_OK)
        status = ll_release_transform(release, &w->second, bits, error);
    if (status != LL_OK)
        return status;
    arf_sub(w->gap, arb_midref(w->first.number), arb_midref(w->second.number), LL_SEPARATE_PREC, ARF_RND_NEAR);
    arf_abs(w->gap, w->gap);
    return LL_OK;
}

void ll_work_pair_upper(const ll_separation_work *w, arf_t out)
{
    arf_t other;
    arf_init(other);
    arf_sub(out, w->first.upper, w->second.lower, PREC, ARF_RND_CEIL);
    arf_sub(other, w->second.upper, w->first.lower, PREC, ARF_RND_CEIL);
    if (arf_cmp(other, out) > 0)
        arf_set(out, other);
    arf_clear(other);
}

static void take_pair(ll_separation_work *w)
{
    size_t bytes = (size_t)w->terms.rows * sizeof *w->pair;
    memcpy(w->pair, w->core.least.first, bytes);
    memcpy(w->pair + w->terms.rows, w->core.least.second, bytes);
}

/* ---- exact arithmetic ---- */

static void scale_ends(ll_separation_work *w)
{
    fmpq_t factor;
    arb_t ball, end;
    fmpq_init(factor);
    arb_init(ball);
    arb_init(end);
    ll_work_get_factor(factor, w);
    arb_set_fmpq(ball, factor, PREC);
    arb_set_arf(end, w->core.least.lower);
    arb_mul(end, end, ball, PREC);
    arb_get_lbound_arf(w->lower, end, 128);
    arb_set_arf(end, w->core.least.upper);
    arb_mul(end, end, ball, PREC);
    arb_get_ubound_arf(w->upper, end, 128);
    fmpq_clear(factor);
    arb_clear(ball);
    arb_clear(end);
}

static int is_few(const ll_terms *terms)
{
    return (double)terms->rows * log2((double)terms->classes) <= log2(MOST_SCORED);
}

/* The least difference among the first `most` labellings. */
static ll_status score_first(ll_terms *terms, ll_scores_gap *out, uint64_t most, slong bits, ll_error *error)
{
    ll_scores scores;
    ll_status status = ll_scores_init(&scores, terms, most, bits, error);
    if (status == LL_OK && ll_scores_find(&scores, out) != LL_OK)
        status = ll_fail(error, LL_MEMORY, "no memory for the scores of all labellings");
    ll_scores_clear(&scores);
    return status;
}

static void take_labellings(ll_separation_work *w, const ll_scores_gap *gap)
{
    ll_scores_unpack(w->pair, gap->first, w->terms.rows, w->terms.classes);
    ll_scores_unpack(w->pair + w->terms.rows, gap->second, w->terms.rows, w->terms.classes);
}

static ll_status score_all(ll_separation_work *w, slong bits, ll_error *error)
{
    ll_scores_gap gap;
    ll_scores_gap_init(&gap);
    ll_status status = score_first(&w->terms, &gap, UINT64_MAX, bits, error);
    if (status == LL_OK) {
        arf_set(w->lower, gap.lower);
        arf_set(w->upper, gap.upper);
        take_labellings(w, &gap);
        w->method = "every labelling scored";
    }
    ll_scores_gap_clear(&gap);
    return status;
}

/* From the least difference of two sums: the least one of two scores; 0 where it is not known. `error`: how far sum and
 * mean may be off. */
static void steps_lower(ll_separation_work *w, const arb_t error)
{
    arb_t x, most;
    arb_init(x);
    arb_init(most);
    arb_set_arf(x, w->core.least.lower);
    arb_div_si(x, x, w->terms.rows, PREC);
    arb_submul_si(x, error, 2, PREC);
    arb_add(most, w->most, error, PREC);
    ll_release_least_difference(&w->scorer->release, x, most);
    arb_get_lbound_arf(w->lower, x, 128);
    if (arf_is_nan(w->lower) || arf_sgn(w->lower) < 0)
        arf_zero(w->lower);
    arb_clear(x);
    arb_clear(most);
}

static ll_status find_exact_root(ll_separation_work *w, ll_error *error)
{
    ll_status status = LL_OK;
    if (arf_is_zero(w->core.least.upper)) {
        arf_zero(w->lower);
        arf_zero(w->upper);
        return LL_OK;
    }
    if (is_few(&w->terms) && arf_sgn(w->core.least.lower) > 0) {
        for (slong bits = 256; status == LL_OK && bits <= 1 << 14; bits *= 2) {
            status = score_all(w, bits, error);
            w->terms.bits = bits;
            if (ll_is_sharp(w->lower, w->upper, DIGITS))
                break;
        }
        return status;
    }
    arf_zero(w->lower);
    if (!ll_metric_is_sum(w->scoring.how->metric)) {
        arb_t none;
        arb_init(none);
        steps_lower(w, none);
        arb_clear(none);
    }
    status = score_pair(w, error);
    if (status == LL_OK)
        ll_work_pair_upper(w, w->upper);
    return status;
}

static ll_status find_exact(ll_separation_work *w, ll_error *error)
{
    ll_status status = ll_core_find(&w->core, &w->terms, DIGITS, &w->effort, error);
    if (status != LL_OK)
        return status;
    status = ll_work_find_range(w, error);
    if (status != LL_OK)
        return status;
    take_pair(w);
    w->method = w->core.method;
    scale_ends(w);
    if (!ll_work_is_linear(w))
        status = find_exact_root(w, error);
    if (status == LL_OK)
        status = score_pair(w, error);
    if (status == LL_OK && arf_is_zero(w->upper))
        arf_zero(w->gap); /* proved, where the balls of the two scores only overlap */
    return status;
}

/* ---- floats ---- */

/* At least the sum over rows of the largest |term|. */
static void find_magnitude(const ll_separation_work *w, mag_t out)
{
    mag_t size, largest;
    mag_init(size);
    mag_init(largest);
    for (long i = 0; i < w->terms.rows; i++) {
        mag_zero(largest);
        for (long k = 0; k < w->terms.classes; k++) {
            arb_get_mag(size, w->terms.terms + i * w->terms.classes + k);
            mag_max(largest, largest, size);
        }
        mag_add(out, out, largest);
    }
    mag_clear(size);
    mag_clear(largest);
}

/* Does the format hold a number as large as the number of rows? If so, *least is its smallest one. */
static int holds_rows(const ll_separation_work *w, mag_t least)
{
    const ll_arithmetic *a = &w->scoring.how->total;
    ll_value value;
    arf_t x;
    ll_format_init(&a->format, value.fpa);
    arf_init(x);
    ll_format_max_finite(&a->format, value.fpa);
    int holds = !mpfr_nan_p(value.fpa) && mpfr_cmp_si(value.fpa, w->terms.rows) > 0;
    ll_format_min_subnormal(&a->format, value.fpa);
    if (holds) {
        arf_set_mpfr(x, value.fpa);
        arf_get_mag(least, x);
    }
    mpfr_clear(value.fpa);
    arf_clear(x);
    return holds;
}

/* At least |score - (its sum of terms)/N| of any labelling: rounding of sum, mean and percent, and of a result below
 * the normal range. 0: no bound. */
static int find_rounding(const ll_separation_work *w, mag_t out)
{
    long fraction = w->scoring.how->total.format.fraction_bits;
    mag_t magnitude, least;
    mag_init(magnitude);
    mag_init(least);
    int bounded = holds_rows(w, least);
    find_magnitude(w, magnitude);
    ll_sum_bound(out, w->scoring.how->order, w->terms.rows, fraction, magnitude);
    mag_add(magnitude, magnitude, out);
    mag_mul_2exp_si(magnitude, magnitude, 2 - (fraction + 1)); /* 4u: N rounded, divided, and a margin */
    mag_add(out, out, magnitude);
    mag_div_ui(out, out, (ulong)w->terms.rows);
    mag_add(out, out, least);
    mag_clear(magnitude);
    mag_clear(least);
    return bounded;
}

/* What rounding can take off the least difference of two means. */
static void float_lower(ll_separation_work *w)
{
    arb_t error;
    mag_t rounding;
    arb_init(error);
    mag_init(rounding);
    int bounded = find_rounding(w, rounding);
    arf_set_mag(arb_midref(error), rounding);
    arf_zero(w->lower);
    if (bounded && !ll_metric_is_sum(w->scoring.how->metric))
        steps_lower(w, error);
    arb_clear(error);
    mag_clear(rounding);
}

/* How many labellings can be scored with half the effort that is left? None where the first has no score. */
static double affordable(ll_separation_work *w)
{
    memset(w->pair, 0, (size_t)w->terms.rows * sizeof *w->pair);
    if (ll_terms_score(&w->terms, &w->first, w->pair, 128, NULL) != LL_OK)
        return 0;
    double fixed = ll_scores_cost(&w->terms, 0), one = ll_scores_cost(&w->terms, 1) - fixed;
    return (w->effort.left / 2 - fixed) / one;
}

/* In FPA a score is one number, and in a small format a few thousand of them hold two that are equal. The pair of
 * nearest sums need not be such: each is rounded on its own way. The scratch of `affordable` is the pair. */
static ll_status find_collision(ll_separation_work *w, ll_error *error)
{
    double most = affordable(w);
    ll_status status = LL_OK;
    ll_scores_gap gap;
    ll_scores_gap_init(&gap);
    arf_pos_inf(gap.gap);
    take_pair(w);
    if (most >= 2)
        status = score_first(&w->terms, &gap, most < MOST_SCORED ? (uint64_t)most : MOST_SCORED, 128, error);
    if (arf_cmp(gap.gap, w->gap) < 0) {
        take_labellings(w, &gap);
        w->method = "some labellings scored";
    }
    ll_scores_gap_clear(&gap);
    return status == LL_OK ? score_pair(w, error) : status;
}

static ll_status find_float_many(ll_separation_work *w, ll_error *error)
{
    ll_status status = ll_core_find(&w->core, &w->terms, DIGITS, &w->effort, error);
    if (status != LL_OK)
        return status;
    status = ll_work_find_range(w, error);
    if (status != LL_OK)
        return status;
    take_pair(w);
    w->method = w->core.method;
    status = score_pair(w, error);
    float_lower(w);
    if (status == LL_OK && w->scoring.how->kind == LL_KIND_FORMAT && arf_is_zero(w->lower) && !arf_is_zero(w->gap))
        status = find_collision(w, error);
    ll_work_pair_upper(w, w->upper);
    return status;
}

static ll_status find_float(ll_separation_work *w, ll_error *error)
{
    if (!is_few(&w->terms) || affordable(w) < pow((double)w->terms.classes, (double)w->terms.rows))
        return find_float_many(w, error);
    ll_status status = score_all(w, 128, error);
    if (status == LL_OK && w->scoring.how->kind == LL_KIND_NATIVE)
        status = ll_terms_compute(&w->terms, 128, error);
    if (status != LL_OK)
        return status;
    status = ll_work_find_range(w, error);
    return status == LL_OK ? score_pair(w, error) : status;
}

/* The pair that is shown, scored on its own, must have a difference that the interval allows. */
static ll_status check_pair(const ll_separation_work *w, ll_error *error)
{
    arf_t most, least;
    arf_init(most);
    arf_init(least);
    ll_work_pair_upper(w, most);
    arf_sub(least, w->first.lower, w->second.upper, PREC, ARF_RND_FLOOR);
    int good = arf_cmp(most, w->lower) >= 0 && arf_cmp(least, w->upper) <= 0;
    arf_sub(least, w->second.lower, w->first.upper, PREC, ARF_RND_FLOOR);
    good = good && (arf_cmp(least, w->upper) <= 0 || w->core.complete == 0);
    arf_clear(most);
    arf_clear(least);
    return good ? LL_OK : ll_fail(error, LL_UNABLE, "the pair that was found does not have the gap that was found");
}

static ll_status run(ll_separation_work *w, ll_separation *out, ll_error *error)
{
    w->pair = calloc(2 * (size_t)w->terms.rows, sizeof *w->pair);
    if (w->pair == NULL || ll_core_init(&w->core, w->terms.rows) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", w->terms.rows);
    ll_status status = ll_work_set_threshold(w, error);
    if (status == LL_OK && ll_metric_is_fit(w->scoring.how->metric))
        status = ll_metric_need_terms(w->scoring.how->metric, "the gap", error);
    if (status != LL_OK)
        return status;
    w->core.threshold = &w->threshold;
    if (!ll_metric_has_terms(w->scoring.how->metric))
        status = ll_work_find_views(w, w->terms.max_memory, error);
    else
        status = w->scoring.how->kind == LL_KIND_EXACT ? find_exact(w, error) : find_float(w, error);
    if (status == LL_OK)
        status = check_pair(w, error);
    return status == LL_OK ? ll_work_write(w, out, error) : status;
}

static void work_init(ll_separation_work *w)
{
    memset(w, 0, sizeof *w);
    arb_init(w->threshold.ball);
    fmpq_init(w->threshold.rational);
    arb_init(w->wanted);
    arb_init(w->most);
    arb_init(w->least);
    arb_init(w->greatest);
    arf_init(w->lower);
    arf_init(w->upper);
    arf_init(w->gap);
    arf_init(w->step);
    ll_unreleased_init(&w->first);
    ll_unreleased_init(&w->second);
}

static void work_clear(ll_separation_work *w)
{
    ll_terms_clear(&w->terms);
    ll_core_clear(&w->core);
    arb_clear(w->threshold.ball);
    fmpq_clear(w->threshold.rational);
    arb_clear(w->wanted);
    arb_clear(w->most);
    arb_clear(w->least);
    arb_clear(w->greatest);
    arf_clear(w->lower);
    arf_clear(w->upper);
    arf_clear(w->gap);
    arf_clear(w->step);
    ll_unreleased_clear(&w->first);
    ll_unreleased_clear(&w->second);
    free(w->pair);
}

ll_status ll_separate(ll_separation *out, const ll_scorer *scorer, const ll_predictions *predictions,
                      const ll_budget *budget, ll_error *error)
{
    ll_separation_work w;
    work_init(&w);
    ll_effort_set(&w.effort, ll_budget_seconds(budget));
    ll_status status = ll_work_set_scoring(&w, scorer, predictions, error);
    if (status != LL_OK) {
        work_clear(&w);
        return status;
    }
    status = ll_terms_init(&w.terms, scorer, &w.scoring, predictions, ll_budget_memory(budget), error);
    if (status == LL_OK)
        status = run(&w, out, error);
    work_clear(&w);
    return status;
}

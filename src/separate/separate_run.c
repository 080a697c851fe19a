/* Lambda of given predictions: the least difference of two labellings' scores.
 *
 * Exact arithmetic: the sum of the terms decides (separate_core.c), and the score is the sum times a constant. Where it
 * is a root, few labellings are scored one by one, and for many the bound |sqrt a - sqrt b| >= |a-b| / (2 sqrt max) is
 * used. Floats: few labellings are scored one by one; for many, the terms' intervals go through the same search, and
 * what sum and mean can round is taken off below. Above, a pair that was found is scored as it is. */
#include "number/sum.h"
#include "separate/separate_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192, SHARP = 20, DIGITS = 64, MOST_SCORED = 1 << 16 };

typedef struct {
    ll_scoring scoring;
    ll_terms terms;
    ll_core core;
    ll_threshold threshold; /* of the sum */
    arb_t wanted;           /* the same of the score */
    arb_t least, greatest;  /* score over all labellings */
    arf_t lower, upper, gap;
    int32_t *pair; /* two labellings */
    ll_raw first, second;
    const char *method;
    double deadline;
} work;

/* ---- the question ---- */

static ll_status check_scorer(const ll_scorer *scorer, ll_error *error)
{
    if (scorer->noise == LL_NOISE_GAUSSIAN || scorer->noise == LL_NOISE_LAPLACE)
        return ll_fail(error, LL_DOMAIN,
                       "%s noise has no bound, so no gap is enough for it; separate knows bounded:TAU",
                       scorer->noise == LL_NOISE_GAUSSIAN ? "gaussian" : "laplace");
    if (scorer->ladder != NULL)
        return ll_fail(error, LL_DOMAIN, "the Ladder answers by its history: separate is about one plain score");
    if (scorer->rounding == LL_ROUND_DIGITS)
        return ll_fail(error, LL_DOMAIN, "significant digits are no fixed grid; separate knows decimals");
    return LL_OK;
}

static ll_status check_shape(const ll_scoring *scoring, const ll_predictions *predictions, ll_error *error)
{
    ll_form form = ll_loss_form(scoring->resolved.loss);
    long columns = predictions->columns, classes = scoring->classes;
    if (predictions->rows < 1)
        return ll_fail(error, LL_DOMAIN, "there are no predictions");
    if (scoring->scorer.rows && scoring->scorer.rows != predictions->rows)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld predictions", scoring->scorer.rows,
                       predictions->rows);
    if (columns == 1 && (classes == 2 || form == LL_FORM_MATCH))
        return LL_OK;
    if (columns == classes && form != LL_FORM_BINARY && form != LL_FORM_MATCH)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%ld columns of predictions do not fit loss %s and %ld classes", columns,
                   ll_loss_row(scoring->resolved.loss)->name, classes);
}

static ll_status set_scoring(ll_scoring *out, const ll_scorer *scorer, const ll_predictions *predictions,
                             ll_error *error)
{
    ll_status status = check_scorer(scorer, error);
    if (status == LL_OK)
        status = ll_resolved_init(&out->resolved, scorer, error);
    if (status != LL_OK)
        return status;
    out->scorer = *scorer;
    out->rows = predictions->rows;
    out->classes = scorer->classes ? scorer->classes : predictions->columns > 1 ? predictions->columns : 2;
    status = check_shape(out, predictions, error);
    if (status != LL_OK)
        ll_resolved_clear(&out->resolved);
    return status;
}

/* score = sum * factor, where it is linear in the sum */
static int is_linear(const ll_scoring *scoring)
{
    static const ll_exact one = {{1}, {0}, {0}};
    if (scoring->scorer.transform == LL_ROOT)
        return 0;
    return !ll_loss_is_sum(scoring->resolved.loss) ||
           ll_exact_cmp(ll_loss_parameter(scoring->resolved.loss), &one) == 0;
}

static void get_factor(fmpq_t out, const ll_scoring *scoring)
{
    fmpq_set_si(out, scoring->scorer.transform == LL_PERCENT ? 100 : 1,
                ll_loss_is_sum(scoring->resolved.loss) ? 1 : (ulong)scoring->rows);
}

/* 2 tau + g, as a ball and where it is short exactly. */
static void add_part(work *w, const ll_exact *x, slong times)
{
    arb_t ball;
    fmpq_t part;
    arb_init(ball);
    fmpq_init(part);
    ll_exact_get_ball(ball, x, PREC);
    arb_addmul_si(w->wanted, ball, times, PREC);
    w->threshold.is_rational = w->threshold.is_rational && ll_separate_get_fmpq(part, x);
    if (w->threshold.is_rational) {
        fmpq_mul_si(part, part, times);
        fmpq_add(w->threshold.rational, w->threshold.rational, part);
    }
    arb_clear(ball);
    fmpq_clear(part);
}

static void set_threshold(work *w)
{
    const ll_scorer *scorer = &w->scoring.scorer;
    int noise = scorer->noise == LL_NOISE_BOUNDED, grid = scorer->rounding == LL_ROUND_DECIMALS;
    ll_threshold *t = &w->threshold;
    ll_exact step;
    fmpq_t factor;
    ll_exact_init(&step);
    fmpq_init(factor);
    t->given = noise || grid;
    t->strict = !noise && !scorer->truncate;
    t->is_rational = 1;
    if (noise)
        add_part(w, &w->scoring.resolved.noise, 2);
    ll_exact_set_si(&step, 1);
    fmpz_set_si(step.two, -scorer->places);
    fmpz_set_si(step.five, -scorer->places);
    if (grid)
        add_part(w, &step, 1);
    get_factor(factor, &w->scoring);
    fmpq_div(t->rational, t->rational, factor);
    arb_set_fmpq(t->ball, factor, PREC);
    arb_div(t->ball, w->wanted, t->ball, PREC);
    fmpq_clear(factor);
    ll_exact_clear(&step);
}

/* ---- ranges ---- */

/* The score that a sum has before rounding: mean, root, percent. */
static void get_score(const ll_scoring *scoring, arb_t out, const arb_t sum, slong prec)
{
    if (!ll_loss_is_sum(scoring->resolved.loss)) {
        arb_div_si(out, sum, scoring->rows, prec);
    } else {
        arb_t exponent;
        arb_init(exponent);
        ll_exact_get_ball(exponent, ll_loss_parameter(scoring->resolved.loss), prec);
        arb_inv(exponent, exponent, prec);
        if (arb_is_zero(sum))
            arb_zero(out);
        else
            arb_pow(out, sum, exponent, prec);
        arb_clear(exponent);
    }
    if (scoring->scorer.transform == LL_ROOT)
        arb_sqrtpos(out, out, prec);
    else if (scoring->scorer.transform == LL_PERCENT)
        arb_mul_ui(out, out, 100, prec);
}

/* The least and the greatest score. */
static void find_range(work *w)
{
    const ll_terms *terms = &w->terms;
    arb_t least, greatest;
    arb_init(least);
    arb_init(greatest);
    arb_zero(w->least);
    arb_zero(w->greatest);
    for (long i = 0; i < terms->rows; i++) {
        arb_srcptr row = terms->terms + i * terms->classes;
        arb_set(least, row);
        arb_set(greatest, row);
        for (long k = 1; k < terms->classes; k++) {
            arb_min(least, least, row + k, terms->prec);
            arb_max(greatest, greatest, row + k, terms->prec);
        }
        arb_add(w->least, w->least, least, terms->prec);
        arb_add(w->greatest, w->greatest, greatest, terms->prec);
    }
    get_score(&w->scoring, w->least, w->least, terms->prec);
    get_score(&w->scoring, w->greatest, w->greatest, terms->prec);
    arb_clear(least);
    arb_clear(greatest);
}

static void get_range(const work *w, arb_t out)
{
    arb_sub(out, w->greatest, w->least, w->terms.prec);
}

/* range / (K^N - 1), in the precision of a bound */
static void get_pigeonhole(const work *w, arb_t out)
{
    arb_t count;
    arb_init(count);
    get_range(w, out);
    arb_set_si(count, w->terms.classes);
    arb_pow_ui(count, count, (ulong)w->terms.rows, PREC);
    arb_sub_ui(count, count, 1, PREC);
    arb_div(out, out, count, PREC);
    arb_clear(count);
}

/* ---- a pair, scored ---- */

static ll_status score_pair(work *w, ll_error *error)
{
    const ll_scoring *scoring = &w->scoring;
    slong bits = w->terms.bits > 128 ? w->terms.bits : 128;
    ll_status status = ll_terms_score(&w->terms, &w->first, w->pair, bits, error);
    if (status == LL_OK)
        status = ll_terms_score(&w->terms, &w->second, w->pair + w->terms.rows, bits, error);
    if (status == LL_OK)
        status = ll_separate_transform(scoring, &w->first, bits, error);
    if (status == LL_OK)
        status = ll_separate_transform(scoring, &w->second, bits, error);
    if (status != LL_OK)
        return status;
    arf_sub(w->gap, arb_midref(w->first.number), arb_midref(w->second.number), LL_SEPARATE_PREC, ARF_RND_NEAR);
    arf_abs(w->gap, w->gap);
    return LL_OK;
}

/* The most that the two real scores can be apart. */
static void pair_upper(const work *w, arf_t out)
{
    arf_t other;
    arf_init(other);
    arf_sub(out, w->first.upper, w->second.lower, PREC, ARF_RND_CEIL);
    arf_sub(other, w->second.upper, w->first.lower, PREC, ARF_RND_CEIL);
    if (arf_cmp(other, out) > 0)
        arf_set(out, other);
    arf_clear(other);
}

static void keep_upper(work *w, const arf_t x)
{
    if (arf_cmp(x, w->upper) < 0)
        arf_set(w->upper, x);
}

static void take_pair(work *w)
{
    size_t bytes = (size_t)w->terms.rows * sizeof *w->pair;
    memcpy(w->pair, w->core.least.first, bytes);
    memcpy(w->pair + w->terms.rows, w->core.least.second, bytes);
}

/* ---- exact arithmetic ---- */

static void scale_ends(work *w)
{
    fmpq_t factor;
    arb_t ball, end;
    fmpq_init(factor);
    arb_init(ball);
    arb_init(end);
    get_factor(factor, &w->scoring);
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

static int is_sharp(const work *w, slong bits)
{
    arf_t width, allowed;
    arf_init(width);
    arf_init(allowed);
    arf_sub(width, w->upper, w->lower, 64, ARF_RND_CEIL);
    arf_mul_2exp_si(allowed, w->upper, -bits);
    int sharp = arf_cmp(width, allowed) <= 0;
    arf_clear(width);
    arf_clear(allowed);
    return sharp;
}

static ll_status score_all(work *w, slong bits, ll_error *error)
{
    ll_scores scores;
    ll_scores_gap gap;
    ll_scores_gap_init(&gap);
    ll_status status = ll_scores_init(&scores, &w->terms, bits, error);
    if (status == LL_OK && ll_scores_find(&scores, &gap) != LL_OK)
        status = ll_fail(error, LL_MEMORY, "no memory for the scores of all labellings");
    if (status == LL_OK) {
        arf_set(w->lower, gap.lower);
        arf_set(w->upper, gap.upper);
        ll_scores_unpack(w->pair, gap.first, w->terms.rows, w->terms.classes);
        ll_scores_unpack(w->pair + w->terms.rows, gap.second, w->terms.rows, w->terms.classes);
        w->method = "every labelling scored";
    }
    ll_scores_clear(&scores);
    ll_scores_gap_clear(&gap);
    return status;
}

/* |sqrt a - sqrt b| = |a - b| / (sqrt a + sqrt b) >= (least |a - b|) / (2 sqrt max) */
static void root_lower(work *w)
{
    arb_t x;
    arb_init(x);
    arb_set_arf(x, w->core.least.lower);
    arb_div_si(x, x, w->terms.rows, PREC);
    arb_div(x, x, w->greatest, PREC);
    arb_mul_2exp_si(x, x, -1);
    arb_get_lbound_arf(w->lower, x, 128);
    if (arf_is_nan(w->lower) || arf_sgn(w->lower) < 0)
        arf_zero(w->lower);
    arb_clear(x);
}

static ll_status find_exact_root(work *w, ll_error *error)
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
            if (is_sharp(w, DIGITS))
                break;
        }
        return status;
    }
    if (w->scoring.scorer.transform == LL_ROOT && !ll_loss_is_sum(w->scoring.resolved.loss))
        root_lower(w);
    status = score_pair(w, error);
    if (status == LL_OK)
        pair_upper(w, w->upper);
    return status;
}

static ll_status find_exact(work *w, ll_error *error)
{
    ll_status status = ll_core_find(&w->core, &w->terms, DIGITS, w->deadline, error);
    if (status != LL_OK)
        return status;
    find_range(w);
    take_pair(w);
    w->method = w->core.method;
    scale_ends(w);
    if (!is_linear(&w->scoring))
        status = find_exact_root(w, error);
    if (status == LL_OK)
        status = score_pair(w, error);
    if (status == LL_OK && arf_is_zero(w->upper))
        arf_zero(w->gap); /* proved, where the balls of the two scores only overlap */
    return status;
}

/* ---- floats ---- */

/* At least |score - (its sum of terms)/N| of any labelling: rounding of sum, mean and percent. 0: no bound. */
static int find_rounding(const work *w, mag_t out)
{
    const ll_resolved *r = &w->scoring.resolved;
    long fraction = r->total.format.fraction_bits, rows = w->terms.rows;
    mag_t magnitude, size;
    mpfr_t most;
    mag_init(magnitude);
    mag_init(size);
    ll_format_init(&r->total.format, most);
    ll_format_max_finite(&r->total.format, most);
    int bounded = !mpfr_nan_p(most) && mpfr_cmp_si(most, rows) > 0;
    for (long i = 0; i < rows; i++) {
        mag_t largest;
        mag_init(largest);
        for (long k = 0; k < w->terms.classes; k++) {
            arb_get_mag(size, w->terms.terms + i * w->terms.classes + k);
            mag_max(largest, largest, size);
        }
        mag_add(magnitude, magnitude, largest);
        mag_clear(largest);
    }
    ll_sum_bound(out, w->scoring.scorer.order, rows, fraction, magnitude);
    mag_add(magnitude, magnitude, out);
    mag_mul_2exp_si(magnitude, magnitude, 2 - (fraction + 1)); /* 4u: N rounded, divided, times 100, and a margin */
    mag_add(out, out, magnitude);
    mag_div_ui(out, out, (ulong)rows);
    mpfr_clear(most);
    if (bounded) { /* a result below the normal range is off by half the smallest number at most */
        mpfr_t least;
        arf_t half;
        ll_format_init(&r->total.format, least);
        arf_init(half);
        ll_format_min_subnormal(&r->total.format, least);
        arf_set_mpfr(half, least);
        arf_get_mag(size, half);
        mag_add(out, out, size);
        mpfr_clear(least);
        arf_clear(half);
    }
    mag_clear(magnitude);
    mag_clear(size);
    return bounded;
}

/* A rounded root is off by u of itself, and so is the score under it by its rounding. */
static void float_lower(work *w)
{
    arb_t x, error;
    mag_t rounding;
    arb_init(x);
    arb_init(error);
    mag_init(rounding);
    int bounded = find_rounding(w, rounding);
    arf_set_mag(arb_midref(error), rounding);
    arb_mul_2exp_si(error, error, 1);
    arb_set_arf(x, w->core.least.lower);
    arb_div_si(x, x, w->terms.rows, PREC);
    arb_sub(x, x, error, PREC);
    if (w->scoring.scorer.transform == LL_PERCENT)
        arb_mul_ui(x, x, 100, PREC);
    if (w->scoring.scorer.transform == LL_ROOT) {
        arb_add(error, w->greatest, error,
                PREC); /* above every root: sqrt(a + e) <= sqrt a + e / sqrt a is not needed */
        arb_div(x, x, error, PREC);
        arb_mul_2exp_si(x, x, -1);
        arb_mul_2exp_si(error, error, 2 - w->scoring.resolved.total.format.fraction_bits);
        arb_sub(x, x, error, PREC);
    }
    arb_get_lbound_arf(w->lower, x, 128);
    if (!bounded || ll_loss_is_sum(w->scoring.resolved.loss) || arf_is_nan(w->lower) || arf_sgn(w->lower) < 0)
        arf_zero(w->lower);
    arb_clear(x);
    arb_clear(error);
    mag_clear(rounding);
}

static ll_status find_float_many(work *w, ll_error *error)
{
    ll_status status = ll_core_find(&w->core, &w->terms, DIGITS, w->deadline, error);
    if (status != LL_OK)
        return status;
    find_range(w);
    take_pair(w);
    w->method = w->core.method;
    status = score_pair(w, error);
    if (status != LL_OK)
        return status;
    float_lower(w);
    pair_upper(w, w->upper);
    return LL_OK;
}

/* Can all labellings be scored within half the time that is left? One of them tells. */
static int is_quick(work *w, ll_error *error)
{
    double began = ll_separate_clock(), count = pow((double)w->terms.classes, (double)w->terms.rows);
    memset(w->pair, 0, (size_t)w->terms.rows * sizeof *w->pair);
    if (!is_few(&w->terms) || ll_terms_score(&w->terms, &w->first, w->pair, 128, error) != LL_OK)
        return 0;
    double now = ll_separate_clock();
    return (now - began) * count < (w->deadline - now) / 2;
}

static ll_status find_float(work *w, ll_error *error)
{
    if (!is_quick(w, NULL))
        return find_float_many(w, error);
    ll_status status = score_all(w, 128, error);
    if (status == LL_OK && w->scoring.resolved.kind == LL_KIND_NATIVE)
        status = ll_terms_compute(&w->terms, 128, error);
    if (status != LL_OK)
        return status;
    find_range(w);
    return score_pair(w, error);
}

/* ---- the answer ---- */

/* Is x below the threshold (-1), at it (0) or above (1)? 2: not known. */
static int compare(const work *w, const arf_t x)
{
    arb_t ball;
    fmpq_t exact, factor;
    int order = 2;
    arb_init(ball);
    fmpq_init(exact);
    fmpq_init(factor);
    arb_set_arf(ball, x);
    if (arb_gt(ball, w->wanted))
        order = 1;
    else if (arb_lt(ball, w->wanted))
        order = -1;
    else if (w->threshold.is_rational && fmpz_bits(ARF_EXPREF(x)) < 14 && arf_is_finite(x)) {
        arf_get_fmpq(exact, x);
        get_factor(factor, &w->scoring);
        fmpq_div(exact, exact, factor);
        order = fmpq_cmp(exact, w->threshold.rational);
        order = (order > 0) - (order < 0);
    }
    arb_clear(ball);
    fmpq_clear(exact);
    fmpq_clear(factor);
    return order;
}

static ll_truth decide(const work *w)
{
    int strict = w->threshold.strict;
    if (!w->threshold.given)
        return arf_sgn(w->lower) > 0 ? LL_TRUE : arf_is_zero(w->upper) ? LL_FALSE : LL_UNKNOWN;
    int lower = compare(w, w->lower), upper = compare(w, w->upper);
    if (lower == 1 || (lower == 0 && !strict))
        return LL_TRUE;
    if (upper == -1 || (upper == 0 && strict))
        return LL_FALSE;
    return w->scoring.resolved.kind == LL_KIND_EXACT && is_linear(&w->scoring) ? w->core.reaches : LL_UNKNOWN;
}

/* To nearest, or upward; 0 is 0 though its ball has a width. */
static char *ball_text(const arb_t x, arf_rnd_t rounding)
{
    arf_t end;
    arf_init(end);
    if (rounding == ARF_RND_CEIL)
        arb_get_ubound_arf(end, x, PREC);
    else if (!arb_contains_zero(x))
        arf_set(end, arb_midref(x));
    char *text = ll_separate_text(end, 17, rounding);
    arf_clear(end);
    return text;
}

static char *threshold_text(const work *w)
{
    char *text = NULL, *number = ball_text(w->wanted, ARF_RND_NEAR);
    if (number != NULL && asprintf(&text, "%s %s", w->threshold.given && !w->threshold.strict ? ">=" : ">", number) < 0)
        text = NULL;
    free(number);
    return text;
}

/* log2 of the number of answers that are `wanted` apart within the range, and one more */
static double score_bits(const work *w)
{
    arb_t x;
    arb_init(x);
    get_range(w, x);
    arb_div(x, x, w->wanted, PREC);
    arb_add_ui(x, x, 1, PREC);
    arb_log(x, x, 64);
    double bits = w->threshold.given ? arf_get_d(arb_midref(x), ARF_RND_NEAR) / log(2) : INFINITY;
    arb_clear(x);
    return bits;
}

/* An upper bound of Lambda; where that is 0, a ball around 0 may be cut to 0. */
static char *bound_text(const work *w, const arb_t x)
{
    return ball_text(x, arf_is_zero(w->upper) && arb_contains_zero(x) ? ARF_RND_NEAR : ARF_RND_CEIL);
}

static int write_bounds(const work *w, ll_separation *out)
{
    arb_t x;
    arb_init(x);
    get_range(w, x);
    out->range = ball_text(x, ARF_RND_NEAR);
    arb_div_si(x, x, w->terms.rows, PREC);
    out->bounded_monotone = bound_text(w, x);
    get_pigeonhole(w, x);
    out->pigeonhole = bound_text(w, x);
    int complete = out->range && out->bounded_monotone && out->pigeonhole;
    if (is_linear(&w->scoring) && w->core.method != NULL) {
        fmpq_t factor;
        fmpq_init(factor);
        get_factor(factor, &w->scoring);
        arb_set_fmpq(x, factor, PREC);
        arb_mul(x, x, w->core.delta, PREC);
        out->monotone = bound_text(w, x);
        complete = complete && out->monotone;
        fmpq_clear(factor);
    }
    out->label_bits = (double)w->terms.rows * log2((double)w->terms.classes);
    out->score_bits = score_bits(w);
    arb_clear(x);
    return complete;
}

static int write_numbers(const work *w, ll_separation *out)
{
    arf_t half;
    arf_init(half);
    arf_mul_2exp_si(half, w->lower, -1);
    out->gap = ll_separate_text(w->gap, 17, ARF_RND_NEAR);
    out->lower = ll_separate_text(w->lower, 20, ARF_RND_FLOOR);
    out->upper = ll_separate_text(w->upper, 20, ARF_RND_CEIL);
    out->largest_noise = ll_separate_text(half, 17, out->proved ? ARF_RND_NEAR : ARF_RND_FLOOR);
    out->scores[0] = ll_separate_text(arb_midref(w->first.number), 20, ARF_RND_NEAR);
    out->scores[1] = ll_separate_text(arb_midref(w->second.number), 20, ARF_RND_NEAR);
    out->threshold = threshold_text(w);
    arf_clear(half);
    return out->gap && out->lower && out->upper && out->largest_noise && out->scores[0] && out->scores[1] &&
           out->threshold;
}

/* Of too many rows the pigeonhole may know more than any pair. */
static void use_pigeonhole(work *w)
{
    arb_t bound;
    arf_t most;
    mag_t rounding;
    arb_init(bound);
    arf_init(most);
    mag_init(rounding);
    get_pigeonhole(w, bound);
    arb_get_ubound_arf(most, bound, 128);
    if (w->scoring.resolved.kind == LL_KIND_EXACT)
        keep_upper(w, most);
    arb_clear(bound);
    arf_clear(most);
    mag_clear(rounding);
}

static ll_status write_answer(work *w, ll_separation *out, ll_error *error)
{
    ll_separation made;
    ll_separation_init(&made);
    use_pigeonhole(w);
    made.rows = w->terms.rows;
    made.classes = w->terms.classes;
    made.proved = is_sharp(w, SHARP);
    made.separable = decide(w);
    made.method = w->method;
    made.searched = w->core.meet_rows;
    made.witness = w->pair;
    w->pair = NULL;
    if (!write_numbers(w, &made) || !write_bounds(w, &made)) {
        ll_separation_clear(&made);
        return ll_fail(error, LL_MEMORY, "no memory for the answer");
    }
    ll_separation_clear(out);
    *out = made;
    return LL_OK;
}

/* The pair that is shown, scored on its own, must have a difference that the interval allows. */
static ll_status check_pair(const work *w, ll_error *error)
{
    arf_t most, least;
    arf_init(most);
    arf_init(least);
    pair_upper(w, most);
    arf_sub(least, w->first.lower, w->second.upper, PREC, ARF_RND_FLOOR);
    int good = arf_cmp(most, w->lower) >= 0 && arf_cmp(least, w->upper) <= 0;
    arf_sub(least, w->second.lower, w->first.upper, PREC, ARF_RND_FLOOR);
    good = good && (arf_cmp(least, w->upper) <= 0 || w->core.complete == 0);
    arf_clear(most);
    arf_clear(least);
    return good ? LL_OK : ll_fail(error, LL_UNABLE, "the pair that was found does not have the gap that was found");
}

static ll_status run(work *w, ll_separation *out, ll_error *error)
{
    w->pair = calloc(2 * (size_t)w->terms.rows, sizeof *w->pair);
    if (w->pair == NULL || ll_core_init(&w->core, w->terms.rows) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", w->terms.rows);
    set_threshold(w);
    w->core.threshold = &w->threshold;
    ll_status status = w->scoring.resolved.kind == LL_KIND_EXACT ? find_exact(w, error) : find_float(w, error);
    if (status == LL_OK)
        status = check_pair(w, error);
    return status == LL_OK ? write_answer(w, out, error) : status;
}

static void work_init(work *w)
{
    memset(w, 0, sizeof *w);
    arb_init(w->threshold.ball);
    fmpq_init(w->threshold.rational);
    arb_init(w->wanted);
    arb_init(w->least);
    arb_init(w->greatest);
    arf_init(w->lower);
    arf_init(w->upper);
    arf_init(w->gap);
    ll_raw_init(&w->first);
    ll_raw_init(&w->second);
}

static void work_clear(work *w)
{
    ll_terms_clear(&w->terms);
    ll_core_clear(&w->core);
    arb_clear(w->threshold.ball);
    fmpq_clear(w->threshold.rational);
    arb_clear(w->wanted);
    arb_clear(w->least);
    arb_clear(w->greatest);
    arf_clear(w->lower);
    arf_clear(w->upper);
    arf_clear(w->gap);
    ll_raw_clear(&w->first);
    ll_raw_clear(&w->second);
    free(w->pair);
}

ll_status ll_separate(ll_separation *out, const ll_scorer *scorer, const ll_predictions *predictions, double max_memory,
                      double max_seconds, ll_error *error)
{
    work w;
    work_init(&w);
    w.deadline = ll_separate_clock() + max_seconds * 0.9;
    ll_status status = set_scoring(&w.scoring, scorer, predictions, error);
    if (status != LL_OK) {
        work_clear(&w);
        return status;
    }
    status = ll_terms_init(&w.terms, &w.scoring, predictions, max_memory, error);
    if (status == LL_OK)
        status = run(&w, out, error);
    ll_resolved_clear(&w.scoring.resolved);
    work_clear(&w);
    return status;
}

void ll_separation_init(ll_separation *separation)
{
    *separation = (ll_separation){0};
}

void ll_separation_clear(ll_separation *separation)
{
    if (separation == NULL)
        return;
    char *texts[] = {separation->gap,           separation->lower,           separation->upper,
                     separation->largest_noise, separation->threshold,       separation->scores[0],
                     separation->scores[1],     separation->range,           separation->pigeonhole,
                     separation->monotone,      separation->bounded_monotone};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    free(separation->witness);
    ll_separation_init(separation);
}

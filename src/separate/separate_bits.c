/* The smallest float formats in which given predictions stay separable.
 *
 * Every labelling is scored in every format of a sweep: rounding both closes and opens gaps, so that no shorter way is
 * right (docs/errata.md). The fraction first, with an exponent that nothing overflows; the sweep goes from one bit to a
 * few more than log2(largest score / gap), from where on the exact gap is many units of the last place. Then, with
 * that fraction, the exponent; then the formats fpa:PHI, which share PHI-1 bits evenly. "Stay" is read downward: the
 * size above the largest one that fails. */
#include "number/budget.h"
#include "number/value.h"
#include "scorer/several.h"
#include "separate/separate_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE_EXPONENT = 62, SPARE = 12, MOST_SWEEP = 4096, MOST_SCORED = 1 << 16 };

typedef struct {
    const ll_scorer *scorer;
    const ll_predictions *predictions;
    double max_memory, max_seconds;
    ll_effort effort; /* of the sweep; finding the exact gap has as much */
    long rows, classes;
    ll_separation exact;
    arf_t wanted; /* differences below it do not count: an upper bound of 2 tau; 0: any does */
} sweep;

/* ---- one format ---- */

/* What scoring in one format showed. */
typedef struct {
    int separable, overflows;
    int32_t *witness; /* where not: the labelling that overflows, or the pair */
    char *score;
} outcome;

static void outcome_clear(outcome *o)
{
    free(o->witness);
    free(o->score);
    *o = (outcome){0};
}

static ll_status see_scores(const sweep *s, outcome *o, const ll_terms *terms, const ll_scores *scores)
{
    ll_scores_gap gap;
    ll_scores_gap_init(&gap);
    ll_status status = ll_scores_find(scores, &gap);
    if (status == LL_OK) {
        o->separable = arf_sgn(gap.gap) > 0 && arf_cmp(gap.gap, s->wanted) >= 0;
        ll_scores_unpack(o->witness, gap.first, terms->rows, terms->classes);
        ll_scores_unpack(o->witness + terms->rows, gap.second, terms->rows, terms->classes);
        o->score = ll_separate_text(scores->number + gap.first, 17, ARF_RND_NEAR);
    }
    ll_scores_gap_clear(&gap);
    return status == LL_OK && o->score != NULL ? LL_OK : LL_MEMORY;
}

static ll_status fail_effort(const sweep *s, ll_error *error)
{
    return ll_fail(error, LL_UNABLE, "scoring all labellings of %ld rows in every format takes too long: %s", s->rows,
                   "take fewer rows or more time");
}

static ll_status score_format(sweep *s, outcome *o, const ll_scorer *scorer, const ll_scoring *scoring, ll_error *error)
{
    ll_terms terms;
    ll_scores scores;
    ll_status status = ll_terms_init(&terms, scorer, scoring, s->predictions, s->max_memory, error);
    if (status != LL_OK) {
        ll_terms_clear(&terms);
        return status;
    }
    if (!ll_effort_take(&s->effort, ll_scores_cost(&terms, exp2(s->exact.label_bits)))) {
        ll_terms_clear(&terms);
        return fail_effort(s, error);
    }
    status = ll_scores_init(&scores, &terms, UINT64_MAX, 128, error);
    if (status == LL_OK)
        status = see_scores(s, o, &terms, &scores);
    else if (status == LL_DOMAIN && scores.scored < scores.count) {
        ll_scores_unpack(o->witness, scores.scored, terms.rows, terms.classes);
        o->overflows = 1;
        status = LL_OK;
    }
    ll_scores_clear(&scores);
    ll_terms_clear(&terms);
    return status;
}

/* All of it in one arithmetic. */
static ll_status vary_arithmetic(ll_scorer **out, const ll_scorer *scorer, const char *name, ll_error *error)
{
    return ll_scorer_vary(out, scorer, error, "arithmetic", name, "sum-arithmetic", "same", "loss-arithmetic", "same",
                          (char *)NULL);
}

static ll_status probe(sweep *s, outcome *o, long exponent, long fraction, ll_error *error)
{
    char name[64];
    ll_scorer *scorer = NULL;
    (void)snprintf(name, sizeof name, "fpa:%ld,%ld", exponent, fraction);
    outcome_clear(o);
    o->witness = calloc(2 * (size_t)s->rows, sizeof *o->witness);
    if (o->witness == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", s->rows);
    ll_status status = vary_arithmetic(&scorer, s->scorer, name, error);
    if (status != LL_OK)
        return status;
    ll_scoring scoring = {.how = &scorer->computation, .rows = s->rows, .classes = s->classes};
    status = score_format(s, o, scorer, &scoring, error);
    ll_scorer_destroy(scorer);
    return status;
}

/* ---- sweeps ---- */

static void keep_below(ll_separation_below *below, outcome *o, long bits)
{
    free(below->witness);
    free(below->score);
    *below = (ll_separation_below){bits, o->overflows, o->witness, o->score};
    *o = (outcome){0};
}

typedef void (*split_bits)(long *exponent, long *fraction, long bits, long fixed);

static void by_fraction(long *exponent, long *fraction, long bits, long fixed)
{
    *exponent = fixed;
    *fraction = bits;
}

static void by_exponent(long *exponent, long *fraction, long bits, long fixed)
{
    *exponent = bits;
    *fraction = fixed;
}

static void by_phi(long *exponent, long *fraction, long bits, long fixed)
{
    (void)fixed;
    *exponent = (bits - 1) / 2;
    *fraction = bits - 1 - *exponent;
}

/* From the largest size downward to the first that fails: *out is the one above it, 0 where the largest fails. */
static ll_status descend(sweep *s, long *out, ll_separation_below *below, long from, long least, split_bits split,
                         long fixed, ll_error *error)
{
    outcome o = {0};
    ll_status status = LL_OK;
    *out = 0;
    for (long bits = from; bits >= least && status == LL_OK; bits--) {
        long exponent, fraction;
        split(&exponent, &fraction, bits, fixed);
        status = probe(s, &o, exponent, fraction, error);
        if (status == LL_OK && !o.separable) {
            keep_below(below, &o, bits);
            break;
        }
        *out = bits;
    }
    outcome_clear(&o);
    return status;
}

/* The smallest fraction at which all scores are apart, by chance or not. */
static ll_status find_first(sweep *s, long *out, long most, ll_error *error)
{
    outcome o = {0};
    ll_status status = LL_OK;
    *out = 0;
    for (long bits = 1; bits <= most && status == LL_OK && *out == 0; bits++) {
        status = probe(s, &o, WIDE_EXPONENT, bits, error);
        if (status == LL_OK && o.separable)
            *out = bits;
    }
    outcome_clear(&o);
    return status;
}

/* ---- what to sweep ---- */

/* log2 of the double, or of the text where the number is too small or too large for one. */
static double log2_of(ll_number number)
{
    if (isnormal(number.value))
        return log2(fabs(number.value));
    ll_exact x;
    arb_t ball;
    ll_exact_init(&x);
    arb_init(ball);
    double bits = -INFINITY;
    if (ll_exact_set_text(&x, number.text, strlen(number.text)) == LL_OK && ll_exact_sgn(&x) != 0) {
        fmpz_abs(x.mantissa, x.mantissa);
        ll_exact_get_log(ball, &x, 64);
        bits = arf_get_d(arb_midref(ball), ARF_RND_NEAR) / log(2);
    }
    ll_exact_clear(&x);
    arb_clear(ball);
    return bits;
}

/* The exact gap, by which the sweep is laid out. */
static ll_status find_exact(sweep *s, ll_separation_bits *out, ll_error *error)
{
    ll_scorer *scorer = NULL;
    ll_status status = vary_arithmetic(&scorer, s->scorer, "exact", error);
    ll_budget left;
    ll_budget_init(&left);
    left.memory = s->max_memory;
    left.seconds = s->max_seconds / 2;
    if (status == LL_OK)
        status = ll_separate(&s->exact, scorer, s->predictions, &left, error);
    ll_scorer_destroy(scorer);
    if (status != LL_OK)
        return status;
    s->rows = s->exact.rows;
    s->classes = s->exact.classes;
    if (s->exact.label_bits > log2(MOST_SCORED))
        return ll_fail(error, LL_UNABLE,
                       "%ld rows of %ld classes have 2^%.0f labellings: the smallest format is found by scoring all of "
                       "them, up to 2^16",
                       s->rows, s->classes, s->exact.label_bits);
    double largest = fmax(log2_of(s->exact.scores[0]), log2_of(s->exact.range));
    double gap = log2_of(s->exact.gap);
    out->needed = fmax(0, largest - gap);
    out->paper_phi = fmax(2 * gap + 5, -2 * gap - 1);
    out->sweep = (long)ceil(fmin(out->needed, MOST_SWEEP)) + (long)ceil(log2((double)s->rows + 1)) + SPARE;
    return LL_OK;
}

static ll_status set_wanted(sweep *s, ll_error *error)
{
    ll_release_gap gap;
    ll_release_gap_init(&gap);
    ll_status status = ll_release_needed_gap(&s->scorer->release, &gap, 128, error);
    arb_get_ubound_arf(s->wanted, gap.ball, 128);
    ll_release_gap_clear(&gap);
    return status;
}

static ll_status run(sweep *s, ll_separation_bits *out, ll_error *error)
{
    ll_status status = set_wanted(s, error);
    if (status == LL_OK)
        status = find_exact(s, out, error);
    if (status == LL_OK && s->exact.separable != LL_TRUE)
        return LL_OK; /* equal in exact arithmetic: no size keeps them apart */
    if (status == LL_OK)
        status = descend(s, &out->fraction, &out->fraction_below, out->sweep, 1, by_fraction, WIDE_EXPONENT, error);
    if (status == LL_OK && out->fraction > 0)
        status = find_first(s, &out->first_fraction, out->fraction, error);
    if (status == LL_OK && out->fraction > 0)
        status = descend(s, &out->exponent, &out->exponent_below, WIDE_EXPONENT, 2, by_exponent, out->fraction, error);
    if (status == LL_OK && out->fraction > 0) {
        long half = out->sweep > out->exponent ? out->sweep : out->exponent;
        status = descend(s, &out->phi, &out->phi_below, 2 * half + 1, 5, by_phi, 0, error);
    }
    return status;
}

ll_status ll_separate_bits(ll_separation_bits *out, const ll_scorer *scorer, const ll_predictions *predictions,
                           const ll_budget *budget, ll_error *error)
{
    sweep s = {.scorer = scorer, .predictions = predictions, .max_memory = ll_budget_memory(budget)};
    ll_separation_bits made;
    if (ll_scorer_need(scorer, error) != LL_OK || ll_scorer_need_plain(scorer, "the gap", error) != LL_OK ||
        ll_scorer_need_one(scorer, "the gap", error) != LL_OK ||
        ll_metric_need_terms(scorer->computation.metric, "the gap", error) != LL_OK)
        return LL_DOMAIN;
    s.max_seconds = ll_budget_seconds(budget);
    ll_effort_set(&s.effort, s.max_seconds / 2);
    ll_separation_init(&s.exact);
    ll_separation_bits_init(&made);
    arf_init(s.wanted);
    ll_status status = run(&s, &made, error);
    if (status == LL_OK) {
        ll_separation_bits_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_separation_bits_clear(&made);
    arf_clear(s.wanted);
    ll_separation_clear(&s.exact);
    return status;
}

void ll_separation_bits_clear(ll_separation_bits *bits)
{
    ll_separation_bits *whole = ll_value_whole(bits, sizeof *whole);
    if (whole == NULL)
        return;
    ll_separation_below *all[] = {&whole->fraction_below, &whole->exponent_below, &whole->phi_below};
    for (int i = 0; i < 3; i++) {
        free(all[i]->witness);
        free(all[i]->score);
    }
    ll_value_reset(bits);
}

/* From bounds and a pair to an answer: the verdict, the bounds that hold for every gap, the texts. */
#include "number/value.h"
#include "separate/separate_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_WORK_PREC, SHARP = 20 };

static void get_range(const ll_separation_work *w, arb_t out)
{
    arb_sub(out, w->greatest, w->least, w->terms.prec);
}

/* range / (K^N - 1), in the precision of a bound */
static void get_pigeonhole(const ll_separation_work *w, arb_t out)
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

/* Is x below the threshold (-1), at it (0) or above (1)? 2: not known. */
static int compare(const ll_separation_work *w, const arf_t x)
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
        ll_work_get_factor(factor, w);
        fmpq_div(exact, exact, factor);
        order = fmpq_cmp(exact, w->threshold.rational);
        order = (order > 0) - (order < 0);
    }
    arb_clear(ball);
    fmpq_clear(exact);
    fmpq_clear(factor);
    return order;
}

static ll_truth decide(const ll_separation_work *w)
{
    int strict = w->threshold.strict;
    if (!w->threshold.given)
        return arf_sgn(w->lower) > 0 ? LL_TRUE : arf_is_zero(w->upper) ? LL_FALSE : LL_UNKNOWN;
    int lower = compare(w, w->lower), upper = compare(w, w->upper);
    if (lower == 1 || (lower == 0 && !strict))
        return LL_TRUE;
    if (upper == -1 || (upper == 0 && strict))
        return LL_FALSE;
    return w->scoring.how->kind == LL_KIND_EXACT && ll_work_is_linear(w) ? w->core.reaches : LL_UNKNOWN;
}

/* To nearest, or upward; 0 is 0 though its ball has a width. */
static ll_number ball_number(const arb_t x, arf_rnd_t rounding)
{
    arf_t end;
    arf_init(end);
    if (rounding == ARF_RND_CEIL)
        arb_get_ubound_arf(end, x, PREC);
    else if (!arb_contains_zero(x))
        arf_set(end, arb_midref(x));
    ll_number number = ll_separate_number(end, 17, rounding);
    arf_clear(end);
    return number;
}

static char *threshold_text(const ll_separation_work *w)
{
    char *text = NULL, *number = ball_number(w->wanted, ARF_RND_NEAR).text;
    if (number != NULL && asprintf(&text, "%s %s", w->threshold.given && !w->threshold.strict ? ">=" : ">", number) < 0)
        text = NULL;
    free(number);
    return text;
}

/* log2 of the number of answers that are `wanted` apart within the range, and one more */
static double score_bits(const ll_separation_work *w)
{
    arb_t x;
    arb_init(x);
    get_range(w, x);
    arb_div(x, x, w->wanted, PREC);
    arb_add_ui(x, x, 1, PREC);
    arb_log(x, x, 64);
    double bits = w->threshold.given ? arf_get_d(arb_midref(x), ARF_RND_NEAR) / log(2) : INFINITY;
    arb_clear(x);
    return w->different > 0 ? fmin(bits, log2(w->different)) : bits;
}

/* An upper bound of Lambda; where that is 0, a ball around 0 may be cut to 0. */
static ll_number bound_number(const ll_separation_work *w, const arb_t x)
{
    return ball_number(x, arf_is_zero(w->upper) && arb_contains_zero(x) ? ARF_RND_NEAR : ARF_RND_CEIL);
}

/* Counts and ranks: no function that every label moves one way, and not every labelling has a score. */
static int write_states(const ll_separation_work *w, ll_separation *out)
{
    out->different = w->different;
    if (w->different > 1)
        out->step = ll_separate_number(w->step, 17, ARF_RND_NEAR);
    return w->different <= 1 || out->step.text != NULL;
}

static int write_sum_bounds(const ll_separation_work *w, ll_separation *out)
{
    arb_t x;
    arb_init(x);
    get_range(w, x);
    arb_div_si(x, x, w->terms.rows, PREC);
    out->bounded_monotone = bound_number(w, x);
    get_pigeonhole(w, x);
    out->pigeonhole = bound_number(w, x);
    int complete = out->bounded_monotone.text && out->pigeonhole.text;
    if (ll_work_is_linear(w) && w->core.method != NULL) {
        fmpq_t factor;
        fmpq_init(factor);
        ll_work_get_factor(factor, w);
        arb_set_fmpq(x, factor, PREC);
        arb_mul(x, x, w->core.delta, PREC);
        out->monotone = bound_number(w, x);
        complete = complete && out->monotone.text;
        fmpq_clear(factor);
    }
    arb_clear(x);
    return complete;
}

static int write_bounds(const ll_separation_work *w, ll_separation *out)
{
    arb_t x;
    arb_init(x);
    get_range(w, x);
    out->range = ball_number(x, ARF_RND_NEAR);
    arb_clear(x);
    out->label_bits = (double)w->terms.rows * log2((double)w->terms.classes);
    out->score_bits = score_bits(w);
    return out->range.text && (w->is_view ? write_states(w, out) : write_sum_bounds(w, out));
}

static int write_numbers(const ll_separation_work *w, ll_separation *out)
{
    arf_t half;
    arf_init(half);
    arf_mul_2exp_si(half, w->lower, -1);
    out->gap = ll_separate_number(w->gap, 17, ARF_RND_NEAR);
    out->lower = ll_separate_number(w->lower, 20, ARF_RND_FLOOR);
    out->upper = ll_separate_number(w->upper, 20, ARF_RND_CEIL);
    out->largest_noise = ll_separate_number(half, 17, out->proved ? ARF_RND_NEAR : ARF_RND_FLOOR);
    out->scores[0] = ll_separate_number(arb_midref(w->first.number), 20, ARF_RND_NEAR);
    out->scores[1] = ll_separate_number(arb_midref(w->second.number), 20, ARF_RND_NEAR);
    out->threshold = threshold_text(w);
    arf_clear(half);
    return out->gap.text && out->lower.text && out->upper.text && out->largest_noise.text && out->scores[0].text &&
           out->scores[1].text && out->threshold;
}

/* Of too many rows the pigeonhole may know more than any pair; of exact scores only, since rounding widens a range. */
static void use_pigeonhole(ll_separation_work *w)
{
    arb_t bound;
    arf_t most;
    arb_init(bound);
    arf_init(most);
    get_pigeonhole(w, bound);
    arb_get_ubound_arf(most, bound, 128);
    if (w->scoring.how->kind == LL_KIND_EXACT && arf_cmp(most, w->upper) < 0)
        arf_set(w->upper, most);
    arb_clear(bound);
    arf_clear(most);
}

ll_status ll_work_write(ll_separation_work *w, ll_separation *out, ll_error *error)
{
    ll_separation made;
    ll_separation_init(&made);
    if (!w->is_view)
        use_pigeonhole(w);
    made.monotone.value = made.pigeonhole.value = made.bounded_monotone.value = made.step.value = (double)NAN;
    made.rows = w->terms.rows;
    made.classes = w->terms.classes;
    made.proved = ll_is_sharp(w->lower, w->upper, SHARP);
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
    ll_status status = ll_value_give(out, &made, sizeof made, error);
    if (status != LL_OK)
        ll_separation_clear(&made);
    return status;
}

void ll_separation_clear(ll_separation *separation)
{
    ll_separation *all = ll_value_whole(separation, sizeof *all);
    if (all == NULL)
        return;
    char *texts[] = {all->gap.text,
                     all->lower.text,
                     all->upper.text,
                     all->largest_noise.text,
                     all->threshold,
                     all->scores[0].text,
                     all->scores[1].text,
                     all->range.text,
                     all->pigeonhole.text,
                     all->monotone.text,
                     all->bounded_monotone.text,
                     all->step.text};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    free(all->witness);
    ll_value_reset(separation);
}

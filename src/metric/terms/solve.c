/* The root of an increasing function in balls: a certified bracket, then interval Newton steps with
 * bisection where they do not help. docs/proofs/inverse.md has the argument.
 *
 * The unknown is u = ln((1-x)/x), since an absolute error of u is a relative error of x and of 1-x, whichever
 * is small. Precision doubles from step to step: a bracket of width 2^-a is squared by an evaluation with
 * 2a bits. Where the curve is flat, more bits are lost than that; `extra` learns how many. */
#include "metric/terms/terms.h"

#include <stdlib.h>

#define MAX_STEPS 4096
#define MAX_UNKNOWN 3
#define MAX_MAGNITUDE (1L << 24)
/* |u| <= 2^24 where x is small, <= 2^18 where 1 - x is: 1.44 |u| bits are the least to tell such an x from 1. */
#define LARGEST_BITS 24
#define SMALLEST_BITS 18

typedef struct {
    const ll_metric *metric;
    ll_metric_curve curve;
    const arf_struct *w;
    arf_struct *lo, *hi;
    slong accuracy; /* hi - lo <= 2^-accuracy */
    slong size;     /* bits of u before the point */
    slong extra, most_extra;
    int stalled; /* the last step told nothing: the root may be the midpoint itself */
    int found;   /* lo = hi is the root itself */
} search;

/* Bits of w about the point, to its last one: a bounded curve that does not end at w ends about that far from it. */
static slong bits_of(const arf_t w)
{
    slong bits = arf_bits(w);
    if (arf_is_zero(w))
        return 0;
    if (arf_cmpabs_2exp_si(w, -MAX_MAGNITUDE) < 0 || arf_cmpabs_2exp_si(w, MAX_MAGNITUDE) > 0)
        return bits + MAX_MAGNITUDE;
    return bits + labs(fmpz_get_si(ARF_EXPREF(w)));
}

static void update_accuracy(search *s)
{
    arf_t width;
    arb_t u;
    arf_init(width);
    arb_init(u);
    arf_sub(width, s->hi, s->lo, 30, ARF_RND_UP);
    s->found = arf_is_zero(width);
    if (!s->found)
        s->accuracy = arf_cmpabs_2exp_si(width, -MAX_MAGNITUDE) < 0 ? MAX_MAGNITUDE : -fmpz_get_si(ARF_EXPREF(width));
    arb_set_arf(u, arf_cmpabs(s->lo, s->hi) > 0 ? s->lo : s->hi);
    s->size = ll_metric_magnitude(u, MAX_MAGNITUDE);
    arf_clear(width);
    arb_clear(u);
}

/* curve(m) - w. */
static void residual(const search *s, arb_t out, const arf_t m, slong prec)
{
    arb_t u;
    arb_init(u);
    arb_set_arf(u, m);
    s->curve(s->metric, out, NULL, u, prec);
    arb_sub_arf(out, out, s->w, prec);
    arb_clear(u);
}

/* Cut the bracket by [lo, hi] of ball; w is in reach, so the cut is not empty unless the curve lied. */
static void cut_by_ball(search *s, const arb_t ball, slong prec)
{
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    arb_get_interval_arf(low, high, ball, prec);
    if (arf_cmp(low, s->lo) > 0)
        arf_set(s->lo, low);
    if (arf_cmp(high, s->hi) < 0)
        arf_set(s->hi, high);
    arf_clear(low);
    arf_clear(high);
}

/* u* is in U = [lo, hi], so curve(m) - w = curve'(v)(m - u*) with v in U: u* is in m - residual/curve'(U). */
static void newton(search *s, const arb_t around, const arf_t m, const arb_t rest, slong prec)
{
    arb_t slope;
    arb_init(slope);
    s->curve(s->metric, NULL, slope, around, FLINT_MAX(s->accuracy, 0) + 40 + s->extra + s->size);
    if (arb_is_positive(slope)) {
        arb_div(slope, rest, slope, prec);
        arb_sub_arf(slope, slope, m, prec);
        arb_neg(slope, slope);
        cut_by_ball(s, slope, prec);
    }
    arb_clear(slope);
}

/* The sign of the residual at m tells on which side of m the root is. 0: it does not tell. */
static int bisect(search *s, const arf_t m, const arb_t rest)
{
    if (arb_is_zero(rest)) {
        arf_set(s->lo, m);
        arf_set(s->hi, m);
    } else if (arb_is_positive(rest)) {
        if (arf_cmp(m, s->hi) < 0)
            arf_set(s->hi, m);
    } else if (arb_is_negative(rest)) {
        if (arf_cmp(m, s->lo) > 0)
            arf_set(s->lo, m);
    } else {
        return 0;
    }
    return 1;
}

/* The middle of the bracket, or, where that told nothing, a point a quarter of the width beside it. */
static void choose_point(const search *s, arf_t m, slong prec)
{
    arf_t quarter;
    arf_init(quarter);
    arf_add(m, s->lo, s->hi, prec, ARF_RND_DOWN);
    arf_mul_2exp_si(m, m, -1);
    if (s->stalled) {
        arf_sub(quarter, s->hi, s->lo, 30, ARF_RND_DOWN);
        arf_mul_2exp_si(quarter, quarter, -2);
        arf_add(m, m, quarter, prec, ARF_RND_DOWN);
    }
    arf_clear(quarter);
}

/* One step; 0 where the cap is reached or the bracket is empty. */
static int step(search *s, slong prec)
{
    slong before = s->accuracy, wp = FLINT_MAX(FLINT_MIN(2 * before, prec), 0) + 40 + s->extra + s->size;
    int known;
    arb_t around, rest;
    arf_t m;
    arb_init(around);
    arb_init(rest);
    arf_init(m);
    arb_set_interval_arf(around, s->lo, s->hi, wp);
    choose_point(s, m, wp);
    residual(s, rest, m, wp);
    newton(s, around, m, rest, wp);
    known = bisect(s, m, rest);
    arb_clear(around);
    arb_clear(rest);
    arf_clear(m);
    if (arf_cmp(s->lo, s->hi) > 0)
        return 0;
    update_accuracy(s);
    if (!s->found && !known && s->accuracy < before + 2) {
        s->extra = s->stalled ? 2 * s->extra + 64 : s->extra;
        s->stalled = !s->stalled;
    } else {
        s->stalled = 0;
    }
    return s->extra <= s->most_extra;
}

ll_status ll_metric_refine(const ll_metric *metric, ll_metric_curve curve, arb_t u, arf_t lo, arf_t hi, const arf_t w,
                           slong prec)
{
    search s = {.metric = metric, .curve = curve, .w = w, .lo = lo, .hi = hi};
    s.most_extra = 4 * prec + 4 * bits_of(w) + (1L << 16);
    update_accuracy(&s);
    for (long steps = 0; !s.found && s.accuracy <= prec; steps++)
        if (steps == MAX_STEPS || !step(&s, prec + 2))
            return LL_UNABLE;
    if (s.found)
        arb_set_arf(u, lo);
    else
        arb_set_interval_arf(u, lo, hi, prec + s.size + 10);
    return LL_OK;
}

/* The sign of curve(m) - w, tried up to `most` bits; 0 where they do not tell. */
static int side(const search *s, const arf_t m, slong most)
{
    int sign = 0;
    arb_t rest;
    arb_init(rest);
    for (slong wp = 64; sign == 0 && wp <= most; wp *= 2) {
        residual(s, rest, m, wp);
        sign = arb_is_positive(rest) - arb_is_negative(rest);
    }
    arb_clear(rest);
    return sign;
}

/* Go out from 0 by doubling until the curve is certainly past w. 0 where the limit came first, or where it stays
 * open: the root may be one of the points tried, not three of them. */
static int go_out(const search *s, arf_t end, int sign, slong limit)
{
    slong most = 1024 + 2 * bits_of(s->w);
    int unknown = 0;
    arf_set_si(end, sign);
    for (slong bits = 0; bits <= limit && unknown < MAX_UNKNOWN; bits++) {
        int found = side(s, end, most);
        if (found == sign)
            return 1;
        unknown += found == 0;
        arf_mul_2exp_si(end, end, 1);
    }
    return 0;
}

ll_status ll_metric_solve(const ll_metric *metric, ll_metric_curve curve, arb_t u, const arf_t w, slong prec)
{
    ll_status status = LL_UNABLE;
    arf_t lo, hi;
    search s = {.metric = metric, .curve = curve, .w = w};
    arf_init(lo);
    arf_init(hi);
    if (go_out(&s, hi, 1, LARGEST_BITS) && go_out(&s, lo, -1, SMALLEST_BITS))
        status = ll_metric_refine(metric, curve, u, lo, hi, w, prec);
    arf_clear(lo);
    arf_clear(hi);
    return status;
}

/* R^2 and explained variance of numeric targets: for given moments of the labels, A = sum of k and B = sum of k^2, the
 * sum of squares about the mean is known, and the number tells the sum of squared errors (docs/proofs/fit.md). All in
 * units of the square of the grid's step, whose targets and predictions doubles hold exactly. */
#include "strategy/fit/fit.h"

#include <math.h>
#include <stdlib.h>

/* Of one query: 4 times what label 0 adds in all rows; have all rows one place, so that the moments tell its sum? What
 * ll_plan_fit_error says. */
typedef struct {
    int64_t base;
    int is_flat;
    int64_t place;
    double error;
    int is_centred; /* explained variance: */
    int64_t sum;    /* of all places */
    double shift;   /* what the mean of the errors is off by adds so much at most to their squares */
} query;

static ll_status ask(const ll_plan *plan, void *asked, const ll_code *code, ll_error *error)
{
    query *out = asked;
    (void)error;
    *out = (query){.is_flat = 1, .place = ll_plan_fit_place(plan, code, 0), .error = ll_plan_fit_error(plan)};
    int64_t most = 0;
    for (long row = 0; row < code->rows; row++) {
        int64_t twice = ll_plan_fit_place(plan, code, row);
        out->base += twice * twice;
        out->sum += twice;
        most = llabs(twice) > most ? llabs(twice) : most;
        out->is_flat &= twice == out->place;
    }
    out->is_centred = ll_metric_is_centred(plan->scoring.how->metric);
    out->shift = out->is_centred ? ll_plan_fit_shift(plan, (double)most) : 0;
    return LL_OK;
}

/* N times the sum of squares about the mean; 0: labels that are all the same. */
static int64_t spread(const ll_moments *c)
{
    return c->plan->rows * c->second - c->first * c->first;
}

/* 2 times the sum of all errors; squared and over 4 N, it is what their mean takes from their squares. */
static int64_t drift(const ll_moments *c, const query *q)
{
    return q->is_centred ? 2 * c->first - q->sum : 0;
}

/* Squares that sum to `sum` about a mean that is off by d: 2 d sum |e| + N d^2 <= 2 sqrt(N d^2 sum) + N d^2 more. */
static double shifted(const query *q, double sum)
{
    return (2 * sqrt(q->shift * sum) + q->shift) * (1 + 0x1p-20);
}

/* ---- labels that are all the same ---- */

/* The code's sum: that of k^2 - j k over the rows, all of the one label k. */
static int64_t flat_sum(const ll_moments *c, const query *q)
{
    return c->second - c->first / c->plan->rows * q->sum;
}

/* What programs give: 1 without errors, else `undefined`; either where the program's mean decides. Means of targets are
 * exact, or anything may follow (ll_plan_fit_is_flat_exact). Places are equal where errors less their mean are 0. */
static void flat_ball(const ll_moments *c, const query *q, arb_t out)
{
    const ll_computation *how = c->plan->scoring.how;
    arb_t one;
    arb_init(one);
    arb_one(one);
    int none = q->is_centred ? q->is_flat : 4 * flat_sum(c, q) + q->base == 0;
    arb_set_d(out, none && !q->is_centred ? 1 : how->undefined);
    if (none && q->is_centred)
        arb_union(out, out, one, c->plan->prec);
    if (!(none && !q->is_centred) && !ll_plan_fit_is_flat_exact(c->plan))
        arb_zero_pm_inf(out);
    arb_clear(one);
}

static int flat_range(const ll_moments *c, const query *q, int64_t *from, int64_t *to)
{
    *from = *to = flat_sum(c, q);
    return c->plan->scoring.how->has_undefined && (c->plan->rows > 1 || q->is_centred);
}

/* ---- all others ---- */

/* 4 t + base is 4 times the sum of squared errors. Doubles are off by some units of that; the program by what
 * ll_plan_fit_error says. */
static int range(const ll_moments *c, const void *asked, double low, double high, int64_t *from, int64_t *to)
{
    const query *q = asked;
    if (spread(c) == 0)
        return flat_range(c, q, from, to);
    double each = (double)spread(c) / (double)c->plan->rows;
    double least = (1 - high) * each, most = (1 - low) * each, base = (double)q->base / 4;
    double mean = pow((double)drift(c, q), 2) / (4 * (double)c->plan->rows);
    double more = (q->error + 0x1p-48) * (fabs(most) + fabs(least) + base + each + mean) +
                  shifted(q, fmax(fabs(most), fabs(least)));
    base -= mean;
    if (!(each > 0 && least + base < 0x1p60 && most > -0x1p60)) /* no predictions of a plan are so far off */
        return 0;
    *from = (int64_t)ceil(fmax(least - more - base, -0x1p60));
    *to = (int64_t)floor(fmin(most + more - base, 0x1p60));
    int64_t own = c->second - q->place * c->first; /* the sum of k^2 - j k */
    if (q->is_flat && own >= *from && own <= *to)
        *from = *to = own;
    else if (q->is_flat)
        return 0;
    return *from <= *to;
}

static void ball(const ll_moments *c, const void *asked, int64_t t, arb_t out, slong prec)
{
    const query *q = asked;
    arb_t error;
    mag_t size;
    if (spread(c) == 0) {
        flat_ball(c, q, out);
        return;
    }
    arb_init(error);
    mag_init(size);
    arb_set_si(out, t);
    arb_mul_2exp_si(out, out, 2);
    arb_add_si(out, out, q->base, prec);
    arb_mul_si(out, out, c->plan->rows, prec);
    arb_set_si(error, drift(c, q));
    arb_submul(out, error, error, prec);
    arf_get_mag(size, arb_midref(out));
    arb_set_d(error, 4 * (double)c->plan->rows * shifted(q, mag_get_d(size) / (4 * (double)c->plan->rows)));
    arb_add_error(out, error);
    arb_div_si(out, out, spread(c), prec);
    arb_mul_2exp_si(out, out, -2);
    arb_set_d(error, q->error);
    arb_mul(error, error, out, prec);
    arb_sub_si(out, out, 1, prec);
    arb_neg(out, out);
    arb_add_error(out, error);
    ll_computation_add_roundoff(c->plan->scoring.how, out, 1);
    arb_clear(error);
    mag_clear(size);
}

static int64_t sum(const ll_moments *c, int64_t t)
{
    (void)c;
    return t;
}

const ll_case_kind ll_case_fit = {.query_size = sizeof(query), .ask = ask, .range = range, .ball = ball, .sum = sum};

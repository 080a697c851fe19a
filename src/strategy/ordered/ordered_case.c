/* What ordered classes cost: for given moments of the labels the cost of chance is known, so the metric's number tells
 * what labels and predictions do cost (docs/proofs/ordered.md). */
#include "metric/counts/counting.h"
#include "strategy/ordered/ordered.h"

#include <math.h>
#include <stdlib.h>

/* Of one query: what label 0 costs in all rows, and N times the cost of chance, constant + first * A + second * B. */
typedef struct {
    int64_t base, constant, first, second;
} query;

/* Squares: sum over i, j of c_i g_j (i^2 + j^2 - 2 i j) = N B + N sum g_j j^2 - 2 A sum g_j j. Lines: the first class
 * costs A, the last (K-1) N - A, and the inner ones, each predicted once, B together. */
static void set_costs(const ll_plan *plan, query *out, const int64_t *predicted)
{
    int64_t last = plan->classes - 1, ones = 0, squares = 0;
    for (int64_t k = 0; k <= last; k++) {
        ones += predicted[k] * k;
        squares += predicted[k] * k * k;
    }
    if (ll_counts_costs(plan->scoring.how) == LL_COSTS_LINES)
        *out = (query){ones, predicted[last] * last * plan->rows, predicted[0] - predicted[last], 1};
    else
        *out = (query){squares, plan->rows * squares, -2 * ones, plan->rows};
}

static ll_status ask(const ll_plan *plan, void *out, const ll_code *code, ll_error *error)
{
    int64_t *predicted = calloc((size_t)plan->classes, sizeof *predicted);
    if (predicted == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld classes", plan->classes);
    for (long i = 0; i < code->rows; i++)
        predicted[code->row->predict(code, i)]++;
    set_costs(plan, out, predicted);
    free(predicted);
    return LL_OK;
}

static int64_t chance(const ll_moments *c, const query *q)
{
    return q->constant + q->first * c->first + q->second * c->second;
}

/* Costs are base + A + 2 t with a whole number t, whatever the query. The margin of 1e-9 of the number is far more than
 * the roundings of these few steps. */
static int range(const ll_moments *c, const void *asked, double low, double high, int64_t *from, int64_t *to)
{
    const query *q = asked;
    double cost = (double)chance(c, q) / (double)c->plan->rows, base = (double)(q->base + c->first);
    double last = (double)(c->plan->classes - 1), most = (double)c->plan->rows * last * last;
    double least = fmax(0, (1 - high) * cost), greatest = fmin(most, (1 - low) * cost);
    if (least > most || greatest < 0) /* infinities among them */
        return 0;
    *from = (int64_t)ceil((least - base) / 2);
    *to = (int64_t)floor((greatest - base) / 2);
    return *from <= *to;
}

/* The program adds K^2 terms of two roundings, divides, and subtracts from 1; costs are at most 9 times those of
 * chance. */
static void ball(const ll_moments *c, const void *asked, int64_t t, arb_t out, slong prec)
{
    const query *q = asked;
    double classes = (double)c->plan->classes;
    mag_t error;
    arb_set_si(out, q->base + c->first + 2 * t);
    arb_mul_si(out, out, c->plan->rows, prec);
    arb_div_si(out, out, chance(c, q), prec);
    arb_sub_si(out, out, 1, prec);
    arb_neg(out, out);
    mag_init(error);
    mag_set_d(error, 10 * (classes * classes + 8));
    mag_mul_2exp_si(error, error, -53);
    if (c->plan->scoring.how->kind != LL_KIND_EXACT)
        arb_add_error_mag(out, error);
    mag_clear(error);
}

/* What the labels cost beyond label 0. */
static int64_t sum(const ll_moments *c, int64_t t)
{
    return c->first + 2 * t;
}

const ll_case_kind ll_case_ordered = {
    .query_size = sizeof(query), .ask = ask, .range = range, .ball = ball, .sum = sum};

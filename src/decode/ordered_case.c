#include "decode/ordered_case.h"

#include <math.h>

static int64_t f(const ll_order_case *c, int64_t y)
{
    int64_t last = c->plan->classes - 1;
    if (!c->is_lines)
        return y * y;
    if (y == 0 || y == last)
        return last * (last - 1) / 2;
    return y * (y - 1) / 2 + (last - 1 - y) * (last - y) / 2;
}

/* Squares: sum over i, j of c_i g_j (i^2 + j^2 - 2 i j) = N B + N sum g_j j^2 - 2 A sum g_j j. Lines: the first class
 * costs A, the last (K-1) N - A, and the inner ones, each predicted once, B together. */
void ll_order_ask(const ll_plan *plan, ll_order_query *out, const int64_t *guesses)
{
    int64_t last = plan->classes - 1, ones = 0, squares = 0;
    for (int64_t k = 0; k <= last; k++) {
        ones += guesses[k] * k;
        squares += guesses[k] * k * k;
    }
    if (ll_view_costs(plan->scoring.how) == LL_COSTS_LINES)
        *out = (ll_order_query){ones, guesses[last] * last * plan->rows, guesses[0] - guesses[last], 1};
    else
        *out = (ll_order_query){squares, plan->rows * squares, -2 * ones, plan->rows};
}

/* f is convex: for a given A its sum lies between neighbouring classes' and that of the first and the last alone. */
static void set_second(ll_order_case *c)
{
    int64_t rows = c->plan->rows, last = c->plan->classes - 1;
    int64_t k = c->first / rows < last ? c->first / rows : last - 1;
    c->second = f(c, k) * rows + (f(c, k + 1) - f(c, k)) * (c->first - k * rows);
    c->second_most = c->is_lines ? f(c, 0) * rows : last * c->first;
    c->step = c->is_lines ? 1 : 2; /* y^2 = y mod 2 */
}

void ll_order_first(ll_order_case *c, const ll_plan *plan)
{
    *c = (ll_order_case){
        .plan = plan, .is_lines = ll_view_costs(plan->scoring.how) == LL_COSTS_LINES, .counts = plan->scorer->counts};
    for (long k = 0; c->counts != NULL && k < plan->classes; k++) {
        c->first += c->counts[k] * k;
        c->second += c->counts[k] * f(c, k);
    }
    if (c->counts == NULL)
        set_second(c);
}

int ll_order_next(ll_order_case *c)
{
    if (c->counts != NULL)
        return 0;
    c->second += c->step;
    if (c->second <= c->second_most)
        return 1;
    if (++c->first > c->plan->rows * (c->plan->classes - 1))
        return 0;
    set_second(c);
    return 1;
}

static int64_t chance(const ll_order_case *c, const ll_order_query *q)
{
    return q->constant + q->first * c->first + q->second * c->second;
}

/* The margin of 1e-9 of the number is far more than the roundings of these few steps. */
int ll_order_range(const ll_order_case *c, const ll_order_query *q, double low, double high, int64_t *from, int64_t *to)
{
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
void ll_order_ball(const ll_order_case *c, const ll_order_query *q, int64_t t, arb_t out, slong prec)
{
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

int64_t ll_order_sum(const ll_order_case *c, int64_t t)
{
    return c->first + 2 * t;
}

int ll_order_fits(const ll_order_case *c, const int32_t *labels, long rows)
{
    int64_t first = 0, second = 0;
    for (long i = 0; i < rows; i++) {
        first += labels[i];
        second += f(c, labels[i]);
    }
    if (first != c->first || second != c->second)
        return 0;
    for (long k = 0; c->counts != NULL && k < c->plan->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < rows; i++)
            count += labels[i] == k;
        if (count != c->counts[k])
            return 0;
    }
    return 1;
}

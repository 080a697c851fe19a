/* How a function behaves beside a point: an arithmetic whose values are functions of a small s > 0.
 *
 * A value stands for a function of s on 0 < s <= t = 2^-k, written
 *
 *     f(s) = a + s^p L^q b(s),        L = ln s < 0,
 *
 * with a exact, q an exact integer, and balls p, b: at every s there are numbers in them that make it true. Run
 * through this arithmetic at x = x0 +- s, an expression tells what its derivatives do on the whole interval up to x0,
 * where balls that touch x0 (1/x at 0) are indeterminate. s^p and L^q are kept apart so that 2/s - s/s^2 is
 * 1/s, and a so that 1 - (1 - s) is s; all else is folded into the term that grows fastest.
 *
 * A jet is a vector of four balls, whose address an ll_value holds in its first bytes; read as a double it is not 0,
 * so the evaluator never takes a jet for an exact 0. k travels in a->format.exponent_bits. */
#include "metric/terms/terms.h"

#include <string.h>

enum { CONSTANT, POWER, LOGS, FACTOR, PARTS };

typedef struct {
    arb_ptr parts;
} jet;

static arb_ptr parts(const ll_value *x)
{
    jet g;
    memcpy(&g, x, sizeof g);
    return g.parts;
}

static void jet_init(const ll_arithmetic *a, ll_value *x)
{
    jet g = {_arb_vec_init(PARTS)};
    (void)a;
    memset(x, 0, sizeof *x);
    memcpy(x, &g, sizeof g);
}

static void jet_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    _arb_vec_clear(parts(x), PARTS);
}

static void jet_set(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    _arb_vec_set(parts(out), parts(x), PARTS);
}

static void set_unknown(arb_ptr out)
{
    _arb_vec_zero(out, PARTS);
    arb_indeterminate(out + FACTOR);
}

static int is_unknown(arb_srcptr x)
{
    return !arb_is_finite(x + FACTOR) || !arb_is_finite(x + POWER) || !arb_is_finite(x + CONSTANT);
}

/* ---- s^p L^q over the interval ---- */

/* A bound of s^p |L|^q where s^p L^q stays bounded, that is p > 0, or p = 0 and q <= 0; infinite elsewhere. With y =
 * |L| >= T = k ln 2 it is e^(-py) y^q, which falls for y >= q/p and so is largest at T or at q/p. */
static void term_bound(arb_t out, const ll_arithmetic *a, const arb_t p, const arb_t q)
{
    slong prec = a->prec;
    arb_t y, least;
    arb_init(y);
    arb_init(least);
    arb_const_log2(y, prec);
    arb_mul_si(y, y, a->format.exponent_bits, prec);
    if (arb_is_positive(p)) {
        arb_div(least, q, p, prec);
        arb_max(y, y, least, prec);
        arb_pow(least, y, q, prec);
        arb_mul(y, y, p, prec);
        arb_neg(y, y);
        arb_exp(y, y, prec);
        arb_mul(out, y, least, prec);
    } else if (arb_is_zero(p) && arb_is_nonpositive(q)) {
        arb_pow(out, y, q, prec);
    } else {
        arb_indeterminate(out);
    }
    arb_clear(y);
    arb_clear(least);
}

/* b += other * [-bound, bound] of s^p L^q. */
static void add_small(arb_t b, const ll_arithmetic *a, const arb_t other, const arb_t p, const arb_t q)
{
    arb_t bound;
    mag_t m;
    arb_init(bound);
    mag_init(m);
    term_bound(bound, a, p, q);
    arb_mul(bound, bound, other, a->prec);
    if (arb_is_finite(bound)) {
        arb_get_mag(m, bound);
        arb_add_error_mag(b, m);
    } else {
        arb_indeterminate(b);
    }
    arb_clear(bound);
    mag_clear(m);
}

static int same_order(arb_srcptr x, arb_srcptr y)
{
    return arb_is_exact(x + POWER) && arb_equal(x + POWER, y + POWER) && arb_equal(x + LOGS, y + LOGS);
}

/* Does x's s^p L^q certainly grow faster than y's towards s = 0? */
static int dominates(arb_srcptr x, arb_srcptr y)
{
    return arb_lt(x + POWER, y + POWER) ||
           (arb_is_exact(x + POWER) && arb_equal(x + POWER, y + POWER) && arb_gt(x + LOGS, y + LOGS));
}

/* big (its term) += small's term, which grows slower: s^p L^q (b + small's b * s^dp L^dq). */
static void absorb(const ll_arithmetic *a, arb_ptr big, arb_srcptr small)
{
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    arb_sub(p, small + POWER, big + POWER, a->prec);
    arb_sub(q, small + LOGS, big + LOGS, a->prec);
    add_small(big + FACTOR, a, small + FACTOR, p, q);
    arb_clear(p);
    arb_clear(q);
}

/* out's term += y's term; out and y are different, and y is lost. */
static void fold(const ll_arithmetic *a, arb_ptr out, arb_ptr y)
{
    if (arb_is_zero(y + FACTOR))
        return;
    if (arb_is_zero(out + FACTOR)) {
        for (int i = POWER; i < PARTS; i++)
            arb_swap(out + i, y + i);
    } else if (same_order(out, y)) {
        arb_add(out + FACTOR, out + FACTOR, y + FACTOR, a->prec);
    } else if (dominates(out, y)) {
        absorb(a, out, y);
    } else if (dominates(y, out)) {
        for (int i = POWER; i < PARTS; i++)
            arb_swap(out + i, y + i);
        absorb(a, out, y);
    } else {
        set_unknown(out);
    }
}

/* Move the constant into the term: f = s^p L^q b(s) alone. */
static void collapse(const ll_arithmetic *a, arb_ptr x)
{
    arb_ptr constant = _arb_vec_init(PARTS);
    arb_swap(constant + FACTOR, x + CONSTANT);
    fold(a, x, constant);
    _arb_vec_clear(constant, PARTS);
}

/* A flat term without a radius is a constant. Constants are added and multiplied exactly, so none may be long. */
static void settle(const ll_arithmetic *a, arb_ptr x)
{
    const arf_struct *c = arb_midref(x + CONSTANT);
    if (arb_is_zero(x + POWER) && arb_is_zero(x + LOGS) && arb_is_exact(x + FACTOR) && arf_is_zero(c))
        arb_swap(x + CONSTANT, x + FACTOR);
    if (arf_is_zero(c))
        return;
    if (arf_bits(c) > 2048 || arf_cmpabs_2exp_si(c, 2048) > 0 || arf_cmpabs_2exp_si(c, -2048) < 0)
        collapse(a, x);
}

/* A function of which only a ball is known. */
static void set_ball(const ll_arithmetic *a, arb_ptr out, const arb_t b)
{
    _arb_vec_zero(out, PARTS);
    arb_set(out + (arb_is_exact(b) ? CONSTANT : FACTOR), b);
    settle(a, out);
}

/* The ball of all values; indeterminate where they are not bounded. */
static void get_values(arb_t out, const ll_arithmetic *a, arb_srcptr x)
{
    arb_set_round(out, x + CONSTANT, a->prec);
    if (is_unknown(x))
        arb_indeterminate(out);
    else if (arb_is_zero(x + POWER) && arb_is_zero(x + LOGS))
        arb_add(out, out, x + FACTOR, a->prec);
    else if (!arb_is_zero(x + FACTOR))
        add_small(out, a, x + FACTOR, x + POWER, x + LOGS);
}

/* ---- the operations ---- */

static void jet_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    arb_t b;
    arb_init(b);
    ll_exact_get_ball(b, x, a->prec);
    set_ball(a, parts(out), b);
    arb_clear(b);
}

static void jet_neg(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    jet_set(a, out, x);
    arb_neg(parts(out) + CONSTANT, parts(out) + CONSTANT);
    arb_neg(parts(out) + FACTOR, parts(out) + FACTOR);
}

static void jet_add(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    arb_ptr t = _arb_vec_init(PARTS);
    _arb_vec_set(t, parts(y), PARTS);
    jet_set(a, out, x);
    arb_add(parts(out) + CONSTANT, parts(out) + CONSTANT, t + CONSTANT, ARF_PREC_EXACT);
    fold(a, parts(out), t);
    settle(a, parts(out));
    _arb_vec_clear(t, PARTS);
}

static void jet_sub(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    ll_value t;
    jet_init(a, &t);
    jet_neg(a, &t, y);
    jet_add(a, out, x, &t);
    jet_clear(a, &t);
}

/* (a + r)(c + s) = ac + a s + c r + rs. */
static void jet_mul(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    arb_srcptr u = parts(x), v = parts(y);
    arb_ptr t = _arb_vec_init(PARTS), w = _arb_vec_init(PARTS);
    arb_mul(t + CONSTANT, u + CONSTANT, v + CONSTANT, ARF_PREC_EXACT);
    arb_add(t + POWER, u + POWER, v + POWER, a->prec);
    arb_add(t + LOGS, u + LOGS, v + LOGS, a->prec);
    arb_mul(t + FACTOR, u + FACTOR, v + FACTOR, a->prec);
    _arb_vec_set(w, v, PARTS);
    arb_mul(w + FACTOR, w + FACTOR, u + CONSTANT, a->prec);
    fold(a, t, w);
    _arb_vec_set(w, u, PARTS);
    arb_mul(w + FACTOR, w + FACTOR, v + CONSTANT, a->prec);
    fold(a, t, w);
    settle(a, t);
    _arb_vec_set(parts(out), t, PARTS);
    _arb_vec_clear(t, PARTS);
    _arb_vec_clear(w, PARTS);
}

static void jet_div(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    ll_value t;
    arb_ptr p;
    jet_init(a, &t);
    jet_set(a, &t, y);
    p = parts(&t);
    collapse(a, p);
    arb_neg(p + POWER, p + POWER);
    arb_neg(p + LOGS, p + LOGS);
    arb_inv(p + FACTOR, p + FACTOR, a->prec);
    jet_mul(a, out, x, &t);
    jet_clear(a, &t);
}

/* The jet of x as s^p b(s) with b > 0 and no logarithm, or an unknown one. */
static void get_positive(const ll_arithmetic *a, arb_ptr out, const ll_value *x)
{
    _arb_vec_set(out, parts(x), PARTS);
    collapse(a, out);
    if (is_unknown(out) || !arb_is_zero(out + LOGS) || !arb_is_positive(out + FACTOR))
        set_unknown(out);
}

/* x^y = s^(p y) b^y with a constant y, which may be known to a ball only. */
static void pow_constant(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    arb_t exponent;
    arb_ptr t = _arb_vec_init(PARTS);
    arb_init(exponent);
    get_values(exponent, a, parts(y));
    get_positive(a, t, x);
    arb_mul(t + POWER, t + POWER, exponent, a->prec);
    arb_pow(t + FACTOR, t + FACTOR, exponent, a->prec);
    if (is_unknown(t))
        set_unknown(t);
    _arb_vec_set(parts(out), t, PARTS);
    _arb_vec_clear(t, PARTS);
    arb_clear(exponent);
}

/* ln(s^p b) = p L + ln b. */
static void jet_log(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    arb_ptr t = _arb_vec_init(PARTS), logs = _arb_vec_init(PARTS);
    get_positive(a, t, x);
    arb_set(logs + FACTOR, t + POWER);
    arb_one(logs + LOGS);
    arb_log(t + FACTOR, t + FACTOR, a->prec);
    arb_zero(t + POWER);
    fold(a, t, logs);
    _arb_vec_set(parts(out), t, PARTS);
    _arb_vec_clear(t, PARTS);
    _arb_vec_clear(logs, PARTS);
}

static void jet_exp(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    arb_t b;
    arb_init(b);
    get_values(b, a, parts(x));
    arb_exp(b, b, a->prec);
    set_ball(a, parts(out), b);
    arb_clear(b);
}

/* Elsewhere x^y = exp(y ln x). */
static void jet_pow(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    ll_value t;
    if (arb_is_zero(parts(y) + POWER) && arb_is_zero(parts(y) + LOGS)) {
        pow_constant(a, out, x, y);
        return;
    }
    jet_init(a, &t);
    jet_log(a, &t, x);
    jet_mul(a, &t, &t, y);
    jet_exp(a, out, &t);
    jet_clear(a, &t);
}

static void jet_sqrt(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    ll_value half;
    jet_init(a, &half);
    arb_set_d(parts(&half) + CONSTANT, 0.5);
    jet_pow(a, out, x, &half);
    jet_clear(a, &half);
}

static void jet_log1p(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    ll_value one;
    jet_init(a, &one);
    arb_one(parts(&one) + CONSTANT);
    jet_add(a, &one, x, &one);
    jet_log(a, out, &one);
    jet_clear(a, &one);
}

static void jet_expm1(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    ll_value one;
    jet_init(a, &one);
    arb_one(parts(&one) + CONSTANT);
    jet_exp(a, out, x);
    jet_sub(a, out, out, &one);
    jet_clear(a, &one);
}

static ll_truth jet_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    (void)x;
    (void)y;
    return LL_UNKNOWN;
}

static ll_truth jet_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    return is_unknown(parts(x)) ? LL_UNKNOWN : LL_TRUE;
}

static void jet_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    get_values(out, a, parts(x));
}

static const ll_operations jet_operations = {
    .name = "jet",
    .init = jet_init,
    .clear = jet_clear,
    .set = jet_set,
    .set_exact = jet_set_exact,
    .add = jet_add,
    .sub = jet_sub,
    .mul = jet_mul,
    .div = jet_div,
    .pow = jet_pow,
    .neg = jet_neg,
    .log = jet_log,
    .exp = jet_exp,
    .sqrt = jet_sqrt,
    .log1p = jet_log1p,
    .expm1 = jet_expm1,
    .less = jet_less,
    .is_finite = jet_is_finite,
    .get_ball = jet_get_ball,
};

/* ---- what it answers ---- */

/* phi' (order 1) or phi'' (order 2) at point + side * s, 0 < s <= 2^-k. */
static void run(const ll_arithmetic *a, ll_value *out, const ll_expression *phi, int order, double point, int side)
{
    ll_value x, value, first;
    jet_init(a, &x);
    jet_init(a, &value);
    jet_init(a, &first);
    arb_set_d(parts(&x) + CONSTANT, point);
    arb_one(parts(&x) + POWER);
    arb_set_si(parts(&x) + FACTOR, side);
    ll_expression_evaluate(phi, a, &value, order == 1 ? out : &first, order == 1 ? NULL : out, &x, NULL);
    jet_clear(a, &x);
    jet_clear(a, &value);
    jet_clear(a, &first);
}

/* The sign of s^p L^q b is that of (-1)^q b. */
ll_truth ll_metric_is_convex_beside(const ll_expression *phi, double point, int side, long k, slong prec)
{
    ll_truth convex;
    ll_arithmetic a = {.ops = &jet_operations, .format = {k, 0}, .prec = prec};
    ll_value bend;
    arb_ptr p;
    jet_init(&a, &bend);
    run(&a, &bend, phi, 2, point, side);
    p = parts(&bend);
    collapse(&a, p);
    if (!arf_is_int_2exp_si(arb_midref(p + LOGS), 1))
        arb_neg(p + FACTOR, p + FACTOR);
    convex = !is_unknown(p) && arb_is_positive(p + FACTOR) ? LL_TRUE : LL_UNKNOWN;
    jet_clear(&a, &bend);
    return convex;
}

/* s^p L^q b vanishes for p > 0 or p = 0, q < 0, and grows beyond all bounds for p < 0 or p = 0, q > 0. */
static void get_limit(arb_t out, arb_srcptr x, slong prec)
{
    int flat = arb_is_zero(x + POWER), sign = arb_is_positive(x + FACTOR) - arb_is_negative(x + FACTOR);
    int vanishes = arb_is_zero(x + FACTOR) || arb_is_positive(x + POWER) || (flat && arb_is_negative(x + LOGS));
    int grows = sign != 0 && (arb_is_negative(x + POWER) || (flat && arb_is_positive(x + LOGS)));
    if (!arf_is_int_2exp_si(arb_midref(x + LOGS), 1))
        sign = -sign;
    arb_set_round(out, x + CONSTANT, prec);
    if (is_unknown(x) || !(vanishes || grows || (flat && arb_is_zero(x + LOGS))))
        arb_indeterminate(out);
    else if (grows && sign > 0)
        arb_pos_inf(out);
    else if (grows)
        arb_neg_inf(out);
    else if (!vanishes)
        arb_add(out, out, x + FACTOR, prec);
}

/* Where phi'' is finite at the point itself, phi' is continuous, and its value there the limit, often exactly. */
static int get_regular_slope(arb_t out, const ll_expression *phi, double point, slong prec)
{
    int regular;
    ll_arithmetic a;
    ll_value x, value, first, second;
    ll_arithmetic_set_ball(&a, prec);
    arb_init(x.ball);
    arb_init(value.ball);
    arb_init(first.ball);
    arb_init(second.ball);
    arb_set_d(x.ball, point);
    ll_expression_evaluate(phi, &a, &value, &first, &second, &x, NULL);
    regular = arb_is_finite(first.ball) && arb_is_finite(second.ball);
    if (regular)
        arb_set(out, first.ball);
    arb_clear(x.ball);
    arb_clear(value.ball);
    arb_clear(first.ball);
    arb_clear(second.ball);
    return regular;
}

void ll_metric_slope_beside(arb_t out, const ll_expression *phi, double point, int side, slong prec)
{
    /* Terms that vanish are folded into balls of size 2^-k or so. */
    ll_arithmetic a = {.ops = &jet_operations, .format = {2 * prec + 64, 0}, .prec = prec + 20};
    ll_value slope;
    if (get_regular_slope(out, phi, point, prec))
        return;
    jet_init(&a, &slope);
    run(&a, &slope, phi, 1, point, side);
    get_limit(out, parts(&slope), prec);
    jet_clear(&a, &slope);
}

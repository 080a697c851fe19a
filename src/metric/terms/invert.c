/* x from a weight: closed forms where a row has one, else the root of the weight as an increasing function
 * of u = ln((1-x)/x). */
#include "metric/terms/terms.h"

typedef ll_status (*root_finder)(const ll_metric *metric, arb_t u, const arf_t w, slong prec);

/* ---- closed forms ---- */

ll_status ll_metric_invert_log(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    (void)metric;
    ll_metric_sigmoid(x, mirror, w, prec);
    return LL_OK;
}

ll_status ll_metric_invert_logit(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    (void)metric;
    (void)prec;
    arb_neg(x, w);
    arb_set(mirror, w);
    return LL_OK;
}

ll_status ll_metric_invert_squared(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    (void)metric;
    arb_sub_ui(x, w, 1, prec);
    arb_neg(x, x);
    arb_mul_2exp_si(x, x, -1);
    arb_add_ui(mirror, w, 1, prec);
    arb_mul_2exp_si(mirror, mirror, -1);
    return arb_is_negative(x) || arb_is_negative(mirror) ? LL_DOMAIN : LL_OK;
}

/* sign * w is +1 where x = 1 and -1 where x = 0. */
static ll_status invert_label(arb_t x, arb_t mirror, const arb_t w, int sign)
{
    int one = arb_contains_si(w, sign), zero = arb_contains_si(w, -sign);
    if (!one && !zero)
        return LL_DOMAIN;
    arb_set_si(x, one);
    arb_set_si(mirror, !one);
    return one && zero ? LL_UNABLE : LL_OK;
}

ll_status ll_metric_invert_match(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    (void)metric;
    (void)prec;
    return invert_label(x, mirror, w, 1);
}

ll_status ll_metric_invert_miss(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    (void)metric;
    (void)prec;
    return invert_label(x, mirror, w, -1);
}

/* ---- curves: the weight as a function of u ---- */

/* G(u) = 2 sinh u - u, G' = 2 cosh u - 1 >= 1. */
static void itakura_saito_curve(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec)
{
    arb_t e, inverse;
    (void)metric;
    arb_init(e);
    arb_init(inverse);
    if (arf_cmpabs_2exp_si(arb_midref(u), 60) < 0) {
        arb_sinh_cosh(e, inverse, u, prec + 5);
        arb_mul_2exp_si(e, e, 1);
        arb_mul_2exp_si(inverse, inverse, 1);
    } else {
        ll_metric_exp(e, u, prec + 5);
        arb_inv(inverse, e, prec + 5);
        arb_sub(e, e, inverse, prec + 5);
        arb_mul_2exp_si(inverse, inverse, 1);
        arb_add(inverse, e, inverse, prec + 5);
    }
    if (value)
        arb_sub(value, e, u, prec);
    if (derivative)
        arb_sub_ui(derivative, inverse, 1, prec);
    arb_clear(e);
    arb_clear(inverse);
}

/* With b = alpha - 1: 2 alpha sinh(b u/2) / (2 cosh(u/2))^b; see norm_central in weight.c. */
static void norm_value(arb_t out, const arb_t alpha, const arb_t b, const arb_t u, slong wp)
{
    arb_t half, power;
    arb_init(half);
    arb_init(power);
    arb_mul_2exp_si(half, u, -1);
    arb_cosh(power, half, wp);
    arb_mul_2exp_si(power, power, 1);
    arb_pow(power, power, b, wp);
    arb_mul(half, half, b, wp);
    arb_sinh(half, half, wp);
    arb_div(half, half, power, wp);
    arb_mul(half, half, alpha, wp);
    arb_mul_2exp_si(out, half, 1);
    arb_clear(half);
    arb_clear(power);
}

/* -x(1-x) times the derivative in x: alpha b ((1-x)^b x + x^b (1-x)). */
static void norm_derivative(arb_t out, const arb_t alpha, const arb_t b, const arb_t u, slong wp)
{
    arb_t x, mirror, t;
    arb_init(x);
    arb_init(mirror);
    arb_init(t);
    ll_metric_sigmoid(x, mirror, u, wp);
    ll_metric_power(t, mirror, b, wp);
    arb_mul(t, t, x, wp);
    ll_metric_power(x, x, b, wp);
    arb_addmul(t, x, mirror, wp);
    arb_mul(t, t, b, wp);
    arb_mul(out, t, alpha, wp);
    arb_clear(x);
    arb_clear(mirror);
    arb_clear(t);
}

static void norm_curve(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec)
{
    slong wp;
    arb_t alpha, b;
    arb_init(alpha);
    arb_init(b);
    ll_exact_get_ball(alpha, &metric->parameter, 64);
    wp = prec + 20 + ll_metric_magnitude(alpha, 1L << 20) + ll_metric_magnitude(u, 64);
    ll_exact_get_ball(alpha, &metric->parameter, wp);
    arb_sub_ui(b, alpha, 1, wp);
    if (value)
        norm_value(value, alpha, b, u, wp);
    if (derivative)
        norm_derivative(derivative, alpha, b, u, wp);
    arb_clear(alpha);
    arb_clear(b);
}

/* phi(1) - phi(0) - phi'(x), and phi''(x) x (1-x). Where u < 0, x is 1 less e^u: it takes 1.45|u| bits more. */
static void bregman_curve(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec)
{
    slong wp = prec + 20;
    ll_arithmetic a;
    ll_value x, phi, slope, bend;
    arb_t mirror;
    arb_init(mirror);
    arb_init(x.ball);
    arb_init(phi.ball);
    arb_init(slope.ball);
    arb_init(bend.ball);
    if (arf_sgn(arb_midref(u)) < 0)
        wp += (slong)(1.45 * -arf_get_d(arb_midref(u), ARF_RND_UP));
    ll_metric_sigmoid(x.ball, mirror, u, wp);
    ll_arithmetic_set_ball(&a, wp);
    ll_expression_evaluate(metric->phi, &a, &phi, &slope, derivative ? &bend : NULL, &x, NULL);
    if (value) {
        ll_metric_phi_rise(metric, value, wp);
        arb_sub(value, value, slope.ball, wp);
    }
    if (derivative) {
        arb_mul(derivative, bend.ball, x.ball, wp);
        arb_mul(derivative, derivative, mirror, wp);
    }
    arb_clear(mirror);
    arb_clear(x.ball);
    arb_clear(phi.ball);
    arb_clear(slope.ball);
    arb_clear(bend.ball);
}

/* ---- roots of curves ---- */

/* For w >= 1: 2 sinh u = w + u with 0 < u <= w, so ln w <= asinh(w/2) <= u <= asinh(w) <= ln(2w + 1). */
static void bracket_itakura_saito(arf_t lo, arf_t hi, const arf_t w)
{
    slong wp = 64 + (arf_cmpabs_2exp_si(w, 1L << 30) < 0 ? 32 : (slong)fmpz_bits(ARF_EXPREF(w)));
    arb_t t;
    arb_init(t);
    arb_set_arf(t, w);
    arb_log(t, t, wp);
    arb_get_lbound_arf(lo, t, wp);
    arb_set_arf(t, w);
    arb_mul_2exp_si(t, t, 1);
    arb_add_ui(t, t, 1, wp);
    arb_log(t, t, wp);
    arb_get_ubound_arf(hi, t, wp);
    arb_clear(t);
}

/* G is odd, and G(u) >= u for u >= 0. */
static ll_status root_itakura_saito(const ll_metric *metric, arb_t u, const arf_t w, slong prec)
{
    ll_status status;
    arf_t lo, hi, size;
    arf_init(lo);
    arf_init(hi);
    arf_init(size);
    arf_abs(size, w);
    if (arf_cmpabs_2exp_si(w, 0) > 0)
        bracket_itakura_saito(lo, hi, size);
    else
        arf_set(hi, size);
    status = ll_metric_refine(metric, itakura_saito_curve, u, lo, hi, size, prec);
    if (arf_sgn(w) < 0)
        arb_neg(u, u);
    arf_clear(lo);
    arf_clear(hi);
    arf_clear(size);
    return status;
}

static ll_status root_norm(const ll_metric *metric, arb_t u, const arf_t w, slong prec)
{
    return ll_metric_solve(metric, norm_curve, u, w, prec);
}

static ll_status root_focal(const ll_metric *metric, arb_t u, const arf_t w, slong prec)
{
    return ll_metric_solve(metric, ll_metric_focal_curve, u, w, prec);
}

/* The sign changes across u. That is a root where phi' is continuous, as it is where phi'' > 0 was proved; elsewhere a
 * finite ball of phi' over u shows that there is no jump. */
static ll_status root_bregman(const ll_metric *metric, arb_t u, const arf_t w, slong prec)
{
    ll_status status = ll_metric_solve(metric, bregman_curve, u, w, prec);
    if (status == LL_OK && metric->convex != LL_TRUE) {
        arb_t value;
        arb_init(value);
        bregman_curve(metric, value, NULL, u, prec);
        status = arb_is_finite(value) ? LL_OK : LL_UNABLE;
        arb_clear(value);
    }
    return status;
}

/* ---- from a root of u to x, and from the ends of a ball to the ball ---- */

/* A w at or past the end of the reach belongs to the end of the domain. */
static ll_status invert_point(const ll_metric *metric, root_finder root, arb_t x, arb_t mirror, const arf_t w,
                              const arb_t low, const arb_t high, slong prec)
{
    ll_status status = LL_OK;
    arb_t at;
    arb_init(at);
    arb_set_arf(at, w);
    if (arb_ge(at, high) || arb_le(at, low)) {
        arb_set_si(x, arb_le(at, low));
        arb_set_si(mirror, arb_ge(at, high));
    } else {
        status = root(metric, at, w, prec + 5);
        if (status == LL_OK)
            ll_metric_sigmoid(x, mirror, at, prec);
    }
    arb_clear(at);
    return status;
}

/* The weight falls with x, so x of the two ends of w enclose x of all between. (By the intermediate value theorem they
 * enclose a solution even for a phi that was not proved convex.) */
static ll_status invert_ball(const ll_metric *metric, root_finder root, arb_t x, arb_t mirror, const arb_t w,
                             const arb_t low, const arb_t high, slong prec)
{
    ll_status status;
    slong wp = arf_bits(arb_midref(w)) + prec + 64 + ll_metric_magnitude(w, 1L << 24);
    arf_t from, to;
    arb_t other, other_mirror;
    arf_init(from);
    arf_init(to);
    arb_init(other);
    arb_init(other_mirror);
    arb_get_interval_arf(from, to, w, wp);
    status = invert_point(metric, root, x, mirror, from, low, high, prec);
    if (status == LL_OK)
        status = invert_point(metric, root, other, other_mirror, to, low, high, prec);
    arb_union(x, x, other, prec);
    arb_union(mirror, mirror, other_mirror, prec);
    arf_clear(from);
    arf_clear(to);
    arb_clear(other);
    arb_clear(other_mirror);
    return status;
}

static ll_status invert_by_root(const ll_metric *metric, root_finder root, arb_t x, arb_t mirror, const arb_t w,
                                slong prec)
{
    ll_status status;
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    if (ll_terms_of(metric)->reach(metric, low, high, prec + arf_bits(arb_midref(w))) != LL_OK) {
        arb_neg_inf(low);
        arb_pos_inf(high);
    }
    if (arb_gt(w, high) || arb_lt(w, low))
        status = LL_DOMAIN;
    else if (arb_is_exact(w))
        status = invert_point(metric, root, x, mirror, arb_midref(w), low, high, prec);
    else
        status = invert_ball(metric, root, x, mirror, w, low, high, prec);
    arb_clear(low);
    arb_clear(high);
    return status;
}

ll_status ll_metric_invert_itakura_saito(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    return invert_by_root(metric, root_itakura_saito, x, mirror, w, prec);
}

ll_status ll_metric_invert_norm(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    return invert_by_root(metric, root_norm, x, mirror, w, prec);
}

ll_status ll_metric_invert_focal(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    return invert_by_root(metric, root_focal, x, mirror, w, prec);
}

ll_status ll_metric_invert_bregman(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    return invert_by_root(metric, root_bregman, x, mirror, w, prec);
}

ll_status ll_metric_invert(const ll_metric *metric, arb_t x, arb_t complement, const arb_t w, slong prec)
{
    ll_status status;
    arb_t at, mirror;
    if (!arb_is_finite(w) || ll_terms_of(metric)->invert == NULL)
        return LL_DOMAIN;
    arb_init(at);
    arb_init(mirror);
    status = ll_terms_of(metric)->invert(metric, at, mirror, w, prec);
    if (status == LL_OK && !(arb_is_finite(at) && arb_is_finite(mirror)))
        status = LL_UNABLE;
    if (status == LL_OK) {
        arb_swap(x, at);
        if (complement)
            arb_swap(complement, mirror);
    }
    arb_clear(at);
    arb_clear(mirror);
    return status;
}

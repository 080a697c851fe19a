/* Terms of numeric targets: the error of a prediction x for the target y, in any arithmetic, operation by operation as
 * NumPy does it. Where a ball leaves open on which side of y the prediction lies, both sides are in the result. */
#include "metric/terms/terms.h"

static void set_number(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    a->ops->set_exact(a, out, x);
}

/* out = one or other, as the truth says; LL_UNABLE where an arithmetic other than balls does not know. */
static ll_status choose(const ll_arithmetic *a, ll_value *out, ll_truth truth, const ll_value *one,
                        const ll_value *other)
{
    if (truth != LL_UNKNOWN)
        a->ops->set(a, out, truth == LL_TRUE ? one : other);
    else if (a->ops == &ll_arithmetic_ball)
        arb_union(out->ball, one->ball, other->ball, a->prec);
    else
        return LL_UNABLE;
    return LL_OK;
}

static void set_target(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, long label)
{
    ll_exact target;
    ll_exact_init(&target);
    ll_metric_get_target(metric, &target, label);
    set_number(a, out, &target);
    ll_exact_clear(&target);
}

/* |y - x|: one subtraction. */
static ll_status set_distance(const ll_arithmetic *a, ll_value *out, const ll_value *y, const ll_value *x)
{
    ll_value other;
    a->ops->init(a, &other);
    ll_truth below = a->ops->less(a, y, x);
    a->ops->sub(a, &other, x, y);
    a->ops->neg(a, out, &other);
    ll_status status = choose(a, out, below, &other, out);
    a->ops->clear(a, &other);
    return status;
}

ll_status ll_metric_term_squared(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                                 long label)
{
    ll_value y;
    a->ops->init(a, &y);
    set_target(metric, a, &y, label);
    a->ops->sub(a, &y, &y, x);
    a->ops->mul(a, out, &y, &y);
    a->ops->clear(a, &y);
    return LL_OK;
}

ll_status ll_metric_term_absolute(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                                  long label)
{
    ll_value y;
    a->ops->init(a, &y);
    set_target(metric, a, &y, label);
    ll_status status = set_distance(a, out, &y, x);
    a->ops->clear(a, &y);
    return status;
}

/* |y - x| / max(|y|, 2^-52). */
ll_status ll_metric_term_relative(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                                  long label)
{
    static const ll_exact epsilon = {{1}, {-52}, {0}};
    ll_exact size;
    ll_value divisor;
    ll_exact_init(&size);
    a->ops->init(a, &divisor);
    ll_metric_get_target(metric, &size, label);
    fmpz_abs(size.mantissa, size.mantissa);
    set_number(a, &divisor, ll_exact_cmp(&size, &epsilon) > 0 ? &size : &epsilon);
    ll_status status = ll_metric_term_absolute(metric, a, out, x, label);
    if (status == LL_OK)
        a->ops->div(a, out, out, &divisor);
    ll_exact_clear(&size);
    a->ops->clear(a, &divisor);
    return status;
}

/* |x| is not 0 (LL_TRUE), 0, or a ball leaves it open. */
static ll_truth is_nonzero(const ll_arithmetic *a, const ll_value *x, const ll_value *zero)
{
    ll_truth below = a->ops->less(a, x, zero), above = a->ops->less(a, zero, x);
    return below == LL_TRUE || above == LL_TRUE     ? LL_TRUE
           : below == LL_FALSE && above == LL_FALSE ? LL_FALSE
                                                    : LL_UNKNOWN;
}

/* 2 |y - x| / (|y| + |x|), not both 0. */
static ll_status set_symmetric(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                               const ll_value *zero, long label)
{
    ll_exact size;
    ll_value sum, own;
    ll_exact_init(&size);
    a->ops->init(a, &sum);
    a->ops->init(a, &own);
    ll_metric_get_target(metric, &size, label);
    fmpz_abs(size.mantissa, size.mantissa);
    ll_status status = set_distance(a, &sum, zero, x);
    set_number(a, &own, &size);
    a->ops->add(a, &sum, &own, &sum);
    if (status == LL_OK)
        status = ll_metric_term_absolute(metric, a, out, x, label);
    if (status == LL_OK) {
        a->ops->add(a, out, out, out);
        a->ops->div(a, out, out, &sum);
    }
    ll_exact_clear(&size);
    a->ops->clear(a, &sum);
    a->ops->clear(a, &own);
    return status;
}

/* Is -1 < x < 1 known? Then 2 |x| does not overflow, and 2 |x| / |x| is 2 in every format. */
static int is_small(const ll_arithmetic *a, const ll_value *x, ll_value *scratch)
{
    ll_value_set_si(a, scratch, 1);
    int below = a->ops->less(a, x, scratch) == LL_TRUE;
    ll_value_set_si(a, scratch, -1);
    return below && a->ops->less(a, scratch, x) == LL_TRUE;
}

/* Where the target is 0 and a ball leaves open whether the prediction is, the term is anything from 0 to 2. */
ll_status ll_metric_term_symmetric(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                                   long label)
{
    ll_value zero, two;
    a->ops->init(a, &zero);
    a->ops->init(a, &two);
    int is_zero = ll_metric_target_double(metric, label) == 0, is_two = is_zero && is_small(a, x, &two);
    ll_value_set_si(a, &zero, 0);
    ll_value_set_si(a, &two, 2);
    ll_truth nonzero = is_zero ? is_nonzero(a, x, &zero) : LL_TRUE;
    ll_status status = nonzero == LL_TRUE && !is_two ? set_symmetric(metric, a, out, x, &zero, label)
                                                     : choose(a, out, nonzero, &two, &zero);
    a->ops->clear(a, &zero);
    a->ops->clear(a, &two);
    return status;
}

/* (log1p y - log1p x)^2, x >= 0. */
ll_status ll_metric_term_log(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                             long label)
{
    ll_value y, zero;
    a->ops->init(a, &y);
    a->ops->init(a, &zero);
    ll_truth below = a->ops->less(a, x, &zero);
    set_target(metric, a, &y, label);
    if (a->ops->less(a, x, &y) == LL_FALSE && a->ops->less(a, &y, x) == LL_FALSE) {
        a->ops->sub(a, &y, &y, x); /* 0, as the difference of their logarithms is */
    } else {
        a->ops->log1p(a, &y, &y);
        a->ops->log1p(a, &zero, x);
        a->ops->sub(a, &y, &y, &zero);
    }
    a->ops->mul(a, out, &y, &y);
    a->ops->clear(a, &y);
    a->ops->clear(a, &zero);
    return below == LL_FALSE ? LL_OK : below == LL_TRUE ? LL_DOMAIN : LL_UNABLE;
}

/* Q (y - x) above the prediction, (1 - Q) (x - y) below it. */
ll_status ll_metric_term_quantile(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                                  long label)
{
    static const ll_exact one = {{1}, {0}, {0}};
    ll_value y, share, rest;
    a->ops->init(a, &y);
    a->ops->init(a, &share);
    a->ops->init(a, &rest);
    set_target(metric, a, &y, label);
    set_number(a, &share, &metric->parameter);
    set_number(a, &rest, &one);
    a->ops->sub(a, &rest, &rest, &share);
    ll_truth below = a->ops->less(a, &y, x);
    ll_status status = set_distance(a, &y, &y, x);
    a->ops->mul(a, &rest, &rest, &y);
    a->ops->mul(a, &share, &share, &y);
    if (status == LL_OK)
        status = choose(a, out, below, &rest, &share);
    a->ops->clear(a, &y);
    a->ops->clear(a, &share);
    a->ops->clear(a, &rest);
    return status;
}

/* d^2/2 up to D, D (d - D/2) beyond, d = |y - x|. */
ll_status ll_metric_term_huber(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                               long label)
{
    static const ll_exact half = {{1}, {-1}, {0}};
    ll_value distance, bend, square, line;
    a->ops->init(a, &distance);
    a->ops->init(a, &bend);
    a->ops->init(a, &square);
    a->ops->init(a, &line);
    ll_status status = ll_metric_term_absolute(metric, a, &distance, x, label);
    set_number(a, &bend, &metric->parameter);
    set_number(a, &line, &half);
    a->ops->mul(a, &square, &distance, &distance);
    a->ops->mul(a, &square, &square, &line);
    a->ops->mul(a, &line, &line, &bend);
    a->ops->sub(a, &line, &distance, &line);
    a->ops->mul(a, &line, &line, &bend);
    if (status == LL_OK)
        status = choose(a, out, a->ops->less(a, &bend, &distance), &line, &square);
    a->ops->clear(a, &distance);
    a->ops->clear(a, &bend);
    a->ops->clear(a, &square);
    a->ops->clear(a, &line);
    return status;
}

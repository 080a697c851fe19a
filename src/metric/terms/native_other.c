/* Any other loss, natively: the real program is taken to compute the loss's expression operation by operation.
 *
 * Its term lies in a ball: the same operations over balls, each widened by what one floating-point operation may be
 * off, u for + - * / sqrt, log_ulps ulp for log, exp and pow, and half the smallest subnormal. That is one more
 * arithmetic of the table, so no loss has to know of it. */
#include "metric/terms/native.h"

#include <math.h>
#include <stdlib.h>

#define PREC 128

typedef struct {
    ll_arithmetic base;
    double ulps;
} widened;

/* A value of this arithmetic. The expression evaluator takes values of a table it does not know for native ones and
 * asks whether x->native is 0: the first member answers that, and the ball has storage of its own. */
typedef struct {
    double is_not_zero;
    arb_struct *ball;
} __attribute__((may_alias)) wide_value;

_Static_assert(sizeof(wide_value) <= sizeof(ll_value), "a widened value fits where any value does");

static wide_value *wide(ll_value *x)
{
    return (wide_value *)(void *)x;
}

static arb_struct *ball_of(const ll_value *x)
{
    return ((const wide_value *)(const void *)x)->ball;
}

static void note_zero(ll_value *x)
{
    wide(x)->is_not_zero = arb_is_zero(ball_of(x)) ? 0 : 1;
}

static void wide_init(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    wide(x)->ball = flint_malloc(sizeof(arb_struct));
    arb_init(ball_of(x));
    note_zero(x);
}

static void wide_clear(const ll_arithmetic *a, ll_value *x)
{
    (void)a;
    arb_clear(ball_of(x));
    flint_free(ball_of(x));
}

static void wide_set(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    arb_set(ball_of(out), ball_of(x));
    note_zero(out);
}

static void wide_neg(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    (void)a;
    arb_neg(ball_of(out), ball_of(x));
    note_zero(out);
}

/* ball += units*u*|ball| + half the smallest subnormal. */
static void widen(const ll_arithmetic *a, ll_value *x, double units)
{
    mag_t size, part;
    mag_init(size);
    mag_init(part);
    arb_get_mag(size, ball_of(x));
    if (!mag_is_zero(size)) {
        ll_native_units(part, units * (1 + 0x1p-10), a->format.fraction_bits);
        mag_mul(size, size, part);
        mag_one(part);
        mag_mul_2exp_si(part, part, a->format.fraction_bits == 23 ? -150 : -1075);
        mag_add(size, size, part);
        arb_add_error_mag(ball_of(x), size);
    }
    mag_clear(size);
    mag_clear(part);
    note_zero(x);
}

static double function_units(const ll_arithmetic *a)
{
    return 2 * ((const widened *)(const void *)a)->ulps;
}

/* A point that the format holds is what the operation gives: 1 - 0.5, 2*0.25. */
static void widen_rounded(const ll_arithmetic *a, ll_value *x)
{
    if (!arb_is_exact(ball_of(x)) || arb_bits(ball_of(x)) > a->format.fraction_bits + 1 ||
        arf_cmpabs_2exp_si(arb_midref(ball_of(x)), a->format.fraction_bits == 23 ? -126 : -1022) < 0)
        widen(a, x, 1);
    else
        note_zero(x);
}

#define OPERATION(name)                                                                                                \
    static void wide_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)               \
    {                                                                                                                  \
        arb_##name(ball_of(out), ball_of(x), ball_of(y), PREC);                                                        \
        widen_rounded(a, out);                                                                                         \
    }
#define FUNCTION(name)                                                                                                 \
    static void wide_##name(const ll_arithmetic *a, ll_value *out, const ll_value *x)                                  \
    {                                                                                                                  \
        arb_##name(ball_of(out), ball_of(x), PREC);                                                                    \
        widen(a, out, function_units(a));                                                                              \
    }

OPERATION(add)
OPERATION(sub)
OPERATION(mul)
OPERATION(div)
FUNCTION(log)
FUNCTION(exp)
FUNCTION(log1p)
FUNCTION(expm1)

static void wide_pow(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y)
{
    if (arb_is_zero(ball_of(x)) && arb_is_positive(ball_of(y))) /* 0^y */
        arb_zero(ball_of(out));
    else
        arb_pow(ball_of(out), ball_of(x), ball_of(y), PREC);
    widen(a, out, function_units(a));
}

static void wide_sqrt(const ll_arithmetic *a, ll_value *out, const ll_value *x)
{
    arb_sqrt(ball_of(out), ball_of(x), PREC);
    widen_rounded(a, out);
}

static void wide_set_exact(const ll_arithmetic *a, ll_value *out, const ll_exact *x)
{
    ll_exact_get_ball(ball_of(out), x, PREC);
    widen_rounded(a, out);
}

static ll_truth wide_less(const ll_arithmetic *a, const ll_value *x, const ll_value *y)
{
    (void)a;
    if (arb_lt(ball_of(x), ball_of(y)))
        return LL_TRUE;
    return arb_ge(ball_of(x), ball_of(y)) ? LL_FALSE : LL_UNKNOWN;
}

static ll_truth wide_is_finite(const ll_arithmetic *a, const ll_value *x)
{
    (void)a;
    return arb_is_finite(ball_of(x)) ? LL_TRUE : LL_UNKNOWN;
}

static void wide_get_ball(const ll_arithmetic *a, arb_t out, const ll_value *x)
{
    (void)a;
    arb_set(out, ball_of(x));
}

static const ll_operations wide_operations = {
    .name = "widened",
    .init = wide_init,
    .clear = wide_clear,
    .set = wide_set,
    .set_exact = wide_set_exact,
    .add = wide_add,
    .sub = wide_sub,
    .mul = wide_mul,
    .div = wide_div,
    .pow = wide_pow,
    .neg = wide_neg,
    .log = wide_log,
    .exp = wide_exp,
    .sqrt = wide_sqrt,
    .log1p = wide_log1p,
    .expm1 = wide_expm1,
    .less = wide_less,
    .is_finite = wide_is_finite,
    .get_ball = wide_get_ball,
};

/* ---- rows ---- */

static ll_status check(ll_native *pass, const double *rows, long n, long first, ll_error *error)
{
    if (ll_metric_reads_probabilities(pass->scoring->how->metric))
        return ll_native_check(pass, rows, n, first, error);
    for (long i = 0; i < n * pass->columns; ++i)
        if (!isfinite(rows[i]))
            return ll_rows_fail(pass->predictions, first + i / pass->columns, error, LL_DOMAIN,
                                "an entry is not finite");
    return LL_OK;
}

static double clip(const ll_native *pass, double x)
{
    const ll_computation *r = pass->scoring->how;
    if (pass->scoring->how->clip_mode != LL_CLIP)
        return x;
    return x < r->float_low ? r->float_low : x > r->float_high ? r->float_high : x;
}

static ll_status one_row(ll_native *pass, const ll_arithmetic *a, ll_value *values, ll_value *balls, const double *row,
                         long label, double *term)
{
    const ll_computation *r = pass->scoring->how;
    long columns = pass->columns;
    for (long j = 0; j < columns; ++j) {
        values[j].native = clip(pass, row[j]);
        arb_set_d(ball_of(&balls[j]), values[j].native);
        note_zero(&balls[j]);
    }
    ll_status status = ll_metric_score(r->metric, &r->term, &values[columns], values, columns, label);
    if (status == LL_OK && ll_metric_score(r->metric, a, &balls[columns], balls, columns, label) != LL_OK)
        status = LL_UNABLE;
    if (status != LL_OK)
        return status;
    *term = values[columns].native;
    mag_t size;
    mag_init(size);
    arb_get_mag(size, ball_of(&balls[columns]));
    mag_add(pass->magnitude, pass->magnitude, size);
    mag_clear(size);
    arb_add(pass->ideal, pass->ideal, ball_of(&balls[columns]), PREC);
    return LL_OK;
}

static ll_status each_row(ll_native *pass, const ll_arithmetic *a, ll_value *values, ll_value *balls,
                          const double *rows, const int32_t *labels, long n, long first, ll_error *error)
{
    for (long i = 0; i < n; ++i) {
        ll_status status = one_row(pass, a, values, balls, rows + i * pass->columns, labels[i], &pass->terms[i]);
        if (status != LL_OK)
            return ll_rows_fail(pass->predictions, first + i, error, status,
                                status == LL_DOMAIN ? "the loss is infinite, or has no value, at this row"
                                                    : "no bound on the rounding error of the loss could be found");
    }
    return LL_OK;
}

ll_status ll_native_other(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                          ll_error *error)
{
    const ll_computation *r = pass->scoring->how;
    widened a = {.base = {.ops = &wide_operations, .format = r->term.format, .prec = PREC}, .ulps = r->log_ulps};
    size_t count = (size_t)pass->columns + 1;
    ll_status status = check(pass, rows, n, first, error);
    if (status != LL_OK)
        return status;
    ll_value *values = calloc(count, sizeof *values), *balls = calloc(count, sizeof *balls);
    for (size_t j = 0; balls && j < count; ++j)
        wide_init(&a.base, &balls[j]);
    if (values && balls)
        status = each_row(pass, &a.base, values, balls, rows, labels, n, first, error);
    else
        status = ll_fail(error, LL_MEMORY, "no memory for a row");
    for (size_t j = 0; balls && j < count; ++j)
        wide_clear(&a.base, &balls[j]);
    free(values);
    free(balls);
    return status;
}

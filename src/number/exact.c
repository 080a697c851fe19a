/* Exact numbers: setting, comparing, and balls.
 *
 * 2^two costs nothing, since arf has exponents of any length. 5^five is where time could go: with a five
 * of thousands of bits, binary powering takes thousands of squarings, each at the precision of all of
 * them. Beyond a machine word we compute instead 5^k = 2^n exp(k ln 5 - n ln 2): one long
 * multiplication and one division at prec + bits(k), the exponential at prec only. Questions about size
 * alone are first asked of an estimate of log2 x that forms no power at all. */
#include "number/exact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void ll_exact_init(ll_exact *x)
{
    fmpz_init(x->mantissa);
    fmpz_init(x->two);
    fmpz_init(x->five);
}

void ll_exact_clear(ll_exact *x)
{
    if (x == NULL)
        return;
    fmpz_clear(x->mantissa);
    fmpz_clear(x->two);
    fmpz_clear(x->five);
    ll_exact_init(x);
}

void ll_exact_free(ll_exact *numbers, long count)
{
    for (long i = 0; numbers != NULL && i < count; i++)
        ll_exact_clear(&numbers[i]);
    free(numbers);
}

void ll_exact_set(ll_exact *out, const ll_exact *x)
{
    fmpz_set(out->mantissa, x->mantissa);
    fmpz_set(out->two, x->two);
    fmpz_set(out->five, x->five);
}

void ll_exact_set_si(ll_exact *out, slong x)
{
    fmpz_set_si(out->mantissa, x);
    fmpz_zero(out->two);
    fmpz_zero(out->five);
}

void ll_exact_set_d(ll_exact *out, double x)
{
    int exponent;
    slong bits = (slong)ldexp(frexp(x, &exponent), DBL_MANT_DIG);
    int zeros = bits == 0 ? 0 : __builtin_ctzl((unsigned long)bits);
    fmpz_set_si(out->mantissa, bits / (1L << zeros));
    fmpz_set_si(out->two, bits == 0 ? 0 : exponent - DBL_MANT_DIG + zeros);
    fmpz_zero(out->five);
}

ll_status ll_exact_set_arf(ll_exact *out, const arf_t x)
{
    if (!arf_is_finite(x))
        return LL_DOMAIN;
    arf_get_fmpz_2exp(out->mantissa, out->two, x);
    fmpz_zero(out->five);
    return LL_OK;
}

/* Move all factors 5 of the mantissa into the exponent. */
static void strip_fives(ll_exact *x)
{
    if (!fmpz_divisible_si(x->mantissa, 5))
        return;
    fmpz_t five;
    fmpz_init_set_ui(five, 5);
    slong count = fmpz_remove(x->mantissa, x->mantissa, five);
    fmpz_add_si(x->five, x->five, count);
    fmpz_clear(five);
}

void ll_exact_reduce(ll_exact *x)
{
    if (fmpz_is_zero(x->mantissa)) {
        ll_exact_set_si(x, 0);
        return;
    }
    ulong zeros = (ulong)fmpz_val2(x->mantissa);
    if (zeros > 0) {
        fmpz_tdiv_q_2exp(x->mantissa, x->mantissa, zeros);
        fmpz_add_ui(x->two, x->two, zeros);
    }
    strip_fives(x);
}

int ll_exact_sgn(const ll_exact *x)
{
    return fmpz_sgn(x->mantissa);
}

/* May 5 divide the mantissa while five < 0? Only then is there something to cancel. */
static int can_cancel(const ll_exact *x)
{
    return fmpz_sgn(x->five) < 0 && !fmpz_is_zero(x->mantissa) && fmpz_divisible_si(x->mantissa, 5);
}

int ll_exact_is_dyadic(const ll_exact *x)
{
    if (fmpz_is_zero(x->mantissa))
        return 1;
    if (!can_cancel(x))
        return fmpz_sgn(x->five) >= 0 && fmpz_cmp_si(x->five, LL_EXACT_FIVES) <= 0;
    ll_exact reduced;
    ll_exact_init(&reduced);
    ll_exact_set(&reduced, x);
    strip_fives(&reduced);
    int dyadic = ll_exact_is_dyadic(&reduced);
    ll_exact_clear(&reduced);
    return dyadic;
}

void ll_exact_log_five(arb_t out, slong prec)
{
    arb_t two;
    arb_init(two);
    arb_const_log10(out, prec + 4);
    arb_const_log2(two, prec + 4);
    arb_sub(out, out, two, prec);
    arb_clear(two);
}

/* 5^k, k >= 2^62 or so: k ln 5 = n ln 2 + r. The argument has absolute error about 2^(2 + bits(k) - wp), which is
 * the relative error of the result. */
static void power_by_exp(arb_t out, const fmpz_t k, slong prec)
{
    slong wp = prec + (slong)fmpz_bits(k) + 8;
    arb_t argument, log2;
    fmpz_t n;
    arb_init(argument);
    arb_init(log2);
    fmpz_init(n);
    ll_exact_log_five(argument, wp);
    arb_mul_fmpz(argument, argument, k, wp);
    arb_const_log2(log2, wp);
    arb_div(out, argument, log2, (slong)fmpz_bits(k) + 16);
    arf_get_fmpz(n, arb_midref(out), ARF_RND_NEAR);
    arb_submul_fmpz(argument, log2, n, wp);
    arb_exp(out, argument, prec + 4);
    arb_mul_2exp_fmpz(out, out, n);
    fmpz_clear(n);
    arb_clear(log2);
    arb_clear(argument);
}

/* 5^k, k >= 0, with relative error below 2^-prec. Squaring doubles the relative error, so that binary powering ends
 * with less than 4k of them. */
static void power_of_five(arb_t out, const fmpz_t k, slong prec)
{
    slong bits = (slong)fmpz_bits(k);
    if (bits > FLINT_BITS) {
        power_by_exp(out, k, prec);
        return;
    }
    arb_t five;
    arb_init(five);
    arb_set_ui(five, 5);
    arb_pow_fmpz_binexp(out, five, k, prec + bits + 4);
    arb_clear(five);
}

/* mantissa * 5^five with no common 5 left. Where five >= 0 and the result may fit prec bits, 5^five is exact. */
static void odd_part(arb_t out, const ll_exact *x, slong prec)
{
    slong wp = prec + 4;
    fmpz_t k;
    arb_t power;
    fmpz_init(k);
    arb_init(power);
    fmpz_abs(k, x->five);
    if (fmpz_cmp_si(k, wp) <= 0) { /* at most 2.33 wp bits */
        fmpz_t five;
        fmpz_init_set_ui(five, 5);
        fmpz_pow_ui(five, five, fmpz_get_ui(k));
        arb_set_fmpz(power, five);
        fmpz_clear(five);
    } else {
        power_of_five(power, k, wp);
    }
    arb_set_round_fmpz(out, x->mantissa, fmpz_sgn(x->five) < 0 ? wp : ARF_PREC_EXACT);
    if (fmpz_sgn(x->five) < 0)
        arb_div(out, out, power, wp);
    else
        arb_mul(out, out, power, wp);
    arb_clear(power);
    fmpz_clear(k);
}

void ll_exact_get_ball(arb_t out, const ll_exact *x, slong prec)
{
    if (fmpz_is_zero(x->five) || fmpz_is_zero(x->mantissa)) {
        arb_set_round_fmpz_2exp(out, x->mantissa, x->two, prec + 2);
        return;
    }
    if (can_cancel(x)) {
        ll_exact reduced;
        ll_exact_init(&reduced);
        ll_exact_set(&reduced, x);
        strip_fives(&reduced);
        ll_exact_get_ball(out, &reduced, prec);
        ll_exact_clear(&reduced);
        return;
    }
    odd_part(out, x, prec);
    arb_mul_2exp_fmpz(out, out, x->two);
}

/* A ball around log2 |x|, x != 0, with radius at most 1 + |five| 2^-48: no power is formed. */
static void estimate_log2(arb_t out, const ll_exact *x)
{
    arb_t part;
    arb_init(part);
    arb_set_d(out, 0x1.2934f0979a371p+1); /* log2 5 to 53 bits */
    mag_set_ui_2exp_si(arb_radref(out), 1, -51);
    arb_mul_fmpz(out, out, x->five, 64);
    arb_set_round_fmpz(part, x->two, 64);
    arb_add(out, out, part, 64);
    arb_set_si(part, (slong)fmpz_bits(x->mantissa) * 2 - 1); /* bits - 1 <= log2 |mantissa| < bits */
    arb_mul_2exp_si(part, part, -1);
    mag_set_ui_2exp_si(arb_radref(part), 1, -1);
    arb_add(out, out, part, 64);
    arb_clear(part);
}

/* Is log2 |x| surely below -limit (answer -1), or surely above limit (1)? Else 0. x != 0. */
static int is_far(const ll_exact *x, slong limit)
{
    arb_t size, bound;
    arb_init(size);
    arb_init(bound);
    estimate_log2(size, x);
    arb_set_si(bound, limit);
    int above = arb_gt(size, bound);
    arb_neg(bound, bound);
    int below = arb_lt(size, bound);
    arb_clear(bound);
    arb_clear(size);
    return above - below;
}

static int is_same(const ll_exact *x, const ll_exact *y)
{
    return fmpz_equal(x->mantissa, y->mantissa) && fmpz_equal(x->two, y->two) && fmpz_equal(x->five, y->five);
}

/* x against the integer y, both positive, x->five != 0. Two numbers with one reduced form are equal; all others are
 * told apart by some precision. */
static int compare_by_balls(ll_exact *x, ll_exact *y)
{
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    ll_exact_reduce(x);
    ll_exact_reduce(y);
    int sign = 0;
    for (slong prec = 64; sign == 0 && !is_same(x, y); prec *= 2) {
        ll_exact_get_ball(left, x, prec);
        ll_exact_get_ball(right, y, prec);
        sign = arb_gt(left, right) - arb_lt(left, right);
    }
    arb_clear(right);
    arb_clear(left);
    return sign;
}

/* x against the integer y, x->five = 0: exact, and no mantissa is shifted by x->two. */
static int compare_dyadic(const ll_exact *x, const ll_exact *y)
{
    arf_t left, right;
    arf_init(left);
    arf_init(right);
    arf_set_fmpz_2exp(left, x->mantissa, x->two);
    arf_set_fmpz(right, y->mantissa);
    int sign = arf_cmp(left, right);
    arf_clear(right);
    arf_clear(left);
    return sign;
}

/* Positive x and y; both are divided by the powers of y, which leaves y an integer. */
static int compare_positive(ll_exact *x, ll_exact *y)
{
    fmpz_sub(x->two, x->two, y->two);
    fmpz_sub(x->five, x->five, y->five);
    fmpz_zero(y->two);
    fmpz_zero(y->five);
    if (fmpz_is_zero(x->five))
        return compare_dyadic(x, y);
    int far = is_far(x, (slong)fmpz_bits(y->mantissa) + 1);
    if (far > 0)
        return 1;
    return far < 0 ? -1 : compare_by_balls(x, y);
}

int ll_exact_cmp(const ll_exact *x, const ll_exact *y)
{
    int sign = ll_exact_sgn(x);
    if (sign != ll_exact_sgn(y))
        return sign > ll_exact_sgn(y) ? 1 : -1;
    if (sign == 0 || is_same(x, y))
        return 0;
    ll_exact left, right;
    ll_exact_init(&left);
    ll_exact_init(&right);
    ll_exact_set(&left, x);
    ll_exact_set(&right, y);
    fmpz_abs(left.mantissa, left.mantissa);
    fmpz_abs(right.mantissa, right.mantissa);
    sign *= compare_positive(&left, &right);
    ll_exact_clear(&right);
    ll_exact_clear(&left);
    return sign;
}

/* 1 - x loses as many bits as x agrees with 1; get_ball is exact where x has few bits, so x = 1 gives exactly 0. */
void ll_exact_get_complement(arb_t out, const ll_exact *x, slong prec)
{
    if (ll_exact_sgn(x) != 0 && is_far(x, prec + 8) < 0) {
        arb_one(out);
        mag_set_ui_2exp_si(arb_radref(out), 1, -prec - 8);
        return;
    }
    arb_t ball;
    arb_init(ball);
    for (slong wp = prec + 16;; wp *= 2) {
        ll_exact_get_ball(ball, x, wp);
        arb_sub_ui(out, ball, 1, prec + 8);
        if (arb_rel_accuracy_bits(out) >= prec + 1)
            break;
    }
    arb_neg(out, out);
    arb_clear(ball);
}

/* ln mantissa + two ln 2 + five ln 5, each with an error of about 2^-wp of the largest of them. Beside a long exponent
 * the mantissa's logarithm, which is below bits(mantissa), is wanted to the last bit of two ln 2 only. */
static void add_logs(arb_t out, const ll_exact *x, slong wp)
{
    arb_t part;
    arb_init(part);
    slong size = (slong)FLINT_MAX(fmpz_bits(x->two), fmpz_bits(x->five));
    slong spare = size - FLINT_BIT_COUNT(fmpz_bits(x->mantissa)) - 2;
    slong short_wp = spare > 0 ? FLINT_MAX(wp - spare, 32) : wp;
    arb_set_round_fmpz(part, x->mantissa, short_wp);
    arb_log(out, part, short_wp);
    if (!fmpz_is_zero(x->two)) {
        arb_const_log2(part, wp);
        arb_addmul_fmpz(out, part, x->two, wp);
    }
    if (!fmpz_is_zero(x->five)) {
        ll_exact_log_five(part, wp);
        arb_addmul_fmpz(out, part, x->five, wp);
    }
    arb_clear(part);
}

/* Away from x = 1 the parts may still cancel, at most to a number of size 1/8: doubling ends. Near 1, ln x is taken
 * from 1 - x. */
void ll_exact_get_log(arb_t out, const ll_exact *x, slong prec)
{
    if (ll_exact_sgn(x) <= 0) {
        arb_indeterminate(out);
        return;
    }
    for (slong wp = prec + 16;; wp *= 2) {
        add_logs(out, x, wp);
        if (arf_cmpabs_2exp_si(arb_midref(out), -2) < 0 && mag_cmp_2exp_si(arb_radref(out), -2) < 0)
            break;
        if (arb_rel_accuracy_bits(out) >= prec + 1) {
            arb_set_round(out, out, prec + 8);
            return;
        }
    }
    ll_exact_get_complement(out, x, prec + 8);
    arb_neg(out, out);
    arb_log1p(out, out, prec + 8);
}

/* ---- nearest floats */

typedef struct {
    slong digits; /* bits of a normal significand */
    slong least;  /* 2^least is the smallest subnormal */
} grid;

/* The value q 2^shift of the grid nearest to x, q an integer; 0 for x <= 0. x has a moderate exponent: ldexp is exact
 * but for overflow. */
static double round_arf(const arf_t x, const grid *g)
{
    if (arf_sgn(x) <= 0)
        return 0;
    slong exponent = ARF_EXP(x);
    slong shift = exponent - g->digits > g->least ? exponent - g->digits : g->least;
    arf_t scaled;
    arf_init(scaled);
    arf_mul_2exp_si(scaled, x, -shift);
    double nearest = ldexp((double)arf_get_si(scaled, ARF_RND_NEAR), (int)shift);
    arf_clear(scaled);
    return nearest;
}

/* |x| is a tie or a value of the grid only where it is dyadic with few bits, and then the ball is a point; else some
 * precision puts both ends of the ball on one side of the tie. */
static double round_positive(const ll_exact *x, const grid *g)
{
    arb_t ball;
    arf_t end;
    double low, high;
    arb_init(ball);
    arf_init(end);
    slong prec = 96;
    do {
        ll_exact_get_ball(ball, x, prec);
        arb_abs(ball, ball);
        arb_get_lbound_arf(end, ball, prec + 8);
        low = round_arf(end, g);
        arb_get_ubound_arf(end, ball, prec + 8);
        high = round_arf(end, g);
        prec *= 2;
    } while (low != high);
    arf_clear(end);
    arb_clear(ball);
    return low;
}

static double round_to_grid(const ll_exact *x, const grid *g)
{
    int sign = ll_exact_sgn(x);
    if (sign == 0)
        return 0;
    int far = is_far(x, 2048);
    double size = far > 0 ? (double)INFINITY : far < 0 ? 0.0 : round_positive(x, g);
    return sign < 0 ? -size : size;
}

enum { SMALL_FIVES = 22, SMALL_TWOS = 900 };

static int is_within(const fmpz_t x, slong limit)
{
    return fmpz_cmp_si(x, limit) <= 0 && fmpz_cmp_si(x, -limit) >= 0;
}

/* mantissa and 5^|five| below 2^53 are doubles, one operation rounds once, and 2^two scales a normal number exactly
 * (2^-52 <= mantissa 5^five < 2^105). */
static int is_small(const ll_exact *x)
{
    return fmpz_bits(x->mantissa) <= DBL_MANT_DIG && is_within(x->five, SMALL_FIVES) && is_within(x->two, SMALL_TWOS);
}

static double round_small(const ll_exact *x)
{
    double mantissa = (double)fmpz_get_si(x->mantissa), power = 1;
    slong five = fmpz_get_si(x->five);
    for (slong i = five < 0 ? -five : five; i > 0; i--)
        power *= 5;
    return ldexp(five < 0 ? mantissa / power : mantissa * power, (int)fmpz_get_si(x->two));
}

double ll_exact_get_d(const ll_exact *x)
{
    static const grid binary64 = {DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG};
    return is_small(x) ? round_small(x) : round_to_grid(x, &binary64);
}

/* A double on the grid of floats is a float or above FLT_MAX, where the conversion gives infinity. */
float ll_exact_get_f(const ll_exact *x)
{
    static const grid binary32 = {FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG};
    double nearest = round_to_grid(x, &binary32);
    return fabs(nearest) > FLT_MAX ? copysignf(INFINITY, (float)copysign(1, nearest)) : (float)nearest;
}

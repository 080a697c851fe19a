/* Bit patterns of nonnegative floats are in the order of their values: so the list of all values is the list
 * of all patterns, and a result is a search among the middles between neighbours. */
#include "slow_float.h"

#include <arb.h>
#include <flint/fmpq.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALL_BITS = 256 };

static void give_up(const char *reason)
{
    (void)fprintf(stderr, "slow_float: %s\n", reason);
    abort();
}

static long bias_of(slow_format format)
{
    return (1L << (format.exponent_bits - 1)) - 1;
}

static uint64_t sign_bit(slow_format format)
{
    return (uint64_t)1 << (format.exponent_bits + format.fraction_bits);
}

uint64_t slow_count(slow_format format)
{
    return 2 * sign_bit(format);
}

uint64_t slow_zero(slow_format format, int negative)
{
    return negative ? sign_bit(format) : 0;
}

uint64_t slow_infinity(slow_format format, int negative)
{
    return slow_zero(format, negative) | (sign_bit(format) - ((uint64_t)1 << format.fraction_bits));
}

uint64_t slow_nan(slow_format format)
{
    return slow_infinity(format, 0) | (uint64_t)1 << (format.fraction_bits - 1);
}

static uint64_t magnitude_of(slow_format format, uint64_t pattern)
{
    return pattern & (sign_bit(format) - 1);
}

int slow_is_negative(slow_format format, uint64_t pattern)
{
    return (pattern & sign_bit(format)) != 0;
}

int slow_is_nan(slow_format format, uint64_t pattern)
{
    return magnitude_of(format, pattern) > slow_infinity(format, 0);
}

int slow_is_infinite(slow_format format, uint64_t pattern)
{
    return magnitude_of(format, pattern) == slow_infinity(format, 0);
}

int slow_is_zero(slow_format format, uint64_t pattern)
{
    return magnitude_of(format, pattern) == 0;
}

void slow_decode(slow_format format, uint64_t *mantissa, long *exponent, uint64_t pattern)
{
    uint64_t magnitude = magnitude_of(format, pattern), hidden = (uint64_t)1 << format.fraction_bits;
    uint64_t field = magnitude / hidden;
    *mantissa = magnitude % hidden + (field ? hidden : 0);
    *exponent = (field ? (long)field : 1) - bias_of(format) - format.fraction_bits;
}

/* ------------------------------------------------------------------ rounding by integers */

/* quotient = floor(mantissa / 2^shift), shift >= 1; how what is left compares with one half. */
static int compare_rest(mpz_t quotient, const mpz_t mantissa, unsigned long shift, int has_tail, int *inexact)
{
    mpz_t rest, half;
    mpz_init(rest);
    mpz_init_set_ui(half, 1);
    mpz_mul_2exp(half, half, shift - 1);
    mpz_fdiv_q_2exp(quotient, mantissa, shift);
    mpz_fdiv_r_2exp(rest, mantissa, shift);
    int order = mpz_cmp(rest, half);
    *inexact = has_tail || mpz_sgn(rest) != 0;
    mpz_clear(rest);
    mpz_clear(half);
    return order == 0 ? has_tail : order;
}

uint64_t slow_pack(slow_format format, int *inexact, int negative, const mpz_t mantissa, long exponent, int has_tail)
{
    long least = 1 - bias_of(format), bits = mpz_sgn(mantissa) ? (long)mpz_sizeinbase(mantissa, 2) : 0;
    long top = exponent + bits - 1 < least ? least : exponent + bits - 1;
    long shift = top - format.fraction_bits - exponent;
    int dropped = 0, order = -1;
    if (bits == 0 && !has_tail) {
        if (inexact)
            *inexact = 0;
        return slow_zero(format, negative);
    }
    if (top > bias_of(format)) {
        if (inexact)
            *inexact = 1;
        return slow_infinity(format, negative);
    }
    mpz_t quotient;
    mpz_init(quotient);
    if (shift > bits + 1) { /* less than a quarter of the least subnormal */
        dropped = bits > 0 || has_tail;
    } else if (shift > (has_tail ? 1 : 0)) {
        order = compare_rest(quotient, mantissa, (unsigned long)shift, has_tail, &dropped);
    } else {
        if (has_tail)
            give_up("a tail within the last bits");
        mpz_mul_2exp(quotient, mantissa, (unsigned long)-shift);
    }
    if (order > 0 || (order == 0 && mpz_odd_p(quotient)))
        mpz_add_ui(quotient, quotient, 1);
    /* The hidden bit of a normal quotient, or a carry into it, adds 1 to the exponent field. */
    uint64_t pattern = ((uint64_t)(top - least) << format.fraction_bits) + mpz_get_ui(quotient);
    mpz_clear(quotient);
    if (inexact)
        *inexact = dropped;
    return slow_zero(format, negative) | pattern;
}

/* ------------------------------------------------------------------ the list of all values */

static void set_2exp(mpq_t out, uint64_t mantissa, long exponent)
{
    mpq_set_ui(out, mantissa, 1);
    if (exponent >= 0)
        mpq_mul_2exp(out, out, (unsigned long)exponent);
    else
        mpq_div_2exp(out, out, (unsigned long)-exponent);
}

static void get_rational(slow_format format, mpq_t out, uint64_t pattern)
{
    uint64_t mantissa;
    long exponent;
    slow_decode(format, &mantissa, &exponent, pattern);
    set_2exp(out, mantissa, exponent);
    if (slow_is_negative(format, pattern))
        mpq_neg(out, out);
}

void slow_table_init(slow_table *table, slow_format format)
{
    mpq_t value, next;
    mpq_init(value);
    mpq_init(next);
    table->format = format;
    table->count = (long)slow_infinity(format, 0);
    table->middle = malloc((size_t)table->count * sizeof *table->middle);
    if (!table->middle)
        give_up("out of memory");
    for (long i = 0; i < table->count; i++) {
        get_rational(format, value, (uint64_t)i);
        if (i + 1 < table->count)
            get_rational(format, next, (uint64_t)i + 1);
        else
            set_2exp(next, 1, bias_of(format) + 1);
        mpq_init(table->middle[i]);
        mpq_add(table->middle[i], value, next);
        mpq_div_2exp(table->middle[i], table->middle[i], 1);
    }
    mpq_clear(value);
    mpq_clear(next);
}

void slow_table_clear(slow_table *table)
{
    for (long i = 0; i < table->count; i++)
        mpq_clear(table->middle[i]);
    free(table->middle);
}

/* The first i whose middle is not below the number; order: of the number against a middle, -1, 0 or 1. */
static uint64_t search(const slow_table *table, int (*order)(const void *number, const mpq_t middle),
                       const void *number, int negative)
{
    long low = 0, high = table->count;
    while (low < high) {
        long i = (low + high) / 2;
        if (order(number, table->middle[i]) > 0)
            low = i + 1;
        else
            high = i;
    }
    if (low < table->count && order(number, table->middle[low]) == 0 && low % 2)
        low++;
    return slow_zero(table->format, negative) | (uint64_t)low;
}

static int order_rational(const void *number, const mpq_t middle)
{
    return mpq_cmp(number, middle);
}

/* A ball that is one point may sit on a middle; any other must be clear of it. */
static int order_ball(const void *number, const mpq_t middle)
{
    arb_t m;
    fmpq_t q;
    arb_init(m);
    fmpq_init(q);
    fmpq_set_mpq(q, middle);
    arb_set_fmpq(m, q, BALL_BITS); /* dyadic: exact */
    int order = arb_gt(number, m) - arb_lt(number, m);
    if (!arb_is_exact(m) || (order == 0 && !arb_equal(number, m)))
        give_up("a ball on a middle");
    fmpq_clear(q);
    arb_clear(m);
    return order;
}

/* zero_negative: the sign of an exact 0. */
static uint64_t round_rational(const slow_table *table, const mpq_t x, int zero_negative)
{
    mpq_t magnitude;
    mpq_init(magnitude);
    mpq_abs(magnitude, x);
    int negative = mpq_sgn(x) ? mpq_sgn(x) < 0 : zero_negative;
    uint64_t pattern = search(table, order_rational, magnitude, negative);
    mpq_clear(magnitude);
    return pattern;
}

static uint64_t round_ball(const slow_table *table, const arb_t x)
{
    arb_t magnitude;
    arb_init(magnitude);
    arb_abs(magnitude, x);
    if (arb_contains_zero(x))
        give_up("a ball on 0");
    uint64_t pattern = search(table, order_ball, magnitude, arb_is_negative(x));
    arb_clear(magnitude);
    return pattern;
}

/* ------------------------------------------------------------------ + - * / */

static uint64_t add(const slow_table *table, uint64_t x, uint64_t y)
{
    slow_format format = table->format;
    int x_infinite = slow_is_infinite(format, x), y_infinite = slow_is_infinite(format, y);
    if (x_infinite || y_infinite)
        return x_infinite && y_infinite && x != y ? slow_nan(format) : x_infinite ? x : y;
    mpq_t a, b;
    mpq_init(a);
    mpq_init(b);
    get_rational(format, a, x);
    get_rational(format, b, y);
    mpq_add(a, a, b);
    uint64_t z = round_rational(table, a, slow_is_negative(format, x) && slow_is_negative(format, y));
    mpq_clear(a);
    mpq_clear(b);
    return z;
}

static uint64_t multiply(const slow_table *table, uint64_t x, uint64_t y)
{
    slow_format format = table->format;
    int negative = slow_is_negative(format, x) != slow_is_negative(format, y);
    if (slow_is_infinite(format, x) || slow_is_infinite(format, y))
        return slow_is_zero(format, x) || slow_is_zero(format, y) ? slow_nan(format) : slow_infinity(format, negative);
    mpq_t a, b;
    mpq_init(a);
    mpq_init(b);
    get_rational(format, a, x);
    get_rational(format, b, y);
    mpq_mul(a, a, b);
    uint64_t z = round_rational(table, a, negative);
    mpq_clear(a);
    mpq_clear(b);
    return z;
}

static uint64_t divide(const slow_table *table, uint64_t x, uint64_t y)
{
    slow_format format = table->format;
    int negative = slow_is_negative(format, x) != slow_is_negative(format, y);
    int x_infinite = slow_is_infinite(format, x), y_infinite = slow_is_infinite(format, y);
    int x_zero = slow_is_zero(format, x), y_zero = slow_is_zero(format, y);
    if ((x_infinite && y_infinite) || (x_zero && y_zero))
        return slow_nan(format);
    if (x_infinite || y_zero)
        return slow_infinity(format, negative);
    if (y_infinite || x_zero)
        return slow_zero(format, negative);
    mpq_t a, b;
    mpq_init(a);
    mpq_init(b);
    get_rational(format, a, x);
    get_rational(format, b, y);
    mpq_div(a, a, b);
    uint64_t z = round_rational(table, a, negative);
    mpq_clear(a);
    mpq_clear(b);
    return z;
}

/* ------------------------------------------------------------------ pow */

static double get_double(slow_format format, uint64_t x)
{
    uint64_t mantissa;
    long exponent;
    if (slow_is_nan(format, x))
        return NAN;
    slow_decode(format, &mantissa, &exponent, x);
    double value = slow_is_infinite(format, x) ? INFINITY : ldexp((double)mantissa, (int)exponent);
    return slow_is_negative(format, x) ? -value : value;
}

/* The power of two that a positive number is, or 0 where it is none. */
static int get_log2(long *out, double x)
{
    int exponent;
    *out = 0;
    if (frexp(x, &exponent) != 0.5)
        return 0;
    *out = exponent - 1;
    return 1;
}

/* Finite x != 0 and y != 0. A power of two to a broken power can fall on a middle (0.5^(1+8/2)): it is exact here. */
static uint64_t finite_power(const slow_table *table, double x, double y)
{
    long log2;
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_d(a, fabs(x));
    arb_set_d(b, y);
    if (get_log2(&log2, fabs(x)) && (double)log2 * y == rint((double)log2 * y)) {
        arb_one(a);
        arb_mul_2exp_si(a, a, (slong)((double)log2 * y));
    } else {
        arb_pow(a, a, b, BALL_BITS);
    }
    if (x < 0 && fmod(fabs(y), 2) == 1)
        arb_neg(a, a);
    uint64_t pattern = round_ball(table, a);
    arb_clear(a);
    arb_clear(b);
    return pattern;
}

/* Everything that is not an ordinary power is C's: the answer is 0, 1, infinity or NaN, and libm's word for it. */
static uint64_t power(const slow_table *table, uint64_t x, uint64_t y)
{
    slow_format format = table->format;
    double a = get_double(format, x), b = get_double(format, y);
    int is_ordinary = isfinite(a) && isfinite(b) && a != 0 && b != 0 && (a > 0 || b == rint(b));
    if (is_ordinary)
        return finite_power(table, a, b);
    double z = pow(a, b);
    mpq_t one;
    if (isnan(z))
        return slow_nan(format);
    if (isinf(z))
        return slow_infinity(format, z < 0);
    if (z == 0)
        return slow_zero(format, signbit(z));
    mpq_init(one);
    mpq_set_d(one, z);
    uint64_t pattern = round_rational(table, one, 0);
    mpq_clear(one);
    return pattern;
}

uint64_t slow_binary(const slow_table *table, char operation, uint64_t x, uint64_t y)
{
    slow_format format = table->format;
    if (operation == '^')
        return power(table, x, y);
    if (slow_is_nan(format, x) || slow_is_nan(format, y))
        return slow_nan(format);
    switch (operation) {
    case '+':
        return add(table, x, y);
    case '-':
        return add(table, x, y ^ sign_bit(format));
    case '*':
        return multiply(table, x, y);
    default:
        return divide(table, x, y);
    }
}

/* ------------------------------------------------------------------ functions */

/* Finite x inside the domain, and the result is not 0. */
static uint64_t finite_function(const slow_table *table, slow_function function, uint64_t x)
{
    arb_t a;
    arb_init(a);
    arb_set_d(a, get_double(table->format, x));
    switch (function) {
    case SLOW_LOG:
        arb_log(a, a, BALL_BITS);
        break;
    case SLOW_EXP:
        arb_exp(a, a, BALL_BITS);
        break;
    case SLOW_SQRT:
        arb_sqrt(a, a, BALL_BITS);
        break;
    case SLOW_LOG1P:
        arb_add_ui(a, a, 1, ARF_PREC_EXACT);
        arb_log(a, a, BALL_BITS);
        break;
    default:
        arb_exp(a, a, BALL_BITS);
        arb_sub_ui(a, a, 1, BALL_BITS);
    }
    uint64_t pattern = round_ball(table, a);
    arb_clear(a);
    return pattern;
}

/* Where the function has a pole, the pole's pattern; where it has a zero, a zero of this sign. */
static uint64_t logarithm(const slow_table *table, slow_function function, uint64_t x)
{
    slow_format format = table->format;
    double value = get_double(format, x) + (function == SLOW_LOG1P ? 1 : 0);
    if (value < 0)
        return slow_nan(format);
    if (value == 0)
        return slow_infinity(format, 1);
    if (slow_is_infinite(format, x))
        return x;
    if (value == 1 && function == SLOW_LOG)
        return slow_zero(format, 0);
    return finite_function(table, function, x);
}

static uint64_t exponential(const slow_table *table, slow_function function, uint64_t x)
{
    slow_format format = table->format;
    uint64_t one = (uint64_t)bias_of(format) << format.fraction_bits;
    if (slow_is_infinite(format, x) && !slow_is_negative(format, x))
        return x;
    if (slow_is_infinite(format, x))
        return function == SLOW_EXP ? slow_zero(format, 0) : one | sign_bit(format);
    if (slow_is_zero(format, x))
        return one;
    return finite_function(table, function, x);
}

uint64_t slow_unary(const slow_table *table, slow_function function, uint64_t x)
{
    slow_format format = table->format;
    if (slow_is_nan(format, x))
        return slow_nan(format);
    if (slow_is_zero(format, x) && (function == SLOW_LOG1P || function == SLOW_EXPM1 || function == SLOW_SQRT))
        return x;
    if (function == SLOW_EXP || function == SLOW_EXPM1)
        return exponential(table, function, x);
    if (function != SLOW_SQRT)
        return logarithm(table, function, x);
    if (slow_is_negative(format, x))
        return slow_nan(format);
    return slow_is_infinite(format, x) ? x : finite_function(table, function, x);
}

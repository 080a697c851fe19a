/* A slow second opinion on small floats, for tests: nothing here is shared with src/number/format.c.
 *
 * A value is its bit pattern, sign on top, then E exponent and F fraction bits, IEEE-like; there is one NaN.
 *
 *   slow_table   all values of a tiny format in a list, with the middle between every two neighbours: exact
 *                rationals (GMP) for + - * /, balls (Arb) for the functions, each compared with the middles
 *   slow_pack    any format up to 64 bits: rounds mantissa * 2^exponent by integer arithmetic
 *
 * What cannot be decided ends the program: a reference that guesses is none. */
#ifndef LL_TESTS_SLOW_FLOAT_H
#define LL_TESTS_SLOW_FLOAT_H

#include <gmp.h>
#include <mpfr.h>
#include <stdint.h>

typedef struct {
    int exponent_bits, fraction_bits; /* 1 + E + F <= 64 */
} slow_format;

uint64_t slow_count(slow_format format); /* of patterns, 2^(1+E+F) < 2^64 */
uint64_t slow_infinity(slow_format format, int negative);
uint64_t slow_zero(slow_format format, int negative);
uint64_t slow_nan(slow_format format);
int slow_is_negative(slow_format format, uint64_t pattern);
int slow_is_nan(slow_format format, uint64_t pattern);
int slow_is_infinite(slow_format format, uint64_t pattern);
int slow_is_zero(slow_format format, uint64_t pattern);
/* |value| = *mantissa * 2^*exponent of a finite pattern. */
void slow_decode(slow_format format, uint64_t *mantissa, long *exponent, uint64_t pattern);

/* Nearest even of +-(mantissa + t) * 2^exponent, mantissa >= 0, t = 0 or (has_tail) some t in (0,1), which must not
 * matter: either the mantissa has two bits more than the format, or it is 0 and the exponent is far
 * below the least. *inexact (may be NULL): was anything rounded? */
uint64_t slow_pack(slow_format format, int *inexact, int negative, const mpz_t mantissa, long exponent, int has_tail);

typedef struct {
    slow_format format;
    long count;    /* finite values >= 0, patterns 0 .. count-1; pattern count is the infinity */
    mpq_t *middle; /* middle[i] between values i and i+1; the last before 2^(bias+1), where infinity begins */
} slow_table;

void slow_table_init(slow_table *table, slow_format format);
void slow_table_clear(slow_table *table);

/* operation: one of "+-*" "/" "^" (C's pow). */
uint64_t slow_binary(const slow_table *table, char operation, uint64_t x, uint64_t y);

typedef enum { SLOW_LOG, SLOW_EXP, SLOW_SQRT, SLOW_LOG1P, SLOW_EXPM1, SLOW_FUNCTIONS } slow_function;
uint64_t slow_unary(const slow_table *table, slow_function function, uint64_t x);

/* ---- slow_mpfr.c: MPFR at fraction_bits + 64 bits, rounded towards 0, then slow_pack */

/* The value of a pattern, out of precision fraction_bits + 1 or more; and back, *inexact as of slow_pack. */
void slow_get_mpfr(slow_format format, mpfr_t out, uint64_t pattern);
uint64_t slow_set_mpfr(slow_format format, int *inexact, const mpfr_t x);

uint64_t slow_wide_binary(slow_format format, char operation, const mpfr_t x, const mpfr_t y);
uint64_t slow_wide_unary(slow_format format, slow_function function, const mpfr_t x);

/* 2 to 62 exponent bits, mostly few; 1 + E + F <= 64. */
slow_format slow_draw_format(uint64_t *state);

/* A pattern from the corners: zeros, infinities, NaN, subnormals, the ends of a binade, few or many ones, near 1; one
 * in four from anywhere. *state is the seed and moves on. */
uint64_t slow_draw(slow_format format, uint64_t *state);
/* One that has to do with x: a neighbour, its opposite, one some binades away, or any. */
uint64_t slow_draw_near(slow_format format, uint64_t *state, uint64_t x);
uint64_t slow_random(uint64_t *state); /* 64 bits (splitmix64) */

#endif

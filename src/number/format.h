/* FPA(phi): a float with any number of exponent and fraction bits, IEEE-like: bias 2^(E-1)-1, subnormals,
 * signed zeros, infinities, NaN, round to nearest even. MPFR does the rounding; its emin/emax and flags
 * are thread state, set and restored only in format.c: no function here disturbs those of the caller. */
#ifndef LL_NUMBER_FORMAT_H
#define LL_NUMBER_FORMAT_H

#include "number/exact.h"

#include <mpfr.h>

/* Up to 62 exponent bits the format is complete. From 63 on its range is wider than MPFR's: a result that
 * is not 0 and lies outside 2^(2-2^62) <= |x| < 2^(2^62-1) is answered by NaN, since the format would
 * represent it and MPFR cannot. Infinities that come of infinities, or of a division by 0, stay. */
typedef struct {
    long exponent_bits; /* 2 .. LL_FORMAT_MAX_BITS */
    long fraction_bits; /* 1 .. LL_FORMAT_MAX_BITS */
} ll_format;

#define LL_FORMAT_MAX_BITS (1L << 30)

#define LL_FORMAT_NAMES "fp64, fp32, tf32, bf16, fp16, fp8-e4m3, fp8-e5m2, fpa:PHI or fpa:E,F"

/* "fp64" (11,52), "fp32" (8,23), "tf32" (8,10), "bf16" (8,7), "fp16" (5,10), "fp8-e4m3" (4,3), "fp8-e5m2" (5,2),
 * "fpa:PHI" with E = floor((PHI-1)/2) and F = PHI-1-E, "fpa:E,F". All of them have infinities: fp8-e4m3
 * ends at 240, where OCP's format of that name has no infinity, one NaN and values up to 448.
 * LL_DOMAIN with what is wrong and the names there are. */
/* Names without parameters, from 0 on; NULL past the last. */
const char *ll_format_name(long index);
LL_CHECK ll_status ll_format_parse(ll_format *out, const char *name, ll_error *error);

/* Value 0, precision fraction_bits + 1; for mpfr_clear. Every out and operand below must be initialised so
 * for the same format. Results are correctly rounded values of the format, rounded once; zeros and
 * infinities carry the signs of IEEE 754 (and C's pow). out may alias inputs. */
void ll_format_init(const ll_format *format, mpfr_t x);
void ll_format_set_exact(const ll_format *format, mpfr_t out, const ll_exact *x);
/* The value of the format that the text of a number reads back as: the nearest, ties to even. 0 where it is not finite,
 * and out is unchanged. */
int ll_format_nearest(const ll_format *format, arf_t out, const ll_exact *x);
void ll_format_set_arf(const ll_format *format, mpfr_t out, const arf_t x);
void ll_format_set_d(const ll_format *format, mpfr_t out, double x);
void ll_format_set(const ll_format *format, mpfr_t out, const mpfr_t x); /* x of any precision and range */
void ll_format_neg(const ll_format *format, mpfr_t out, const mpfr_t x);
void ll_format_add(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y);
void ll_format_sub(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y);
void ll_format_mul(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y);
void ll_format_div(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y);
void ll_format_pow(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y);
void ll_format_log(const ll_format *format, mpfr_t out, const mpfr_t x);
void ll_format_exp(const ll_format *format, mpfr_t out, const mpfr_t x);
void ll_format_sqrt(const ll_format *format, mpfr_t out, const mpfr_t x);
void ll_format_log1p(const ll_format *format, mpfr_t out, const mpfr_t x);
void ll_format_expm1(const ll_format *format, mpfr_t out, const mpfr_t x);

/* (2 - 2^-F) * 2^bias and 2^(1-bias-F); NaN from 63 exponent bits on. */
void ll_format_max_finite(const ll_format *format, mpfr_t out);
void ll_format_min_subnormal(const ll_format *format, mpfr_t out);

#endif

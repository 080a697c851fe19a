/* FPA(phi): a float with any number of exponent and fraction bits, IEEE-like: subnormals, infinities,
 * NaN, round to nearest even. MPFR does the rounding; its emin/emax are thread state, set and restored
 * only in format.c. */
#ifndef LL_NUMBER_FORMAT_H
#define LL_NUMBER_FORMAT_H

#include "exact.h"

#include <mpfr.h>

typedef struct {
    long exponent_bits; /* >= 2; beyond 62, values past 2^(2^62) are answered by NaN and ll_format_lost */
    long fraction_bits; /* >= 1 */
} ll_format;

/* "fp64", "fp32", "tf32", "bf16", "fp16", "fp8-e4m3", "fp8-e5m2", "fpa:PHI", "fpa:E,F". */
LL_CHECK ll_status ll_format_parse(ll_format *out, const char *name, ll_error *error);

/* x must be initialised by ll_format_init (precision fraction_bits + 1). Results are correctly rounded
 * values of the format. out may alias inputs. */
void ll_format_init(const ll_format *format, mpfr_t x);
void ll_format_set_exact(const ll_format *format, mpfr_t out, const ll_exact *x);
void ll_format_set_d(const ll_format *format, mpfr_t out, double x);
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
void ll_format_max_finite(const ll_format *format, mpfr_t out);
void ll_format_min_subnormal(const ll_format *format, mpfr_t out);

#endif

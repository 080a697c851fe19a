/* One interface over the arithmetic models: balls, fractions, FPA(phi), native fp64 and fp32.
 *
 * Generic code (the expression evaluator, the losses, sums in a small format) is written once against
 * this table; loops that must be fast use doubles directly. */
#ifndef LL_NUMBER_ARITHMETIC_H
#define LL_NUMBER_ARITHMETIC_H

#include "number/format.h"

#include <flint/fmpq.h>

typedef union {
    arb_t ball;      /* exact: an enclosure at arithmetic->prec */
    fmpq_t fraction; /* rational: the number itself, or unknown */
    mpfr_t fpa;      /* a value of arithmetic->format */
    double native;   /* fp64; fp32 is a double that is a float */
} ll_value;

typedef struct ll_arithmetic ll_arithmetic;

/* Operations follow IEEE 754 for floats (less is LL_FALSE where one is NaN); balls answer an indeterminate ball
 * outside a domain, and LL_UNKNOWN where the ball leaves it open. Values must be initialised in the same
 * arithmetic (init: to 0); out may alias inputs. */
typedef struct {
    const char *name; /* "exact", "rational", "fpa", "fp64", "fp32" */
    void (*init)(const ll_arithmetic *a, ll_value *x);
    void (*clear)(const ll_arithmetic *a, ll_value *x);
    void (*set)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*set_exact)(const ll_arithmetic *a, ll_value *out, const ll_exact *x);
    void (*add)(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y);
    void (*sub)(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y);
    void (*mul)(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y);
    void (*div)(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y);
    void (*pow)(const ll_arithmetic *a, ll_value *out, const ll_value *x, const ll_value *y);
    void (*neg)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*log)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*exp)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*sqrt)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*log1p)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    void (*expm1)(const ll_arithmetic *a, ll_value *out, const ll_value *x);
    ll_truth (*less)(const ll_arithmetic *a, const ll_value *x, const ll_value *y); /* x < y */
    /* A ball: LL_TRUE where bounded, LL_FALSE where +-inf, LL_UNKNOWN where indeterminate or unbounded. */
    ll_truth (*is_finite)(const ll_arithmetic *a, const ll_value *x);
    /* The value itself, exactly; an infinity is an infinity, NaN an indeterminate ball, -0 is 0. */
    void (*get_ball)(const ll_arithmetic *a, arb_t out, const ll_value *x);
} ll_operations;

struct ll_arithmetic {
    const ll_operations *ops;
    ll_format format; /* of FPA, fp64 (11,52) and fp32 (8,23) */
    slong prec;       /* of balls, and of what get_ball makes of a fraction */
};

/* Balls at a->prec; fractions, as long as the numbers are some; a->format by MPFR; hardware doubles with libm's log,
 * exp and pow; the same with every result rounded to float, which for + - * / sqrt is what float hardware does (see
 * arithmetic_native.c). */
extern const ll_operations ll_arithmetic_ball, ll_arithmetic_rational, ll_arithmetic_fpa, ll_arithmetic_fp64,
    ll_arithmetic_fp32;

/* "exact" (prec 128, to be raised by the caller), "fp64" and "fp32" native, any other name as ll_format_parse. */
LL_CHECK ll_status ll_arithmetic_parse(ll_arithmetic *out, const char *name, ll_error *error);
/* The format computed by MPFR, also for fp64 and fp32. */
void ll_arithmetic_set_format(ll_arithmetic *out, ll_format format);
void ll_arithmetic_set_ball(ll_arithmetic *out, slong prec);

void ll_value_set_si(const ll_arithmetic *a, ll_value *out, long x);

#endif

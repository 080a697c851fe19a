/* A number that is worked out three ways at once: in doubles, step by step, as a simulated program does; exactly, as a
 * fraction; and as a ball that holds what every program gets whose steps are these, each rounded once to fp64
 * (docs/proofs/counts.md). A metric of counts or ranks is one function of such numbers. */
#ifndef LL_METRIC_WORKED_H
#define LL_METRIC_WORKED_H

#include "number/exact.h"

#include <flint/fmpq.h>

typedef enum {
    LL_WORK_DOUBLES = 1,   /* `native` */
    LL_WORK_FRACTIONS = 2, /* `fraction`, while it is one */
    LL_WORK_BALLS = 4,     /* `ball`, every step as exact as prec allows */
    LL_WORK_ROUNDED = 8    /* with LL_WORK_BALLS: and widened by one rounding a step */
} ll_ways;

typedef struct {
    unsigned ways;
    slong prec;
} ll_work;

typedef struct {
    double native;
    fmpq_t fraction;
    int is_fraction; /* a root is none */
    arb_t ball;
} ll_worked;

void ll_worked_init(ll_worked *x);
void ll_worked_clear(ll_worked *x);
void ll_worked_copy(ll_worked *out, const ll_worked *x);

/* Outputs may be inputs. Counts are exact: |n| <= 2^53. */
void ll_worked_set(const ll_work *work, ll_worked *out, long n);
void ll_worked_set_exact(const ll_work *work, ll_worked *out, const ll_exact *x); /* rounded to fp64 */
void ll_worked_add(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b);
void ll_worked_sub(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b);
void ll_worked_mul(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b);
void ll_worked_div(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b); /* b is not 0 */
void ll_worked_sqrt(const ll_work *work, ll_worked *out, const ll_worked *a);                    /* a is not below 0 */
void ll_worked_sum(const ll_work *work, ll_worked *out, const ll_worked *terms, long n);         /* in NumPy's order */
/* numerator / denominator, counts. */
void ll_worked_ratio(const ll_work *work, ll_worked *out, long numerator, long denominator);

#endif

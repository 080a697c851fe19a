/* Steps of a transform: one file and one row of functions each (step_*.c). Every step is a monotone function of the
 * number. */
#ifndef LL_RELEASE_TRANSFORM_H
#define LL_RELEASE_TRANSFORM_H

#include "number/arithmetic.h"
#include "number/raw.h"

typedef struct ll_transform {
    const char *name; /* "percent" */
    int turns;        /* what was higher becomes lower */
    int is_exact;     /* a float is not rounded by it */
    int needs_sign;   /* there is no such number of one below 0; `missing` says so */
    const char *missing;
    long factor;  /* the number times this; 0: it is not linear */
    double power; /* numbers that are scaled by s are scaled by |factor| s^power afterwards */
    /* Forward: of a ball, with so many bits; of a float, in its arithmetic; of a fraction, which may cease to be one;
     * of a double, not for proofs. */
    void (*ball)(arb_t x, slong bits);
    void (*rounded)(const ll_arithmetic *a, ll_value *x);
    void (*rational)(ll_raw *raw);
    double (*plain)(double x);
    /* Back: the numbers that may have become the interval; 0: there are none. */
    int (*back)(arb_t x, slong prec);
    /* Of numbers of at most that size: their size afterwards; and from then on the half width of an interval, back. */
    void (*grow)(arb_t size, slong prec);
    void (*shrink)(arb_t half, const arb_t size, slong prec);
    /* The least difference of two numbers, afterwards; most: the size that they may have then. */
    void (*apart)(arb_t difference, const arb_t most, slong prec);
} ll_transform;

extern const ll_transform ll_transform_negate, ll_transform_root, ll_transform_percent;

/* The steps, from 0 on; NULL past the last (transform_table.c). */
const ll_transform *ll_transform_get(long index);

#endif

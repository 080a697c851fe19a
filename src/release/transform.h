/* Steps of a transform, one family per file (step_*.c). Every step is a monotone function of the number. A step has a
 * number of its own: the factor of a scale, the summand of an offset; that of negate and percent is fixed. */
#ifndef LL_RELEASE_TRANSFORM_H
#define LL_RELEASE_TRANSFORM_H

#include "number/arithmetic.h"
#include "number/unreleased.h"

typedef struct ll_transform {
    const char *name;      /* "percent" */
    const char *example;   /* as a setting names it: "percent", "offset:1" */
    long fixed;            /* the number of its own where the setting gives none; 0: the setting gives it, or none */
    const char *parameter; /* what the setting must give, "a number other than 0"; NULL: nothing */
    int may_be_zero;       /* may the number of its own be 0? */
    int is_exact;          /* a float is not rounded by it */
    int needs_sign;        /* there is no such number of one below 0; `missing` says so */
    const char *python_before, *python_after; /* around a number in units of 2**-80: "100 * (", ")"; NULL: no code */
    const char *missing;
    int scales;   /* the number times its own; its sign says whether higher becomes lower */
    int shifts;   /* its own number is added */
    double power; /* above 0: a number that is scaled by s is scaled by s^power afterwards, an offset left out; limits
                     are proved with it. 0: a step of another form (a logarithm). How far a label can move what it
                     makes of a score is not known then, so that limits only count what can be answered */
    /* Forward: of a ball, with that many bits; of a float, in its arithmetic; of a fraction, which may cease to be one;
     * of a double, not for proofs. */
    void (*ball)(arb_t x, const ll_exact *own, slong bits);
    void (*rounded)(const ll_arithmetic *a, ll_value *x, const ll_exact *own);
    void (*rational)(ll_unreleased *unreleased, const ll_exact *own);
    double (*plain)(double x, double own);
    /* Back: the numbers that may have become the interval; 0: there are none. */
    int (*back)(arb_t x, const ll_exact *own, slong prec);
    /* Of numbers of at most that size: their size afterwards; and from then on the half width of an interval, back. */
    void (*grow)(arb_t size, const ll_exact *own, slong prec);
    void (*shrink)(arb_t half, const ll_exact *own, const arb_t size, slong prec);
    /* The least difference of two numbers, afterwards; most: the size that they may have then. */
    void (*apart)(arb_t difference, const ll_exact *own, const arb_t most, slong prec);
} ll_transform;

/* The one list of the steps: the name, and how texts write it. The table, the help and the messages are made from these
 * lines. */
#define LL_TRANSFORMS(step)                                                                                            \
    step(negate, "negate (neg_log_loss)")                                                                              \
    step(root, "root (RMSE)")                                                                                          \
    step(percent, "percent")                                                                                           \
    step(scale, "scale:FACTOR")                                                                                        \
    step(offset, "offset:SUMMAND")

#define LL_TRANSFORM_DECLARED(name, form) extern const ll_transform ll_transform_##name;
LL_TRANSFORMS(LL_TRANSFORM_DECLARED)
#undef LL_TRANSFORM_DECLARED

/* "negate (neg_log_loss), root (RMSE), " and so on, a comma and a blank after each. */
#define LL_TRANSFORM_FORM(name, form) form ", "
#define LL_TRANSFORM_FORMS LL_TRANSFORMS(LL_TRANSFORM_FORM)

/* The steps, from 0 on; NULL past the last (transform_table.c). */
const ll_transform *ll_transform_get(long index);

/* A step of a release: the row, and the number of its own. */
typedef struct {
    const ll_transform *row;
    ll_exact own;
} ll_transform_step;

int ll_transform_step_turns(const ll_transform_step *step);     /* what was higher becomes lower */
int ll_transform_step_is_linear(const ll_transform_step *step); /* scaled or shifted: differences are scaled */
double ll_transform_step_plain(const ll_transform_step *step, double x);

#endif

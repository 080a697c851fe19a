/* Steps of a transform, one family per file (step_*.c). Every step is a monotone function of the number. A step has a
 * number of its own: the factor of a scale, the summand of an offset; that of negate and percent is fixed. */
#ifndef LL_RELEASE_TRANSFORM_H
#define LL_RELEASE_TRANSFORM_H

#include "number/arithmetic.h"
#include "number/unreleased.h"

typedef struct ll_transform {
    const char *name;      /* "percent" */
    const char *example;   /* as a setting names it: "percent", "offset:1" */
    long fixed;            /* its number if the setting does not give it; 0: the setting gives it, or there is none */
    const char *parameter; /* what the setting must give, "a number other than 0"; NULL: nothing */
    int may_be_zero;       /* may the number of its own be 0? */
    int is_exact;          /* it does not round a float */
    int needs_sign;        /* it is not defined below 0; `missing` is the message */
    const char *python_before, *python_after; /* around a number in units of 2**-80: "100 * (", ")"; NULL: no code */
    const char *missing;
    int scales;   /* it multiplies by its number; a negative one turns higher into lower */
    int shifts;   /* it adds its number */
    double power; /* above 0: factor x^power, or an offset; proofs of limits use it. 0: a step of another form (a
                     logarithm). Then it is not known how far a label can move the released number, so that
                     limits only count the possible answers */
    /* Forward, for a ball (to that many bits), a float (in its arithmetic), a fraction (the result need not be one) and
     * a double (not for proofs). */
    void (*ball)(arb_t x, const ll_exact *own, slong bits);
    void (*rounded)(const ll_arithmetic *a, ll_value *x, const ll_exact *own);
    void (*rational)(ll_unreleased *unreleased, const ll_exact *own);
    double (*plain)(double x, double own);
    /* Back: all numbers that this step can have taken into the interval; 0: there is none. */
    int (*back)(arb_t x, const ll_exact *own, slong prec);
    /* grow: from the largest size of numbers to that after the step. shrink: from half the width of an interval after
     * the step to that before it, for numbers whose size after the step is at most `size`. */
    void (*grow)(arb_t size, const ll_exact *own, slong prec);
    void (*shrink)(arb_t half, const ll_exact *own, const arb_t size, slong prec);
    /* From the least difference of two numbers before the step to that after it; most: their largest size after it. */
    void (*apart)(arb_t difference, const ll_exact *own, const arb_t most, slong prec);
} ll_transform;

/* The one list of the steps: the name, and how texts write it. The table, the help and the messages are made from these
 * lines. */
#define LL_TRANSFORMS(step)                                                                                            \
    step(negate, "negate (neg_log_loss)") step(root, "root (RMSE)") step(percent, "percent")                           \
        step(scale, "scale:FACTOR") step(offset, "offset:SUMMAND")

#define LL_TRANSFORM_DECLARED(name, form) extern const ll_transform ll_transform_##name;
LL_TRANSFORMS(LL_TRANSFORM_DECLARED)
#undef LL_TRANSFORM_DECLARED

/* "negate (neg_log_loss), root (RMSE), " and so on, a comma and a blank after each. */
#define LL_TRANSFORM_FORM(name, form) form ", "
#define LL_TRANSFORM_FORMS LL_TRANSFORMS(LL_TRANSFORM_FORM)

/* Step number `index`, from 0; NULL after the last (transform_table.c). */
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

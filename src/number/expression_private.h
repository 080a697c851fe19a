/* The program that an expression becomes: postfix, flat, one small stack. Shared by the parser and the
 * evaluator only. */
#ifndef LL_NUMBER_EXPRESSION_PRIVATE_H
#define LL_NUMBER_EXPRESSION_PRIVATE_H

#include "number/expression.h"

typedef enum {
    LL_STEP_NUMBER, /* push numbers[index] */
    LL_STEP_X,
    LL_STEP_ALPHA,
    LL_STEP_ADD,
    LL_STEP_SUB,
    LL_STEP_MUL,
    LL_STEP_DIV,
    LL_STEP_POW,
    LL_STEP_MUL_LOG, /* p, u -> p*log(u), where u is a factor of p */
    LL_STEP_LOG_MUL, /* u, p -> log(u)*p, likewise */
    LL_STEP_NEG,
    LL_STEP_LOG,
    LL_STEP_EXP,
    LL_STEP_SQRT,
    LL_STEP_POWER, /* u -> u^n by multiplication; numbers[index] is n, numbers[index + 1] is n(n-1) */
    LL_STEP_U_LOG_U
} ll_step_kind;

/* What is known of an operand as a function of x without computing it: derivatives that are zero by form
 * are neither computed nor stored. */
typedef enum { LL_CONSTANT = 0, LL_AFFINE = 1, LL_CURVED = 2 } ll_shape;

typedef struct {
    uint8_t kind;        /* ll_step_kind */
    uint8_t left, right; /* ll_shape of the operands; a unary step's is left */
    int8_t exponent;     /* of LL_STEP_POWER, 2 <= |n| <= 64 or -1 */
    uint32_t index;
} ll_step;

enum { LL_NUMBER_ZERO, LL_NUMBER_ONE, LL_NUMBERS_FIXED }; /* numbers[] begins with 0 and 1 */

struct ll_expression {
    ll_step *steps;
    ll_exact *numbers; /* exponents of LL_STEP_POWER among them */
    long step_count, number_count;
    long depth; /* operands on the stack at most, >= 1 and <= LL_EXPRESSION_DEPTH + 1 */
    int uses_alpha;
    ll_shape shape; /* of the whole */
};

/* ---- building: operands stand on a stack as slices of the program; see expression_build.c ---- */

typedef struct {
    long start; /* its first step; it ends where the next operand starts */
    ll_shape shape;
} ll_operand;

typedef struct {
    ll_expression *out; /* with room for one step a character and two numbers a character */
    ll_operand operands[LL_EXPRESSION_DEPTH + 1];
    long operand_count;
} ll_builder;

long ll_builder_push_number(ll_builder *b); /* index of a new number, 0 so far */
void ll_builder_push(ll_builder *b, ll_step_kind kind, long index, ll_shape shape); /* a number, x or alpha */
/* Replace the last operands by an operator's or function's result. Finds u*log(u) and literal powers. */
void ll_builder_apply(ll_builder *b, ll_step_kind kind);

/* ---- running ---- */

typedef struct {
    ll_value d[3]; /* the value, then derivatives */
} ll_jet;

typedef struct {
    const ll_expression *program;
    const ll_arithmetic *a;
    int order; /* highest derivative asked for; the jets have room for no more */
    struct {
        ll_value value, slope, bend; /* f(u), f'(u), f''(u) */
        ll_value number;             /* the last one converted */
        ll_value term, more, power;
    } t;
    ll_jet stack[LL_EXPRESSION_DEPTH + 1];
} ll_machine;

const ll_value *ll_machine_number(ll_machine *m, long index); /* valid until the next call */
/* The step on the last operands of the stack; u is the (left) operand and becomes the result. */
void ll_machine_unary(ll_machine *m, ll_jet *u, const ll_step *step);
void ll_machine_binary(ll_machine *m, ll_jet *u, const ll_step *step);

/* ---- balls at 0; out may alias inputs ---- */

int ll_expression_touches_zero(const arb_t u); /* a ball [0, h] */
void ll_expression_ball_sqrt(arb_t out, const arb_t u, slong prec);
void ll_expression_ball_pow(arb_t out, const arb_t u, const arb_t c, slong prec);
void ll_expression_ball_power_at_zero(arb_t out, const arb_t u, long n, slong prec); /* u contains 0, n >= 1 */
void ll_expression_ball_u_log_u_at_zero(arb_t out, const arb_t u, slong prec);       /* u touches 0 */

#endif

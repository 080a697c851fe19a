/* Expressions in x and alpha: + - * / ^ ( ) log exp sqrt and numbers, over any arithmetic, with first
 * and second derivatives carried along. The language and its evaluation rules: docs/expressions.md. */
#ifndef LL_NUMBER_EXPRESSION_H
#define LL_NUMBER_EXPRESSION_H

#include "number/arithmetic.h"

enum {
    LL_EXPRESSION_LENGTH = 65536, /* characters at most */
    LL_EXPRESSION_DEPTH = 200     /* operators, functions and parentheses that may be open at one place */
};

typedef struct ll_expression ll_expression;

/* LL_DOMAIN with the column (from 1), what was expected there and what was found. Nesting and length are
 * bounded as above, so that no input overflows a stack. Numbers are kept exact. Unary minus binds weaker
 * than ^; ^ is right associative. text is not kept. */
LL_CHECK ll_status ll_expression_create(ll_expression **out, const char *text, ll_error *error);
void ll_expression_destroy(ll_expression *expression);
int ll_expression_uses_alpha(const ll_expression *expression);
/* Operations and operands of one evaluation, >= 1. */
long ll_expression_steps(const ll_expression *expression);

/* value (and first and second derivative in x where not NULL) at x; alpha may be NULL where it is not used.
 * Outputs may alias inputs. Derivatives that are not asked for are not computed.
 * The text is followed operation by operation, so that FPA and native results are those of a program
 * that computes just this expression; x^n with a literal integer n, |n| <= 64, multiplies (balls too).
 * Outside a domain the arithmetic answers (NaN, infinity, indeterminate ball); 0*log(0) is 0 where the
 * expression says u*log(u) with a u that is exactly 0. Balls enclose the results at every point of x and
 * alpha; a ball [0,r] is inside the domain of u*log(u), sqrt(u) and u^c with a constant c > 0, one that
 * reaches below 0 is not (arb_set_interval_arf rounds outwards: follow it by arb_nonnegative_part). */
void ll_expression_evaluate(const ll_expression *expression, const ll_arithmetic *a, ll_value *value, ll_value *first,
                            ll_value *second, const ll_value *x, const ll_value *alpha);

#endif

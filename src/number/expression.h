/* Expressions in x and alpha: + - * / ^ ( ) log exp sqrt and numbers, over any arithmetic, with first
 * and second derivatives carried along. */
#ifndef LL_NUMBER_EXPRESSION_H
#define LL_NUMBER_EXPRESSION_H

#include "arithmetic.h"

typedef struct ll_expression ll_expression;

/* LL_DOMAIN with the position and what was expected there. Nesting and length are bounded (said in the
 * text), so that no input overflows a stack. Numbers are kept exact. Unary minus binds weaker than ^;
 * ^ is right associative. */
LL_CHECK ll_status ll_expression_create(ll_expression **out, const char *text, ll_error *error);
void ll_expression_destroy(ll_expression *expression);
int ll_expression_uses_alpha(const ll_expression *expression);

/* value (and first and second derivative in x where not NULL) at x; alpha may be NULL where it is not used.
 * The text is followed operation by operation, so that FPA and native results are those of a program
 * that computes just this expression; x^n with a literal integer n, |n| <= 64, multiplies (balls too).
 * Outside a domain the arithmetic answers (NaN, indeterminate ball); 0*log(0) is 0 where the
 * expression says u*log(u) with a u that is exactly 0. */
void ll_expression_evaluate(const ll_expression *expression, const ll_arithmetic *a, ll_value *value, ll_value *first,
                            ll_value *second, const ll_value *x, const ll_value *alpha);

#endif

/* Codes whose weights are the digits of one large number: weight(j, k) = sign * digit(k) * base^j, where the digit of
 * label k is k in base 2 or K, or 2^k in base 2^K (one bit of every group of K). A sum is sign * T for an integer T
 * written with these digits only; different labellings give different T, so the gap is 1. */
#ifndef LL_CODE_POSITIONAL_H
#define LL_CODE_POSITIONAL_H

#include "code/code.h"

void ll_positional_span(const ll_code *code, arb_t out);
void ll_positional_sum(const ll_code *code, arb_t out, const int32_t *labels); /* radix */
LL_CHECK ll_status ll_positional_decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error);

/* The integers in a ball: low = ceil(least), high = floor(greatest), an end that is beyond 2^bits being +-2^bits: a
 * score may say 1e999999999, and no sum does. LL_DOMAIN where the ball is not finite. */
LL_CHECK ll_status ll_code_integers(fmpz_t low, fmpz_t high, const arb_t ball, slong bits);

/* How many integers are in a ball, 3 for more than two of them and for a ball that is not finite; *least: the first one
 * where there are one or two, else 0. Those of more than 62 bits are none: no count, and no sum of levels, is so large.
 */
int ll_code_count_integers(int64_t *least, const arb_t ball);

#endif

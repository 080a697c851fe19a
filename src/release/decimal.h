/* Numbers to decimal text, exactly: rounding is decided on the true value of a binary number, in integers, so that
 * neither libm nor the locale has a say. */
#ifndef LL_RELEASE_DECIMAL_H
#define LL_RELEASE_DECIMAL_H

#include "number/exact.h"

typedef enum { LL_TO_NEAREST, LL_TO_ZERO, LL_TO_BELOW, LL_TO_ABOVE } ll_direction;

/* k = x / step rounded to an integer (nearest: ties to even), x finite, step > 0. LL_UNABLE where the quotient would
 * have more than 2^28 bits. */
LL_CHECK ll_status ll_decimal_round(fmpz_t k, const arf_t x, const ll_exact *step, ll_direction direction);

/* k = x * 10^decimals rounded. */
LL_CHECK ll_status ll_decimal_scale(fmpz_t k, const arf_t x, slong decimals, ll_direction direction);

/* x rounded to `digits` significant digits, digits >= 1: x is about k * 10^-decimals; k = 0 for x = 0. */
LL_CHECK ll_status ll_decimal_digits(fmpz_t k, slong *decimals, const arf_t x, slong digits, ll_direction direction);

/* The shortest k * 10^-decimals that reads back as the double x (17 digits at most). */
void ll_decimal_shortest(fmpz_t k, slong *decimals, double x);

/* k * 10^-decimals as text by malloc, NULL where memory ended. Plain: all digits, exactly `decimals` of them behind
 * the point. Short: no trailing zeros, and an exponent where plain text would be long. */
char *ll_decimal_plain(const fmpz_t k, slong decimals);
char *ll_decimal_short(const fmpz_t k, slong decimals);

#endif

/* sum ln q_i over many positive doubles, without many logarithms: exponents are added as integers, mantissas multiplied
 * as doubles in independent lanes, one logarithm at the end (docs/proofs/summation.md).
 *
 * The error is absolute: beside the logarithm's own at the precision asked for, the ball's radius is at most
 * (n - 1) 2^-53, and (n - LL_LOG_PRODUCT_LANES) 2^-53 where one block had that many factors. It does not shrink with
 * the sum: where all q_i are next to 1 and the sum itself is below n 2^-53, the ball says little. The exact product
 * (ll_product in exact.h) does not have this limit.
 *
 * Fixed lanes and a fixed order inside a block: the result is the same on every machine. It depends on how the
 * factors are cut into blocks, within the radius. */
#ifndef LL_NUMBER_LOG_PRODUCT_H
#define LL_NUMBER_LOG_PRODUCT_H

#include "lossleak.h"
#include "number/ball.h"

enum { LL_LOG_PRODUCT_LANES = 16 };

/* No storage of its own: there is nothing to clear. */
typedef struct {
    double lanes[LL_LOG_PRODUCT_LANES]; /* between calls in [1, 2) */
    int64_t exponent;
    int64_t factors;
    long used; /* lanes[0 .. used-1] have taken a factor; the rest are 1 */
    int spoilt;
} ll_log_product;

void ll_log_product_init(ll_log_product *product);

/* Multiply by q[0] ... q[n-1]. LL_DOMAIN where one is zero, negative, infinite or NaN: from then on get answers an
 * indeterminate ball. At most 2^52 factors in all. */
LL_CHECK ll_status ll_log_product_add(ll_log_product *product, const double *q, long n);

/* A ball around sum ln q_i; prec >= 2 is the precision of the logarithm (64 loses nothing against doubles). */
void ll_log_product_get(arb_t out, const ll_log_product *product, slong prec);

#endif

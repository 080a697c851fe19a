/* The size of a ball as a small number. */
#ifndef LL_NUMBER_BALL_BITS_H
#define LL_NUMBER_BALL_BITS_H

#include "number/ball.h"

#define LL_BALL_BITS_MOST ((slong)1 << 40)

/* The least e with |middle| < 2^e, kept within +-2^40, which also stand for an infinity and for 0: a few of them add up
 * without overflow, and numbers of 2^40 bits are over every budget. */
static inline slong ll_ball_bits(const arb_t x)
{
    slong bits = arf_abs_bound_lt_2exp_si(arb_midref(x));
    return bits > LL_BALL_BITS_MOST ? LL_BALL_BITS_MOST : bits < -LL_BALL_BITS_MOST ? -LL_BALL_BITS_MOST : bits;
}

#endif
